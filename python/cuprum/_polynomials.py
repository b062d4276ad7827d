"""Polynomials by their coefficients, the highest power first: arithmetic, values, and the class poly1d.

Coefficients live on the device and stay there; only their number is asked for, where leading zeros are dropped.
"""

import numpy as np

from . import _core
from ._composite import methods_enter_by_device
from ._convert import as_array, as_parameter
from ._editing import trim_zeros

__all__ = ["poly1d", "polyadd", "polyder", "polydiv", "polyint", "polymul", "polysub", "polyval"]


def coefficients(p, function, position=1):
    """The coefficients of a poly1d or an array-like, with at least one dimension."""
    return _core.atleast_1d(p.coeffs if isinstance(p, poly1d) else as_array(p, function, position))


def _like_operands(result, *operands):
    """A poly1d where an operand was one."""
    return poly1d(result) if any(isinstance(p, poly1d) for p in operands) else result


def _order(m):
    """The order of a derivative or an integral; one beyond 64 bits is as good as the largest of them."""
    return max(-1, min(int(m), 2**63 - 1))


def polyadd(a1, a2):
    """The sum of two polynomials.

    >>> cp.polyadd([1, 2], [9, 5, 4])
    array([9, 6, 6])
    """
    result = _core.polyadd(coefficients(a1, "polyadd"), coefficients(a2, "polyadd", 2))
    return _like_operands(result, a1, a2)


def polysub(a1, a2):
    """The difference of two polynomials.

    >>> cp.polysub([2, 10, -2], [3, 10, -4])
    array([-1,  0,  2])
    """
    result = _core.polysub(coefficients(a1, "polysub"), coefficients(a2, "polysub", 2))
    return _like_operands(result, a1, a2)


def polymul(a1, a2):
    """The product of two polynomials: the convolution of their coefficients, without leading zeros.

    >>> cp.polymul([1, 2, 3], [9, 5, 1])
    array([ 9, 23, 38, 17,  3])
    """
    a, b = (_core.asarray(p.coeffs if isinstance(p, (poly1d, np.poly1d)) else p) for p in (a1, a2))
    return _like_operands(_core.polymul(a, b), a1, a2)


def polydiv(u, v):
    """Quotient and remainder of the division of two polynomials.

    >>> quotient, remainder = cp.polydiv([3.0, 5.0, 2.0], [2.0, 1.0])
    >>> quotient, remainder
    (array([1.5 , 1.75]), array([0.25]))
    """
    parts = _core.polydiv(coefficients(u, "polydiv"), coefficients(v, "polydiv", 2))
    return tuple(_like_operands(p, u, v) for p in parts)


def polyder(p, m=1):
    """The derivative of order m.

    >>> cp.polyder(cp.array([1, 1, 1, 1]))
    array([3, 2, 1])
    """
    return _like_operands(_core.polyder(coefficients(p, "polyder"), _order(m)), p)


def polyint(p, m=1, k=None):
    """The integral of order m, with the constants k of each integration.

    >>> cp.polyint(cp.array([3.0, 2.0, 1.0]))
    array([1., 1., 1., 0.])
    """
    k = None if k is None else coefficients(k, "polyint", 3)
    return _like_operands(_core.polyint(coefficients(p, "polyint"), _order(m), k), p)


def polyval(p, x):
    """The polynomial at every element of x, by Horner's rule in one fused kernel; of a poly1d x, the composition.

    >>> cp.polyval([3, 0, 1], cp.array([5, 6]))
    array([ 76, 109])
    """
    p = p.coeffs if isinstance(p, poly1d) else as_parameter(p, "polyval", 1)
    if not isinstance(x, poly1d):
        return _core.polyval(p, as_array(x, "polyval", 2))
    y = 0
    for i in range(len(p)):
        y = y * x + p[i]
    return y


