"""Bits to bytes and back."""

import numpy as np

from . import _core
from ._checks import as_axis, as_integer
from ._convert import as_array, keeps_class

__all__ = ["packbits", "unpackbits"]


@keeps_class
def packbits(a, /, axis=None, bitorder="big"):
    """Eight truth values to a byte, along an axis or of the flattened array; the last byte is filled with zeros.

    >>> cp.packbits(cp.array([1, 0, 1, 0, 0, 0, 0, 0, 1]))
    array([160, 128], dtype=uint8)
    """
    a = as_array(a, "packbits")
    if a.dtype.kind not in "iub":
        raise TypeError(
            f"cuprum.packbits: Expected an input array of integer or boolean data type, given {a.dtype}"
        )
    if _order(bitorder, "packbits") not in ("big", "little"):
        raise ValueError(f"cuprum.packbits: 'order' must be either 'little' or 'big', given {bitorder!r}")
    shifts = _shifts(bitorder == "little")
    bits, axis = _last(a, axis, "packbits")
    bits = _resized(bits != 0, -(-bits.shape[-1] // 8) * 8)
    bits = bits.reshape(bits.shape[:-1] + (bits.shape[-1] // 8, 8)).astype(np.uint8)
    return _core.moveaxis(_core.left_shift(bits, shifts).sum(axis=-1, dtype=np.uint8), -1, axis)


def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    """The bits of bytes as zeros and ones, along an axis or of the flattened array.

    `count` is how many of them to give, with zeros where there are no more; a negative one leaves so many out.

    >>> cp.unpackbits(cp.array([160, 128], dtype=cp.uint8), count=9)
    array([1, 0, 1, 0, 0, 0, 0, 0, 1], dtype=uint8)
    """
    a = as_array(a, "unpackbits")
    if a.dtype != np.uint8:
        raise TypeError(
            f"cuprum.unpackbits: Expected an input array of unsigned byte data type, given {a.dtype}"
        )
    if not _order(bitorder, "unpackbits").startswith(("b", "l")):  # NumPy asks for no more here
        raise ValueError(f"cuprum.unpackbits: 'order' must begin with 'l' or 'b', given {bitorder!r}")
    shifts = _shifts(bitorder[0] == "l")
    data, axis = _last(a, axis, "unpackbits")
    bits = _core.bitwise_and(_core.right_shift(data[..., None], shifts), np.uint8(1))
    bits = bits.reshape(data.shape[:-1] + (data.shape[-1] * 8,))
    if count is not None:
        bits = _resized(bits, _count(count, bits.shape[-1]))
    return _core.moveaxis(bits, -1, axis)


def _order(bitorder, function):
    if not isinstance(bitorder, str):
        raise TypeError(f"cuprum.{function}: argument 'bitorder' must be str, not {type(bitorder).__name__}")
    return bitorder


def _shifts(little):
    """Where each bit of a byte stands in it."""
    shifts = _core.arange(8, dtype=np.uint8)
    return shifts if little else shifts[::-1]


def _last(a, axis, function):
    """The array with the axis that is worked along last, and where that axis belongs."""
    if axis is None:
        return a.ravel(), 0
    a = a.reshape(1) if a.ndim == 0 else a
    axis = as_axis(axis, a.ndim, function)
    return _core.moveaxis(a, axis, -1), axis


def _count(count, available):
    count = as_integer(count, "unpackbits", "count")
    if count < -available:
        raise ValueError(
            f"cuprum.unpackbits: -count larger than number of elements: given {count}, there are {available}"
        )
    return count if count >= 0 else available + count


def _resized(x, n):
    """The last axis cut to `n`, or filled with zeros up to it."""
    if x.shape[-1] >= n:
        return x[..., :n]
    more = _core.zeros(x.shape[:-1] + (n - x.shape[-1],), x.dtype, "C")
    return _core.concatenate([x, more], -1)
