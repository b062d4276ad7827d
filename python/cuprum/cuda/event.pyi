# Made by tools/make_stubs.py from the signatures of the package.
from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from cuprum import Device, _ArrayLike, _Axis, _DType, _Shape, ndarray, ufunc

__all__: list[str]

class Event:
    def __init__(self, block: _bool = ..., disable_timing: _bool = ..., interprocess: _bool = ...) -> None: ...
    @property
    def done(self) -> Any: ...
    @property
    def ptr(self) -> Any: ...
    def record(self, stream: Any = ...) -> Any: ...
    def synchronize(self) -> Any: ...
def get_elapsed_time(start_event: Any, end_event: Any) -> float: ...
