"""Power series with the constant term first: 1, x, x**2, ..."""

from .. import _core
from .._composite import enter_by_device
from .._convert import as_array
from .._convolution import convolve
from .._reference import describe_all
from ._family import Family
from ._series import Series
from ._values import inexact


class _Powers(Family):
    """Products are convolutions, values Horner's rule."""

    def product(self, a, b):
        return convolve(a, b)

    def val(self, x, c, tensor=True):
        """The series c at every element of x, by Horner's rule in one fused kernel.

        >>> cp.polynomial.polynomial.polyval(cp.array([0.0, 2.0]), [1, 2, 3])
        array([ 1., 17.])
        """
        c, x = self._arguments(x, c, tensor)
        result = x.alone(c[-1])
        for i in range(2, len(c) + 1):
            result = c[-i] + x.times(result, 1, 0)
        return result

    def pow(self, c, pow, maxpower=None):
        """A polynomial to a power, at most maxpower.

        >>> cp.polynomial.polynomial.polypow([1, 2], 3)
        array([ 1.,  6., 12.,  8.])
        """
        return super().pow(c, pow, maxpower)


_family = _Powers("poly", "polynomial", lambda k: (1, 0, 0, 1), (0, lambda k: k, lambda k: 1), (-1, 1))
__all__ = [*_family.functions(globals()), "Polynomial", "polyvalfromroots"]


class Polynomial(Series):
    """A polynomial, the constant term first.

    >>> p = cp.polynomial.Polynomial([1, 2, 3])
    >>> p(2.0)
    array(17.)
    >>> print(p.deriv())
    2.0 + 6.0·x
    """

    _family = _family
    domain = window = _family.domain
    basis_name = None


def polyvalfromroots(x, r, tensor=True):
    """The polynomial with the zeros r at every element of x.

    >>> cp.polynomial.polynomial.polyvalfromroots(cp.array([0.0, 3.0]), cp.array([1.0, 2.0]))
    array([2., 2.])
    """
    x = as_array(x, "polynomial.polynomial.polyvalfromroots")
    r = inexact(r, "polynomial.polynomial.polyvalfromroots")
    if tensor:
        r = r.reshape(r.shape + (1,) * x.ndim)
    elif x.ndim >= r.ndim:
        raise ValueError(
            "cuprum.polynomial.polynomial.polyvalfromroots: x.ndim must be < r.ndim when tensor == False"
        )
    return _core.prod(_core.subtract(x, r), 0)


enter_by_device(globals(), ["polyvalfromroots"])
describe_all(globals(), ["polyvalfromroots"])
