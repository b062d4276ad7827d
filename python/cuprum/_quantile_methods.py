"""Where a quantile lies among n sorted elements, by each of NumPy's methods (Hyndman and Fan, 1996, and five more).

Indices count from zero. `n` is a number, or an array of counts where slices have different ones.
"""

import numpy as np

from . import _core

__all__ = []


def _fitted(alpha, beta):
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


def _steps(shift, stay):
    """The element before or after a virtual index: the one before it where `stay` says so."""

    def index(n, q):
        virtual = n * q - 1 - shift
        before = _core.floor(virtual)
        return _core.where(stay(virtual - before, before), before, before + 1)

    return index


METHODS = {
    "inverted_cdf": _steps(0, lambda gamma, before: gamma == 0),
    "averaged_inverted_cdf": lambda n, q: n * q - 1,
    "closest_observation": _steps(0.5, lambda gamma, before: (gamma == 0) & (before % 2 == 1)),
    "interpolated_inverted_cdf": _fitted(0, 1),
    "hazen": _fitted(0.5, 0.5),
    "weibull": _fitted(0, 0),
    "linear": lambda n, q: (n - 1) * q,
    "median_unbiased": _fitted(1 / 3.0, 1 / 3.0),
    "normal_unbiased": _fitted(3 / 8.0, 3 / 8.0),
    "lower": lambda n, q: _core.floor((n - 1) * q),
    "higher": lambda n, q: _core.ceil((n - 1) * q),
    "midpoint": lambda n, q: 0.5 * (_core.floor((n - 1) * q) + _core.ceil((n - 1) * q)),
    "nearest": lambda n, q: _core.rint((n - 1) * q),
}

# Those that give the index of an element, with nothing to interpolate.
_DISCRETE = {"inverted_cdf", "closest_observation", "lower", "higher", "nearest"}


def position(method, n, q):
    """(index, next index, fraction between them); the fraction is None where the element itself is the quantile."""
    virtual = METHODS[method](n, q)
    exact = method == "linear" and virtual.dtype.kind in "iu"  # integer q: the smallest or the largest
    if method in _DISCRETE or exact:
        return _core.clip(virtual, 0, _core.maximum(n - 1, 0)).astype(np.intp), None, None
    before = _core.floor(virtual)
    gamma = virtual - before
    if method == "averaged_inverted_cdf":
        gamma = _core.where(gamma == 0, 0.5, 1.0)
    elif method == "midpoint":
        gamma = _core.where(virtual % 1 == 0, 0.0, 0.5)
    last = _core.maximum(n - 1, 0)
    low = _core.clip(before, 0, last).astype(np.intp)
    high = _core.where(virtual < 0, 0, _core.clip(before + 1, 0, last)).astype(np.intp)
    return low, high, gamma.astype(virtual.dtype)
