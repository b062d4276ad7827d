"""Differences, sums and interpolation over sampled values, written in array expressions."""

import warnings

import numpy as np

from . import _core
from ._checks import as_axis
from ._convert import as_array

__all__ = ["cross", "ediff1d", "gradient", "interp", "real_if_close", "trapezoid", "unwrap"]


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


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Cross products of vectors along an axis.

    >>> cp.cross(cp.array([1, 2, 3]), cp.array([4, 5, 6]))
    array([-3,  6, -3])
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = as_array(a, "cross"), as_array(b, "cross", 2)
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError(
            f"cuprum.cross: At least one array has zero dimension: given shapes {a.shape} and {b.shape}"
        )
    a = _core.moveaxis(a, as_axis(axisa, a.ndim, "cross", "axisa"), -1)
    b = _core.moveaxis(b, as_axis(axisb, b.ndim, "cross", "axisb"), -1)
    lengths = {a.shape[-1], b.shape[-1]}
    if not lengths <= {2, 3}:
        raise ValueError(
            "cuprum.cross: incompatible dimensions for cross product\n(dimension must be 2 or 3): "
            f"given {a.shape[-1]} and {b.shape[-1]}"
        )
    if 2 in lengths:
        warnings.warn(
            "Arrays of 2-dimensional vectors are deprecated. Use arrays of 3-dimensional vectors instead. "
            "(deprecated in NumPy 2.0)",
            DeprecationWarning,
            stacklevel=2,
        )
    shape = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    if 3 in lengths:
        axisc = as_axis(axisc, len(shape) + 1, "cross", "axisc")
    dtype = _core.promote_types(a.dtype, b.dtype)
    parts = _cross_parts(_components(a.astype(dtype)), _components(b.astype(dtype)), lengths)
    return _core.stack(parts, axisc) if len(parts) > 1 else parts[0]


def _components(x):
    return [x[..., i] for i in range(x.shape[-1])]


def _cross_parts(a, b, lengths):
    """The components; a vector of two has a third that is zero, and its products are left out."""
    last = a[0] * b[1] - a[1] * b[0]
    if lengths == {2}:
        return [last]
    if len(a) == 2:
        return [a[1] * b[2], -(a[0] * b[2]), last]
    if len(b) == 2:
        return [-(a[2] * b[1]), a[2] * b[0], last]
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], last]


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
