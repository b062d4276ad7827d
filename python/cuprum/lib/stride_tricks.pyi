# Made by tools/make_stubs.py from the signatures of the package.
from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from cuprum import Device, _ArrayLike, _Axis, _DType, _Shape, ndarray, ufunc

__all__: list[str]

def as_strided(x: _ArrayLike, shape: _Shape | None = ..., strides: Any = ..., subok: _bool = ..., writeable: _bool = ...) -> ndarray: ...
def broadcast_arrays(*args: Any, subok: _bool = ...) -> tuple[ndarray, ...]: ...
def broadcast_shapes(*args: Any) -> tuple[int, ...]: ...
def broadcast_to(array: _ArrayLike, shape: _Shape, subok: _bool = ...) -> ndarray: ...
def sliding_window_view(x: _ArrayLike, window_shape: Any, axis: _Axis = ..., *, subok: _bool = ..., writeable: _bool = ...) -> ndarray: ...
