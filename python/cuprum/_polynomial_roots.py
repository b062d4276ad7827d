"""From a polynomial to its roots, back again, and to the polynomial that fits measured points best."""

import warnings

import numpy as np

from . import _core
from ._convert import as_array
from ._polynomials import coefficients, poly1d

__all__ = ["poly", "polyfit", "roots"]


def roots(p):
    """The zeros of a polynomial: eigenvalues of its companion matrix.

    >>> cp.roots([1.0, -3.0, 2.0]).real.round(6)
    array([2., 1.])
    """
    if not isinstance(p, poly1d) and np.ndim(p) == 0:
        raise TypeError("cuprum.roots: a scalar was given; write the coefficients as a vector")
    return _core.roots(coefficients(p, "roots"))


def poly(seq_of_zeros):
    """The polynomial with these zeros, or the characteristic polynomial of a square matrix.

    >>> cp.poly([1, 2])
    array([ 1., -3.,  2.])
    """
    zeros = as_array(seq_of_zeros, "poly")
    return _core.poly(zeros) if zeros.shape != (0,) else 1.0


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """The polynomial of degree deg that lies closest to the points, by least squares.

    >>> x = cp.array([0.0, 1.0, 2.0, 3.0])
    >>> cp.polyfit(x, 2 * x + 1, 1).round(6)
    array([2., 1.])
    """
    x, y = as_array(x, "polyfit"), as_array(y, "polyfit", 2)
    asked = None if full or not cov else "unscaled" if cov == "unscaled" else "scaled"
    c, residuals, rank, s, rcond, covariance = _core.polyfit(x, y, int(deg), rcond, w, asked)
    if full:
        return c, residuals, rank, s, rcond
    if int(rank) != int(deg) + 1:
        warnings.warn("Polyfit may be poorly conditioned", np.exceptions.RankWarning, stacklevel=2)
    return (c, covariance) if cov else c
