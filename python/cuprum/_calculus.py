"""Differences, sums and interpolation over sampled values, written in array expressions."""

import numpy as np

from . import _core

__all__ = ["ediff1d", "gradient", "interp", "real_if_close", "trapezoid", "unwrap"]


def ediff1d(ary, to_end=None, to_begin=None):
    """Differences of neighbours in the flattened array, with values before and after them on request.

    >>> cp.ediff1d(cp.array([1, 2, 4, 7]), to_begin=-99)
    array([-99,   1,   2,   3])
    """
    return _core.ediff1d(ary, to_end, to_begin)


def gradient(f, *varargs, axis=None, edge_order=1):
    """The derivative along every axis, or the axes asked for: central differences, one-sided ones at the ends.

    Spacings are one scalar, or for every axis a scalar or the coordinates along it.

    >>> cp.gradient(cp.array([1.0, 2, 4, 7, 11, 16]))
    array([1. , 1.5, 2.5, 3.5, 4.5, 5. ])
    """
    return _core.gradient(f, varargs, axis, edge_order)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral by the trapezoidal rule, over coordinates `x` or steps of `dx`.

    >>> cp.trapezoid(cp.array([1, 2, 3]), dx=2)
    array(8.)
    """
    return _core.trapezoid(y, x, dx, axis)


def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    """Phases in which jumps of more than half a period are replaced by their complement.

    >>> cp.unwrap(cp.array([0, 1, 2, -1, 0]), period=4)
    array([0, 1, 2, 3, 4])
    """
    return _core.unwrap(p, discont, axis, period)


def real_if_close(a, tol=100):
    """The real parts of a complex array whose imaginary parts are all within `tol` machine epsilons of zero.

    >>> cp.real_if_close(cp.array([2.1 + 4e-14j, 5.2 + 3e-15j]), tol=1000)
    array([2.1, 5.2])
    """
    return _core.real_if_close(a, tol)


def interp(x, xp, fp, left=None, right=None, period=None):
    """Piecewise linear interpolation through points (xp, fp), `xp` ascending; beyond them `left` and `right`.

    >>> cp.interp(2.5, cp.array([1, 2, 3]), cp.array([3, 2, 0]))
    array(1.)
    """
    return _core.interp(x, xp, fp, left, right, period)
