"""The values of series, and the matrices of the values of their polynomials."""

import functools
import operator

from .. import _core
from .._convert import as_array, ndarray
from ._recurrence import Recurrence, Values, product, quotient
from .polyutils import points


class Evaluation(Recurrence):
    def val(self, x, c, tensor=True):
        """The series c at every element of x, by Clenshaw's recurrence in one fused kernel.

        >>> {m}.{p}val(cp.array([0.0, 2.0]), [3]).shape
        (2,)
        """
        return self.clenshaw(*self._arguments(x, c, tensor))

    def _arguments(self, x, c, tensor):
        """Coefficients shaped for the points, and the points."""
        c = inexact(c, self.where("val"))
        check_terms(c)
        x = points(x, self.where("val"))
        if isinstance(x, ndarray) and tensor:
            c = c.reshape(c.shape + (1,) * x.ndim)
        return c, Values(x)

    def val2d(self, x, y, c):
        """The series of two variables c[i, j] at the points (x, y).

        >>> {m}.{p}val2d(cp.array([1.0, 2.0]), cp.array([3.0, 4.0]), cp.ones((1, 1)))
        array([1., 1.])
        """
        return self._at_points("val2d", c, x, y)

    def val3d(self, x, y, z, c):
        """The series of three variables c[i, j, k] at the points (x, y, z).

        >>> {m}.{p}val3d(cp.array([1.0, 2.0]), cp.array([3.0, 4.0]), cp.array([5.0, 6.0]), cp.ones((1, 1, 1)))
        array([1., 1.])
        """
        return self._at_points("val3d", c, x, y, z)

    def valnd(self, pts, c):
        """The series of n variables c[i, j, ...] at the points whose coordinates are the n arrays `pts`.

        >>> {m}.{p}valnd([cp.array([1.0, 2.0]), cp.array([3.0, 4.0])], cp.ones((1, 1)))
        array([1., 1.])
        """
        return self._at_points("valnd", c, *pts)

    def _at_points(self, name, c, *given):
        given = [as_array(x, self.where(name), i + 1)
                 for i, x in enumerate(given)]  # fmt: skip
        if any(x.shape != given[0].shape for x in given):
            names = ", ".join("xyz"[: len(given)]) if len(given) < 4 else "ordinates"
            raise ValueError(f"{names} are incompatible")
        for i, x in enumerate(given):
            c = self.val(x, c, tensor=i == 0)
        return c

    def grid2d(self, x, y, c):
        """The series of two variables c[i, j] at all pairs of an element of x and one of y.

        >>> {m}.{p}grid2d(cp.array([1.0, 2.0, 3.0]), cp.array([3.0, 4.0]), cp.ones((1, 1))).shape
        (3, 2)
        """
        return self._on_grid(c, x, y)

    def grid3d(self, x, y, z, c):
        """The series of three variables c[i, j, k] at all triples of an element of x, one of y and one of z.

        >>> {m}.{p}grid3d(cp.array([1.0, 2.0, 3.0]), [4.0, 5.0], [6.0], cp.ones((1, 1, 1))).shape
        (3, 2, 1)
        """
        return self._on_grid(c, x, y, z)

    def _on_grid(self, c, *given):
        return functools.reduce(lambda c, x: self.val(x, c), given, c)

    def vander(self, x, deg):
        """The polynomials of degree 0 to deg at every element of x, along a new last axis.

        >>> x, c = cp.array([2.0, 3.0]), cp.array([1.0, 2.0, 3.0])
        >>> {m}.{p}vander(x, 2) @ c == {m}.{p}val(x, c)
        array([ True,  True])
        """
        deg = as_index(deg, "deg")
        if deg < 0:
            raise ValueError("deg must be non-negative")
        x = _core.add(_core.atleast_1d(as_array(x, self.where("vander"))), 0.0)
        return _core.moveaxis(
            _core.stack(self._rows(x, deg)), 0, -1
        )  # laid out degree by degree, as NumPy does

    def _rows(self, x, deg):
        """The polynomials at x, in a list."""
        algebra = Values(x)
        up, mid, _, den = self.terms(0)
        rows = [x * 0 + 1, quotient(product(x, den) - mid, up)][: deg + 1]
        for k in range(1, deg):
            up, mid, down, den = self.terms(k)
            row = algebra.times(rows[k], den, mid)
            rows.append(quotient(row - product(rows[k - 1], down) if down else row, up))
        return rows

    def vander2d(self, x, y, deg):
        """The products of polynomials of degrees up to deg = [in x, in y] at the points (x, y), along a new last axis.

        >>> {m}.{p}vander2d(cp.array([1.0, 2.0]), cp.array([3.0, 4.0]), [1, 2]).shape
        (2, 6)
        """
        return self._products((x, y), deg)

    def vander3d(self, x, y, z, deg):
        """The products of polynomials of degrees up to deg = [in x, in y, in z] at the points (x, y, z).

        >>> {m}.{p}vander3d(cp.array([1.0, 2.0]), cp.array([3.0, 4.0]), cp.array([5.0, 6.0]), [1, 2, 1]).shape
        (2, 12)
        """
        return self._products((x, y, z), deg)

    def _products(self, given, degrees):
        n = len(given)
        if len(degrees) != n:
            raise ValueError(f"Expected {n} dimensions of degrees, got {len(degrees)}")
        name = self.where(f"vander{n}d")
        given = _core.stack([as_array(x, name, i + 1) for i, x in enumerate(given)])
        parts = []
        for i in range(n):
            own_axis = tuple(slice(None) if j == i else None for j in range(n))
            parts.append(self.vander(given[i], degrees[i])[(..., *own_axis)])
        result = functools.reduce(operator.mul, parts)
        return result.reshape((*result.shape[:-n], -1))


def inexact(c, function, position=2):
    """Coefficients along the first axis; integers as float64."""
    c = _core.atleast_1d(as_array(c, function, position))
    return c.astype(float) if c.dtype.kind in "biu" else c


def check_terms(c):
    if len(c) == 0:
        raise ValueError("Coefficient array is empty")


def as_index(x, name):
    try:
        return operator.index(x)
    except TypeError:
        raise TypeError(f"{name} must be an integer, received {x}") from None
