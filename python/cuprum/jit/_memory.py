"""Memory of a block and of a thread, as arrays."""

import math
import numbers

import numpy as np

from ._arrays import Array, Iterator
from ._builtin import builtin
from ._types import Scalar, Type
from ._values import Value, constant_of


def _element(dtype):
    dtype = constant_of(dtype, "dtype")
    return dtype if isinstance(dtype, Type) else Scalar(np.dtype(dtype))


def _extents(size):
    """The shape, as a tuple of ints."""
    size = constant_of(size, "size")
    shape = size if isinstance(size, tuple) else (size,)
    if not shape or not all(isinstance(n, numbers.Integral) and not isinstance(n, bool) for n in shape):
        raise TypeError(f"size must be an int or a tuple of ints, given {size!r}")
    if any(n < 1 for n in shape):
        raise ValueError(f"size must be 1 or more, given {size!r}")
    return tuple(int(n) for n in shape)


def _alignment(alignment):
    n = constant_of(alignment, "alignment")
    if n is None:
        return ""
    if not isinstance(n, numbers.Integral) or n < 1 or n & (n - 1):
        raise ValueError(f"alignment must be a power of two, given {n!r}")
    return f"__align__({n}) "


def _array(scope, kind, prefix, element, shape, alignment):
    memory = scope.fresh(prefix)
    scope.declare(f"{kind}{_alignment(alignment)}{element} {memory}[{math.prod(shape)}];")
    return Value(f"jit::over({memory}, {', '.join(map(str, shape))})", Array(element, len(shape), dense=True))


@builtin
def shared_memory(scope, dtype, size, alignment=None):
    """An array that the threads of a block share. It has a size or a shape, or None for the bytes that the
    launch gives as `shared_mem`.

    >>> @cp.jit.rawkernel()
    ... def transpose(x, y):
    ...     i, j = cp.jit.threadIdx.y, cp.jit.threadIdx.x
    ...     tile = cp.jit.shared_memory(cp.float32, (4, 5))
    ...     tile[i, j] = x[i, j]
    ...     cp.jit.syncthreads()
    ...     y[i, j] = tile[j, i]
    >>> x = cp.arange(16, dtype=cp.float32).reshape(4, 4)
    >>> y = cp.empty_like(x)
    >>> transpose[1, (4, 4)](x, y)
    >>> y[0]
    array([ 0.,  4.,  8., 12.], dtype=float32)
    """
    element = _element(dtype)
    if constant_of(size, "size") is None:
        scope.program.dynamic_shared = True
        if not any("_dynamic_shared" in line for line in scope.declarations):
            scope.declare("extern __shared__ __align__(16) unsigned char _dynamic_shared[];")
        return Value(f"({element}*)_dynamic_shared", Iterator(f"{element}*", element))
    return _array(scope, "__shared__ ", "shared", element, _extents(size), alignment)


@builtin
def local_memory(scope, dtype, size, alignment=None):
    """An array of each thread's own, whose elements have no values at first.

    >>> @cp.jit.rawkernel()
    ... def last_two(x, y):
    ...     i = cp.jit.grid(1)
    ...     held = cp.jit.local_memory(cp.float64, 2)
    ...     for j in range(x.shape[1]):
    ...         held[j % 2] = x[i, j]
    ...     y[i] = held[0] + held[1]
    >>> x = cp.arange(6.0).reshape(2, 3)
    >>> y = cp.empty(2)
    >>> last_two[1, 2](x, y)
    >>> y
    array([3., 9.])
    """
    return _array(scope, "", "local", _element(dtype), _extents(size), alignment)
