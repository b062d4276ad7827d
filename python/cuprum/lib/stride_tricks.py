"""Views with strides of the user's own: several of their elements may be one and the same in memory."""

from .. import _core, broadcast_arrays, broadcast_shapes, broadcast_to
from .._checks import as_axes, as_dims
from .._composite import enter_by_device
from .._convert import as_array
from .._reference import describe_all

__all__ = ["as_strided", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "sliding_window_view"]

_WINDOWS = "lib.stride_tricks.sliding_window_view"


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    """The memory of `x` from its first element on, seen with another shape and other strides (in bytes).

    A view that would leave the memory is refused. A write to a view whose elements overlap has no defined order.

    >>> cp.lib.stride_tricks.as_strided(cp.arange(5), (3, 3), (8, 8))
    array([[0, 1, 2],
           [1, 2, 3],
           [2, 3, 4]])
    """
    view = _core.as_strided(as_array(x, "lib.stride_tricks.as_strided"), shape, strides)
    if not writeable:
        view.flags.writeable = False
    return view


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    """All windows of a shape that fit into `x`, as a read-only view: the axes of the windows come last.

    >>> cp.lib.stride_tricks.sliding_window_view(cp.arange(5), 3)
    array([[0, 1, 2],
           [1, 2, 3],
           [2, 3, 4]])
    """
    x = as_array(x, _WINDOWS)
    window = as_dims(window_shape, _WINDOWS)
    if any(w < 0 for w in window):
        raise ValueError(f"cuprum.{_WINDOWS}: `window_shape` cannot contain negative values, given {window}")
    if axis is None:
        axes = tuple(range(x.ndim))
        if len(window) != len(axes):
            raise ValueError(
                f"cuprum.{_WINDOWS}: Since axis is `None`, must provide window_shape for all dimensions of `x`; "
                f"got {len(window)} window_shape elements and `x.ndim` is {x.ndim}."
            )
    else:
        axes = as_axes(as_dims(axis, _WINDOWS, "axis"), x.ndim, _WINDOWS, allow_duplicate=True)
        if len(window) != len(axes):
            raise ValueError(
                f"cuprum.{_WINDOWS}: Must provide matching length window_shape and axis; "
                f"got {len(window)} window_shape elements and {len(axes)} axes elements."
            )
    places = list(x.shape)
    for axis, width in zip(axes, window):
        if places[axis] < width:
            raise ValueError(
                f"cuprum.{_WINDOWS}: window shape cannot be larger than input array shape: "
                f"given {window} for {x.shape}"
            )
        places[axis] -= width - 1
    strides = x.strides + tuple(x.strides[axis] for axis in axes)
    return as_strided(x, tuple(places) + window, strides, writeable=writeable)


enter_by_device(globals(), __all__)
describe_all(globals(), __all__)
