"""Comparing arrays as wholes, and asking what they are."""

import numpy as np

from . import _core
from ._convert import as_array

__all__ = [
    "allclose", "array_equal", "array_equiv", "isclose", "iscomplex", "iscomplexobj", "isfortran", "isneginf",
    "isposinf", "isreal", "isrealobj", "isscalar", "iterable", "may_share_memory", "shares_memory",
]  # fmt: skip


def isclose(a, b, rtol=1.0e-5, atol=1.0e-8, equal_nan=False):
    """Where |a - b| <= atol + rtol * |b|; recorded, one kernel.

    >>> cp.isclose(cp.array([1.0, 2.0]), cp.array([1.0 + 1e-9, 2.1]))
    array([ True, False])
    """
    return _core.isclose(a, b, rtol, atol, equal_nan)


def allclose(a, b, rtol=1.0e-5, atol=1.0e-8, equal_nan=False):
    """Whether all elements are close, see `isclose`. A bool: it waits for the result.

    >>> cp.allclose(cp.array([1.0, 2.0]), cp.array([1.0, 2.0 + 1e-9]))
    True
    """
    return _core.allclose(a, b, rtol, atol, equal_nan)


def array_equal(a1, a2, equal_nan=False):
    """Whether two arrays have one shape and equal elements. A bool: it waits for the result.

    >>> cp.array_equal(cp.array([1, 2]), [1, 2])
    True
    """
    try:
        a1, a2 = as_array(a1, "array_equal"), as_array(a2, "array_equal", 2)
    except (ValueError, OverflowError):
        return False
    return _core.array_equal(a1, a2, equal_nan)


def array_equiv(a1, a2):
    """Whether two arrays broadcast together and are then equal.

    >>> cp.array_equiv(cp.array([1, 2]), cp.array([[1, 2], [1, 2]]))
    True
    """
    return _core.array_equiv(a1, a2)


def isreal(x):
    """Where the imaginary part of elements is zero.

    >>> cp.isreal(cp.array([1 + 0j, 1j]))
    array([ True, False])
    """
    return _core.isreal(x)


def iscomplex(x):
    """Where the imaginary part of elements is not zero.

    >>> cp.iscomplex(cp.array([1 + 0j, 1j]))
    array([False,  True])
    """
    return _core.iscomplex(x)


def iscomplexobj(x):
    """Whether the dtype is complex, whatever the values.

    >>> cp.iscomplexobj(cp.array([1 + 0j]))
    True
    """
    return as_array(x, "iscomplexobj").dtype.kind == "c"


def isrealobj(x):
    """Whether the dtype is not complex.

    >>> cp.isrealobj(cp.array([1.0]))
    True
    """
    return not iscomplexobj(x)


def isposinf(x, out=None):
    """Where elements are positive infinity.

    >>> cp.isposinf(cp.array([cp.inf, -cp.inf, 0.0]))
    array([ True, False, False])
    """
    return _core.isposinf(x, out)


def isneginf(x, out=None):
    """Where elements are negative infinity.

    >>> cp.isneginf(cp.array([cp.inf, -cp.inf, 0.0]))
    array([False,  True, False])
    """
    return _core.isneginf(x, out)


def isscalar(element):
    """Whether an object is a scalar: a number, a string, a NumPy scalar; not an array.

    >>> cp.isscalar(3.5), cp.isscalar(cp.array(3.5))
    (True, False)
    """
    return np.isscalar(element)


def iterable(y):
    """Whether an object can be iterated over.

    >>> cp.iterable([1, 2]), cp.iterable(3)
    (True, False)
    """
    return np.iterable(y)


def isfortran(a):
    """Whether `a` is in Fortran order and not in C order.

    >>> cp.isfortran(cp.ones((2, 3), order="F"))
    True
    """
    return bool(a.flags.fnc)


def shares_memory(a, b, /, max_work=-1):
    """Whether any byte belongs to both arrays. A search of more than `max_work` steps (-1: any number) raises
    TooHardError.

    >>> x = cp.arange(6)
    >>> cp.shares_memory(x[::2], x[1::2]), cp.shares_memory(x[:4], x[3:])
    (False, True)
    """
    common = _overlap(a, b, -1 if max_work is None else max_work, "shares_memory")
    if common is None:
        raise np.exceptions.TooHardError("cuprum.shares_memory: Exceeded max_work")
    return common


def may_share_memory(a, b, /, max_work=0):
    """Whether the ranges of memory of both arrays overlap; with more `max_work` whether the arrays do, where so many
    steps can tell it.

    >>> x = cp.arange(6)
    >>> cp.may_share_memory(x[::2], x[1::2]), cp.may_share_memory(x[::2], x[1::2], max_work=10)
    (True, False)
    """
    return _overlap(a, b, 0 if max_work is None else max_work, "may_share_memory") is not False


def _overlap(a, b, max_work, function):
    """Whether two arrays have a byte in common; None where `max_work` steps do not tell it."""
    if not hasattr(max_work, "__index__"):
        raise ValueError(f"cuprum.{function}: max_work must be an integer, given a {type(max_work).__name__}")
    if max_work < -2:
        raise ValueError(f"cuprum.{function}: Invalid value for max_work: {max_work}; -1 has no limit")
    if max_work >= 2**63:
        raise OverflowError(f"cuprum.{function}: Python int too large to convert to C ssize_t; write -1")
    return _core.memory_overlap(as_array(a, function), as_array(b, function, 2), max(max_work, -1))
