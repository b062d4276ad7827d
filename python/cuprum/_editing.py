"""Elements taken out of an array and put into it: new arrays, for the length changes."""

import operator

import numpy as np

from . import _core
from ._checks import as_axes, as_axis
from ._convert import as_array, as_parameter, keeps_class

__all__ = ["delete", "insert", "trim_zeros"]


def trim_zeros(filt, trim="fb", axis=None):
    """`filt` without the zeros at its front ('f') and back ('b'), along all axes or some; a view.

    Where they end is part of the data: what is pending is computed.

    >>> cp.trim_zeros(cp.array([0, 0, 1, 0, 2, 0]))
    array([1, 0, 2])
    """
    array = as_array(filt, "trim_zeros")
    trim = trim.lower()
    if trim not in ("fb", "bf", "f", "b"):
        raise ValueError(f"cuprum.trim_zeros: unexpected character(s) in `trim`: {trim!r}")
    if axis is None:
        axes = tuple(range(array.ndim))
    else:
        axes = as_axes(axis, array.ndim, "trim_zeros", "axis")
    if not axes:
        return filt
    spans = _spans(array, trim)
    index = tuple(spans[i] if i in axes else slice(None) for i in range(array.ndim))
    # A list of numbers stays one, as in NumPy.
    return filt[index[0]] if len(index) == 1 else filt[index]


def _spans(array, trim):
    """For each axis, from the first to the last place with something other than zero."""
    places = _core.argwhere(array)
    if places.size == 0:
        return [slice(0, 0)] * array.ndim
    ends = _core.stack([places.min(axis=0), places.max(axis=0) + 1], 1, None).tolist()
    return [slice(start if "f" in trim else None, stop if "b" in trim else None) for start, stop in ends]


@keeps_class
def delete(arr, obj, axis=None):
    """`arr` without the elements at the given positions of an axis, or of the flattened array.

    >>> cp.delete(cp.array([10, 20, 30, 40]), [1, 3])
    array([10, 30])
    """
    arr, axis = _flattened(arr, axis, "delete")
    n = arr.shape[axis]
    if isinstance(obj, slice):
        return _without_range(arr, range(*obj.indices(n)), axis)
    if not _is_integer(obj):
        given, obj = obj, as_parameter(obj, "delete", 2)
        if obj.size == 0 and not isinstance(given, _core.ndarray):
            return arr.copy(_order(arr))
        if obj.size != 1 or obj.dtype.kind not in "iu":
            return _core.compress(_kept(obj, n, given), arr, axis, None)
        obj = obj.item()
    at = operator.index(obj)
    if not -n <= at < n:
        raise IndexError(f"cuprum.delete: index {at} is out of bounds for axis {axis} with size {n}")
    at %= n
    pieces = [_part(arr, axis, None, at), _part(arr, axis, at + 1, None)]
    return _joined(pieces, axis, arr)


def _is_integer(obj):
    return isinstance(obj, (int, np.integer)) and not isinstance(obj, bool)


def _without_range(arr, positions, axis):
    if len(positions) == 0:
        return arr.copy(_order(arr))
    positions = positions if positions.step > 0 else positions[::-1]
    start, stop, step = positions[0], positions[-1] + 1, positions.step
    pieces = [_part(arr, axis, None, start), _part(arr, axis, stop, None)]
    if step > 1:
        keep = _core.ones((stop - start,), bool)
        keep[::step] = False
        pieces.insert(1, _core.compress(keep, _part(arr, axis, start, stop), axis, None))
    return _joined(pieces, axis, arr)


def _kept(obj, n, given):
    """Which of n places stay. `given` is what `obj` was made of: indices from the host are checked without waiting."""
    if obj.dtype == bool:
        if obj.shape != (n,):
            raise ValueError(
                "cuprum.delete: boolean array argument obj to delete must be one dimensional and match the axis "
                f"length of {n}"
            )
        return _core.logical_not(obj)
    keep = _core.ones((n,), bool)
    from_host = isinstance(given, (list, np.ndarray)) and obj.dtype.kind in "iu"
    keep[given if from_host else obj] = False
    return keep


