"""From a polynomial to its roots, back again, and to the polynomial that fits measured points best."""

import warnings

import numpy as np

from . import _core
from ._checks import naming
from ._convert import as_array, as_parameter
from ._creation import diag
from ._fitting import check_points, solve
from ._polynomials import coefficients, poly1d

__all__ = ["poly", "polyfit", "roots"]


def roots(p):
    """The zeros of a polynomial: eigenvalues of its companion matrix.

    >>> cp.roots([1.0, -3.0, 2.0]).real.round(6)
    array([2., 1.])
    """
    from . import linalg

    if not isinstance(p, poly1d) and np.ndim(p) == 0:
        raise TypeError("cuprum.roots: a scalar was given; write the coefficients as a vector")
    p = coefficients(p, "roots")
    if p.ndim != 1:
        raise ValueError("cuprum.roots: Input must be a rank-1 array.")
    first, last = _ends_of_nonzeros(p)
    if first is None:
        return _core.zeros(0)
    zeros_at_origin = len(p) - 1 - last
    p = p[first : last + 1]
    p = p if p.dtype.kind in "fc" else p.astype(float)
    if len(p) < 2:
        return _core.zeros(zeros_at_origin)
    matrix = diag(_core.ones(len(p) - 2, p.dtype), -1)
    matrix[0, :] = -p[1:] / p[0]
    found = linalg.eigvals(matrix)
    return _core.concatenate((found, _core.zeros(zeros_at_origin, found.dtype)))


def _ends_of_nonzeros(p):
    """The positions of the first and the last coefficient that is not zero; (None, None) if all are. One transfer."""
    n = len(p)
    mask, places = _core.not_equal(p, 0), _core.arange(n)
    if n == 0:
        return None, None
    ends = _core.stack((_core.min(_core.where(mask, places, n)), _core.max(_core.where(mask, places, -1))))
    first, last = _core.asnumpy(ends).tolist()
    return (first, last) if first < n else (None, None)


def poly(seq_of_zeros):
    """The polynomial with these zeros, or the characteristic polynomial of a square matrix.

    >>> cp.poly([1, 2])
    array([ 1., -3.,  2.])
    """
    from .polynomial.polynomial import polyfromroots

    zeros = _core.atleast_1d(as_array(seq_of_zeros, "poly"))
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] != 0:
        from . import linalg

        zeros = linalg.eigvals(zeros)
    elif zeros.ndim != 1:
        raise ValueError("cuprum.poly: input must be 1d or non-empty square 2d array.")
    if len(zeros) == 0:
        return 1.0
    zeros = zeros.astype(np.mintypecode(zeros.dtype.char))
    result = polyfromroots(zeros)[::-1]
    if zeros.dtype.kind == "c" and _in_conjugate_pairs(zeros):
        return result.real.copy()
    return result.copy()


def _in_conjugate_pairs(zeros):
    return bool(_core.all(_core.sort(zeros) == _core.sort(_core.conjugate(zeros))))


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """The polynomial of degree deg that lies closest to the points, by least squares.

    >>> x = cp.array([0.0, 1.0, 2.0, 3.0])
    >>> cp.polyfit(x, 2 * x + 1, 1).round(6)
    array([2., 1.])
    """
    order = int(deg) + 1
    x = _core.add(as_array(x, "polyfit"), 0.0)
    y = _core.add(as_array(y, "polyfit", 2), 0.0)
    with naming("polyfit"):
        if deg < 0:
            raise ValueError("expected deg >= 0")
        check_points(x, y)
        left, right = _core.power(x[:, None], _core.arange(order - 1, -1, -1)), y
        if w is not None:
            left, right = _weighted(left, right, _core.add(as_parameter(w, "polyfit", 6), 0.0))
    if rcond is None:
        rcond = len(x) * np.finfo(x.dtype).eps
    norms = _core.sqrt(_core.sum(_core.multiply(left, left), 0))
    c, residuals, rank, s = solve(left, right, norms, rcond)
    if full:
        return c, residuals, rank, s, rcond
    if int(rank) != order:
        warnings.warn("Polyfit may be poorly conditioned", np.exceptions.RankWarning, stacklevel=2)
    if cov:
        return c, _covariance(left, norms, residuals, c.ndim == 2, unscaled=cov == "unscaled")
    return c


def _weighted(left, right, w):
    if w.ndim != 1:
        raise TypeError("expected a 1-d array for weights")
    if len(w) != len(right):
        raise TypeError("expected w and y to have the same length")
    left *= w[:, None]  # in place: the weights' dtype may not widen the result's
    right *= w[:, None] if right.ndim == 2 else w
    return left, right


def _covariance(left, norms, residuals, many, unscaled):
    """The covariance of the coefficients: the inverse of A^T A, which rounds least with columns of norm one."""
    from . import linalg

    points, order = left.shape
    left = left / norms
    base = linalg.inv(_core.matmul(left.T, left)) / _core.multiply(norms[:, None], norms)
    if unscaled:
        factor = 1.0
    elif points <= order:
        raise ValueError(
            "cuprum.polyfit: the number of data points must exceed order to scale the covariance matrix"
        )
    else:
        factor = _core.divide(residuals, points - order)
    return _core.multiply(base[:, :, None], factor) if many else _core.multiply(base, factor)
