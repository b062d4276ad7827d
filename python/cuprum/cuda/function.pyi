# Made by tools/make_stubs.py from the signatures of the package.
from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from cuprum import Device, _ArrayLike, _Axis, _DType, _Shape, ndarray, ufunc

__all__: list[str]

class Function:
    def __call__(self, grid: Any, block: Any, args: Any, shared_mem: SupportsIndex | Any = ..., stream: Any = ..., enable_cooperative_groups: _bool = ...) -> Any: ...
    def __init__(self, module: Any, funcname: Any) -> None: ...
    def linear_launch(self, size: Any, args: Any, shared_mem: SupportsIndex | Any = ..., block_max_size: SupportsIndex | Any = ..., stream: Any = ..., enable_cooperative_groups: _bool = ...) -> Any: ...
class Module:
    def get_function(self, name: Any) -> Any: ...
    def get_global_var(self, name: Any) -> Any: ...
    def load_file(self, filename: Any) -> Any: ...
