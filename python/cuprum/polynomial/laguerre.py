"""Series of Laguerre polynomials."""

from .. import _core
from ._family import Family
from ._series import Series

_family = Family(
    "lag",
    "laguerre",
    lambda k: (k + 1, -2 * k - 1, k, -1),
    (1, lambda k: -1, lambda k: 1),
    (0, 1),
    mass=1.0,
    weight=lambda x: _core.exp(-x),
)
__all__ = [*_family.functions(globals()), "Laguerre"]


class Laguerre(Series):
    """A series of Laguerre polynomials.

    >>> p = cp.polynomial.Laguerre([0, 1])
    >>> p(cp.array([0.0, 3.0]))
    array([ 1., -2.])
    """

    _family = _family
    domain = window = _family.domain
    basis_name = "L"
