"""Series of polynomials, the constant term first, as in numpy.polynomial: powers, Chebyshev, Legendre, Hermite (of two
kinds) and Laguerre, each as a class and as a module of functions."""

from .._reference import describe_all
from . import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial, polyutils
from ._series import set_default_printstyle
from .chebyshev import Chebyshev
from .hermite import Hermite
from .hermite_e import HermiteE
from .laguerre import Laguerre
from .legendre import Legendre
from .polynomial import Polynomial

__all__ = [
    "Chebyshev",
    "Hermite",
    "HermiteE",
    "Laguerre",
    "Legendre",
    "Polynomial",
    "chebyshev",
    "hermite",
    "hermite_e",
    "laguerre",
    "legendre",
    "polynomial",
    "polyutils",
    "set_default_printstyle",
]

describe_all(globals(), ["set_default_printstyle"])
