"""Joining arrays and taking them apart. Joins make new arrays; splits give views."""

import itertools

import numpy as np

from . import _core
from ._convert import as_array, as_arrays
from ._manipulation import atleast_1d, atleast_2d, atleast_3d

__all__ = [
    "array_split", "column_stack", "concat", "concatenate", "dsplit", "dstack", "hsplit", "hstack", "split",
    "stack", "unstack", "vsplit", "vstack",
]  # fmt: skip


def concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Arrays joined along an existing axis, or flattened with axis=None.

    >>> cp.concatenate([cp.array([1, 2]), cp.array([3])])
    array([1, 2, 3])
    """
    return _core.concatenate(as_arrays(arrays, "concatenate"), axis, out, dtype, casting)


concat = concatenate


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Arrays of one shape joined along a new axis.

    >>> cp.stack([cp.array([1, 2]), cp.array([3, 4])], axis=1)
    array([[1, 3],
           [2, 4]])
    """
    return _core.stack(as_arrays(arrays, "stack"), axis, out, dtype, casting)


def unstack(x, /, *, axis=0):
    """The slices of `x` along an axis, as a tuple of views.

    >>> cp.unstack(cp.array([[1, 2], [3, 4]]))
    (array([1, 2]), array([3, 4]))
    """
    x = as_array(x, "unstack")
    if x.ndim == 0:
        raise ValueError("cuprum.unstack: Input array must be at least 1-d.")
    rows = _core.moveaxis(x, axis, 0)
    return tuple(rows[i, ...] for i in range(rows.shape[0]))


def _list(xs, at_least):
    result = at_least(*xs)
    return list(result) if isinstance(result, tuple) else [result]


def hstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the second axis, vectors along their only one.

    >>> cp.hstack((cp.array([1, 2]), cp.array([3])))
    array([1, 2, 3])
    """
    arrays = _list(as_arrays(tup, "hstack"), atleast_1d)
    axis = 0 if arrays and arrays[0].ndim == 1 else 1
    return _core.concatenate(arrays, axis, None, dtype, casting)


def vstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the first axis; vectors become rows.

    >>> cp.vstack((cp.array([1, 2]), cp.array([3, 4])))
    array([[1, 2],
           [3, 4]])
    """
    return _core.concatenate(_list(as_arrays(tup, "vstack"), atleast_2d), 0, None, dtype, casting)


def dstack(tup):
    """Arrays joined along the third axis.

    >>> cp.dstack((cp.array([1, 2]), cp.array([3, 4])))
    array([[[1, 3],
            [2, 4]]])
    """
    return _core.concatenate(_list(as_arrays(tup, "dstack"), atleast_3d), 2, None, None, "same_kind")


def column_stack(tup):
    """Vectors as the columns of a matrix; matrices are joined along the second axis.

    >>> cp.column_stack((cp.array([1, 2]), cp.array([3, 4])))
    array([[1, 3],
           [2, 4]])
    """
    arrays = [a.reshape(-1, 1) if a.ndim < 2 else a for a in as_arrays(tup, "column_stack")]
    return _core.concatenate(arrays, 1, None, None, "same_kind")


def array_split(ary, indices_or_sections, axis=0):
    """Views of the parts of an array along an axis: so many, or cut at the given positions.

    >>> [x.size for x in cp.array_split(cp.arange(7), 3)]
    [3, 2, 2]
    """
    return _split("array_split", ary, indices_or_sections, axis, equal=False)


def split(ary, indices_or_sections, axis=0):
    """Views of equal parts of an array along an axis, or cut at the given positions.

    >>> cp.split(cp.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    """
    return _split("split", ary, indices_or_sections, axis, equal=True)


def _split(function, ary, where, axis, equal):
    ary = as_array(ary, function)
    axis = np.lib.array_utils.normalize_axis_index(axis, ary.ndim)
    n = ary.shape[axis]
    if hasattr(where, "__len__"):
        cuts = [0, *(int(i) for i in where), None]
    else:
        parts = int(where)
        if equal and parts == 0:
            raise ZeroDivisionError(
                f"cuprum.{function}: integer modulo by zero: an array cannot be split into 0 parts"
            )
        if parts <= 0:
            raise ValueError(f"cuprum.{function}: number sections must be larger than 0, but it is {parts}")
        if equal and n % parts:
            raise ValueError(
                f"cuprum.{function}: array split does not result in an equal division: {n} elements in {parts} parts"
            )
        base, longer = divmod(n, parts)
        cuts = [i * base + min(i, longer) for i in range(parts + 1)]
    before = (slice(None),) * axis
    return [ary[before + (slice(begin, end),)] for begin, end in itertools.pairwise(cuts)]


def hsplit(ary, indices_or_sections):
    """Parts along the second axis, of a vector along its only one.

    >>> [x.shape for x in cp.hsplit(cp.ones((2, 4)), 2)]
    [(2, 2), (2, 2)]
    """
    ary = as_array(ary, "hsplit")
    if ary.ndim == 0:
        raise ValueError("cuprum.hsplit: hsplit only works on arrays of 1 or more dimensions")
    return _split("hsplit", ary, indices_or_sections, 1 if ary.ndim > 1 else 0, equal=True)


def vsplit(ary, indices_or_sections):
    """Parts along the first axis.

    >>> [x.shape for x in cp.vsplit(cp.ones((4, 2)), 2)]
    [(2, 2), (2, 2)]
    """
    ary = as_array(ary, "vsplit")
    if ary.ndim < 2:
        raise ValueError("cuprum.vsplit: vsplit only works on arrays of 2 or more dimensions")
    return _split("vsplit", ary, indices_or_sections, 0, equal=True)


def dsplit(ary, indices_or_sections):
    """Parts along the third axis.

    >>> [x.shape for x in cp.dsplit(cp.ones((2, 2, 4)), 2)]
    [(2, 2, 2), (2, 2, 2)]
    """
    ary = as_array(ary, "dsplit")
    if ary.ndim < 3:
        raise ValueError("cuprum.dsplit: dsplit only works on arrays of 3 or more dimensions")
    return _split("dsplit", ary, indices_or_sections, 2, equal=True)
