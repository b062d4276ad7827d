"""Series of Chebyshev polynomials of the first kind."""

import numpy as np

from .. import _core
from .._checks import naming
from .._composite import enter_by_device
from .._convolution import convolve
from .._reference import describe_all
from ._family import Family
from ._series import Series
from ._zeros import quadrature_degree
from .polyutils import mapdomain


class _Chebyshev(Family):
    """T_k is (z**k + z**-k) / 2: products are convolutions, and the points of quadrature are cosines."""

    def product(self, a, b):
        full = convolve(_in_z(a), _in_z(b))
        middle = full[len(full) // 2 :]
        return _core.concatenate((middle[:1], middle[1:] * 2))

    def gauss(self, deg):
        """Points and weights of Gauss quadrature: exact for polynomials of degree up to 2 deg - 1.

        >>> x, w = cp.polynomial.chebyshev.chebgauss(2)
        >>> x.round(6), w.round(6)
        (array([ 0.707107, -0.707107]), array([1.570796, 1.570796]))
        """
        deg = quadrature_degree(deg)
        x = _core.cos(np.pi * _core.arange(1, 2 * deg, 2) / (2.0 * deg))
        return x, _core.full(deg, np.pi / deg)


def _in_z(c):
    """A series as one in z, from the lowest power, -n, to the highest."""
    half = c[1:] / 2
    return _core.concatenate((half[::-1], c[:1], half))


_family = _Chebyshev(
    "cheb",
    "chebyshev",
    lambda k: (1, 0, 1, 2) if k else (1, 0, 0, 1),
    (2, lambda k: k, lambda k: 2 if k else 1),
    (-1, 1),
    mass=np.pi,
    weight=lambda x: 1.0 / (_core.sqrt(1.0 + x) * _core.sqrt(1.0 - x)),
)
__all__ = [*_family.functions(globals()), "Chebyshev", "chebinterpolate", "chebpts1", "chebpts2"]


def chebpts1(npts):
    """Chebyshev points of the first kind: the zeros of the polynomial of degree npts, in ascending order.

    >>> cp.polynomial.chebyshev.chebpts1(2).round(6)
    array([-0.707107,  0.707107])
    """
    n = _number_of_points(npts, 1, "chebpts1")
    return _core.sin(0.5 * np.pi / n * _core.arange(-n + 1, n + 1, 2))


def chebpts2(npts):
    """Chebyshev points of the second kind: the extrema of the polynomial of degree npts - 1 and the ends.

    >>> cp.polynomial.chebyshev.chebpts2(3).round(6)
    array([-1.,  0.,  1.])
    """
    n = _number_of_points(npts, 2, "chebpts2")
    return _core.cos(_core.linspace(-np.pi, 0, n))


def _number_of_points(npts, least, function):
    n = int(npts)
    if n != npts:
        raise ValueError(f"cuprum.polynomial.chebyshev.{function}: npts must be integer, given {npts}")
    if n < least:
        raise ValueError(f"cuprum.polynomial.chebyshev.{function}: npts must be >= {least}, given {n}")
    return n


def chebinterpolate(func, deg, args=()):
    """The series of degree deg that agrees with func(x, *args) at the Chebyshev points of the first kind.

    >>> cp.polynomial.chebyshev.chebinterpolate(lambda x: 2 * x**2 + x, 2).round(6)
    array([1., 1., 1.])
    """
    with naming("polynomial.chebyshev.chebinterpolate"):
        if np.ndim(deg) > 0 or np.asarray(deg).dtype.kind not in "iu":
            raise TypeError("deg must be an int")
        if deg < 0:
            raise ValueError("expected deg >= 0")
    order = int(deg) + 1
    x = chebpts1(order)
    c = _core.matmul(_family.vander(x, order - 1).T, func(x, *args))
    return _core.concatenate((c[:1] / order, c[1:] / (0.5 * order)))


class Chebyshev(Series):
    """A series of Chebyshev polynomials.

    >>> p = cp.polynomial.Chebyshev([0, 0, 1])
    >>> p(cp.array([0.0, 0.5, 1.0]))
    array([-1. , -0.5,  1. ])
    """

    _family = _family
    domain = window = _family.domain
    basis_name = "T"

    @classmethod
    def interpolate(cls, func, deg, domain=None, args=()):
        """The series of degree deg that agrees with func(x, *args) at Chebyshev points of the domain.

        >>> cp.polynomial.Chebyshev.interpolate(lambda x: x**2, 2, domain=[0, 4])(3.0).round(6)
        array(9.)
        """
        domain = cls.domain if domain is None else domain
        coef = chebinterpolate(lambda x: func(mapdomain(x, cls.window, domain), *args), deg)
        return cls(coef, domain=domain)


enter_by_device(globals(), ["chebinterpolate", "chebpts1", "chebpts2"])
describe_all(globals(), ["chebinterpolate", "chebpts1", "chebpts2"])
