"""Derivatives and integrals of series.

P_k' = before(k) (after(k-1) P_{k-1} + after(k-1-step) P_{k-1-step} + ...): a derivative is a running sum from the
highest degree down, between two products by degree; with step 0 its first term is all. An integral undoes that by
differences.
"""

import numpy as np

from .. import _core
from .._checks import as_axis
from ._recurrence import Recurrence, column, padded, product, quotient
from ._values import as_index, check_terms, inexact


class Calculus(Recurrence):
    def der(self, c, m=1, scl=1, axis=0):
        """The m-th derivative along an axis of coefficients, each multiplied by scl: of x in a linear map.

        >>> {m}.{p}der({m}.{p}int([1.0, 2.0, 3.0], 2), 2)
        array([1., 2., 3.])
        """
        order = as_index(m, "the order of derivation")
        if order < 0:
            raise ValueError("The order of derivation must be non-negative")
        c = inexact(c, self.where("der"), 1).copy()
        axis = as_axis(as_index(axis, "the axis"), c.ndim, self.where("der"))
        if order == 0:
            return c
        c = _core.moveaxis(c, axis, 0)
        check_terms(c)
        if order >= len(c):
            return _core.moveaxis(c[:1] * 0, 0, axis)
        for _ in range(order):
            c *= scl
            c = self._derivative(c)
        return _core.moveaxis(c, 0, axis)

    def _derivative(self, c):
        step, before, after = self.slope
        n = len(c) - 1
        c = product(c[1:], column([before(k) for k in range(1, n + 1)], c))
        if step:
            c = _sums_from_the_end(c, step)
        return product(c, column([after(k) for k in range(n)], c))

    def int(self, c, m=1, k=[], lbnd=0, scl=1, axis=0):  # noqa: B006 (NumPy's)
        """The m-th integral along an axis of coefficients, each multiplied by scl; the i-th is k[i] at lbnd.

        >>> {m}.{p}val(2.0, {m}.{p}int([1.0, 2.0], k=[5.0], lbnd=2.0))
        array(5.)
        """
        order = as_index(m, "the order of integration")
        constants = list(k) if np.iterable(k) else [k]
        if order < 0:
            raise ValueError("The order of integration must be non-negative")
        if len(constants) > order:
            raise ValueError("Too many integration constants")
        for name, x in (("lbnd", lbnd), ("scl", scl)):
            if np.ndim(x) != 0:
                raise ValueError(f"{name} must be a scalar.")
        c = inexact(c, self.where("int"), 1).copy()
        axis = as_axis(as_index(axis, "the axis"), c.ndim, self.where("int"))
        if order == 0:
            return c
        c = _core.moveaxis(c, axis, 0)
        check_terms(c)
        for constant in constants + [0] * (order - len(constants)):
            c *= scl
            c = self._integral(c, constant, lbnd)
        return _core.moveaxis(c, 0, axis)

    def _integral(self, c, constant, lbnd):
        if len(c) == 1 and bool(_core.all(c == 0)):
            c += constant
            return c
        step, before, after = self.slope
        n = len(c)
        degrees = range(1, n + 1)
        result = quotient(c, column([after(k - 1) * before(k) for k in degrees], c))
        if 0 < step < n:
            later = column([after(k - 1 + step) * before(k) for k in degrees[: n - step]], c)
            result = result - padded(quotient(c[step:], later), n)
        head = c[:1] * 0
        head += constant - self.val(lbnd, _core.concatenate((head, result)))
        return _core.concatenate((head, result))


def _sums_from_the_end(c, step):
    """Every element plus all that follow it at distances of step."""
    n = len(c)
    rows = padded(c[::-1], -(-n // step) * step).reshape((-1, step, *c.shape[1:]))
    return _core.cumsum(rows, 0).reshape((-1, *c.shape[1:]))[:n][::-1]
