"""Arrays as sets. NaN equals nothing, so it is in no set, as in NumPy."""

from . import _core
from ._convert import as_company

__all__ = ["intersect1d", "isin", "setdiff1d", "setxor1d", "union1d"]


def union1d(ar1, ar2):
    """The sorted distinct elements of two arrays.

    >>> cp.union1d(cp.array([3, 1]), cp.array([1, 2]))
    array([1, 2, 3])
    """
    return _core.union1d(ar1, ar2)


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """The sorted elements that two arrays have in common; on request where each first stands in them.

    >>> cp.intersect1d(cp.array([3, 1, 2]), cp.array([2, 3, 4]), return_indices=True)
    (array([2, 3]), array([2, 0]), array([0, 1]))
    """
    return _core.intersect1d(ar1, ar2, assume_unique, return_indices)


def setxor1d(ar1, ar2, assume_unique=False):
    """The sorted elements that are in exactly one of two arrays.

    >>> cp.setxor1d(cp.array([3, 1, 2]), cp.array([2, 3, 4]))
    array([1, 4])
    """
    return _core.setxor1d(ar1, ar2, assume_unique)


def setdiff1d(ar1, ar2, assume_unique=False):
    """The distinct elements of `ar1` that are not in `ar2`, sorted unless they are distinct by assumption.

    >>> cp.setdiff1d(cp.array([3, 1, 2, 1]), cp.array([2, 4]))
    array([1, 3])
    """
    return _core.setdiff1d(ar1, ar2, assume_unique)


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """Where the elements of one array are among those of another; with `invert` where they are not.

    >>> cp.isin(cp.array([[0, 2], [4, 6]]), [2, 6, 7])
    array([[False,  True],
           [False,  True]])
    """
    element, test_elements = as_company("isin", element, test_elements)
    if kind not in (None, "sort", "table"):
        raise ValueError(f"cuprum.isin: Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    if kind == "table" and any(x.dtype.kind not in "uib" for x in (element, test_elements)):
        raise ValueError(
            "cuprum.isin: The 'table' method is only supported for boolean or integer arrays. "
            "Please select 'sort' or None for kind."
        )
    found = _core.is_in(element, test_elements)
    return _core.logical_not(found)[...] if invert else found
