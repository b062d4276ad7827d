"""How series are read: vectors of coefficients without trailing zeros, of one dtype."""

import numpy as np

from .. import _core
from .._composite import enter_by_device
from .._convert import as_array

__all__ = ["as_series", "trimcoef", "trimseq"]


def trimseq(seq):
    """A sequence of coefficients without the zeros at its end; the first one stays.

    >>> cp.polynomial.polyutils.trimseq(cp.array([1, 0, 2, 0, 0]))
    array([1, 0, 2])
    """
    if len(seq) < 2:  # nothing to trim, and no reason to wait for a device
        return seq
    return seq[: _last(_core.not_equal(seq, 0)) + 1]


def trimcoef(c, tol=0):
    """Coefficients without those at the end that are no larger than tol.

    >>> cp.polynomial.polyutils.trimcoef(cp.array([0.0, 1e-3, 1e-9]), 1e-5)
    array([0.   , 0.001])
    """
    if tol < 0:
        raise ValueError("cuprum.polynomial.polyutils.trimcoef: tol must be non-negative")
    [c] = as_series([c])
    keep = _core.greater(_core.absolute(c), tol)
    if not bool(_core.any(keep)):
        return _core.multiply(c[:1], 0)
    return c[: _last(keep) + 1].copy()


def _last(mask):
    """Where a vector is true for the last time; 0 if never. Its value is needed here: pending work is done."""
    position = int(_core.argmax(mask[::-1]))
    last = len(mask) - 1 - position
    return last if bool(mask[last]) else 0


def as_series(alist, trim=True):
    """Sequences of coefficients as vectors of one inexact dtype, copied.

    >>> a, b = cp.polynomial.polyutils.as_series([cp.arange(3), cp.ones(2)])
    >>> a.dtype == b.dtype
    True
    """
    arrays = [_core.atleast_1d(as_array(a, "polynomial.polyutils.as_series")) for a in alist]
    for a in arrays:
        if a.size == 0:
            raise ValueError("cuprum.polynomial.polyutils.as_series: Coefficient array is empty")
        if a.ndim > 1:
            raise ValueError("cuprum.polynomial.polyutils.as_series: Coefficient array is not 1-d")
    if trim:
        arrays = [trimseq(a) for a in arrays]
    if any(a.dtype == np.bool_ for a in arrays):
        raise ValueError("cuprum.polynomial.polyutils.as_series: Coefficient arrays have no common type")
    dtype = np.dtype(np.common_type(*(np.empty(0, a.dtype) for a in arrays)))
    return [_core.array(a, dtype) for a in arrays]


enter_by_device(globals(), __all__)
