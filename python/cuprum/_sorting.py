"""Sorting and searching. Every sort is stable with NaN last, so that any `kind` is satisfied."""

import numpy as np

from . import _core

__all__ = [
    "argpartition", "argsort", "lexsort", "partition", "searchsorted", "sort", "unique", "unique_all",
    "unique_counts", "unique_inverse", "unique_values",
]  # fmt: skip


def sort(a, axis=-1, kind=None, order=None, *, stable=None, descending=None):
    """A sorted copy, along an axis or of the flattened array with axis=None; NaN last in either direction.

    >>> cp.sort(cp.array([3, 1, 2]))
    array([1, 2, 3])
    >>> cp.sort(cp.array([3, 1, cp.nan, 2]), descending=True)
    array([ 3.,  2.,  1., nan])
    """
    return _core.sort(a, axis, kind, order, stable=stable, descending=descending)


def argsort(a, axis=-1, kind=None, order=None, *, stable=None, descending=None):
    """The indices that sort an array; equal elements keep their order, and NaN come last, in either direction.

    >>> cp.argsort(cp.array([3, 1, 2]))
    array([1, 2, 0])
    """
    return _core.argsort(a, axis, kind, order, stable=stable, descending=descending)


def partition(a, kth, axis=-1, kind="introselect", order=None):
    """A copy in which the element at `kth` is where sorting would put it, smaller ones before it.

    >>> cp.partition(cp.array([4, 2, 3, 1]), 1)[1]
    array(2)
    """
    return _core.partition(a, kth, axis, kind, order)


def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    """The indices that partition an array as `partition` does.

    >>> x = cp.array([4, 2, 3, 1])
    >>> x[cp.argpartition(x, 1)][1]
    array(2)
    """
    return _core.argpartition(a, kth, axis, kind, order)


def lexsort(keys, axis=-1):
    """The indices that sort by the last key, then by the one before it, and so on.

    >>> cp.lexsort((cp.array([1, 0, 0]), cp.array([5, 7, 5])))
    array([2, 0, 1])
    """
    return _core.lexsort(keys, axis)


def searchsorted(a, v, side="left", sorter=None):
    """Where `v` would be inserted into sorted `a` to keep it sorted.

    >>> cp.searchsorted(cp.array([1, 3, 5]), cp.array([0, 3, 6]))
    array([0, 1, 3])
    """
    return _core.searchsorted(a, v, side, sorter)


def unique(
    ar,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    *,
    equal_nan=True,
    sorted=True,
):
    """The sorted distinct elements; on request where each first stands, how to restore `ar`, and how often each occurs.

    With `axis`, distinct slices along that axis.

    >>> cp.unique(cp.array([3, 1, 3]), return_counts=True)
    (array([1, 3]), array([1, 2]))
    """
    return _core.unique(ar, return_index, return_inverse, return_counts, axis, equal_nan=equal_nan)


def unique_values(x):
    """The distinct elements of `x`, sorted.

    >>> cp.unique_values(cp.array([3, 1, 3]))
    array([1, 3])
    """
    return unique(x, equal_nan=False)


def unique_counts(x):
    """The distinct elements and how often each occurs.

    >>> cp.unique_counts(cp.array([3, 1, 3])).counts
    array([1, 2])
    """
    return np.lib._arraysetops_impl.UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x):
    """The distinct elements and the indices that restore `x` from them.

    >>> cp.unique_inverse(cp.array([3, 1, 3])).inverse_indices
    array([1, 0, 1])
    """
    return np.lib._arraysetops_impl.UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


def unique_all(x):
    """The distinct elements, their first positions, the indices that restore `x`, and counts.

    >>> cp.unique_all(cp.array([3, 1, 3])).indices
    array([1, 0])
    """
    return np.lib._arraysetops_impl.UniqueAllResult(*unique(x, True, True, True, equal_nan=False))
