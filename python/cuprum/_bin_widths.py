"""Rules that choose the width of a histogram's bins from the values. A width is a number of the host.

Every rule takes the values and a function that counts them in a number of bins.
"""

import warnings

import numpy as np

from . import _core
from ._order_statistics import percentile

_UNSIGNED = {np.dtype(f"i{n}"): np.dtype(f"u{n}") for n in (1, 2, 4, 8)}


def unsigned_subtract(a, b):
    """a - b of two numbers with a >= b; of integers unsigned, so that it does not overflow."""
    dtype = np.result_type(a, b)
    if dtype not in _UNSIGNED:
        return np.subtract(a, b, dtype=dtype)
    a, b = np.asarray(a, dtype), np.asarray(b, dtype)
    return np.subtract(a, b, casting="unsafe", dtype=_UNSIGNED[dtype])


def _extent(x):
    return unsigned_subtract(x.max().get()[()], x.min().get()[()])


def _std(x):
    return _core.std(x).get()[()]


def _sqrt(x, count):
    return _extent(x) / np.sqrt(x.size)


def _sturges(x, count):
    return _extent(x) / (np.log2(x.size) + 1.0)


def _rice(x, count):
    return _extent(x) / (2.0 * x.size ** (1.0 / 3))


def _scott(x, count):
    return (24.0 * np.pi**0.5 / x.size) ** (1.0 / 3.0) * _std(x)


def _fd(x, count):
    high, low = percentile(x, [75, 25]).get()
    return 2.0 * np.subtract(high, low) * x.size ** (-1.0 / 3.0)


def _auto(x, count):
    narrowest = _sqrt(x, count) / 2  # values that cluster would ask for very many bins
    return min(max(_fd(x, count), narrowest), _sturges(x, count))


def _doane(x, count):
    n = x.size
    sigma = _std(x) if n > 2 else 0.0
    if not sigma > 0.0:
        return 0.0
    spread = np.sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)))
    skew = _core.mean(((x - _core.mean(x)) / sigma) ** 3).get()[()]
    return _extent(x) / (1.0 + np.log2(n) + np.log2(1.0 + np.absolute(skew) / spread))


def _stone(x, count):
    """The number of bins with the least estimated error, tried one by one."""
    n, extent = x.size, _extent(x)
    if n <= 1 or extent == 0:
        return 0

    def error(bins):
        share = count(bins) / n
        return (2 - (n + 1) * float(share.dot(share))) / (extent / bins)

    most = max(100, int(np.sqrt(n)))
    best = min(range(1, most + 1), key=error)
    if best == most:
        warnings.warn("The number of bins estimated may be suboptimal.", RuntimeWarning, stacklevel=3)
    return extent / best


WIDTHS = {
    "stone": _stone,
    "auto": _auto,
    "doane": _doane,
    "fd": _fd,
    "rice": _rice,
    "scott": _scott,
    "sqrt": _sqrt,
    "sturges": _sturges,
}
