"""Series of Legendre polynomials."""

from ._family import Family
from ._series import Series

_family = Family(
    "leg",
    "legendre",
    lambda k: (k + 1, 0, k, 2 * k + 1),
    (2, lambda k: 1, lambda k: 2 * k + 1),
    (-1, 1),
    mass=2.0,
    weight=lambda x: x * 0.0 + 1.0,
)
__all__ = [*_family.functions(globals()), "Legendre"]


class Legendre(Series):
    """A series of Legendre polynomials.

    >>> p = cp.polynomial.Legendre([0, 0, 1])
    >>> p(cp.array([0.0, 1.0]))
    array([-0.5,  1. ])
    """

    _family = _family
    domain = window = _family.domain
    basis_name = "P"
