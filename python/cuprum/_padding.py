"""pad: an array with a border, filled in one of a dozen ways.

The result is made at its full length and the array written into it; then the border is written axis by axis, from
what the axes before have made, so that corners too are filled.
"""

import itertools
import operator

import numpy as np

from . import _core
from ._convert import as_array, is_inexact

__all__ = ["pad"]

_KEYWORDS = {
    "constant": "constant_values", "edge": None, "empty": None, "linear_ramp": "end_values",
    "maximum": "stat_length", "mean": "stat_length", "median": "stat_length", "minimum": "stat_length",
    "reflect": "reflect_type", "symmetric": "reflect_type", "wrap": None,
}  # fmt: skip


_FEW = 1 << 16  # elements: below, one kernel that fills everything costs less than one for every border


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
    if mode == "constant":
        return _constant(array, widths, kwargs.get("constant_values", 0))
    padded = _enlarged(array, widths)
    if mode == "empty":
        return padded
    if array.size == 0:
        _check_empty(array, widths)
        return padded
    write = _writer(mode, kwargs, array.ndim)
    for axis, pair in enumerate(widths):
        if any(pair):
            # The borders of the axes still to come are not written yet: they are left out.
            part = tuple(
                slice(None) if i <= axis else slice(before, before + array.shape[i])
                for i, (before, _) in enumerate(widths)
            )
            write(padded[(*part, ...)], axis, pair, array.shape[axis])
    return padded


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


def _check_empty(array, widths):
    for axis, pair in enumerate(widths):
        if array.shape[axis] == 0 and any(pair):
            raise ValueError(
                f"cuprum.pad: can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
            )


# -- Making the array -----------------------------------------------------------------------------------


def _enlarged(array, widths, fill=None):
    shape = tuple(before + n + after for n, (before, after) in zip(array.shape, widths))
    order = "F" if array.flags["F"] and not array.flags["C"] else "C"
    if fill is None:
        padded = _core.empty(shape, array.dtype, order)
    else:
        padded = _core.full(shape, fill, array.dtype, order)
    inside = tuple(slice(before, before + n) for n, (before, _) in zip(array.shape, widths))
    padded[(*inside, ...)] = array
    return padded


def _all_equal(pairs):
    host = np.array(pairs)
    return host.size != 0 and bool((host == host.flat[0]).all())


def _constant(array, widths, values):
    zero = type(values) is int and values == 0
    pairs = [(0, 0)] * array.ndim
    if not zero:
        pairs = _pairs(values, array.ndim)
    if array.size < _FEW and pairs and (zero or _all_equal(pairs)):
        fill = 0
        if not zero:
            fill = _core.zeros((1,), array.dtype)
            fill[:] = pairs[0][0]  # cast as the writing of a border casts
        return _enlarged(array, widths, fill)
    padded = _enlarged(array, widths)
    for axis, (width, pair) in enumerate(zip(widths, pairs)):
        part = tuple(slice(before, before + n) for n, (before, _) in zip(array.shape, widths))
        inside = padded[(slice(None),) * (axis + 1) + part[axis + 1 :]]
        # Borders of no width too: a number that does not fit is an error.
        _write(inside, axis, None, width[0], pair[0])
        _write(inside, axis, padded.shape[axis] - width[1], None, pair[1])
    return padded


def _by_function(array, widths, function, kwargs):
    padded = _enlarged(array, widths, 0)
    for axis in range(padded.ndim):
        rows = _core.moveaxis(padded, axis, -1)
        for index in itertools.product(*map(range, rows.shape[:-1])):
            function(rows[(*index, ...)], widths[axis], axis, kwargs)
    return padded


# -- Writing the borders of one axis --------------------------------------------------------------------


def _at(x, axis, start, stop, step=None):
    return x[(slice(None),) * axis + (slice(start, stop, step), ...)]


def _write(x, axis, start, stop, values):
    x[(slice(None),) * axis + (slice(start, stop), ...)] = values


def _write_borders(x, axis, widths, values):
    before, after = widths
    if before:
        _write(x, axis, None, before, values[0])
    if after:
        _write(x, axis, x.shape[axis] - after, None, values[1])


