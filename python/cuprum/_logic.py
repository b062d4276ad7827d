"""Comparing arrays as wholes, and asking what they are."""

import numpy as np

from . import _core
from ._convert import as_array, gives_plain, is_inexact

__all__ = [
    "allclose", "array_equal", "array_equiv", "isclose", "iscomplex", "iscomplexobj", "isfortran", "isneginf",
    "isposinf", "isreal", "isrealobj", "isscalar", "iterable", "may_share_memory", "shares_memory",
]  # fmt: skip


def isclose(a, b, rtol=1.0e-5, atol=1.0e-8, equal_nan=False):
    """Where |a - b| <= atol + rtol * |b|; recorded, one kernel.

    >>> cp.isclose(cp.array([1.0, 2.0]), cp.array([1.0 + 1e-9, 2.1]))
    array([ True, False])
    """
    a, b = as_array(a, "isclose"), as_array(b, "isclose", 2)
    if not is_inexact(b):
        b = b.astype(np.result_type(b.dtype, 1.0), copy=False)
    near = _core.less_equal(_core.absolute(a - b), atol + rtol * _core.absolute(b))
    result = _core.logical_or(_core.logical_and(near, _core.isfinite(b)), a == b)
    if equal_nan:
        result = _core.logical_or(result, _core.logical_and(_core.isnan(a), _core.isnan(b)))
    return result


def allclose(a, b, rtol=1.0e-5, atol=1.0e-8, equal_nan=False):
    """Whether all elements are close, see `isclose`. A bool: it waits for the result.

    >>> cp.allclose(cp.array([1.0, 2.0]), cp.array([1.0, 2.0 + 1e-9]))
    True
    """
    return bool(isclose(a, b, rtol, atol, equal_nan).all())


def array_equal(a1, a2, equal_nan=False):
    """Whether two arrays have one shape and equal elements. A bool: it waits for the result.

    >>> cp.array_equal(cp.array([1, 2]), [1, 2])
    True
    """
    try:
        a1, a2 = as_array(a1, "array_equal"), as_array(a2, "array_equal", 2)
    except (ValueError, OverflowError):
        return False
    if a1.shape != a2.shape:
        return False
    same = a1 == a2
    if equal_nan and is_inexact(a1) and is_inexact(a2):
        same = _core.logical_or(same, _core.logical_and(a1 != a1, a2 != a2))
    return bool(same.all())


def array_equiv(a1, a2):
    """Whether two arrays broadcast together and are then equal.

    >>> cp.array_equiv(cp.array([1, 2]), cp.array([[1, 2], [1, 2]]))
    True
    """
    a1, a2 = as_array(a1, "array_equiv"), as_array(a2, "array_equiv", 2)
    try:
        same = a1 == a2
    except ValueError:  # the shapes do not broadcast
        return False
    return bool(same.all())


def isreal(x):
    """Where the imaginary part is zero.

    >>> cp.isreal(cp.array([1 + 0j, 1j]))
    array([ True, False])
    """
    return as_array(x, "isreal").imag == 0


@gives_plain
def iscomplex(x):
    """Where the imaginary part is not zero.

    >>> cp.iscomplex(cp.array([1 + 0j, 1j]))
    array([False,  True])
    """
    return as_array(x, "iscomplex").imag != 0


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
    """Where positive infinity.

    >>> cp.isposinf(cp.array([cp.inf, -cp.inf, 0.0]))
    array([ True, False, False])
    """
    return _signed_infinity("isposinf", x, out, positive=True)


def isneginf(x, out=None):
    """Where negative infinity.

    >>> cp.isneginf(cp.array([cp.inf, -cp.inf, 0.0]))
    array([False,  True, False])
    """
    return _signed_infinity("isneginf", x, out, positive=False)


def _signed_infinity(function, x, out, positive):
    x = as_array(x, function)
    if x.dtype.kind == "c":
        raise TypeError(
            f"cuprum.{function}: This operation is not supported for {x.dtype} values because it would be ambiguous."
        )
    if not is_inexact(x):
        return _core.isinf(x, out=out)
    negative = _core.signbit(x)
    return _core.logical_and(_core.isinf(x), _core.logical_not(negative) if positive else negative, out=out)


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
    """Whether any byte belongs to both arrays.

    >>> x = cp.arange(6)
    >>> cp.shares_memory(x[::2], x[1::2]), cp.shares_memory(x[:4], x[3:])
    (False, True)
    """
    return _core.shares_memory(a, b)


def may_share_memory(a, b, /, max_work=0):
    """Whether the ranges of memory of both arrays overlap.

    >>> x = cp.arange(6)
    >>> cp.may_share_memory(x[::2], x[1::2])
    True
    """
    return _core.may_share_memory(a, b)
