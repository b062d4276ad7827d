"""Convolution and correlation of vectors: fused reductions over shifted copies of the longer one."""

import numpy as np

from . import _core
from ._convert import as_array, is_complex

__all__ = ["convolve", "correlate"]

_BLOCK = 1 << 22  # elements of shifted copies that are held at a time
_MODES = {"valid": 0, "same": 1, "full": 2}


def convolve(a, v, mode="full"):
    """The discrete convolution of two vectors: whole, as long as the longer one, or where they overlap completely.

    >>> cp.convolve(cp.array([1, 2, 3]), cp.array([0, 1, 0.5]))
    array([0. , 1. , 2.5, 4. , 1.5])
    """
    a = _core.atleast_1d(as_array(a, "convolve"))
    v = _core.atleast_1d(as_array(v, "convolve", 2))
    for name, x in (("a", a), ("v", v)):
        if len(x) == 0:
            raise ValueError(f"{name} cannot be empty")
    if len(v) > len(a):
        a, v = v, a
    return _slide(a, v[::-1], mode)


def correlate(a, v, mode="valid"):
    """The cross-correlation of two vectors, the second one conjugated.

    >>> cp.correlate(cp.array([1, 2, 3]), cp.array([0, 1, 0.5]))
    array([3.5])
    """
    a, v = as_array(a, "correlate"), as_array(v, "correlate", 2)
    v = _core.conjugate(v) if is_complex(v) else v
    for position, x in (("first", a), ("second", v)):
        if x.ndim == 1 and len(x) == 0:
            raise ValueError(f"{position} array argument cannot be empty")
    if a.ndim == v.ndim == 1 and len(a) < len(v):
        return _slide(v, a, mode)[::-1].copy()  # contiguous, as NumPy gives it
    return _slide(a, v, mode)


def _slide(a, v, mode):
    """Sums of products of `v` with what lies under it while it moves along `a`, which is not shorter."""
    for x in (a, v):
        if x.ndim != 1:
            raise ValueError(
                "object of too small depth for desired array"
                if x.ndim < 1
                else "object too deep for desired array"
            )
    mode = _mode(mode)
    n = len(v)
    left = (0, n // 2, n - 1)[mode]
    right = (0, n - left - 1, n - 1)[mode]
    dtype = _core.promote_types(a.dtype, v.dtype)
    a, v = a.astype(dtype), v.astype(dtype)
    if n == len(a) and mode == 0:
        return _core.dot(a, v).reshape(1)
    parts = [_sums(a, v)]
    if left:
        parts.insert(0, _sums(a[: n - 1], v, left, 0))
    if right:
        parts.append(_sums(a[len(a) - n + 1 :], v, 0, right))
    return parts[0] if len(parts) == 1 else _core.concatenate(parts)


def _sums(a, v, left=0, right=0):
    """The sums with zeros put before and after `a`, in blocks of as many elements of `v` as memory allows.

    Products with these zeros are left out: an infinity times a zero would be NaN.
    """
    padded = _core.concatenate([_core.zeros((left,), a.dtype), a, _core.zeros((right,), a.dtype)])
    length = len(padded)
    count = length - len(v) + 1
    block = min(len(v), max(1, _BLOCK // length))
    shifted = _shifted(padded, block)
    result = None
    for start in range(0, len(v), block):
        some = v[start : start + block, None]
        products = shifted[: len(some), start : start + count] * some
        where = True
        if left or right:
            at = _core.arange(start, start + len(some))[:, None] + _core.arange(count)
            where = (at >= left) & (at < length - right)
        part = _reduce(products, where)
        result = part if result is None else _core.add(result, part)
    return result


def _shifted(x, count):
    """Row i is x[i:], with other values after its end: rows of `x` read as rows that are longer by one."""
    rows = _core.broadcast_to(x, (count + 1, len(x))).reshape(-1)
    return rows[: count * (len(x) + 1)].reshape(count, len(x) + 1)


def _reduce(products, where):
    if products.dtype == np.bool:
        return _core.any(products, 0, where=where)
    return _core.sum(products, 0, products.dtype, where=where)


def _mode(mode):
    if isinstance(mode, str):
        if mode not in _MODES:
            raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
        return _MODES[mode]
    if mode not in (0, 1, 2):
        raise ValueError("integer convolve/correlate mode must be 0, 1, or 2")
    return mode
