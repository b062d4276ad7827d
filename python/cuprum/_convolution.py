"""Convolution and correlation of vectors."""

from . import _core
from ._checks import as_integer, check_vector
from ._convert import as_company, gives_plain, is_complex

__all__ = ["convolve", "correlate"]

_MODES = {"valid": 0, "same": 1, "full": 2}


@gives_plain
def convolve(a, v, mode="full"):
    """The discrete convolution of two vectors: whole, as long as the longer one, or where they overlap completely.

    >>> cp.convolve(cp.array([1, 2, 3]), cp.array([0, 1, 0.5]))
    array([0. , 1. , 2.5, 4. , 1.5])
    """
    a, v = map(_core.atleast_1d, as_company("convolve", a, v))
    for name, x in (("a", a), ("v", v)):
        if len(x) == 0:
            raise ValueError(f"cuprum.convolve: {name} cannot be empty")
    if len(v) > len(a):
        a, v = v, a
    return _slide(a, v[::-1], mode, "convolve")


@gives_plain
def correlate(a, v, mode="valid"):
    """The cross-correlation of two vectors, the second one conjugated.

    >>> cp.correlate(cp.array([1, 2, 3]), cp.array([0, 1, 0.5]))
    array([3.5])
    """
    a, v = as_company("correlate", a, v)
    v = _core.conjugate(v) if is_complex(v) else v
    for position, x in (("first", a), ("second", v)):
        if x.ndim == 1 and len(x) == 0:
            raise ValueError(f"cuprum.correlate: {position} array argument cannot be empty")
    if a.ndim == v.ndim == 1 and len(a) < len(v):
        return _slide(v, a, mode, "correlate")[::-1].copy()  # contiguous, as NumPy gives it
    return _slide(a, v, mode, "correlate")


def _slide(a, v, mode, function):
    """Sums of products of `v` with what lies under it while it moves along `a`, which is not shorter."""
    for x in (a, v):
        check_vector(x, function)
    mode = _mode(mode, function)
    n = len(v)
    left = (0, n // 2, n - 1)[mode]
    right = (0, n - left - 1, n - 1)[mode]
    return _core.sliding_dot(a, v, left, right)


def _mode(mode, function):
    if isinstance(mode, str):
        if mode not in _MODES:
            raise ValueError(
                f"cuprum.{function}: mode must be one of 'valid', 'same', or 'full' (got {mode!r})"
            )
        return _MODES[mode]
    if as_integer(mode, function, "mode") not in (0, 1, 2):
        raise ValueError(
            f"cuprum.{function}: integer convolve/correlate mode must be 0, 1, or 2, given {mode}"
        )
    return mode