@methods_enter_by_device
class poly1d:
    """A polynomial in one variable, from its coefficients (the highest power first) or, with r, from its roots.

    >>> p = cp.poly1d([1, 2, 3])
    >>> p(2)
    array(11)
    >>> print(p * p)
       4     3      2
    1 x + 4 x + 10 x + 12 x + 9
    """

    __hash__ = None

    def __init__(self, c_or_r, r=False, variable=None):
        own = isinstance(c_or_r, (poly1d, np.poly1d))
        self._variable = variable or (c_or_r.variable if own else "x")
        c = c_or_r.coeffs if own else c_or_r
        c = _core.asarray(c)
        if r:
            from ._polynomial_roots import poly

            c = _core.asarray(poly(c))
        c = _core.atleast_1d(c)
        if c.ndim > 1:
            raise ValueError(f"cuprum.poly1d: Polynomial must be 1d only, given shape {c.shape}")
        c = trim_zeros(c, trim="f")
        self._coeffs = c if len(c) else _core.zeros(1, c.dtype)

    @property
    def coeffs(self):
        """The coefficients, the highest power first."""
        return self._coeffs

    @coeffs.setter
    def coeffs(self, value):
        if value is not self._coeffs:  # p.coeffs += 1 assigns what it has changed in place
            raise AttributeError("Cannot set attribute")

    c = coef = coefficients = _array_behind = coeffs

    @property
    def variable(self):
        """The name of the variable in print."""
        return self._variable

    @property
    def order(self):
        """The degree."""
        return len(self._coeffs) - 1

    o = order

    @property
    def roots(self):
        """Where the polynomial is zero."""
        from ._polynomial_roots import roots

        return roots(self._coeffs)

    r = roots

    def get(self, stream=None, out=None):
        """The same polynomial as a numpy.poly1d in host memory."""
        if out is not None:
            raise ValueError("cuprum.poly1d.get: a numpy.poly1d is always made anew; leave out= away")
        return np.poly1d(_core.asnumpy(self._coeffs), variable=self._variable)

    def set(self, polyin, stream=None):
        """Takes over coefficients and variable of a numpy.poly1d."""
        if not isinstance(polyin, np.poly1d):
            raise TypeError(
                f"cuprum.poly1d.set: a {type(polyin).__name__} was given; write cp.poly1d(x) for coefficients"
            )
        self._coeffs, self._variable = _core.asarray(polyin.coeffs), polyin.variable

    def integ(self, m=1, k=0):
        """The integral, as polyint."""
        return poly1d(polyint(self._coeffs, m=m, k=k))

    def deriv(self, m=1):
        """The derivative, as polyder."""
        return poly1d(polyder(self._coeffs, m=m))

    def __array__(self, dtype=None, copy=None):
        return self._coeffs.__array__()  # raises with advice: a hidden transfer is refused

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        """A ufunc sees the coefficients."""
        inputs = (x._coeffs if isinstance(x, poly1d) else x for x in inputs)
        own = getattr(_core, ufunc.__name__)
        return (own if method == "__call__" else getattr(own, method))(*inputs, **kwargs)

    def __repr__(self):
        return repr(self.get())

    def __str__(self):
        return str(self.get())

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self._coeffs)

    def __call__(self, val):
        return polyval(self._coeffs, val)

    def __getitem__(self, val):
        if val < 0 or val > self.order:
            return self._coeffs.dtype.type(0)
        return self._coeffs[self.order - val]

    def __setitem__(self, key, val):
        if key < 0:
            raise ValueError("Does not support negative powers.")
        if key > self.order:
            head = _core.zeros(key - self.order, self._coeffs.dtype)
            self._coeffs = _core.concatenate((head, self._coeffs))
        self._coeffs[self.order - key] = val

    def __neg__(self):
        return poly1d(_core.negative(self._coeffs))

    def __pos__(self):
        return self

    def __add__(self, other):
        return poly1d(polyadd(self._coeffs, poly1d(other)._coeffs))

    __radd__ = __add__

    def __sub__(self, other):
        return poly1d(polysub(self._coeffs, poly1d(other)._coeffs))

    def __rsub__(self, other):
        return poly1d(polysub(poly1d(other)._coeffs, self._coeffs))

    def __mul__(self, other):
        if np.isscalar(other):
            return poly1d(_core.multiply(self._coeffs, other))
        return poly1d(polymul(self._coeffs, poly1d(other)._coeffs))

    __rmul__ = __mul__

    def __pow__(self, val):
        if not np.isscalar(val) or int(val) != val or val < 0:
            raise ValueError("Power to non-negative integers only.")
        result = _core.ones(1, np.int64)
        for _ in range(val):
            result = polymul(self._coeffs, result)
        return poly1d(result)

    def __truediv__(self, other):
        if np.isscalar(other):
            return poly1d(_core.divide(self._coeffs, other))
        return polydiv(self, poly1d(other))

    def __rtruediv__(self, other):
        if np.isscalar(other):
            return poly1d(_core.divide(other, self._coeffs))
        return polydiv(poly1d(other), self)

    def __eq__(self, other):
        if not isinstance(other, poly1d):
            return NotImplemented
        if self._coeffs.shape != other._coeffs.shape:
            return False
        return bool(_core.all(_core.equal(self._coeffs, other._coeffs)))

    def __ne__(self, other):
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal
