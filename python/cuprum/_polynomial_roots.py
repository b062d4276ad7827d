"""From a polynomial to its roots, back again, and to the polynomial that fits measured points best.

Eigenvalues and singular values are those of matrices as large as the degree: these few numbers are computed on the
host, by NumPy's LAPACK. The points of a fit stay on the device, however many there are.
"""

import warnings

import numpy as np

from . import _core
from ._convert import as_array
from ._convolution import convolve
from ._polynomials import coefficients, poly1d

__all__ = ["poly", "polyfit", "roots"]


def roots(p):
    """The zeros of a polynomial: eigenvalues of its companion matrix.

    >>> cp.roots([1.0, -3.0, 2.0])
    array([2., 1.])
    """
    if not isinstance(p, poly1d) and np.ndim(p) == 0:
        raise TypeError("cuprum.roots: a scalar was given; write the coefficients as a vector")
    p = coefficients(p, "roots")
    if p.ndim != 1:
        raise ValueError("cuprum.roots: Input must be a rank-1 array.")
    return _core.asarray(np.roots(_core.asnumpy(p)))


def poly(seq_of_zeros):
    """The polynomial with these zeros, or the characteristic polynomial of a square matrix.

    >>> cp.poly([1, 2])
    array([ 1., -3.,  2.])
    """
    zeros = _core.atleast_1d(as_array(seq_of_zeros, "poly"))
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] != 0:
        zeros = _core.asarray(np.linalg.eigvals(_core.asnumpy(zeros)))
    elif zeros.ndim != 1:
        raise ValueError("cuprum.poly: input must be 1d or non-empty square 2d array.")
    if len(zeros) == 0:
        return 1.0
    zeros = zeros.astype(np.mintypecode(zeros.dtype.char))
    one = _core.ones(1, zeros.dtype)
    result = one
    for i in range(len(zeros)):  # one factor (x - zero) after the other
        result = convolve(result, _core.concatenate((one, _core.negative(zeros[i : i + 1]))))
    if zeros.dtype.kind == "c" and _in_conjugate_pairs(_core.asnumpy(zeros)):
        result = result.real.copy()
    return result


def _in_conjugate_pairs(zeros):
    return bool(np.all(np.sort(zeros) == np.sort(zeros.conjugate())))


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """The polynomial of degree deg that lies closest to the points, by least squares.

    >>> x = cp.array([0.0, 1.0, 2.0, 3.0])
    >>> cp.polyfit(x, 2 * x + 1, 1).round(6)
    array([2., 1.])
    """
    order = int(deg) + 1
    x = _core.add(as_array(x, "polyfit"), 0.0)
    y = _core.add(as_array(y, "polyfit", 2), 0.0)
    _check_points(x, y, deg)
    if rcond is None:
        rcond = len(x) * np.finfo(x.dtype).eps
    powers = _core.arange(order - 1, -1, -1)
    left = _core.power(x[:, None], powers)
    right = y
    if w is not None:
        left, right = _weighted(left, right, w)
    if right.dtype == np.float16:
        raise TypeError("cuprum.polyfit: array type float16 is unsupported in linalg")
    scale = _core.sqrt(_core.sum(_core.multiply(left, left), 0))
    fit = _LeastSquares(_core.divide(left, scale), right, rcond)
    answer = _core.divide(fit.solution.T, scale).T
    if fit.rank != order and not full:
        message = "Polyfit may be poorly conditioned"
        warnings.warn(message, np.exceptions.RankWarning, stacklevel=2)
    if full:
        return answer, fit.residuals, fit.rank, fit.singular_values, rcond
    if cov:
        return answer, _covariance(fit, scale, len(x), order, unscaled=cov == "unscaled")
    return answer


