"""Changing the shape and the order of axes (views where NumPy gives views), and rearranging elements (copies)."""

import itertools
import math
import operator

import numpy as np

from . import _core
from ._checks import as_axes, naming
from ._convert import as_array, plain

__all__ = [
    "append", "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "broadcast_shapes",
    "broadcast_to", "copyto", "expand_dims", "flip", "fliplr", "flipud", "matrix_transpose", "moveaxis",
    "ndim", "permute_dims", "ravel", "repeat", "reshape", "resize", "roll", "rollaxis", "rot90", "shape",
    "size", "squeeze", "swapaxes", "tile", "transpose",
]  # fmt: skip


def reshape(a, /, shape, order="C", *, copy=None):
    """`a` with another shape; one dimension may be -1. A view where possible.

    >>> cp.reshape(cp.arange(6), (2, -1))
    array([[0, 1, 2],
           [3, 4, 5]])
    """
    return _core.reshape(a, shape, order, copy=copy)


def ravel(a, order="C"):
    """`a` as one dimension, a view where possible.

    >>> cp.ravel(cp.array([[1, 2], [3, 4]]), order="F")
    array([1, 3, 2, 4])
    """
    return _core.ravel(a, order)


def transpose(a, axes=None):
    """`a` with its axes reversed, or in the given order; a view.

    >>> cp.transpose(cp.array([[1, 2], [3, 4]]))
    array([[1, 3],
           [2, 4]])
    """
    return _core.transpose(a, axes)


