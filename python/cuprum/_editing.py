"""Elements taken out of an array and put into it: new arrays, for the length changes."""

from . import _core
from ._convert import as_array

__all__ = ["delete", "insert", "trim_zeros"]


def trim_zeros(filt, trim="fb", axis=None):
    """`filt` without the zeros at its front ('f') and back ('b'), along all axes or some; a view.

    Where they end is part of the data: what is pending is computed.

    >>> cp.trim_zeros(cp.array([0, 0, 1, 0, 2, 0]))
    array([1, 0, 2])
    """
    array = as_array(filt, "trim_zeros")
    index = _core.trimmed_spans(array, trim, axis)
    if not index:
        return filt
    # A list of numbers stays one, as in NumPy.
    return filt[index[0]] if len(index) == 1 else filt[index]


def delete(arr, obj, axis=None):
    """`arr` without the elements at the given positions of an axis, or of the flattened array.

    >>> cp.delete(cp.array([10, 20, 30, 40]), [1, 3])
    array([10, 30])
    """
    return _core.delete(arr, obj, axis)


def insert(arr, obj, values, axis=None):
    """`arr` with `values` put in before the given positions of an axis, or of the flattened array.

    >>> cp.insert(cp.array([10, 20, 30]), [1, 3], [15, 35])
    array([10, 15, 20, 30, 35])
    """
    return _core.insert(arr, obj, values, axis)
