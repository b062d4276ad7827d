"""Medians and quantiles: sorted along the reduced axes, picked and interpolated in one recorded expression.

With `overwrite_input` the input is sorted where it is, and no copy is made.
"""

import numpy as np

from . import _core
from ._checks import as_axes, spread_weights
from ._convert import as_array, as_parameter, as_value, is_inexact, keeps_class, no_value
from ._quantile_methods import METHODS, position
from ._reductions import nanmean

_ROW = 512  # elements along the axis from which on a GPU finds a few of them faster than it sorts
_LONG = 1 << 15  # elements along the axis from which on a few of them are found faster than all are sorted

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]


@keeps_class
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle of the sorted elements, or the mean of the two middle ones; NaN where there is a NaN.

    >>> cp.median(cp.array([[10, 7, 4], [3, 2, 1]]), axis=0)
    array([6.5, 4.5, 2.5])
    """
    a, axes = _reduced_last(as_array(a, "median"), axis, "median")
    n = a.shape[-1]
    middle, largest = _middle(a, n, overwrite_input)
    result = _core.mean(middle, -1)
    if is_inexact(a) and n:
        largest = _core.max(a, -1) if largest is None else largest
        result = _core.where(_core.isnan(largest), largest, result)
    return _finish(result, 0, axes, out, keepdims, "unsafe", "median")


def _middle(a, n, overwrite):
    """The one or two elements in the middle of the last axis, and the largest where it was found with them."""
    if n == 0:
        return a, None
    low, high = (n - 1) // 2, n // 2
    kth = [low, high] if low != high else [low]
    if overwrite:
        a.partition(kth, -1)
    else:
        found = _core.order_statistics(a, [*kth, n - 1]) if n >= _ROW else None
        if found is not None:
            return found[..., :-1], found[..., -1]
        a = _core.partition(a, kth, -1, "introselect", None)
    return a[..., low : high + 1], None


def _sorted(a, overwrite):
    """Sorted along the last axis, with NaN last."""
    if not overwrite:
        return _core.sort(a, -1)
    a.sort(-1)
    return a


@keeps_class
def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=no_value):
    """The median of the elements that are not NaN.

    >>> cp.nanmedian(cp.array([[10.0, cp.nan, 4], [3, 2, 1]]), axis=0)
    array([6.5, 2. , 2.5])
    """
    a = as_array(a, "nanmedian")
    keepdims = False if keepdims is no_value else keepdims
    if a.size == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    if not is_inexact(a):
        return median(a, axis, out, overwrite_input, keepdims)
    a, axes = _reduced_last(a, axis, "nanmedian")
    count = _core.sum(~_core.isnan(a), -1, keepdims=True)
    if n := 0 if overwrite_input else _one_count(count, a):
        result = _core.mean(_middle(a, n, False)[0], -1)
        return _finish(result, 0, axes, out, keepdims, "unsafe", "nanmedian")
    ordered = _sorted(a, overwrite_input)
    low = _core.take_along_axis(ordered, _core.maximum(count - 1, 0) // 2, -1)
    high = _core.take_along_axis(ordered, _core.minimum(count // 2, a.shape[-1] - 1), -1)
    result = _core.where(count % 2 == 1, low, _core.mean(_core.stack([low, high]), 0))[..., 0]
    return _finish(result, 0, axes, out, keepdims, "unsafe", "nanmedian")


def _one_count(count, a):
    """How many numbers one long vector has: the host looks among them as if there were nothing else, for NaN come last.

    0 where there are several slices, or no number.
    """
    return count.item() if a.ndim == 1 and a.size >= _LONG else 0


@keeps_class
def quantile(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    weights=None,
):
    """The values below which the fractions `q` of the elements lie; NaN where there is a NaN.

    `method` says what is taken between two elements. Weights go with "inverted_cdf" alone.

    >>> cp.quantile(cp.array([1, 2, 3, 4]), [0.25, 0.5])
    array([1.75, 2.5 ])
    """
    return _quantile("quantile", a, q, axis, out, overwrite_input, method, keepdims, weights)


@keeps_class
def percentile(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    weights=None,
):
    """The values below which `q` percent of the elements lie: `quantile` in percent.

    >>> cp.percentile(cp.array([1, 2, 3, 4]), 50)
    array(2.5)
    """
    return _quantile("percentile", a, q, axis, out, overwrite_input, method, keepdims, weights)


@keeps_class
def nanquantile(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=no_value,
    *,
    weights=None,
):
    """`quantile` of the elements that are not NaN.

    >>> cp.nanquantile(cp.array([1, 2, cp.nan, 3]), 0.5)
    array(2.)
    """
    return _quantile("nanquantile", a, q, axis, out, overwrite_input, method, keepdims, weights)


@keeps_class
def nanpercentile(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=no_value,
    *,
    weights=None,
):
    """`percentile` of the elements that are not NaN.

    >>> cp.nanpercentile(cp.array([1, 2, cp.nan, 3]), 50)
    array(2.)
    """
    return _quantile("nanpercentile", a, q, axis, out, overwrite_input, method, keepdims, weights)


def _quantile(name, a, q, axis, out, overwrite, method, keepdims, weights):
    a = as_array(a, name)
    if a.dtype.kind == "c":
        raise TypeError(f"cuprum.{name}: a must be an array of real numbers, given {a.dtype}")
    weak = type(q) in (int, float)  # a Python number does not widen the result
    xp = np if a.size >= _LONG else _core  # what is looked for in a long array, the host has to know
    q = _on_host(q, name) if xp is np else as_parameter(q, name, 2)
    if name.endswith("percentile"):
        q = xp.divide(q, 100)
    if q.size and not bool(((q >= 0) & (q <= 1)).all()):
        limits = (
            "Percentiles must be in the range [0, 100]"
            if name.endswith("percentile")
            else "Quantiles must be in the range [0, 1]"
        )
        raise ValueError(f"cuprum.{name}: {limits}")
    if weights is not None:
        weights = _valid_weights(as_parameter(weights, name, 8), a, axis, method, name)
    # Of nothing, NumPy answers NaN of the reduced shape alone, whatever `q`.
    if name.startswith("nan") and a.size == 0:
        return _core.nanmean(a, axis, None, out, keepdims is not no_value and keepdims)
    if method not in METHODS:
        raise ValueError(f"cuprum.{name}: {method!r} is not a valid method. Use one of: {METHODS.keys()}")
    if q.ndim > 2:
        raise ValueError(f"cuprum.{name}: q must be a scalar or 1d, given shape {q.shape}")
    shape = a.shape
    a, axes = _reduced_last(a, axis, name)
    if a.shape[-1] == 0:
        raise IndexError(f"cuprum.{name}: index -1 is out of bounds for axis 0 with size 0")
    skip = name.startswith("nan") and is_inexact(a)
    if weights is None:
        if skip:
            result = _picked_of_numbers(a, q, method, weak, overwrite)
        else:
            result = _picked(a, q, method, weak, overwrite, xp, a.shape[-1])
    else:
        weights = _reduced_last(_core.broadcast_to(weights, shape), axis, name)[0]
        result = _picked_by_weight(a, _core.asarray(q), weights, skip, name)
    casting = "unsafe" if name.startswith("nan") else "same_kind"  # NumPy assigns the ones to `out`
    return _finish(result, q.ndim, axes, out, keepdims is not no_value and keepdims, casting, name)


def _on_host(q, name):
    """The fractions as a NumPy array."""
    if isinstance(q, (int, float, np.generic, np.ndarray)):
        return np.asarray(q)
    q = as_array(q, name, 2)
    return (q if q.dtype.kind != "V" else q.astype(np.float32)).get()


def _picked(a, q, method, weak, overwrite, xp, n):
    """Quantiles of the n smallest along the last axis, those of `q` first; `q` is an array of `xp`."""
    low, high, gamma = position(method, n, q.reshape(q.shape + (1,) * (a.ndim - 1)), xp)
    ordered = None
    if xp is np and not overwrite and a.shape[-1] >= _ROW and q.size <= 4:
        places = sorted({n - 1}.union(*(x.ravel().tolist() for x in (low, high) if x is not None)))
        ordered = _core.order_statistics(a, places)  # the elements at these places alone
        if ordered is not None:
            low, high = (x if x is None else np.searchsorted(places, x) for x in (low, high))
        elif a.shape[-1] >= _LONG:
            ordered = _core.partition(a, places, -1)
    ordered = _core.moveaxis(_sorted(a, overwrite) if ordered is None else ordered, -1, 0)
    if gamma is None:
        result = _take(ordered, low, q)
    else:
        result = _between(_take(ordered, low, q), _take(ordered, high, q), _core.asarray(gamma), weak)
    if n < a.shape[-1] or not is_inexact(a):
        return result
    return _core.where(_core.isnan(ordered[-1]), ordered[-1].astype(result.dtype), result)


def _take(ordered, index, q):
    """Slices at `index`, which has the dimensions of `q` before others of length one."""
    return ordered[_core.asarray(index).reshape(q.shape)]


def _picked_of_numbers(a, q, method, weak, overwrite):
    """Quantiles along the last axis of the elements that are not NaN, of which every slice may have another number."""
    n = _core.sum(~_core.isnan(a), -1)
    if count := _one_count(n, a):
        return _picked(a, q, method, weak, overwrite, np, count)
    q = _core.asarray(q)
    low, high, gamma = position(method, n, q.reshape(q.shape + (1,) * (a.ndim - 1)), _core)
    ordered = _core.moveaxis(_sorted(a, overwrite), -1, 0)
    if gamma is None:
        return _take_along(ordered, low, q)
    return _between(_take_along(ordered, low, q), _take_along(ordered, high, q), gamma, weak)


def _take_along(ordered, index, q):
    """Elements at `index`, which has the dimensions of `q` before one for every dimension of a slice."""
    rest = ordered.shape[1:]
    index = _core.broadcast_to(index, q.shape + rest).reshape((q.size, *rest))
    return _core.take_along_axis(ordered, index, 0).reshape(q.shape + rest)


def _between(low, high, gamma, weak):
    """Interpolated from the nearer end, so that both ends are exact and the result rises with gamma."""
    back, near_high = 1 - gamma, gamma >= 0.5
    if weak:
        dtype = _core.result_type(low.dtype, 1.0)
        gamma, back = gamma.astype(dtype), back.astype(dtype)
    step = high - low
    return _core.where(near_high, high - step * back, low + step * gamma)


def _valid_weights(weights, a, axis, method, function):
    """The weights in a shape that broadcasts with `a`."""
    if method != "inverted_cdf":
        raise ValueError(f"cuprum.{function}: Only method 'inverted_cdf' supports weights. Got: {method}.")
    weights = spread_weights(weights, a, axis, function)
    if bool((weights < 0).any()):
        raise ValueError(f"cuprum.{function}: Weights must be non-negative.")
    return weights


def _picked_by_weight(a, q, weights, skip, function):
    """The first elements at which the cumulated weight reaches the fractions `q` of the whole."""
    order = _core.argsort(a, -1)
    ordered = _core.moveaxis(_core.take_along_axis(a, order, -1), -1, 0)
    weights = _core.moveaxis(_core.take_along_axis(weights, order, -1), -1, 0)
    missing = _core.isnan(ordered)
    empty = False
    if skip:
        weights = _core.where(missing, 0, weights)
        empty = missing.all(0)
    cumulated = _core.cumsum(weights, 0, np.float64)
    cumulated = cumulated / cumulated[-1]
    if bool((_core.isnan(cumulated[-1]) & ~_core.asarray(empty)).any()):
        raise ValueError(f"cuprum.{function}: Weights included NaN, inf or were all zero.")
    if q.dtype.kind == "f":
        cumulated = cumulated.astype(q.dtype)
    cumulated = _core.where(cumulated == 0, -1, cumulated)  # what has no weight is not the quantile of 0
    spread = q.reshape(q.shape + (1,) * ordered.ndim)
    index = _core.sum(cumulated < spread, q.ndim)
    index = _core.minimum(index, ordered.shape[0] - 1)
    result = _take_along(ordered, index, q)
    blank = empty if skip else missing[-1]
    return _core.where(blank, ordered[-1], result)


def _reduced_last(a, axis, function):
    """The array with the axes to reduce merged into the last one, and which they were."""
    ndim = a.ndim
    if axis is None:
        return a.ravel(), tuple(range(ndim))
    axes = as_axes(axis, ndim, function)
    if len(axes) == 1:
        return _core.moveaxis(a, axes[0], -1), axes
    keep = [i for i in range(ndim) if i not in axes]
    a = _core.moveaxis(a, keep, list(range(len(keep))))
    return a.reshape((*a.shape[: len(keep)], -1)), axes


def _finish(result, leading, axes, out, keepdims, casting, function):
    """The reduced axes put back where asked, and the result in `out`; `leading` dimensions come before them."""
    if keepdims:
        result = _core.expand_dims(result, tuple(leading + i for i in sorted(axes)))
    if out is None:
        return as_value(result)
    if out.shape != result.shape:
        raise ValueError(
            f"cuprum.{function}: output array has shape {out.shape}, the result has {result.shape}"
        )
    _core.copyto(out, result, casting)
    return out
