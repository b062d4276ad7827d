"""Convolution and correlation of vectors."""

from . import _core

__all__ = ["convolve", "correlate"]


def convolve(a, v, mode="full"):
    """The discrete convolution of two vectors: whole, as long as the longer one, or where they overlap completely.

    >>> cp.convolve(cp.array([1, 2, 3]), cp.array([0, 1, 0.5]))
    array([0. , 1. , 2.5, 4. , 1.5])
    """
    return _core.convolve(a, v, mode)


def correlate(a, v, mode="valid"):
    """The cross-correlation of two vectors, the second one conjugated.

    >>> cp.correlate(cp.array([1, 2, 3]), cp.array([0, 1, 0.5]))
    array([3.5])
    """
    return _core.correlate(a, v, mode)
