"""pad: the many ways to write its widths and numbers, and borders by a function; the modes are C++ (src/ops/pad.h)."""

import itertools
import operator

import numpy as np

from . import _core
from ._convert import as_array

__all__ = ["pad"]

_KEYWORDS = {
    "constant": "constant_values", "edge": None, "empty": None, "linear_ramp": "end_values",
    "maximum": "stat_length", "mean": "stat_length", "median": "stat_length", "minimum": "stat_length",
    "reflect": "reflect_type", "symmetric": "reflect_type", "wrap": None,
}  # fmt: skip


def pad(array, pad_width, mode="constant", **kwargs):
    """`array` with `pad_width` elements more before and after each axis.

    The modes: 'constant' (`constant_values`), 'edge', 'linear_ramp' (`end_values`), 'maximum', 'mean', 'median',
    'minimum' (`stat_length`), 'reflect', 'symmetric' (`reflect_type`: 'even' or 'odd'), 'wrap', 'empty', or a function
    that is called with each vector, its widths, its axis and the keywords, and writes into the vector.

    >>> cp.pad(cp.array([1, 2, 3]), (1, 2))
    array([0, 1, 2, 3, 0, 0])
    >>> cp.pad(cp.array([1, 2, 3]), 2, mode="reflect")
    array([3, 2, 1, 2, 3, 2, 1])
    """
    array = as_array(array, "pad")
    widths = _widths(pad_width, array.ndim)
    if callable(mode):
        return _by_function(array, widths, mode, kwargs)
    if mode not in _KEYWORDS:
        raise ValueError(f"cuprum.pad: mode '{mode}' is not supported")
    strangers = set(kwargs) - {_KEYWORDS[mode]}
    if strangers:
        raise ValueError(f"cuprum.pad: unsupported keyword arguments for mode '{mode}': {strangers}")
    values = _numbers(kwargs.get("constant_values", kwargs.get("end_values", 0)), array.ndim)
    lengths = _pairs(kwargs.get("stat_length"), array.ndim, as_index=True)
    odd = kwargs.get("reflect_type", "even") == "odd"
    return _core.pad(array, widths, mode, values, lengths, odd)


# -- Arguments ------------------------------------------------------------------------------------------


def _is_width(x):
    return type(x) is int and x >= 0


def _widths(pad_width, ndim):
    # The plain ways to write it need no arrays, which would cost more than a small pad.
    if _is_width(pad_width):
        return [(pad_width, pad_width)] * ndim
    if type(pad_width) is tuple and len(pad_width) == 2 and all(map(_is_width, pad_width)):
        return [pad_width] * ndim
    if isinstance(pad_width, dict):
        pairs = [(0, 0)] * ndim
        for axis, width in pad_width.items():
            pairs[axis] = (width, width) if isinstance(width, int) else tuple(width)
        pad_width = pairs
    pad_width = _on_host(pad_width)
    if pad_width.dtype.kind != "i":
        raise TypeError("cuprum.pad: `pad_width` must be of integral type.")
    return [tuple(map(operator.index, pair)) for pair in _pairs(pad_width, ndim, as_index=True)]


def _on_host(x):
    """A parameter, a few numbers, as NumPy's: the widths are needed to know the shape."""
    return x.get() if isinstance(x, _core.ndarray) else np.array(x)


def _pairs(x, ndim, as_index=False):
    """`x` as a pair for each axis; `as_index` rounds and refuses what is negative."""
    if x is None:
        return [(None, None)] * ndim
    x = _on_host(x)
    if as_index:
        x = np.round(x).astype(np.intp, copy=False)
        if x.size and x.min() < 0:
            raise ValueError("cuprum.pad: index can't contain negative values")
    if x.ndim < 3 and x.size == 1:
        return [(x.ravel()[0],) * 2] * ndim
    if x.ndim < 3 and x.size == 2 and x.shape != (2, 1):
        return [tuple(x.ravel())] * ndim
    return np.broadcast_to(x, (ndim, 2)).tolist()


def _numbers(x, ndim):
    """The same for what borders are filled with; None for zeros."""
    return None if type(x) is int and x == 0 else _pairs(x, ndim)


# -- By a function --------------------------------------------------------------------------------------


def _by_function(array, widths, function, kwargs):
    padded = _core.pad(array, widths)
    for axis in range(padded.ndim):
        rows = _core.moveaxis(padded, axis, -1)
        for index in itertools.product(*map(range, rows.shape[:-1])):
            function(rows[(*index, ...)], widths[axis], axis, kwargs)
    return padded
