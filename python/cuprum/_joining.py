"""Joining arrays and taking them apart. Joins make new arrays; splits give views."""

import warnings

from . import _core
from ._convert import as_array, as_arrays

__all__ = [
    "array_split", "column_stack", "concat", "concatenate", "dsplit", "dstack", "hsplit", "hstack", "row_stack",
    "split", "stack", "unstack", "vsplit", "vstack",
]  # fmt: skip


def concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Arrays joined along an existing axis, or flattened with axis=None.

    >>> cp.concatenate([cp.array([1, 2]), cp.array([3])])
    array([1, 2, 3])
    """
    return _core.concatenate(arrays, axis, out, dtype=dtype, casting=casting)


concat = concatenate


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Arrays of one shape joined along a new axis.

    >>> cp.stack([cp.array([1, 2]), cp.array([3, 4])], axis=1)
    array([[1, 3],
           [2, 4]])
    """
    return _core.stack(arrays, axis, out, dtype=dtype, casting=casting)


def unstack(x, /, *, axis=0):
    """The slices of `x` along an axis, as a tuple: views, of a vector its values.

    >>> cp.unstack(cp.array([[1, 2], [3, 4]]))
    (array([1, 2]), array([3, 4]))
    """
    x = as_array(x, "unstack")
    if x.ndim == 0:
        raise ValueError("cuprum.unstack: Input array must be at least 1-d.")
    rows = _core.moveaxis(x, axis, 0)
    return tuple(rows[i] for i in range(rows.shape[0]))


def hstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the second axis, vectors along their only one.

    >>> cp.hstack((cp.array([1, 2]), cp.array([3])))
    array([1, 2, 3])
    """
    arrays = [_core.atleast_1d(a) for a in as_arrays(tup, "hstack")]
    axis = 0 if arrays and arrays[0].ndim == 1 else 1
    return _core.concatenate(arrays, axis, dtype=dtype, casting=casting)


def vstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the first axis; vectors become rows.

    >>> cp.vstack((cp.array([1, 2]), cp.array([3, 4])))
    array([[1, 2],
           [3, 4]])
    """
    return _core.concatenate(
        [_core.atleast_2d(a) for a in as_arrays(tup, "vstack")], 0, dtype=dtype, casting=casting
    )


def row_stack(tup, *, dtype=None, casting="same_kind"):
    """Another name of vstack, which NumPy deprecates: a DeprecationWarning says so.

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     cp.row_stack((cp.array([1, 2]), cp.array([3, 4])))
    array([[1, 2],
           [3, 4]])
    """
    message = "cuprum.row_stack: `row_stack` alias is deprecated. Use `vstack` directly."
    warnings.warn(message, DeprecationWarning, stacklevel=2)
    return vstack(tup, dtype=dtype, casting=casting)


def dstack(tup):
    """Arrays joined along the third axis.

    >>> cp.dstack((cp.array([1, 2]), cp.array([3, 4])))
    array([[[1, 3],
            [2, 4]]])
    """
    return _core.concatenate([_core.atleast_3d(a) for a in as_arrays(tup, "dstack")], 2)


def column_stack(tup):
    """Vectors as the columns of a matrix; matrices are joined along the second axis.

    >>> cp.column_stack((cp.array([1, 2]), cp.array([3, 4])))
    array([[1, 3],
           [2, 4]])
    """
    arrays = as_arrays(tup, "column_stack")
    return _core.concatenate([a.reshape(-1, 1) if a.ndim < 2 else a for a in arrays], 1)


def array_split(ary, indices_or_sections, axis=0):
    """Views of the parts of an array along an axis: so many, or cut at the given positions.

    >>> [x.size for x in cp.array_split(cp.arange(7), 3)]
    [3, 2, 2]
    """
    return _core.array_split(ary, indices_or_sections, axis)


def split(ary, indices_or_sections, axis=0):
    """Views of equal parts of an array along an axis, or cut at the given positions.

    >>> cp.split(cp.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    """
    ary = as_array(ary, "split")
    return _split("split", ary, indices_or_sections, axis)


def _split(function, ary, where, axis):
    if -ary.ndim <= axis < ary.ndim and not hasattr(where, "__len__") and where == 0:
        raise ZeroDivisionError(f"cuprum.{function}: integer modulo by zero: no array has 0 parts")
    return _core.split(ary, where, axis)


def hsplit(ary, indices_or_sections):
    """Parts along the second axis, of a vector along its only one.

    >>> [x.shape for x in cp.hsplit(cp.ones((2, 4)), 2)]
    [(2, 2), (2, 2)]
    """
    ary = as_array(ary, "hsplit")
    if ary.ndim == 0:
        raise ValueError("cuprum.hsplit: hsplit only works on arrays of 1 or more dimensions")
    return _split("hsplit", ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


def vsplit(ary, indices_or_sections):
    """Parts along the first axis.

    >>> [x.shape for x in cp.vsplit(cp.ones((4, 2)), 2)]
    [(2, 2), (2, 2)]
    """
    ary = as_array(ary, "vsplit")
    if ary.ndim < 2:
        raise ValueError("cuprum.vsplit: vsplit only works on arrays of 2 or more dimensions")
    return _split("vsplit", ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    """Parts along the third axis.

    >>> [x.shape for x in cp.dsplit(cp.ones((2, 2, 4)), 2)]
    [(2, 2, 2), (2, 2, 2)]
    """
    ary = as_array(ary, "dsplit")
    if ary.ndim < 3:
        raise ValueError("cuprum.dsplit: dsplit only works on arrays of 3 or more dimensions")
    return _split("dsplit", ary, indices_or_sections, 2)
