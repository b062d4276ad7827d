"""Reductions and cumulative operations. A reduction  is recorded with its operand: `(x * y).sum()` is one kernel."""

from . import _core
from ._convert import given, no_value

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "average", "count_nonzero", "cumprod", "cumsum",
    "cumulative_prod", "cumulative_sum", "diff", "max", "mean", "min", "nanargmax", "nanargmin", "nancumprod",
    "nancumsum", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "prod", "ptp", "std",
    "sum", "var",
]  # fmt: skip


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=no_value, where=True):
    """Sum over the given axes; small integers are added as int64, bools are counted.

    >>> cp.sum(cp.array([[1, 2], [3, 4]]), axis=0)
    array([4, 6])
    """
    return _core.sum(a, axis, dtype, out, keepdims, given(initial), where)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=no_value, where=True):
    """Product over the given axes.

    >>> cp.prod(cp.array([1, 2, 3, 4]))
    array(24)
    """
    return _core.prod(a, axis, dtype, out, keepdims, given(initial), where)


def max(a, axis=None, out=None, keepdims=False, initial=no_value, where=True):
    """Largest element over the given axes; a NaN is the largest.

    >>> cp.max(cp.array([[1, 5], [7, 2]]), axis=1)
    array([5, 7])
    """
    return _core.max(a, axis, out, keepdims, given(initial), where)


def min(a, axis=None, out=None, keepdims=False, initial=no_value, where=True):
    """Smallest element over the given axes; a NaN is the smallest.

    >>> cp.min(cp.array([[1, 5], [7, 2]]), axis=1)
    array([1, 2])
    """
    return _core.min(a, axis, out, keepdims, given(initial), where)


def amax(a, axis=None, out=None, keepdims=False, initial=no_value, where=True):
    """Another name of `max`.

    >>> cp.amax(cp.array([3, 9, 4]))
    array(9)
    """
    return _core.max(a, axis, out, keepdims, given(initial), where)


def amin(a, axis=None, out=None, keepdims=False, initial=no_value, where=True):
    """Another name of `min`.

    >>> cp.amin(cp.array([3, 9, 4]))
    array(3)
    """
    return _core.min(a, axis, out, keepdims, given(initial), where)


def any(a, axis=None, out=None, keepdims=False, *, where=True):
    """Whether any element over the given axes is true.

    >>> cp.any(cp.array([[False, True], [False, False]]), axis=1)
    array([ True, False])
    """
    return _core.any(a, axis, out, keepdims, where=where)


def all(a, axis=None, out=None, keepdims=False, *, where=True):
    """Whether all elements over the given axes are true.

    >>> cp.all(cp.array([[True, True], [False, True]]), axis=1)
    array([ True, False])
    """
    return _core.all(a, axis, out, keepdims, where=where)


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    """Arithmetic mean over the given axes.

    >>> cp.mean(cp.array([[1, 2], [3, 4]]), axis=0)
    array([2., 3.])
    """
    return _core.mean(a, axis, dtype, out, keepdims, where=where)


def var(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=False,
    *,
    where=True,
    mean=no_value,
    correction=no_value,
):
    """Variance over the given axes: the mean squared distance from the mean, divided by n - ddof.

    >>> cp.var(cp.array([1.0, 2.0, 3.0, 4.0]))
    array(1.25)
    """
    return _core.var(
        a, axis, dtype, out, ddof, keepdims, where=where, mean=given(mean), correction=given(correction)
    )


def std(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=False,
    *,
    where=True,
    mean=no_value,
    correction=no_value,
):
    """Standard deviation over the given axes: the square root of the variance.

    >>> cp.std(cp.array([1.0, 3.0]))
    array(1.)
    """
    return _core.std(
        a, axis, dtype, out, ddof, keepdims, where=where, mean=given(mean), correction=given(correction)
    )


def ptp(a, axis=None, out=None, keepdims=False):
    """Largest minus smallest element over the given axes.

    >>> cp.ptp(cp.array([3, 9, 4]))
    array(6)
    """
    return _core.ptp(a, axis, out, keepdims)


def count_nonzero(a, axis=None, *, keepdims=False):
    """Number of elements over the given axes that are not zero.

    >>> cp.count_nonzero(cp.array([[0, 1], [2, 3]]), axis=0)
    array([1, 2])
    """
    return _core.count_nonzero(a, axis, keepdims=keepdims)


def argmax(a, axis=None, out=None, *, keepdims=False):
    """Index of the first largest element, along an axis or of the flattened array.

    >>> cp.argmax(cp.array([[1, 9], [8, 2]]), axis=1)
    array([1, 0])
    """
    return _core.argmax(a, axis, out, keepdims=keepdims)


def argmin(a, axis=None, out=None, *, keepdims=False):
    """Index of the first smallest element, along an axis or of the flattened array.

    >>> cp.argmin(cp.array([[1, 9], [8, 2]]), axis=1)
    array([0, 1])
    """
    return _core.argmin(a, axis, out, keepdims=keepdims)


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    """Weighted mean over the given axes; with `returned` also the sum of the weights.

    >>> cp.average(cp.array([1.0, 2.0, 3.0]), weights=cp.array([3.0, 1.0, 0.0]))
    array(1.25)
    """
    return _core.average(a, axis, weights, returned, keepdims)


