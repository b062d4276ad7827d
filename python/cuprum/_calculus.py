"""Differences, sums and interpolation over sampled values, written in array expressions."""

import numpy as np

from . import _core
from ._checks import as_axes, as_axis, naming
from ._convert import as_array, as_parameter, gives_plain, is_complex, is_inexact
from ._reductions import diff

__all__ = ["ediff1d", "gradient", "interp", "real_if_close", "trapezoid", "unwrap"]


def _at(ndim, axis, part):
    """The index that takes `part` of one axis."""
    index = [slice(None)] * ndim
    index[axis] = part
    return tuple(index)


def ediff1d(ary, to_end=None, to_begin=None):
    """Differences of neighbours in the flattened array, with values before and after them on request.

    >>> cp.ediff1d(cp.array([1, 2, 4, 7]), to_begin=-99)
    array([-99,   1,   2,   3])
    """
    ary = as_array(ary, "ediff1d").ravel()
    parts = [_core.subtract(ary[1:], ary[:-1])]
    if to_begin is not None:
        parts.insert(0, _end_of_differences(to_begin, "to_begin", 3, ary.dtype))
    if to_end is not None:
        parts.append(_end_of_differences(to_end, "to_end", 2, ary.dtype))
    return parts[0] if len(parts) == 1 else _core.concatenate(parts)


def _end_of_differences(values, name, position, dtype):
    values = as_parameter(values, "ediff1d", position)
    if not _core.can_cast(values.dtype, dtype, "same_kind"):
        raise TypeError(
            f"cuprum.ediff1d: dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule: "
            f"given {values.dtype} for {dtype}"
        )
    return values.ravel().astype(dtype)


def gradient(f, *varargs, axis=None, edge_order=1):
    """The derivative along every axis, or the axes asked for: central differences, one-sided ones at the ends.

    Spacings are one scalar, or for every axis a scalar or the coordinates along it.

    >>> cp.gradient(cp.array([1.0, 2, 4, 7, 11, 16]))
    array([1. , 1.5, 2.5, 3.5, 4.5, 5. ])
    """
    f = as_array(f, "gradient")
    axes = range(f.ndim) if axis is None else as_axes(axis, f.ndim, "gradient")
    spacings = _spacings(f, axes, varargs)
    if edge_order > 2:
        raise ValueError(f"cuprum.gradient: 'edge_order' greater than 2 not supported, given {edge_order}")
    dtype = f.dtype if is_inexact(f) else np.dtype(np.float64)
    if f.dtype.kind in "iu":
        f = f.astype(np.float64)  # differences of integers would wrap
    if any(f.shape[i] < edge_order + 1 for i in axes):
        raise ValueError(
            "cuprum.gradient: Shape of array too small to calculate a numerical gradient, "
            f"at least (edge_order + 1) elements are required: given shape {f.shape}"
        )
    results = tuple(_derivative(f, i, dx, edge_order, dtype) for i, dx in zip(axes, spacings))
    return results[0] if len(results) == 1 else results


def _spacings(f, axes, given):
    """One spacing per axis: a scalar, or the vector of distances between neighbours."""
    if not given:
        return [1.0] * len(axes)
    if len(given) == 1 and np.ndim(given[0]) == 0:
        return list(given) * len(axes)
    if len(given) != len(axes):
        raise TypeError(
            f"cuprum.gradient: invalid number of arguments: {len(given)} spacings for {len(axes)} axes"
        )
    return [_spacing(x, f.shape[axis], i + 2) for i, (x, axis) in enumerate(zip(given, axes))]


def _spacing(x, length, position):
    if np.ndim(x) == 0:
        return x
    x = as_parameter(x, "gradient", position)
    if x.ndim != 1:
        raise ValueError(f"cuprum.gradient: distances must be either scalars or 1d, given shape {x.shape}")
    if len(x) != length:
        raise ValueError(
            "cuprum.gradient: when 1d, distances must match the length of the corresponding dimension: "
            f"given {len(x)} for {length}"
        )
    if x.dtype.kind in "iu":
        x = x.astype(np.float64)
    distances = diff(x)
    return distances[0] if bool((distances == distances[0]).all()) else distances


