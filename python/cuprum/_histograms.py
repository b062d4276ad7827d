"""Counting: how often integers occur, which interval values lie in, and histograms."""

import builtins
import math
import operator
import warnings

import numpy as np

from . import _core
from ._bin_widths import WIDTHS, unsigned_subtract
from ._checks import check_safe_cast, check_vector, naming
from ._convert import as_array, as_arrays, as_company, as_parameter
from ._creation import linspace
from ._reductions import diff

__all__ = ["bincount", "digitize", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


def digitize(x, bins, right=False):
    """The index of the interval that each value lies in; `bins` rise or fall, `right` closes them at that side.

    >>> cp.digitize(cp.array([0.2, 6.4, 3.0]), cp.array([0.0, 1.0, 2.5, 4.0]))
    array([1, 4, 3])
    """
    x, bins = as_company("digitize", x, bins)
    if x.dtype.kind == "c":
        raise TypeError("cuprum.digitize: x may not be complex")
    check_vector(bins, "digitize")
    check_safe_cast(bins, np.float64, "digitize")
    side = "left" if right else "right"
    if _rises(bins):
        return _core.searchsorted(bins, x, side, None)
    return len(bins) - _core.searchsorted(bins[::-1], x, side, None)


def _rises(bins):
    """Whether the first edges that differ rise; the others have to follow. The host waits for one number, as a rule."""
    before, after = bins[:-1], bins[1:]
    ordered = int((before <= after).all() + 2 * (before >= after).all())
    if ordered:
        return ordered != 2
    first = (before != after).argmax()  # a NaN neither rises nor falls, but it differs
    up = bool(before[first] < after[first])
    if bool((before > after if up else before < after).any()):
        raise ValueError("cuprum.digitize: bins must be monotonically increasing or decreasing")
    return up


def bincount(x, /, weights=None, minlength=0):
    """How often each of 0, 1, 2, ... occurs in a vector of integers, or the sum of its weights.

    >>> cp.bincount(cp.array([0, 1, 1, 3]))
    array([1, 2, 0, 1])
    """
    return _core.bincount(x, weights, minlength)


def _counts(index, weights, length):
    """Ones or weights added up at their indices."""
    counts = _core.zeros((length,), np.intp if weights is None else np.float64)
    _core.add.at(counts, index, 1 if weights is None else weights.astype(np.float64, copy=False))
    return counts


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of the bins that `histogram` would count in.

    >>> cp.histogram_bin_edges(cp.array([0, 1, 2, 4]), bins=4)
    array([0., 1., 2., 3., 4.])
    """
    a, weights = _vectors(a, weights, "histogram_bin_edges")
    return _edges(a, bins, range, weights, "histogram_bin_edges")[0]


def histogram(a, bins=10, range=None, density=None, weights=None):
    """How many values lie in each bin, or their weights, and the edges of the bins. The last bin is closed.

    `bins` is a number, the edges, or the name of a rule that chooses the number.

    >>> cp.histogram(cp.array([1, 2, 1]), bins=[0, 1, 2, 3])
    (array([0, 2, 1]), array([0, 1, 2, 3]))
    """
    a, weights = _vectors(a, weights, "histogram")
    edges, uniform = _edges(a, bins, range, weights, "histogram")
    if uniform:
        a = a.astype(edges.dtype, copy=False)
    if weights is None:
        counts = _core.count_between(edges, a)
    elif uniform and _core.can_cast(weights.dtype, np.complex128, "safe"):
        counts = _weighted_counts(a, weights, edges)
    else:
        counts = _cumulated_weights(a, weights, edges)
    if density:
        return counts / diff(edges).astype(np.float64) / counts.sum(), edges
    return counts, edges


def _vectors(a, weights, function):
    a = as_array(a, function)
    if a.dtype == np.bool:
        warnings.warn(
            f"Converting input from {a.dtype} to {np.uint8} for compatibility.", RuntimeWarning, stacklevel=3
        )
        a = a.astype(np.uint8)
    if weights is not None:
        weights = as_parameter(weights, function, 5)
        if weights.shape != a.shape:
            raise ValueError(
                f"cuprum.{function}: weights should have the same shape as a: given {weights.shape} and {a.shape}"
            )
        weights = weights.ravel()
    return a.ravel(), weights


def _edges(a, bins, range, weights, function):
    """The edges, and whether they were made for bins of equal width."""
    if isinstance(bins, str):
        if bins not in WIDTHS:
            raise ValueError(
                f"cuprum.{function}: {bins!r} is not a valid estimator for `bins`; write one of {[*WIDTHS]}"
            )
        if weights is not None:
            raise TypeError(
                f"cuprum.{function}: Automated estimation of the number of bins is not supported for weighted data"
            )
        first, last = _outer_edges(a, range, function)
        count = _estimated_count(a, bins, first, last, range)
    elif np.ndim(bins) == 0:
        try:
            count = operator.index(bins)
        except TypeError as error:
            raise TypeError(
                f"cuprum.{function}: `bins` must be an integer, a string, or an array, given {bins!r}"
            ) from error
        if count < 1:
            raise ValueError(f"cuprum.{function}: `bins` must be positive, when an integer, given {count}")
        first, last = _outer_edges(a, range, function)
    else:
        return _given_edges(as_parameter(bins, function, 2), function), False

    dtype = np.result_type(first, last, a.dtype)
    if dtype.kind in "iu":
        dtype = np.result_type(dtype, float)
    edges = np.linspace(first, last, count + 1, endpoint=True, dtype=dtype)  # of two numbers of the host
    if np.any(edges[:-1] >= edges[1:]):
        raise ValueError(
            f"cuprum.{function}: Too many bins for data range. Cannot create {count} finite-sized bins."
        )
    return _core.asarray(edges), True


def _given_edges(edges, function):
    if edges.ndim != 1:
        raise ValueError(f"cuprum.{function}: `bins` must be 1d, when an array, given shape {edges.shape}")
    if bool((edges[:-1] > edges[1:]).any()):
        raise ValueError(f"cuprum.{function}: `bins` must increase monotonically, when an array")
    return edges


def _outer_edges(a, range, function):
    """The range given or that of the values, as numbers of the host; widened where it is empty."""
    if range is not None:
        with naming(function, "range"):
            first, last = range
        if first > last:
            raise ValueError(
                f"cuprum.{function}: max must be larger than min in range parameter: given {first} and {last}"
            )
        kind = "supplied"
    elif a.size == 0:
        return 0, 1
    else:
        least, largest = a.min(), a.max()
        _core.evaluate(least, largest)  # in one pass
        first, last = least.get()[()], largest.get()[()]
        kind = "autodetected"
    if not (np.isfinite(first) and np.isfinite(last)):
        raise ValueError(f"cuprum.{function}: {kind} range of [{first}, {last}] is not finite")
    return (first - 0.5, last + 0.5) if first == last else (first, last)


def _estimated_count(a, rule, first, last, range):
    if range is not None:
        a = a[(a >= first) & (a <= last)]
    if a.size == 0:
        return 1

    def count(bins):
        return histogram(a, bins, (first, last))[0]

    width = WIDTHS[rule](a, count)
    if not width:
        return 1
    if a.dtype.kind in "iu" and width < 1:
        width = 1
    return int(np.ceil(unsigned_subtract(last, first) / width))


def _weighted_counts(a, weights, edges):
    """Sums of weights between edges; what lies outside goes to two bins that are dropped."""
    bins = len(edges) - 1
    index = _core.searchsorted(edges, a, "right", None) - (a == edges[-1])
    if weights.dtype.kind == "c":
        parts = [_counts(index, part, bins + 2)[1:-1] for part in (weights.real, weights.imag)]
        return (parts[0] + 1j * parts[1]).astype(weights.dtype)
    return _counts(index, weights, bins + 2)[1:-1].astype(weights.dtype)


def _cumulated_weights(a, weights, edges):
    """Differences of the cumulated weights of sorted values before each edge, as NumPy adds them up."""
    order = _core.argsort(a, -1)
    cumulated = _core.concatenate([_core.zeros((1,), weights.dtype), _core.cumsum(weights[order])])
    before = _core.zeros(edges.shape, weights.dtype)
    before += cumulated[_before(a[order], edges)]
    return diff(before)


def _before(ordered, edges):
    return _core.concatenate(
        [
            _core.searchsorted(ordered, edges[:-1], "left", None),
            _core.searchsorted(ordered, edges[-1:], "right", None),
        ]
    )


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """How many points (x, y) lie in each rectangle, and the edges along both axes.

    >>> cp.histogram2d(cp.array([0, 1, 1]), cp.array([0, 1, 1]), bins=2)[0]
    array([[1., 0.],
           [0., 2.]])
    """
    x, y = as_company("histogram2d", x, y)
    if len(x) != len(y):
        raise ValueError(
            f"cuprum.histogram2d: x and y must have the same length: given {len(x)} and {len(y)}"
        )
    if _length(bins) not in (None, 1, 2):
        bins = [as_parameter(bins, "histogram2d", 3)] * 2
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """How many points lie in each box of a grid, and the edges along every axis.

    `sample` has a row for every point, or is a sequence with the coordinates along each axis.

    >>> counts, edges = cp.histogramdd(cp.array([[0, 0, 0], [1, 1, 1]]), bins=(1, 1, 2))
    >>> counts
    array([[[1., 1.]]])
    """
    columns = _coordinates(sample)
    bins, range = _per_axis(bins, range, len(columns))
    edges = [_axis_edges(x, *given) for x, *given in zip(columns, bins, range, builtins.range(len(columns)))]
    shape = tuple(len(edge) + 1 for edge in edges)  # with a place for what lies before and after
    index = _core.zeros(columns[0].shape, np.intp)
    for x, edge, n in zip(columns, edges, shape):
        index = index * n + (_core.searchsorted(edge, x, "right", None) - (x == edge[-1]))
    counts = bincount(index, weights, math.prod(shape)).astype(np.float64)
    counts = counts.reshape(shape)[(slice(1, -1),) * len(shape)]
    if density:
        total = counts.sum()
        for i, edge in enumerate(edges):
            along = tuple(-1 if i == j else 1 for j in builtins.range(len(edges)))
            counts = counts / diff(edge).reshape(along)
        counts = counts / total
    return counts, edges


def _length(bins):
    """None for a number."""
    try:
        return len(bins)
    except TypeError:
        return None


def _coordinates(sample):
    """A vector per axis."""
    if not isinstance(sample, _core.ndarray):
        sample = _core.stack(as_arrays(sample, "histogramdd"), 0).T
    elif sample.ndim != 2:
        sample = _core.atleast_2d(sample).T
    if sample.ndim == 1:
        sample = sample[:, None]
    if sample.ndim != 2:
        raise ValueError(
            "cuprum.histogramdd: too many values to unpack (expected 2): a row for every point is needed, "
            f"given shape {sample.shape}"
        )
    return [sample[:, i] for i in builtins.range(sample.shape[1])]


def _per_axis(bins, range, ndim):
    """Bins and ranges, one for every axis."""
    if _length(bins) is None:
        bins = [bins] * ndim
    if len(bins) != ndim:
        raise ValueError(
            "cuprum.histogramdd: The dimension of bins must be equal to the dimension of the sample x: "
            f"given {len(bins)} and {ndim}"
        )
    if range is None:
        range = (None,) * ndim
    elif len(range) != ndim:
        raise ValueError(
            "cuprum.histogramdd: range argument must have one entry per dimension: "
            f"given {len(range)} for {ndim}"
        )
    return bins, range


def _axis_edges(x, bins, range, axis):
    if np.ndim(bins) == 0:
        if bins < 1:
            raise ValueError(
                f"cuprum.histogramdd: `bins[{axis}]` must be positive, when an integer, given {bins}"
            )
        first, last = _outer_edges(x, range, "histogramdd")
        try:
            count = operator.index(bins)
        except TypeError as error:
            raise TypeError(
                f"cuprum.histogramdd: `bins[{axis}]` must be an integer, when a scalar"
            ) from error
        return linspace(first, last, count + 1)
    edges = as_parameter(bins, "histogramdd", 2)
    if edges.ndim != 1:
        raise ValueError(
            f"cuprum.histogramdd: `bins[{axis}]` must be a scalar or 1d array, given shape {edges.shape}"
        )
    if bool((edges[:-1] > edges[1:]).any()):
        raise ValueError(
            f"cuprum.histogramdd: `bins[{axis}]` must be monotonically increasing, when an array"
        )
    return edges