def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=no_value, where=True):
    """Sum over the given axes with NaN as zero.

    >>> cp.nansum(cp.array([1.0, cp.nan, 2.0]))
    array(3.)
    """
    return _core.nansum(a, axis, dtype, out, keepdims, given(initial), where)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=no_value, where=True):
    """Product over the given axes with NaN as one.

    >>> cp.nanprod(cp.array([4.0, cp.nan, 2.0]))
    array(8.)
    """
    return _core.nanprod(a, axis, dtype, out, keepdims, given(initial), where)


def nanmax(a, axis=None, out=None, keepdims=False, initial=no_value, where=True):
    """Largest element over the given axes, ignoring NaN.

    >>> cp.nanmax(cp.array([1.0, cp.nan, 2.0]))
    array(2.)
    """
    return _core.nanmax(a, axis, out, keepdims, given(initial), where)


def nanmin(a, axis=None, out=None, keepdims=False, initial=no_value, where=True):
    """Smallest element over the given axes, ignoring NaN.

    >>> cp.nanmin(cp.array([1.0, cp.nan, 2.0]))
    array(1.)
    """
    return _core.nanmin(a, axis, out, keepdims, given(initial), where)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    """Mean over the given axes, ignoring NaN.

    >>> cp.nanmean(cp.array([1.0, cp.nan, 2.0]))
    array(1.5)
    """
    return _core.nanmean(a, axis, dtype, out, keepdims, where=where)


def nanvar(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=False,
    *,
    where=True,
    mean=no_value,
    correction=no_value,
):
    """Variance over the given axes, ignoring NaN.

    >>> cp.nanvar(cp.array([1.0, cp.nan, 3.0]))
    array(1.)
    """
    return _core.nanvar(
        a, axis, dtype, out, ddof, keepdims, where=where, mean=given(mean), correction=given(correction)
    )


def nanstd(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=False,
    *,
    where=True,
    mean=no_value,
    correction=no_value,
):
    """Standard deviation over the given axes, ignoring NaN.

    >>> cp.nanstd(cp.array([1.0, cp.nan, 5.0]))
    array(2.)
    """
    return _core.nanstd(
        a, axis, dtype, out, ddof, keepdims, where=where, mean=given(mean), correction=given(correction)
    )


def nanargmax(a, axis=None, out=None, *, keepdims=False):
    """Index of the first largest element, ignoring NaN; a slice of NaN alone is a ValueError.

    >>> cp.nanargmax(cp.array([cp.nan, 1.0, 3.0]))
    array(2)
    """
    return _core.nanargmax(a, axis, out, keepdims=keepdims)


def nanargmin(a, axis=None, out=None, *, keepdims=False):
    """Index of the first smallest element, ignoring NaN; a slice of NaN alone is a ValueError.

    >>> cp.nanargmin(cp.array([cp.nan, 1.0, 3.0]))
    array(1)
    """
    return _core.nanargmin(a, axis, out, keepdims=keepdims)


def cumsum(a, axis=None, dtype=None, out=None):
    """Running sum along an axis, or of the flattened array.

    >>> cp.cumsum(cp.array([1, 2, 3]))
    array([1, 3, 6])
    """
    return _core.cumsum(a, axis, dtype, out)


def cumprod(a, axis=None, dtype=None, out=None):
    """Running product along an axis, or of the flattened array.

    >>> cp.cumprod(cp.array([1, 2, 3]))
    array([1, 2, 6])
    """
    return _core.cumprod(a, axis, dtype, out)


def nancumsum(a, axis=None, dtype=None, out=None):
    """Running sum with NaN as zero.

    >>> cp.nancumsum(cp.array([1.0, cp.nan, 2.0]))
    array([1., 1., 3.])
    """
    return _core.nancumsum(a, axis, dtype, out)


def nancumprod(a, axis=None, dtype=None, out=None):
    """Running product with NaN as one.

    >>> cp.nancumprod(cp.array([3.0, cp.nan, 2.0]))
    array([3., 3., 6.])
    """
    return _core.nancumprod(a, axis, dtype, out)


def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """Running sum along an axis; with `include_initial` it starts with a zero.

    >>> cp.cumulative_sum(cp.array([1, 2, 3]), include_initial=True)
    array([0, 1, 3, 6])
    """
    return _core.cumulative_sum(x, axis=axis, dtype=dtype, out=out, include_initial=include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """Running product along an axis; with `include_initial` it starts with a one.

    >>> cp.cumulative_prod(cp.array([1, 2, 3]), include_initial=True)
    array([1, 1, 2, 6])
    """
    return _core.cumulative_prod(x, axis=axis, dtype=dtype, out=out, include_initial=include_initial)


def diff(a, n=1, axis=-1, prepend=no_value, append=no_value):
    """Differences between neighbours along an axis, taken n times.

    >>> cp.diff(cp.array([1, 4, 9, 16]))
    array([3, 5, 7])
    """
    return _core.diff(a, n, axis, given(prepend), given(append))