@keeps_class
def insert(arr, obj, values, axis=None):
    """`arr` with `values` put in before the given positions of an axis, or of the flattened array.

    >>> cp.insert(cp.array([10, 20, 30]), [1, 3], [15, 35])
    array([10, 15, 20, 30, 35])
    """
    arr, axis = _flattened(arr, axis, "insert")
    n = arr.shape[axis]
    positions = _positions(obj, n)
    if positions.size == 1:
        return _insert_at(arr, positions.item(), values, axis, positions.ndim == 0)
    # Where each value comes to lie: those before it have moved it on, by one each.
    positions = _core.where(positions < 0, positions + n, positions)
    order = _core.argsort(positions, 0, "stable")
    count = positions.size
    places = _core.zeros((count,), np.intp)
    places[order] = positions[order] + _core.arange(count, None, None, None)
    total = n + count
    old = _core.ones((total,), bool)
    old[places] = False
    shape = arr.shape[:axis] + (total,) + arr.shape[axis + 1 :]
    result = _core.empty(shape, arr.dtype, _order(arr))
    before = (slice(None),) * axis
    result[(*before, places)] = _stored(values, arr)
    result[(*before, old)] = arr
    return result


def _positions(obj, n):
    """Where to insert, as an array of integers."""
    if isinstance(obj, slice):
        places = range(*obj.indices(n))
        # A step beyond all places need not be a number that an array can hold.
        step = places.step if len(places) > 1 else 1
        return _core.arange(len(places), None, None, np.intp) * step + places.start
    positions = as_parameter(obj, "insert", 2)
    if positions.dtype == bool:
        if positions.ndim != 1:
            raise ValueError("cuprum.insert: boolean array argument obj to insert must be one dimensional")
        return _core.flatnonzero(positions)
    if positions.ndim > 1:
        raise ValueError(
            "cuprum.insert: index array argument obj to insert must be one dimensional or scalar"
        )
    if positions.size == 0 and not isinstance(obj, _core.ndarray):
        return positions.astype(np.intp)
    if positions.dtype.kind not in "iu":
        raise IndexError(
            f"cuprum.insert: arrays used as indices must be of integer (or boolean) type, not {positions.dtype}"
        )
    return positions.astype(np.intp)


def _insert_at(arr, at, values, axis, is_number):
    """Before one position any number of values may be put in."""
    n = arr.shape[axis]
    if not -n <= at <= n:
        raise IndexError(f"cuprum.insert: index {at} is out of bounds for axis {axis} with size {n}")
    at = at + n if at < 0 else at
    values = _core.array(_stored(values, arr), arr.dtype, None, "K", False, arr.ndim)
    if is_number:
        values = _core.moveaxis(values, 0, axis)  # one slice across the axis, not a vector along it
    shape = arr.shape[:axis] + (values.shape[axis],) + arr.shape[axis + 1 :]
    values = _core.broadcast_to(values, shape)
    return _joined([_part(arr, axis, None, at), values, _part(arr, axis, at, None)], axis, arr)


def _stored(values, arr):
    """Numbers and lists become the dtype, in which they must fit; arrays are cast when they are stored."""
    is_array = isinstance(values, (_core.ndarray, np.ndarray))
    return as_parameter(values, "insert", 3) if is_array else _core.asarray(values, arr.dtype)


def _flattened(arr, axis, function):
    """The array and the axis that is meant: without one, the only one of the flattened array."""
    arr = as_array(arr, function)
    if axis is None:
        return (arr if arr.ndim == 1 else arr.ravel()), 0
    return arr, as_axis(axis, arr.ndim, function)


def _part(arr, axis, start, stop):
    return arr[(slice(None),) * axis + (slice(start, stop),)]


def _joined(pieces, axis, arr):
    return _core.asarray(_core.concatenate(pieces, axis), None, _order(arr))


def _order(arr):
    return "F" if arr.flags["F"] and not arr.flags["C"] else "C"
