"""Bits to bytes and back."""

from . import _core

__all__ = ["packbits", "unpackbits"]


def packbits(a, /, axis=None, bitorder="big"):
    """Eight truth values to a byte, along an axis or of the flattened array; the last byte is filled with zeros.

    >>> cp.packbits(cp.array([1, 0, 1, 0, 0, 0, 0, 0, 1]))
    array([160, 128], dtype=uint8)
    """
    return _core.packbits(a, axis, bitorder)


def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    """The bits of bytes as zeros and ones, along an axis or of the flattened array.

    `count` is how many of them to give, with zeros where there are no more; a negative one leaves so many out.

    >>> cp.unpackbits(cp.array([160, 128], dtype=cp.uint8), count=9)
    array([1, 0, 1, 0, 0, 0, 0, 0, 1], dtype=uint8)
    """
    return _core.unpackbits(a, axis, count, bitorder)
