# Made by tools/make_stubs.py from the signatures of the package.
from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from cuprum import Device, _ArrayLike, _Axis, _DType, _Shape, ndarray, ufunc
from cuprum.polynomial import chebyshev as chebyshev
from cuprum.polynomial import hermite as hermite
from cuprum.polynomial import hermite_e as hermite_e
from cuprum.polynomial import laguerre as laguerre
from cuprum.polynomial import legendre as legendre
from cuprum.polynomial import polynomial as polynomial
from cuprum.polynomial import polyutils as polyutils
from cuprum.polynomial.chebyshev import Chebyshev as Chebyshev
from cuprum.polynomial.hermite import Hermite as Hermite
from cuprum.polynomial.hermite_e import HermiteE as HermiteE
from cuprum.polynomial.laguerre import Laguerre as Laguerre
from cuprum.polynomial.legendre import Legendre as Legendre
from cuprum.polynomial.polynomial import Polynomial as Polynomial

__all__: list[str]

def set_default_printstyle(style: Any) -> None: ...
