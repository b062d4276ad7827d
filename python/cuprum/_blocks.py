"""Arrays put together from nested lists of blocks."""

from . import _core

__all__ = ["block"]


def block(arrays):
    """One array of nested lists of blocks: the innermost lists are joined along the last axis, those around them
    along the one before, and so on. Every block is copied once, to its place.

    >>> a, b = cp.eye(2), cp.zeros((2, 1))
    >>> cp.block([[a, b], [b.T, 5]])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 5.]])
    """
    return _core.block(arrays)
