"""A family of polynomials is its three-term recurrence. What the six modules compute follows from it:

    den(k) x P_k = up(k) P_{k+1} + mid(k) P_k + down(k) P_{k-1}

`Recurrence.clenshaw` sums a series over an *algebra*, which says what a product with x is. Over `Values` x is numbers:
the sum is the series at x, in one fused kernel. Over `Coefficients` the elements are series themselves: the sum is then
the product of two series, a composition, or a series in terms of another family.

A series is a vector along axis 0, the constant term first; further axes hold series side by side.
"""

import functools

import numpy as np

from .. import _core


class Values:
    """Numbers, or objects with arithmetic of their own such as a poly1d: x multiplies elementwise."""

    def __init__(self, x):
        self._x, self._twice = x, None

    def constant(self, c):
        return c

    def alone(self, c):
        """A constant that nothing is added to: of the shape of x, and NaN where x is infinite, as NumPy has it."""
        return c + self._x * 0

    def add(self, a, b):
        return a + b

    def subtract(self, a, b):
        return a - b

    def scaled(self, v, n, d):
        """v n / d, by one product: it is this that runs once per element of x and degree."""
        return v if n == d else v * (n / d)

    def times(self, v, den, mid):
        """(den x - mid) v"""
        if mid:
            return v * (self._x * den - mid)
        if den == 2:  # exact, and one array for all degrees
            self._twice = self._x * 2 if self._twice is None else self._twice
            return v * self._twice
        return product(v * self._x, den)

    def linear(self, v, up, mid, den):
        """(den x - mid) v / up"""
        return self.scaled(self.times(v, den, mid), 1, up) if mid else self.times(v, den / up, 0)


class Coefficients:
    """Series that multiply `one`: `times_x` gives the next longer one. Exact numbers stay exact, as in NumPy."""

    def __init__(self, one, times_x):
        self._one, self._times_x = one, times_x

    def constant(self, c):
        return c * self._one

    alone = constant

    def add(self, a, b):
        n = max(len(a), len(b))
        return padded(a, n) + padded(b, n)

    def subtract(self, a, b):
        n = max(len(a), len(b))
        return padded(a, n) - padded(b, n)

    def scaled(self, v, n, d):
        return quotient(product(v, n), d)

    def times(self, v, den, mid):
        result = product(self._times_x(v), den)
        return self.subtract(result, product(v, mid)) if mid else result

    def linear(self, v, up, mid, den):
        return self.scaled(self.times(v, den, mid), 1, up)


class Recurrence:
    """`terms(k)` is (up, mid, down, den) for one k, in plain integers."""

    def __init__(self, terms):
        self.terms = terms

    def clenshaw(self, c, algebra):
        """The sum of c[k] P_k, from the highest degree down."""
        if len(c) == 1:
            return algebra.alone(c[0])
        low, high = algebra.constant(c[-2]), algebra.constant(c[-1])
        for k in range(len(c) - 2, 0, -1):
            up, mid, down, den = self.terms(k)
            below = algebra.constant(c[k - 1])
            if down:
                below = algebra.subtract(below, algebra.scaled(high, down, up))
            low, high = below, algebra.add(low, algebra.linear(high, up, mid, den))
        up, mid, _, den = self.terms(0)
        return algebra.add(low, algebra.linear(high, up, mid, den))

    def times_x(self, n, like):
        """A function that multiplies series of at most n terms by x; its factors are made once, for the dtype of
        `like`."""
        terms = [self.terms(k) for k in range(n + 2)]
        parts = []  # (shift, factor, divisor): what the terms below, at and above a degree add to it
        for shift, which in ((-1, 0), (0, 1), (1, 2)):
            source = [terms[max(j + shift, 0)] for j in range(n + 1)]
            factor = column([t[which] for t in source], like)
            if factor is not None:
                parts.append((shift, factor, column([t[3] for t in source], like)))

        def apply(v):
            m = len(v) + 1
            around = _core.concatenate((v[:1] * 0, v, _core.zeros((2, *v.shape[1:]), v.dtype)))
            added = [
                quotient(product(around[1 + shift : 1 + shift + m], upto(factor, m)), upto(divisor, m))
                for shift, factor, divisor in parts
            ]
            return functools.reduce(_core.add, added)

        return apply

    def product(self, a, b):
        """The series of the product of two series."""
        if len(a) > len(b):
            a, b = b, a
        return self.clenshaw(a, Coefficients(b, self.times_x(len(a) + len(b) - 2, b)))

    def fractions(self, n):
        """up / den, mid / den and down / den for k below n, in host memory."""
        up, mid, down, den = np.array([self.terms(k) for k in range(n)], float).reshape(n, 4).T
        return up / den, mid / den, down / den

    def is_orthogonal(self):
        """Powers are not: x P_k has no part of P_{k-1}."""
        return self.terms(1)[2] != 0


def padded(v, n):
    """A series with zeros behind it, up to n terms."""
    rest = n - len(v)
    return v if rest == 0 else _core.concatenate((v, _core.zeros((rest, *v.shape[1:]), v.dtype)))


def product(v, n):
    return v if isinstance(n, (int, float)) and n == 1 else v * n


def quotient(v, n):
    return v if isinstance(n, int) and n == 1 else v / n


def column(numbers, like):
    """Numbers by degree as a factor of series such as `like`: an array, the one number that they all are, or None for
    zeros."""
    numbers = np.array(numbers)
    if np.all(numbers == numbers[0]):
        return int(numbers[0]) or None
    real = np.empty(0, like.dtype).real.dtype
    return _core.asarray(numbers.astype(real)).reshape((-1,) + (1,) * (like.ndim - 1))


def upto(factor, n):
    """The first n of the numbers of a column."""
    return factor if isinstance(factor, int) else factor[:n]
