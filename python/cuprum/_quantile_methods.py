"""Where a quantile lies among n sorted elements, by each of NumPy's methods (Hyndman and Fan, 1996, and five more).

Indices count from zero. `n` is a number, or an array of counts where slices have different ones. `xp` is what `q` is an
array of: NumPy, whose answers the host needs at once, or the package itself. The methods get n and n - 1.
"""

import numpy as np

from . import _core
from ._convert import is_inexact


def _fitted(alpha, beta):
    return lambda xp, n, last, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


def _steps(shift, stay):
    """The element before or after a virtual index: the one before it where `stay` says so."""

    def index(xp, n, last, q):
        virtual = n * q - 1 - shift
        before = xp.floor(virtual)
        return xp.where(stay(virtual - before, before), before, before + 1)

    return index


METHODS = {
    "inverted_cdf": _steps(0, lambda gamma, before: gamma == 0),
    "averaged_inverted_cdf": lambda xp, n, last, q: n * q - 1,
    "closest_observation": _steps(0.5, lambda gamma, before: (gamma == 0) & (before % 2 == 1)),
    "interpolated_inverted_cdf": _fitted(0, 1),
    "hazen": _fitted(0.5, 0.5),
    "weibull": _fitted(0, 0),
    "linear": lambda xp, n, last, q: last * q,
    "median_unbiased": _fitted(1 / 3.0, 1 / 3.0),
    "normal_unbiased": _fitted(3 / 8.0, 3 / 8.0),
    "lower": lambda xp, n, last, q: xp.floor(last * q),
    "higher": lambda xp, n, last, q: xp.ceil(last * q),
    "midpoint": lambda xp, n, last, q: 0.5 * (xp.floor(last * q) + xp.ceil(last * q)),
    "nearest": lambda xp, n, last, q: xp.rint(last * q),
}

# Those that give the index of an element, with nothing to interpolate.
_DISCRETE = {"inverted_cdf", "closest_observation", "lower", "higher", "nearest"}


def _as_narrow(n, q):
    """Counts do not widen the fractions: an array of them behaves as the one number that it is to a single slice."""
    return n.astype(q.dtype) if isinstance(n, _core.ndarray) and is_inexact(q) else n


def position(method, n, q, xp):
    """(index, next index, fraction between them); the fraction is None where the element itself is the quantile."""
    virtual = METHODS[method](xp, _as_narrow(n, q), _as_narrow(n - 1, q), q)
    exact = method == "linear" and virtual.dtype.kind in "iu"  # integer q: the smallest or the largest
    if method in _DISCRETE or exact:
        return xp.clip(virtual, 0, xp.maximum(n - 1, 0)).astype(np.intp), None, None
    before = xp.floor(virtual)
    gamma = virtual - before
    if method == "averaged_inverted_cdf":
        gamma = xp.where(gamma == 0, 0.5, 1.0)
    elif method == "midpoint":
        gamma = xp.where(virtual % 1 == 0, 0.0, 0.5)
    last = xp.maximum(n - 1, 0)
    low = xp.clip(before, 0, last).astype(np.intp)
    high = xp.where(virtual < 0, 0, xp.clip(before + 1, 0, last)).astype(np.intp)
    return low, high, gamma.astype(virtual.dtype)
