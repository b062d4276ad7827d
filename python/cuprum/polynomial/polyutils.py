"""How series are read: vectors of coefficients without trailing zeros, of one dtype; and maps between intervals."""

import functools
import numbers

import numpy as np

from .. import _core
from .._checks import naming
from .._composite import enter_by_device
from .._convert import as_array
from .._reference import describe_all

__all__ = ["as_series", "format_float", "getdomain", "mapdomain", "mapparms", "trimcoef", "trimseq"]


def trimseq(seq):
    """A sequence of coefficients without the zeros at its end; the first one stays.

    >>> cp.polynomial.polyutils.trimseq(cp.array([1, 0, 2, 0, 0]))
    array([1, 0, 2])
    """
    if len(seq) < 2:  # nothing to trim, and no reason to wait for a device
        return seq
    return seq[: _length(_core.not_equal(seq, 0))]


def trimcoef(c, tol=0):
    """Coefficients without those at the end that are no larger than tol.

    >>> cp.polynomial.polyutils.trimcoef(cp.array([0.0, 1e-3, 1e-9]), 1e-5)
    array([0.   , 0.001])
    """
    if tol < 0:
        raise ValueError("cuprum.polynomial.polyutils.trimcoef: tol must be non-negative")
    [c] = series([c], trim=False)
    kept = _length(_core.greater(_core.absolute(c), tol), least=0)
    return c[:kept].copy() if kept else _core.multiply(c[:1], 0)


def _length(mask, least=1):
    """How far a vector reaches, to its last true element. Its value is needed here: pending work is done."""
    return int(_core.max(_core.where(mask, _core.arange(1, len(mask) + 1), least)))


def trimmed(a):
    """A vector without the zeros at its end. Its last element is looked at first, which costs a tenth."""
    if len(a) < 2 or bool(a[-1]):
        return a
    return a[: _length(_core.not_equal(a, 0))]


def as_series(alist, trim=True):
    """Sequences of coefficients as vectors of one inexact dtype, copied.

    >>> a, b = cp.polynomial.polyutils.as_series([cp.arange(3), cp.ones(2)])
    >>> a.dtype == b.dtype
    True
    """
    with naming("polynomial.polyutils.as_series"):
        return series(alist, trim)


def series(alist, trim=True):
    """`as_series` for the functions of the package, whose own names their errors have."""
    arrays = [_core.atleast_1d(as_array(a, "polynomial.polyutils.as_series")) for a in alist]
    for a in arrays:
        if a.size == 0:
            raise ValueError("Coefficient array is empty")
        if a.ndim > 1:
            raise ValueError("Coefficient array is not 1-d")
    if trim:
        arrays = [trimmed(a) for a in arrays]
    dtype = _common_dtype(*(a.dtype for a in arrays))
    return [_core.array(a, dtype) for a in arrays]


@functools.cache
def _common_dtype(*dtypes):
    if np.dtype(bool) in dtypes:
        raise ValueError("Coefficient arrays have no common type")
    return np.dtype(np.common_type(*(np.empty(0, dtype) for dtype in dtypes)))


def getdomain(x):
    """The ends of the smallest interval that holds all points; for complex ones, corners of the smallest rectangle.

    >>> cp.polynomial.polyutils.getdomain(cp.array([3, -1, 2]))
    array([-1.,  3.])
    """
    [x] = series([x], trim=False)
    if x.dtype.kind != "c":
        return _core.stack([_core.min(x), _core.max(x)])
    ends = _core.stack([f(part) for f in (_core.min, _core.max) for part in (x.real, x.imag)])
    return ends.astype(np.float64).view(np.complex128)


def mapparms(old, new):
    """Offset and scale of the linear map that takes the ends of one interval to those of another.

    >>> cp.polynomial.polyutils.mapparms((-1, 1), (0, 4))
    (2.0, 2.0)
    """
    length = old[1] - old[0]
    return (old[1] * new[0] - old[0] * new[1]) / length, (new[1] - new[0]) / length


def mapdomain(x, old, new):
    """Points under the linear map that takes the interval old to the interval new.

    >>> cp.polynomial.polyutils.mapdomain(cp.array([-1.0, 0.0, 1.0]), (-1, 1), (0, 4))
    array([0., 2., 4.])
    """
    offset, scale = mapparms(old, new)
    return offset + scale * points(x, "polynomial.polyutils.mapdomain")


def points(x, function):
    """Where a series is asked for: an array, a number as it is, or an object with arithmetic of its own."""
    own = isinstance(x, numbers.Number) or hasattr(type(x), "_array_behind")
    return x if own else as_array(x, function)


def format_float(x, parens=False):
    """A number as it stands in the text of a series.

    >>> cp.polynomial.polyutils.format_float(np.float64(2.5e9), parens=True)
    '(2.5e+09)'
    """
    return np.polynomial.polyutils.format_float(x.item() if isinstance(x, _core.ndarray) else x, parens)


enter_by_device(globals(), __all__)
describe_all(globals(), __all__)
