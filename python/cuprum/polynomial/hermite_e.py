"""Series of Hermite polynomials, orthogonal with exp(-x**2 / 2)."""

import numpy as np

from .. import _core
from ._family import Family
from ._series import Series

_family = Family(
    "herme",
    "hermite_e",
    lambda k: (1, 0, k, 1),
    (0, lambda k: k, lambda k: 1),
    (-1, 1),
    mass=np.sqrt(2 * np.pi),
    weight=lambda x: _core.exp(-0.5 * _core.square(x)),
)
__all__ = [*_family.functions(globals()), "HermiteE"]


class HermiteE(Series):
    """A series of Hermite polynomials, orthogonal with exp(-x**2 / 2).

    >>> p = cp.polynomial.HermiteE([0, 0, 1])
    >>> p(cp.array([0.0, 2.0]))
    array([-1.,  3.])
    """

    _family = _family
    domain = window = _family.domain
    basis_name = "He"
