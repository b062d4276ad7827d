"""Series of Hermite polynomials, orthogonal with exp(-x**2)."""

import numpy as np

from .. import _core
from ._family import Family
from ._series import Series

_family = Family(
    "herm",
    "hermite",
    lambda k: (1, 0, 2 * k, 2),
    (0, lambda k: 2 * k, lambda k: 1),
    (-1, 1),
    mass=np.sqrt(np.pi),
    weight=lambda x: _core.exp(-_core.square(x)),
)
__all__ = [*_family.functions(globals()), "Hermite"]


class Hermite(Series):
    """A series of Hermite polynomials, orthogonal with exp(-x**2).

    >>> p = cp.polynomial.Hermite([0, 0, 1])
    >>> p(cp.array([0.0, 1.0]))
    array([-2.,  2.])
    """

    _family = _family
    domain = window = _family.domain
    basis_name = "H"
