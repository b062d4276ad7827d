"""Stepping through arrays in Python. Each element is a view that can be read and written: for a few elements only, as
every step is an operation of its own."""

import itertools

from ._convert import as_array
from ._flat import flatiter

__all__ = ["ndenumerate"]


class ndenumerate:
    """Iterator over the indices and the elements of an array.

    >>> list(cp.ndenumerate(cp.array([[1, 2]])))
    [((0, 0), array(1)), ((0, 1), array(2))]
    """

    def __init__(self, arr):
        arr = as_array(arr, "ndenumerate")
        self.iter = flatiter(arr)
        self._indices = itertools.product(*map(range, arr.shape))

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._indices), next(self.iter)
