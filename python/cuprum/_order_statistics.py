"""Medians and quantiles. With `overwrite_input` the input is sorted where it is, and no copy is made."""

from . import _core
from ._convert import given, no_value

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle of the sorted elements, or the mean of the two middle ones; NaN where there is a NaN.

    >>> cp.median(cp.array([[10, 7, 4], [3, 2, 1]]), axis=0)
    array([6.5, 4.5, 2.5])
    """
    return _core.median(a, axis, out, overwrite_input, keepdims)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=no_value):
    """The median of the elements that are not NaN.

    >>> cp.nanmedian(cp.array([[10.0, cp.nan, 4], [3, 2, 1]]), axis=0)
    array([6.5, 2. , 2.5])
    """
    return _core.nanmedian(a, axis, out, overwrite_input, given(keepdims))


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
    return _core.quantile(a, q, axis, out, overwrite_input, method, keepdims, weights)


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
    return _core.percentile(a, q, axis, out, overwrite_input, method, keepdims, weights)


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
    return _core.nanquantile(a, q, axis, out, overwrite_input, method, given(keepdims), weights)


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
    return _core.nanpercentile(a, q, axis, out, overwrite_input, method, given(keepdims), weights)
