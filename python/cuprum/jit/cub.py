"""Reductions of a warp or a block.

>>> @cp.jit.rawkernel()
... def total(x, y):
...     BlockReduce = cp.jit.cub.BlockReduce[cp.float32, 64]
...     storage = cp.jit.shared_memory(dtype=BlockReduce.TempStorage, size=1)
...     i = cp.jit.threadIdx.x
...     result = BlockReduce(storage[0]).Sum(x[i])
...     if i == 0:
...         y[0] = result
>>> x, y = cp.arange(64, dtype=cp.float32), cp.zeros(1, dtype=cp.float32)
>>> total[1, 64](x, y)
>>> y
array([2016.], dtype=float32)
"""

from ._builtin import builtin
from ._casts import cast_to_store
from ._types import Scalar, Storage
from ._values import Constant, Value, constant_of

__all__ = ["BlockReduce", "Max", "Min", "Sum", "WarpReduce"]


class _Functor:
    """How two numbers become one: the name of a scalar meaning."""

    def __init__(self, meaning):
        self.meaning = meaning


def _functor(name, meaning, doc):
    def translation(scope):
        return Constant(_Functor(meaning))

    translation.__name__ = translation.__qualname__ = name
    translation.__doc__ = doc
    return builtin(translation)


Sum = _functor("Sum", "add", "The sum of two numbers.")
Max = _functor("Max", "maximum", "The larger of two numbers.")
Min = _functor("Min", "minimum", "The smaller of two numbers.")


class _Reduction:
    """A collective over its shared memory."""

    def __init__(self, kind, storage):
        self.kind = kind
        self.storage = storage

    def _reduce(self, scope, input, meaning):
        type = self.kind.type
        value = cast_to_store(input, type, scope.mode, "the collective")
        combine = f"[](auto a, auto b) {{ return np::{meaning}(a, b); }}"
        barrier = (
            self.kind.barrier
        )  # before the storage is used again; the compiler of kernels looks for barriers in the text
        return Value(f"({barrier}, jit::{self.kind.cpp}({self.storage.code}, {value.code}, {combine}))", type)

    @builtin
    def Sum(self, scope, input):
        """The sum of all threads' numbers, in the first thread."""
        return self._reduce(scope, input, "add")

    @builtin
    def Reduce(self, scope, input, reduction_op):
        """What all threads' numbers become by `reduction_op`, in the first thread."""
        functor = constant_of(reduction_op, "reduction_op")
        if not isinstance(functor, _Functor):
            raise TypeError(f"Reduce: reduction_op is cub.Sum(), cub.Max() or cub.Min(), given {functor!r}")
        return self._reduce(scope, input, functor.meaning)


class _Kind:
    """A collective for numbers of a type: `WarpReduce[dtype]`."""

    def __init__(self, cpp, barrier, type, storage):
        self.cpp = cpp
        self.barrier = barrier
        self.type = type
        self.TempStorage = Storage(storage)

    def translate(self, scope, temp_storage):
        scope.program.include("collectives.h")
        if not isinstance(temp_storage, Value) or temp_storage.type != self.TempStorage:
            raise TypeError(
                "the collective needs shared memory of its TempStorage: "
                "jit.shared_memory(dtype=X.TempStorage, size=1)[0]"
            )
        return Constant(_Reduction(self, temp_storage))


class _WarpReduce:
    """Reductions of a warp: `WarpReduce[dtype]`."""

    def __getitem__(self, dtype):
        type = Scalar(dtype)
        return _Kind("warp_reduce", "__syncwarp()", type, f"jit::warp_storage<{type}>")


class _BlockReduce:
    """Reductions of a block with so many threads: `BlockReduce[dtype, threads]`."""

    def __getitem__(self, arguments):
        dtype, threads = arguments
        type = Scalar(dtype)
        return _Kind("block_reduce", "__syncthreads()", type, f"jit::block_storage<{type}, {int(threads)}>")


WarpReduce = _WarpReduce()
BlockReduce = _BlockReduce()
