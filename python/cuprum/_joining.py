"""Joining arrays and taking them apart. Joins make new arrays; splits give views."""

import warnings

from . import _core

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
    return _core.unstack(x, axis=axis)


def hstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the second axis, vectors along their only one.

    >>> cp.hstack((cp.array([1, 2]), cp.array([3])))
    array([1, 2, 3])
    """
    return _core.hstack(tup, dtype=dtype, casting=casting)


def vstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the first axis; vectors become rows.

    >>> cp.vstack((cp.array([1, 2]), cp.array([3, 4])))
    array([[1, 2],
           [3, 4]])
    """
    return _core.vstack(tup, dtype=dtype, casting=casting)


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
    return _core.dstack(tup)


def column_stack(tup):
    """Vectors as the columns of a matrix; matrices are joined along the second axis.

    >>> cp.column_stack((cp.array([1, 2]), cp.array([3, 4])))
    array([[1, 3],
           [2, 4]])
    """
    return _core.column_stack(tup)


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
    return _core.split(ary, indices_or_sections, axis)


def hsplit(ary, indices_or_sections):
    """Parts along the second axis, of a vector along its only one.

    >>> [x.shape for x in cp.hsplit(cp.ones((2, 4)), 2)]
    [(2, 2), (2, 2)]
    """
    return _core.hsplit(ary, indices_or_sections)


def vsplit(ary, indices_or_sections):
    """Parts along the first axis.

    >>> [x.shape for x in cp.vsplit(cp.ones((4, 2)), 2)]
    [(2, 2), (2, 2)]
    """
    return _core.vsplit(ary, indices_or_sections)


def dsplit(ary, indices_or_sections):
    """Parts along the third axis.

    >>> [x.shape for x in cp.dsplit(cp.ones((2, 2, 4)), 2)]
    [(2, 2, 2), (2, 2, 2)]
    """
    return _core.dsplit(ary, indices_or_sections)