def _check_points(x, y, deg):
    if deg < 0:
        raise ValueError("cuprum.polyfit: expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("cuprum.polyfit: expected 1D vector for x")
    if x.size == 0:
        raise TypeError("cuprum.polyfit: expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("cuprum.polyfit: expected 1D or 2D array for y")
    if len(x) != len(y):
        raise TypeError("cuprum.polyfit: expected x and y to have same length")


def _weighted(left, right, w):
    w = _core.add(as_array(w, "polyfit", 6), 0.0)
    if w.ndim != 1:
        raise TypeError("cuprum.polyfit: expected a 1-d array for weights")
    if len(w) != len(right):
        raise TypeError("cuprum.polyfit: expected w and y to have the same length")
    left *= w[:, None]  # in place: the weights' dtype may not widen the result's
    right *= w[:, None] if right.ndim == 2 else w
    return left, right


class _LeastSquares:
    """The solution of min |A x - b| with its rank, singular values and residuals.

    A is tall: Householder reflections make it a small triangle on the device, whose singular values the host finds.
    """

    def __init__(self, a, b, rcond):
        result_dtype = _core.promote_types(a.dtype, b.dtype)
        exact = np.complex128 if result_dtype.kind == "c" else np.float64
        vector = b.ndim == 1
        triangle, rotated = _triangle(a.astype(exact), b.astype(exact).reshape(len(b), -1))
        n = a.shape[1]
        height = triangle.shape[0]
        u, s, vh = np.linalg.svd(_core.asnumpy(triangle), full_matrices=False)
        kept = s > rcond * s[0] if len(s) else np.zeros(0, bool)
        self.rank = int(np.count_nonzero(kept))
        inverse = np.where(kept, 1 / np.where(kept, s, 1), 0)
        pseudo = (vh.conj().T * inverse) @ u.conj().T
        solution = _core.matmul(_core.asarray(pseudo), rotated[:height])
        self.solution = (solution[:, 0] if vector else solution).astype(result_dtype)
        real = np.empty(0, result_dtype).real.dtype
        self.singular_values = _core.asarray(s.astype(real))
        gram = (vh.conj().T * inverse**2) @ vh
        self.inverse_gram = gram if a.dtype.kind == "c" else gram.real
        if self.rank == n and len(a) > n:
            rest = _core.absolute(rotated[n:])
            self.residuals = _core.sum(_core.multiply(rest, rest), 0).astype(real)
        else:
            self.residuals = _core.zeros(0, real)


def _triangle(a, b):
    """R of A = Q R, and Q^H b: one reflection per column."""
    rows, columns = a.shape
    steps = min(rows - 1, columns)
    for k in range(steps):
        column = a[k:, k]
        norm = _core.sqrt(_core.sum(_core.square(_core.absolute(column))))
        head = _core.absolute(column[0])
        phase = _core.where(_core.equal(head, 0), 1.0, _core.divide(column[0], head))
        first = _core.add(column[0], _core.multiply(phase, norm))
        v = _core.concatenate((first.reshape(1), column[1:]))
        length = _core.sum(_core.square(_core.absolute(v)))
        factor = _core.where(_core.equal(length, 0), 0.0, _core.divide(2.0, length))
        v = v[:, None]
        adjoint = _core.multiply(_core.conjugate(v), factor).T
        a[k:, k:] -= _core.multiply(v, _core.matmul(adjoint, a[k:, k:]))
        b[k:] -= _core.multiply(v, _core.matmul(adjoint, b[k:]))
        _core.evaluate(a, b)
    height = min(rows, columns)
    row, column = _core.arange(height)[:, None], _core.arange(columns)
    return _core.where(_core.less_equal(row, column), a[:height], 0.0), b


def _covariance(fit, scale, points, order, unscaled):
    """The covariance of the coefficients, from A^H A = V s^2 V^H."""
    base = _core.asarray(fit.inverse_gram)
    base = _core.divide(base, _core.multiply(scale[:, None], scale))
    if unscaled:
        factor = 1.0
    else:
        if points <= order:
            raise ValueError(
                "cuprum.polyfit: the number of data points must exceed order to scale the covariance matrix"
            )
        factor = _core.divide(fit.residuals, points - order)
    many = fit.solution.ndim == 2
    return _core.multiply(base[:, :, None], factor) if many else _core.multiply(base, factor)
