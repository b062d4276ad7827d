"""Where a thread is, and how threads wait for each other."""

import numbers

from . import _ranges
from ._builtin import builtin
from ._casts import cast
from ._types import DIM3, INT32, UINT32, VOID
from ._values import Constant, DeviceVariable, Items, Value, constant_of, scalar_of

threadIdx = DeviceVariable("threadIdx", DIM3)
blockIdx = DeviceVariable("blockIdx", DIM3)
blockDim = DeviceVariable("blockDim", DIM3)
gridDim = DeviceVariable("gridDim", DIM3)
warpsize = DeviceVariable("warpSize", INT32)

_AXES = "xyz"


def _per_axis(function, ndim, code):
    """One number, or a tuple of two or three."""
    n = constant_of(ndim, "ndim")
    if not isinstance(n, numbers.Integral) or isinstance(n, bool):
        raise TypeError(f"{function}: ndim must be 1, 2 or 3, given {n!r}")
    if n not in (1, 2, 3):
        raise ValueError(f"{function}: ndim must be 1, 2 or 3, given {n}")
    parts = [Value(code.format(a=axis), UINT32) for axis in _AXES[:n]]
    return parts[0] if n == 1 else Items(parts)


@builtin
def grid(scope, ndim):
    """The place of the thread in the grid: an index, or a tuple of two or three.

    >>> @cp.jit.rawkernel()
    ... def double(x, y):
    ...     i = cp.jit.grid(1)
    ...     if i < x.size:
    ...         y[i] = 2 * x[i]
    >>> x = cp.arange(5)
    >>> y = cp.empty_like(x)
    >>> double[1, 32](x, y)
    >>> y
    array([0, 2, 4, 6, 8])
    """
    return _per_axis("grid", ndim, "(threadIdx.{a} + blockIdx.{a} * blockDim.{a})")


@builtin
def gridsize(scope, ndim):
    """How many threads the grid has: a number, or a tuple of two or three.

    >>> @cp.jit.rawkernel()
    ... def count(y):
    ...     y[0] = cp.jit.gridsize(1)
    >>> y = cp.zeros(1, dtype=int)
    >>> count[3, 32](y)
    >>> y
    array([96])
    """
    return _per_axis("gridsize", ndim, "(blockDim.{a} * gridDim.{a})")


@builtin
def laneid(scope):
    """The place of the thread in its warp, from 0 to 31.

    >>> @cp.jit.rawkernel()
    ... def lanes(y):
    ...     y[cp.jit.threadIdx.x] = cp.jit.laneid()
    >>> y = cp.zeros(34, dtype=cp.uint32)
    >>> lanes[1, 34](y)
    >>> y[-3:]
    array([31,  0,  1], dtype=uint32)
    """
    return Value("((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32u)", UINT32)


@builtin
def syncthreads(scope):
    """Waits until all threads of the block are here; what they have written to memory before, all see behind
    it.

    >>> @cp.jit.rawkernel()
    ... def reverse(x):
    ...     i = cp.jit.threadIdx.x
    ...     block = cp.jit.shared_memory(cp.float32, 4)
    ...     block[i] = x[i]
    ...     cp.jit.syncthreads()
    ...     x[i] = block[3 - i]
    >>> x = cp.arange(4, dtype=cp.float32)
    >>> reverse[1, 4](x)
    >>> x
    array([3., 2., 1., 0.], dtype=float32)
    """
    return Value("__syncthreads()", VOID)


@builtin
def syncwarp(scope, *, mask=0xFFFFFFFF):
    """Waits until the threads of the warp that `mask` names are here.

    >>> @cp.jit.rawkernel()
    ... def swap(x):
    ...     i = cp.jit.threadIdx.x
    ...     other = x[i ^ 1]
    ...     cp.jit.syncwarp()
    ...     x[i] = other
    >>> x = cp.arange(32)
    >>> swap[1, 32](x)
    >>> x[:4]
    array([1, 0, 3, 2])
    """
    if isinstance(mask, Constant) and mask.obj == 0xFFFFFFFF:
        return Value("__syncwarp()", VOID)
    return Value(f"__syncwarp({lane_mask(mask, scope.mode)})", VOID)


def lane_mask(mask, mode):
    """A mask of lanes as the text has it."""
    value = mask if isinstance(mask, Constant) else scalar_of(mask, mode)
    return cast(value, UINT32, "cuda").code


@builtin
def range(scope, *args, unroll=None):
    """Python's `range` with a word to the compiler: unroll the loop (True), do not (False), or so many times.

    >>> @cp.jit.rawkernel()
    ... def power(x, y):
    ...     i = cp.jit.grid(1)
    ...     y[i] = 1
    ...     for _ in cp.jit.range(4, unroll=True):
    ...         y[i] *= x[i]
    >>> x = cp.array([1, 2, 3])
    >>> y = cp.empty_like(x)
    >>> power[1, 3](x, y)
    >>> y
    array([ 1, 16, 81])
    """
    return Constant(_ranges.make(args, scope.mode, constant_of(unroll, "unroll")))