def permute_dims(a, axes=None):
    """Another name of `transpose`.

    >>> cp.permute_dims(cp.ones((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return _core.transpose(a, axes)


def matrix_transpose(x, /):
    """The last two axes swapped; a view.

    >>> cp.matrix_transpose(cp.ones((2, 3, 4))).shape
    (2, 4, 3)
    """
    return _core.matrix_transpose(x)


def moveaxis(a, source, destination):
    """Axes moved to other positions, the others keep their order; a view.

    >>> cp.moveaxis(cp.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    return _core.moveaxis(a, source, destination)


def rollaxis(a, axis, start=0):
    """One axis moved to before position `start`; a view.

    >>> cp.rollaxis(cp.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    return _core.rollaxis(a, axis, start)


def swapaxes(a, axis1, axis2):
    """Two axes exchanged; a view.

    >>> cp.swapaxes(cp.ones((2, 3)), 0, 1).shape
    (3, 2)
    """
    return _core.swapaxes(a, axis1, axis2)


def squeeze(a, axis=None):
    """`a` without its axes of length one, or without the given ones; a view.

    >>> cp.squeeze(cp.ones((1, 3, 1))).shape
    (3,)
    """
    return _core.squeeze(a, axis)


def expand_dims(a, axis):
    """`a` with new axes of length one at the given positions; a view.

    >>> cp.expand_dims(cp.arange(3), (0, 2)).shape
    (1, 3, 1)
    """
    return _core.expand_dims(a, axis)


def broadcast_to(array, shape, subok=False):
    """`array` as a read-only view of a larger shape.

    >>> cp.broadcast_to(cp.arange(3), (2, 3))
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    result = _core.broadcast_to(array, shape)
    return result if subok else plain(result)


def broadcast_arrays(*args, subok=False):
    """Arrays as views of their common broadcast shape, as a tuple.

    >>> [x.shape for x in cp.broadcast_arrays(cp.ones((2, 1)), cp.ones(3))]
    [(2, 3), (2, 3)]
    """
    views = tuple(_core.broadcast_arrays(args))
    if not subok:
        return views
    return tuple(v.view(type(a)) if isinstance(a, _core.ndarray) else v for v, a in zip(views, args))


def broadcast_shapes(*args):
    """The shape to which arrays of these shapes broadcast.

    >>> cp.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    return _core.broadcast_shapes(args)


def atleast_1d(*arys):
    """Inputs as arrays of at least one dimension.

    >>> cp.atleast_1d(3.0)
    array([3.])
    """
    return _core.atleast_1d(arys[0]) if len(arys) == 1 else tuple(_core.atleast_1d(a) for a in arys)


def atleast_2d(*arys):
    """Inputs as arrays of at least two dimensions.

    >>> cp.atleast_2d(cp.arange(3))
    array([[0, 1, 2]])
    """
    return _core.atleast_2d(arys[0]) if len(arys) == 1 else tuple(_core.atleast_2d(a) for a in arys)


def atleast_3d(*arys):
    """Inputs as arrays of at least three dimensions; a vector of n becomes (1, n, 1).

    >>> cp.atleast_3d(cp.arange(3)).shape
    (1, 3, 1)
    """
    return _core.atleast_3d(arys[0]) if len(arys) == 1 else tuple(_core.atleast_3d(a) for a in arys)


def flip(m, axis=None):
    """Elements in reverse order along the given axes; a view.

    >>> cp.flip(cp.arange(4))
    array([3, 2, 1, 0])
    """
    return _core.flip(m, axis)


def fliplr(m):
    """Columns in reverse order; a view.

    >>> cp.fliplr(cp.array([[1, 2], [3, 4]]))
    array([[2, 1],
           [4, 3]])
    """
    m = as_array(m, "fliplr")
    if m.ndim < 2:
        raise ValueError("cuprum.fliplr: Input must be >= 2-d.")
    return m[:, ::-1]


def flipud(m):
    """Rows in reverse order; a view.

    >>> cp.flipud(cp.array([[1, 2], [3, 4]]))
    array([[3, 4],
           [1, 2]])
    """
    m = as_array(m, "flipud")
    if m.ndim < 1:
        raise ValueError("cuprum.flipud: Input must be >= 1-d.")
    return m[::-1, ...]


def roll(a, shift, axis=None):
    """Elements moved by `shift` places along the axes; those that leave at the end come in at the beginning.

    >>> cp.roll(cp.arange(5), 2)
    array([3, 4, 0, 1, 2])
    """
    if not isinstance(shift, int):
        shift = _whole(shift)
    if isinstance(shift, int) and not -(2**63) <= shift < 2**63:  # whole rounds change nothing
        a = as_array(a, "roll")
        shift %= a.size if axis is None else math.lcm(1, *a.shape)
    return _core.roll(a, shift, axis)


def _whole(shift):
    """Shifts as integers, by `int` where they are none: NumPy rolls by 1.5 and by "1" as by 1."""
    if isinstance(shift, _core.ndarray):
        return shift if shift.dtype.kind in "iub" else shift.astype(np.int64)
    if isinstance(shift, np.ndarray):
        return shift.astype(np.int64)
    if isinstance(shift, (list, tuple)) and not any(isinstance(s, (list, tuple)) for s in shift):
        return [int(s) for s in shift]
    return shift if isinstance(shift, (list, tuple)) else int(shift)


def rot90(m, k=1, axes=(0, 1)):
    """`m` turned by k quarters in the plane of two axes, from the first towards the second; a view.

    >>> cp.rot90(cp.array([[1, 2], [3, 4]]))
    array([[2, 4],
           [1, 3]])
    """
    m, axes = as_array(m, "rot90"), tuple(itertools.islice(axes, 3))
    if len(axes) != 2:
        raise ValueError("cuprum.rot90: len(axes) must be 2.")
    if axes[0] == axes[1] or abs(axes[0] - axes[1]) == m.ndim:
        raise ValueError("cuprum.rot90: Axes must be different.")
    if not all(-m.ndim <= axis < m.ndim for axis in axes):
        raise ValueError(f"cuprum.rot90: Axes={axes} out of range for array of ndim={m.ndim}.")
    with naming("rot90", "k"):
        k %= 4
    if k == 0:
        return m[:]
    if k == 2:
        return _core.flip(m, axes)
    if k == 1:
        return _core.swapaxes(_core.flip(m, axes[1]), axes[0], axes[1])
    return _core.flip(_core.swapaxes(m, axes[0], axes[1]), axes[1])


def repeat(a, repeats, axis=None):
    """Each element repeated, along an axis or of the flattened array.

    >>> cp.repeat(cp.array([1, 2]), [3, 1])
    array([1, 1, 1, 2])
    """
    return _core.repeat(a, repeats, axis)


def tile(A, reps):
    """`A` repeated as a whole, `reps` times along each axis.

    >>> cp.tile(cp.array([1, 2]), (2, 2))
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])
    """
    return _core.tile(A, reps)


def append(arr, values, axis=None):
    """`arr` followed by `values`, along an axis or both flattened.

    >>> cp.append(cp.array([1, 2]), [3, 4])
    array([1, 2, 3, 4])
    """
    arr, values = as_array(arr, "append"), as_array(values, "append", 2)
    if axis is None:
        arr, values, axis = arr.ravel(), values.ravel(), 0
    return _core.concatenate([arr, values], axis)


def resize(a, new_shape):
    """Elements of `a` in C order, repeated as often as `new_shape` needs.

    >>> cp.resize(cp.array([1, 2, 3]), (2, 2))
    array([[1, 2],
           [3, 1]])
    """
    return _core.resize(a, new_shape)


def copyto(dst, src, casting="same_kind", where=True):
    """Writes `src` into `dst` where `where` is true; broadcasts and casts.

    >>> x = cp.zeros(3)
    >>> cp.copyto(x, [1, 2, 3], where=[True, False, True])
    >>> x
    array([1., 0., 3.])
    """
    _core.copyto(dst, src, casting, where)


def shape(a):
    """The lengths of the axes of `a`.

    >>> cp.shape([[1, 2, 3]])
    (1, 3)
    """
    return a.shape if hasattr(a, "shape") else _core.asarray(a).shape


def ndim(a):
    """The number of axes of `a`.

    >>> cp.ndim([[1, 2, 3]])
    2
    """
    if hasattr(a, "ndim"):
        return a.ndim
    try:
        return _core.asarray(a).ndim
    except TypeError:  # no numbers: text, None, a set
        return np.ndim(a)


def size(a, axis=None):
    """The number of elements of `a`, or along the given axes.

    >>> cp.size(cp.ones((2, 3)), 1)
    3
    """
    if axis is None:
        return a.size if hasattr(a, "size") else _core.asarray(a).size
    dims = shape(a)
    axes = as_axes(axis, len(dims), "size")
    result = 1
    for i in axes:
        result = operator.mul(result, dims[i])
    return result
