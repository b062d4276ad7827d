# Made by tools/make_stubs.py from the signatures of the package.
from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from cuprum import Device, _ArrayLike, _Axis, _DType, _Shape, ndarray, ufunc
from cuprum.cuda.runtime import CUDARuntimeError

__all__: list[str]

class CUDADriverError(CUDARuntimeError):
    ...
def get_build_version() -> int: ...
