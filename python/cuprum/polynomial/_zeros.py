"""The zeros of series, and quadrature at the zeros of one polynomial.

Multiplication by x, on series modulo the one that is zero, is a matrix: the family's recurrence, but for the last
column. Its eigenvalues are the zeros. In a basis of norm one the recurrence is symmetric, and rounds least.
"""

import numpy as np

from .. import _core
from .._convert import as_array
from .._creation import diag
from ._recurrence import Recurrence
from ._values import as_index
from .polyutils import series


class Zeros(Recurrence):
    def companion(self, c):
        """The companion matrix of a series, scaled so that it is as symmetric as can be; its eigenvalues are the zeros.

        >>> {m}.{p}companion([1.0, 2.0, 3.0]).shape
        (2, 2)
        """
        [c] = series([c])
        n = len(c) - 1
        if n < 1:
            raise ValueError("Series must have maximum degree of at least 1.")
        up, mid, _ = self.fractions(n)
        above, below, ratio = self._beside_diagonal(n)
        matrix = _diagonals(mid, above[:-1], below[:-1], c.dtype)
        norms = np.append(np.cumprod(1 / ratio[-2::-1])[::-1], 1.0)  # each in that of the last polynomial
        last = c[:-1] / c[-1] * _core.asarray(up[-1] * norms).astype(matrix.real.dtype)
        matrix[:, -1] -= last
        return matrix

    def _beside_diagonal(self, n):
        """What stands above and below the diagonal in degrees 0 to n - 1, and the ratios of the norms."""
        up, _, down = self.fractions(n + 1)
        up, down = up[:-1], down[1:]
        if not self.is_orthogonal():
            return down, up, np.ones(n)
        beside = np.copysign(np.sqrt(up * down), up)
        return beside, beside, np.sqrt(down / up)

    def roots(self, c):
        """The zeros of a series: eigenvalues of its companion matrix, in ascending order; real where all of them are.

        >>> {m}.{p}roots({m}.{p}fromroots([3.0, 1.0])).real.round(6)
        array([1., 3.])
        """
        from ..linalg._eigen import real_where_possible

        [c] = series([c])
        if len(c) < 2:
            return _core.zeros(0, c.dtype)
        matrix = self.companion(c)
        if len(c) == 2:
            return matrix[0]
        if self.is_orthogonal():
            matrix = matrix[::-1, ::-1]  # turned around, small zeros keep their digits
        return real_where_possible(matrix, _core.sort(_core.linalg.eigvals(matrix)))[0]

    def gauss(self, deg):
        """Points and weights of Gauss quadrature: exact for polynomials of degree up to 2 deg - 1.

        >>> x, w = {m}.{p}gauss(4)
        >>> (w @ x).round(6) == (w @ {m}.{p}val(x, {m}.{p}line(0, 1))).round(6)
        array(True)
        """
        from .. import linalg

        deg = quadrature_degree(deg)
        _, mid, _ = self.fractions(deg)
        beside, _, _ = self._beside_diagonal(deg)
        x = linalg.eigvalsh(_diagonals(mid, beside[:-1], beside[:-1], np.float64))
        before, value, squares = _normed(x, mid, beside)
        slope = squares / (before * float(beside[-1]))  # Christoffel and Darboux
        x = x - value / slope
        _, _, squares = _normed(x, mid, beside)
        w = 1 / squares
        if not mid.any():
            x, w = (x - x[::-1]) / 2, (w + w[::-1]) / 2
        return x, w * (self.mass / _core.sum(w))

    def weight(self, x):
        """The weight function with which the polynomials are orthogonal.

        >>> {m}.{p}weight(cp.array([0.0, 0.5])).shape
        (2,)
        """
        return self._weight(as_array(x, self.where("weight")))


def quadrature_degree(deg):
    deg = as_index(deg, "deg")
    if deg <= 0:
        raise ValueError("deg must be a positive integer")
    return deg


def _diagonals(mid, above, below, dtype):
    """A matrix of three diagonals, given in host memory."""
    parts = (mid, 0), (above, 1), (below, -1)
    return sum(diag(_core.asarray(x.astype(dtype)), k) for x, k in parts)


def _normed(x, mid, beside):
    """At x, of polynomials of norm one: the last but one, the last, and the sum of the squares of all but the last.

    The sum gives weights that have two digits more than those from the slope, in degree 100. Norm one: the polynomials
    of Hermite overflow in degree 270.
    """
    older, newer, squares, back = _core.zeros(x.shape), _core.ones(x.shape), 0.0, 0.0
    for m, b in zip(mid.tolist(), beside.tolist()):
        squares = squares + newer * newer
        shifted = x - m if m else x
        older, newer, back = newer, (shifted * newer - back * older) * (1 / b), b
    return older, newer, squares
