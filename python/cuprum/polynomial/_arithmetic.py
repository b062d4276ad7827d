"""Sums, products, quotients and powers of series, and their change to another family."""

import functools

from .. import _core
from .._convert import as_array
from ._recurrence import Coefficients, Recurrence, padded
from .polyutils import series, trimcoef, trimmed

_POWERS = Recurrence(lambda k: (1, 0, 0, 1))


class Arithmetic(Recurrence):
    def line_terms(self, off, scl):
        """The coefficients of off + scl x, not zero scl, as a list."""
        up, mid, _, den = self.terms(0)
        factor = up // den if up % den == 0 else up / den
        return [off + scl * (mid // den) if mid else off, scl if factor == 1 else scl * factor]

    def line(self, off, scl):
        """The straight line off + scl x as a series.

        >>> {m}.{p}val(3.0, {m}.{p}line(1.0, 2.0))
        array(7.)
        """
        terms = self.line_terms(off, scl) if scl != 0 else [off]
        if any(isinstance(x, _core.ndarray) for x in terms):
            return _core.concatenate([_core.atleast_1d(as_array(x, self.where("line"))) for x in terms])
        return _core.asarray(terms)

    def add(self, c1, c2):
        """The sum of two series.

        >>> {m}.{p}add([1, 2, 3], [3, 2])
        array([4., 4., 3.])
        """
        return self._combined(_core.add, c1, c2)

    def sub(self, c1, c2):
        """The difference of two series.

        >>> {m}.{p}sub([1, 2, 3], [3, 2, 3])
        array([-2.])
        """
        return self._combined(_core.subtract, c1, c2)

    def _combined(self, function, c1, c2):
        a, b = series([c1, c2])
        n = max(len(a), len(b))
        return trimmed(function(padded(a, n), padded(b, n)))

    def mulx(self, c):
        """A series times x.

        >>> c = [1, 2, 3]
        >>> {m}.{p}val(2.0, {m}.{p}mulx(c)) == 2.0 * {m}.{p}val(2.0, c)
        array(True)
        """
        [c] = series([c])
        return c if is_zero(c) else self.times_x(len(c), c)(c)

    def mul(self, c1, c2):
        """The product of two series, as a series.

        >>> a, b = [1, 2], [3, 0, 1]
        >>> {m}.{p}val(2.0, {m}.{p}mul(a, b)) == {m}.{p}val(2.0, a) * {m}.{p}val(2.0, b)
        array(True)
        """
        return trimmed(self.product(*series([c1, c2])))

    def div(self, c1, c2):
        """Quotient and remainder of the division of two series.

        >>> quotient, remainder = {m}.{p}div({m}.{p}mul([1, 2], [3, 4]), [3, 4])
        >>> quotient.round(6), remainder.round(6) == 0
        (array([1., 2.]), array([ True]))
        """
        a, b = series([c1, c2])
        if is_zero(b):
            raise ZeroDivisionError(f"cuprum.{self.where('div')}: the divisor is zero")
        if len(a) < len(b):
            return a[:1] * 0, a
        if len(b) == 1:
            return a / b, a[:1] * 0
        digits, rest = [], a
        for k in reversed(range(len(a) - len(b) + 1)):
            multiple = self.product(_core.eye(1, k + 1, k, b.dtype)[0], b)  # P_k b
            digits.append(rest[-1:] / multiple[-1:])
            rest = rest[:-1] - digits[-1] * multiple[:-1]
        return _core.concatenate(digits[::-1]), trimmed(rest)

    def pow(self, c, pow, maxpower=16):
        """A series to a power, at most maxpower.

        >>> {m}.{p}val(2.0, {m}.{p}pow([1, 2], 3)).round(6) == {m}.{p}val(2.0, [1, 2]) ** 3
        array(True)
        """
        [c] = series([c])
        power = int(pow)
        if power != pow or power < 0:
            raise ValueError("Power must be a non-negative integer.")
        if maxpower is not None and power > maxpower:
            raise ValueError("Power is too large")
        if power == 0:
            return _core.ones(1, c.dtype)
        return functools.reduce(self.mul, [c] * power)

    def trim(self, c, tol=0):
        """A series without the coefficients at its end that are no larger than tol.

        >>> {m}.{p}trim([1.0, 2.0, 1e-9], 1e-6)
        array([1., 2.])
        """
        return trimcoef(c, tol)

    def fromroots(self, roots):
        """The series with these zeros, whose leading term is that of x**n.

        >>> c = {m}.{p}fromroots(cp.array([-1.0, 0.0, 2.0]))
        >>> {m}.{p}val(cp.array([-1.0, 0.0, 2.0, 3.0]), c).round(6) + 0.0
        array([ 0.,  0.,  0., 12.])
        """
        if len(roots) == 0:
            return _core.ones(1)
        [roots] = series([roots], trim=False)
        factors = self._factors(_core.sort(roots))
        while factors.shape[1] > 1:  # all products of a level at a time, in NumPy's order
            factors = self._by_pairs(factors)[: len(roots) + 1]
        return factors[:, 0]

    def _factors(self, roots):
        """The series x - root, side by side."""
        up, mid, _, den = self.terms(0)
        return _core.stack((mid / den - roots, _core.full(len(roots), up / den, roots.dtype)))

    def _by_pairs(self, factors):
        """Half as many series: each of the first half times one of the second. The first takes what is left."""
        half, left = divmod(factors.shape[1], 2)
        products = Recurrence.product(self, factors[:, :half], factors[:, half : 2 * half])
        if not left:
            return products
        first = Recurrence.product(self, products[:, :1], factors[:, -1:])
        return _core.concatenate((first, padded(products[:, 1:], len(first))), 1)

    def to_powers(self, c):
        """A series in this family as a polynomial, the constant term first.

        >>> {m}.{p}2poly({m}.poly2{p}([3.0, 2.0, 1.0]))
        array([3., 2., 1.])
        """
        [c] = series([c])
        return trimmed(in_terms_of(_POWERS, c, self))

    def from_powers(self, pol):
        """A polynomial, the constant term first, as a series in this family.

        >>> {m}.{p}val(2.0, {m}.poly2{p}([3.0, 2.0, 1.0]))
        array(11.)
        """
        [pol] = series([pol])
        pol = pol.astype(_core.promote_types(pol.dtype, float))  # NumPy starts with a zero of its own
        return trimmed(in_terms_of(self, pol, _POWERS))


def in_terms_of(family, c, other):
    """The series c of another family, as one of this."""
    one = _core.ones(1, c.dtype)
    return other.clenshaw(c, Coefficients(one, family.times_x(len(c), one)))


def is_zero(c):
    """Is a trimmed series zero? Only one of a single term is looked at."""
    return len(c) == 1 and bool(c[0] == 0)
