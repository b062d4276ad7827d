"""The power series of numpy.polynomial.polynomial: values, Vandermonde and companion matrices."""

import operator

import numpy as np

from .. import _core
from .._composite import enter_by_device
from .._convert import as_array
from .polyutils import as_series

__all__ = ["polycompanion", "polyval", "polyvalfromroots", "polyvander"]


def polyvander(x, deg):
    """The powers 0 to deg of every element of x, along a new last axis.

    >>> cp.polynomial.polynomial.polyvander(cp.array([2.0, 3.0]), 2)
    array([[1., 2., 4.],
           [1., 3., 9.]])
    """
    deg = operator.index(deg)
    if deg < 0:
        raise ValueError("cuprum.polynomial.polynomial.polyvander: deg must be non-negative")
    x = _core.add(_core.atleast_1d(as_array(x, "polynomial.polynomial.polyvander")), 0.0)
    powers = _core.arange(deg + 1).astype(x.dtype).reshape((deg + 1,) + (1,) * x.ndim)
    return _core.moveaxis(_core.power(x, powers), 0, -1)  # laid out power by power, as NumPy does


def polycompanion(c):
    """The companion matrix of a series, whose eigenvalues are its zeros.

    >>> cp.polynomial.polynomial.polycompanion(cp.array([2.0, -3.0, 1.0]))
    array([[ 0., -2.],
           [ 1.,  3.]])
    """
    [c] = as_series([c])
    n = len(c) - 1
    if n < 1:
        raise ValueError(
            "cuprum.polynomial.polynomial.polycompanion: Series must have maximum degree of at least 1."
        )
    matrix = _core.eye(n, k=-1, dtype=c.dtype)
    matrix[:, -1] -= _core.divide(c[:-1], c[-1])
    return matrix


def polyval(x, c, tensor=True):
    """The series c at every element of x, by Horner's rule in one fused kernel.

    >>> cp.polynomial.polynomial.polyval(cp.array([0.0, 2.0]), [1, 2, 3])
    array([ 1., 17.])
    """
    x, c = as_array(x, "polynomial.polynomial.polyval"), as_array(c, "polynomial.polynomial.polyval", 2)
    c = _core.atleast_1d(c)
    if c.dtype.kind in "biu":
        c = _core.add(c, 0.0)
    if tensor:
        c = c.reshape(c.shape + (1,) * x.ndim)
    result = _core.add(c[-1], _core.multiply(x, 0))
    for i in range(2, len(c) + 1):
        result = _core.add(c[-i], _core.multiply(result, x))
    return result


def polyvalfromroots(x, r, tensor=True):
    """The polynomial with the zeros r at every element of x.

    >>> cp.polynomial.polynomial.polyvalfromroots(cp.array([0.0, 3.0]), cp.array([1.0, 2.0]))
    array([2., 2.])
    """
    x = as_array(x, "polynomial.polynomial.polyvalfromroots")
    r = _core.atleast_1d(as_array(r, "polynomial.polynomial.polyvalfromroots", 2))
    if r.dtype.kind in "biu":
        r = r.astype(np.float64)
    if tensor:
        r = r.reshape(r.shape + (1,) * x.ndim)
    elif x.ndim >= r.ndim:
        raise ValueError(
            "cuprum.polynomial.polynomial.polyvalfromroots: x.ndim must be < r.ndim when tensor == False"
        )
    return _core.prod(_core.subtract(x, r), 0)


enter_by_device(globals(), __all__)
