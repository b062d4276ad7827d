# Made by tools/make_stubs.py from the signatures of the package.
from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from cuprum import Device, _ArrayLike, _Axis, _DType, _Shape, ndarray, ufunc

__all__: list[str]

def polycompanion(c: Any) -> ndarray: ...
def polyval(x: _ArrayLike, c: Any, tensor: _bool = ...) -> ndarray: ...
def polyvalfromroots(x: _ArrayLike, r: Any, tensor: _bool = ...) -> ndarray: ...
def polyvander(x: _ArrayLike, deg: Any) -> ndarray: ...
