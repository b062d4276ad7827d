# Made by tools/make_stubs.py from the signatures of the package.
from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from cuprum import Device, _ArrayLike, _Axis, _DType, _Shape, ndarray, ufunc

__all__: list[str]

class _BlockReduce:
    def __getitem__(self, arguments: Any) -> Any: ...

BlockReduce: _BlockReduce
def Max() -> ndarray: ...
def Min() -> ndarray: ...
def Sum() -> ndarray: ...
class _WarpReduce:
    def __getitem__(self, dtype: _DType) -> Any: ...

WarpReduce: _WarpReduce