def _writer(mode, kwargs, ndim):
    """The function that writes both borders of an axis: (array, axis, widths, length of the axis before)."""
    if mode == "edge":
        return _write_edges
    if mode == "wrap":
        return _write_wrapped
    if mode in ("reflect", "symmetric"):
        odd = kwargs.get("reflect_type", "even") == "odd"
        return lambda x, axis, widths, n: _write_reflected(x, axis, widths, n, mode == "symmetric", odd)
    if mode == "linear_ramp":
        ends = _pairs(kwargs.get("end_values", 0), ndim)
        return lambda x, axis, widths, n: _write_ramps(x, axis, widths, ends[axis])
    lengths = _pairs(kwargs.get("stat_length"), ndim, as_index=True)
    if mode in ("maximum", "minimum") and any(0 in pair for pair in lengths):
        raise ValueError("cuprum.pad: stat_length of 0 yields no value for padding")
    return lambda x, axis, widths, n: _write_statistics(x, axis, widths, lengths[axis], mode)


def _edges(x, axis, widths):
    last = x.shape[axis] - widths[1]
    return _at(x, axis, widths[0], widths[0] + 1), _at(x, axis, last - 1, last)


def _write_edges(x, axis, widths, n):
    _write_borders(x, axis, widths, _edges(x, axis, widths))


def _write_ramps(x, axis, widths, ends):
    first, last = (
        _core.linspace(end, _core.squeeze(edge, axis), width, False, False, x.dtype, axis)
        for end, edge, width in zip(ends, _edges(x, axis, widths), widths)
    )
    _write_borders(x, axis, widths, (first, _core.flip(last, axis)))


def _write_statistics(x, axis, widths, lengths, mode):
    start, stop = widths[0], x.shape[axis] - widths[1]
    first, last = (stop - start if n is None else min(n, stop - start) for n in lengths)
    values = [_statistic(_at(x, axis, start, start + first), axis, mode)]
    same = first == last == stop - start
    values.append(values[0] if same else _statistic(_at(x, axis, stop - last, stop), axis, mode))
    _write_borders(x, axis, widths, values)


def _statistic(x, axis, mode):
    if mode in ("maximum", "minimum"):
        return (x.max if mode == "maximum" else x.min)(axis=axis, keepdims=True)
    value = x.mean(axis=axis, keepdims=True) if mode == "mean" else _median(x, axis)
    return value.round() if x.dtype.kind in "iu" else value


def _median(x, axis):
    """The mean of the one or two in the middle; NaN, which is sorted to the end, makes it NaN."""
    n = x.shape[axis]
    if n == 0:
        return x.mean(axis=axis, keepdims=True)
    ordered = _core.sort(x, axis)
    middle = _at(ordered, axis, (n - 1) // 2, n // 2 + 1).mean(axis=axis, keepdims=True)
    if not is_inexact(x):
        return middle
    last = _at(ordered, axis, n - 1, n)
    return _core.where(_core.isnan(last), last, middle)


def _write_reflected(x, axis, widths, n, include_edge, odd):
    if n == 1:  # nothing to mirror: NumPy repeats the only element
        return _write_edges(x, axis, widths, n)
    before, after = widths
    while before > 0 or after > 0:
        # What is there already is mirrored, whole periods of it, until the border is full.
        there = x.shape[axis] - before - after
        if include_edge:
            chunk, offset = there // n * n, 1
        else:
            chunk, offset = (there - 1) // (n - 1) * (n - 1), 0
        if before > 0:
            length = min(chunk, before)
            stop = before - offset
            mirrored = _at(x, axis, stop + 1, stop + 1 + length)
            values = _mirrored(mirrored, _at(x, axis, before, before + 1), axis, odd)
            _write(x, axis, before - length, before, values)
            before -= length
        if after > 0:
            length = min(chunk, after)
            end = x.shape[axis] - after
            stop = end - 1 + offset
            values = _mirrored(_at(x, axis, stop - length, stop), _at(x, axis, end - 1, end), axis, odd)
            _write(x, axis, end, end + length, values)
            after -= length
    return None


def _mirrored(values, edge, axis, odd):
    values = _core.flip(values, axis)
    return 2 * edge - values if odd else values


def _write_wrapped(x, axis, widths, n):
    before, after = widths
    while before > 0 or after > 0:
        end = x.shape[axis] - after
        period = (end - before) // n * n
        left, right = min(period, before), min(period, after)
        if left:
            _write(x, axis, before - left, before, _at(x, axis, before + period - left, before + period))
        if right:
            _write(x, axis, end, end + right, _at(x, axis, end - period, end - period + right))
        before, after = before - left, after - right
