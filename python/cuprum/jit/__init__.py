"""Kernels written in Python: functions that are translated to CUDA C++ (CuPy's `cupyx.jit`).

>>> @cp.jit.rawkernel()
... def saxpy(a, x, y):
...     i = cp.jit.grid(1)
...     if i < x.size:
...         y[i] = a * x[i] + y[i]
>>> x, y = cp.arange(4, dtype=cp.float32), cp.ones(4, dtype=cp.float32)
>>> saxpy[1, 128](2.0, x, y)
>>> y
array([1., 3., 5., 7.], dtype=float32)

For the package itself: `cuprum.jit._functions.device_function(function, [Scalar(dtype), ...], mode="numpy")`
translates a scalar function for arguments of these types; its result has the text, the name in it and the
type of what it returns.
"""

from . import cg, cub, thrust
from ._atomics import (
    atomic_add,
    atomic_and,
    atomic_cas,
    atomic_dec,
    atomic_exch,
    atomic_inc,
    atomic_max,
    atomic_min,
    atomic_or,
    atomic_sub,
    atomic_xor,
)
from ._kernel import rawkernel
from ._memory import local_memory, shared_memory
from ._threads import (
    blockDim,
    blockIdx,
    grid,
    gridDim,
    gridsize,
    laneid,
    range,
    syncthreads,
    syncwarp,
    threadIdx,
    warpsize,
)
from ._warp import (
    activemask,
    all_sync,
    any_sync,
    ballot_sync,
    shfl_down_sync,
    shfl_sync,
    shfl_up_sync,
    shfl_xor_sync,
)

__all__ = [
    "activemask", "all_sync", "any_sync", "atomic_add", "atomic_and", "atomic_cas", "atomic_dec", "atomic_exch",
    "atomic_inc", "atomic_max", "atomic_min", "atomic_or", "atomic_sub", "atomic_xor", "ballot_sync", "blockDim",
    "blockIdx", "cg", "cub", "grid", "gridDim", "gridsize", "laneid", "local_memory", "range", "rawkernel",
    "shared_memory", "shfl_down_sync", "shfl_sync", "shfl_up_sync", "shfl_xor_sync", "syncthreads", "syncwarp",
    "threadIdx", "thrust", "warpsize",
]  # fmt: skip