def _derivative(f, axis, dx, edge_order, dtype):
    def take(part):
        return f[_at(f.ndim, axis, part)]

    uniform = np.ndim(dx) == 0
    out = _core.empty_like(f, dtype=dtype)
    before, here, after = take(slice(None, -2)), take(slice(1, -1)), take(slice(2, None))
    inner = _at(f.ndim, axis, slice(1, -1))
    if uniform:
        out[inner] = (after - before) / (2.0 * dx)
    else:
        d1, d2 = dx[:-1], dx[1:]
        along = tuple(-1 if i == axis else 1 for i in range(f.ndim))
        a = (-d2 / (d1 * (d1 + d2))).reshape(along)
        b = ((d2 - d1) / (d1 * d2)).reshape(along)
        c = (d1 / (d2 * (d1 + d2))).reshape(along)
        out[inner] = a * before + b * here + c * after

    first, last = _at(f.ndim, axis, 0), _at(f.ndim, axis, -1)
    if edge_order == 1:
        out[first] = (take(1) - take(0)) / (dx if uniform else dx[0])
        out[last] = (take(-1) - take(-2)) / (dx if uniform else dx[-1])
    else:
        a, b, c = _edge_weights(*((dx, dx) if uniform else (dx[0], dx[1])), uniform)
        out[first] = a * take(0) + b * take(1) + c * take(2)
        # seen from the last edge the axis runs backwards: the same weights with the other sign
        a, b, c = _edge_weights(*((dx, dx) if uniform else (dx[-1], dx[-2])), uniform)
        out[last] = (-c) * take(-3) + (-b) * take(-2) + (-a) * take(-1)
    return out


def _edge_weights(d1, d2, uniform):
    """Weights of the three values nearest to an edge, for second order."""
    if uniform:
        return -1.5 / d1, 2.0 / d1, -0.5 / d1
    return -(2.0 * d1 + d2) / (d1 * (d1 + d2)), (d1 + d2) / (d1 * d2), -d1 / (d2 * (d1 + d2))


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral by the trapezoidal rule, over coordinates `x` or steps of `dx`.

    >>> cp.trapezoid(cp.array([1, 2, 3]), dx=2)
    array(8.)
    """
    y = as_array(y, "trapezoid")
    as_axis(axis, y.ndim, "trapezoid")  # is one of its own
    if x is not None:
        x = as_parameter(x, "trapezoid", 2)
        dx = diff(x, axis=-1 if x.ndim == 1 else axis)
        if x.ndim == 1:
            shape = [1] * y.ndim
            shape[axis] = dx.shape[0]
            dx = dx.reshape(shape)
    elif isinstance(dx, (list, tuple, np.ndarray)):
        dx = as_parameter(dx, "trapezoid", 3)
    upper, lower = y[_at(y.ndim, axis, slice(1, None))], y[_at(y.ndim, axis, slice(None, -1))]
    return (dx * (upper + lower) / 2.0).sum(axis)


@gives_plain
def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    """Phases in which jumps of more than half a period are replaced by their complement.

    >>> cp.unwrap(cp.array([0, 1, 2, -1, 0]), period=4)
    array([0, 1, 2, 3, 4])
    """
    p = as_array(p, "unwrap")
    steps = diff(p, axis=axis)
    if discont is None:
        with naming("unwrap", "period"):
            discont = period / 2
    dtype = _core.result_type(steps, period)
    if dtype.kind in "iu":
        high, odd = divmod(period, 2)
    else:
        high, odd = period / 2, 0
    wrapped = _core.remainder(steps - -high, period) + -high
    if odd == 0:  # a step of half a period keeps its direction
        wrapped = _core.where((wrapped == -high) & (steps > 0), high, wrapped)
    correction = _core.where(_core.absolute(steps) < discont, 0, wrapped - steps)
    later = _at(p.ndim, axis, slice(1, None))
    result = p.astype(dtype, copy=True)
    result[later] = p[later] + correction.cumsum(axis)
    return result


def real_if_close(a, tol=100):
    """The real parts of a complex array whose imaginary parts are all within `tol` machine epsilons of zero.

    >>> cp.real_if_close(cp.array([2.1 + 4e-14j, 5.2 + 3e-15j]), tol=1000)
    array([2.1, 5.2])
    """
    a = as_array(a, "real_if_close")
    if not is_complex(a):
        return a
    if tol > 1:
        tol = np.finfo(a.dtype).eps * tol
    return a.real if bool((_core.absolute(a.imag) < tol).all()) else a


def interp(x, xp, fp, left=None, right=None, period=None):
    """Piecewise linear interpolation through points (xp, fp), `xp` ascending; beyond them `left` and `right`.

    >>> cp.interp(2.5, cp.array([1, 2, 3]), cp.array([3, 2, 0]))
    array(1.)
    """
    return _core.interp(x, xp, fp, left, right, period)
