"""Cooperative groups: the threads of a block, and all threads of a kernel.

>>> @cp.jit.rawkernel()
... def total(x, out):
...     grid = cp.jit.cg.this_grid()
...     i = cp.int64(grid.thread_rank())
...     cp.jit.atomic_add(out, 0, x[i])
...     grid.sync()
...     x[i] = out[0]
>>> x, out = cp.ones(64), cp.zeros(1)
>>> total[2, 32](x, out)
>>> x[:3]
array([64., 64., 64.])
"""

from ._arrays import Array
from ._builtin import builtin
from ._casts import cast
from ._iterators import as_iterator, is_iterator
from ._types import BOOL, DIM3, INT64, UINT32, UINT64, VOID
from ._values import Constant, Value, constant_of, describe

__all__ = ["memcpy_async", "sync", "this_grid", "this_thread_block", "wait", "wait_prior"]


def _member(name, type, doc):
    """A method without arguments."""

    def translation(self, scope):
        scope.program.include("groups.h")
        return Value(f"{self.code}.{name}()", type)

    translation.__name__ = name
    translation.__qualname__ = f"group.{name}"
    translation.__doc__ = doc
    return builtin(translation)


class ThreadBlockGroup:
    """The threads of a block."""

    code = "cooperative_groups::this_thread_block()"

    sync = _member("sync", VOID, "Waits for all threads of the group.")
    thread_rank = _member("thread_rank", UINT32, "The number of the thread.")
    thread_index = _member("thread_index", DIM3, "The place of the thread in the block.")
    group_index = _member("group_index", DIM3, "The place of the block in the grid.")
    group_dim = _member("group_dim", DIM3, "The extents of the block in threads.")
    dim_threads = _member("dim_threads", DIM3, "The extents of the block in threads.")
    num_threads = _member("num_threads", UINT32, "How many threads the group has.")
    size = _member("size", UINT32, "How many threads the group has.")


class GridGroup:
    """All threads of the kernel. Its blocks are launched together, so that they can wait for each other."""

    code = "cooperative_groups::this_grid()"

    sync = _member("sync", VOID, "Waits for all threads of the group.")
    is_valid = _member("is_valid", BOOL, "Whether the group can wait.")
    thread_rank = _member("thread_rank", UINT64, "The number of the thread.")
    block_rank = _member("block_rank", UINT64, "The number of the block.")
    num_threads = _member("num_threads", UINT64, "How many threads the group has.")
    num_blocks = _member("num_blocks", UINT64, "How many blocks the grid has.")
    dim_blocks = _member("dim_blocks", DIM3, "The extents of the grid in blocks.")
    block_index = _member("block_index", DIM3, "The place of the block in the grid.")
    group_dim = _member("group_dim", DIM3, "The extents of the grid in blocks.")
    size = _member("size", UINT64, "How many threads the group has.")


@builtin
def this_thread_block(scope):
    """The threads of the block, as a group."""
    return Constant(ThreadBlockGroup())


@builtin
def this_grid(scope):
    """All threads of the kernel, as a group; the launch is a cooperative one."""
    scope.program.cooperative = True
    return Constant(GridGroup())


def _group(x, kinds=(ThreadBlockGroup, GridGroup)):
    group = constant_of(x, "the group")
    if not isinstance(group, kinds):
        raise TypeError(f"a group is needed here, such as cg.this_thread_block(), given {describe(x)}")
    return group


@builtin
def sync(scope, group):
    """Waits for all threads of the group."""
    scope.program.include("groups.h")
    return Value(f"{_group(group).code}.sync()", VOID)


@builtin
def memcpy_async(scope, group, dst, dst_idx, src, src_idx, size, *, aligned_size=None):
    """The threads of the block copy `size` bytes from src[src_idx] on to dst[dst_idx]; `wait` says when they
    are there.

    >>> @cp.jit.rawkernel()
    ... def reverse(x):
    ...     block = cp.jit.cg.this_thread_block()
    ...     held = cp.jit.shared_memory(cp.int32, 32)
    ...     cp.jit.cg.memcpy_async(block, held, 0, x, 0, 4 * 32)
    ...     cp.jit.cg.wait(block)
    ...     i = cp.jit.threadIdx.x
    ...     x[i] = held[31 - i]
    >>> x = cp.arange(32, dtype=cp.int32)
    >>> reverse[1, 32](x)
    >>> x[:3]
    array([31, 30, 29], dtype=int32)
    """
    _group(group, ThreadBlockGroup)
    constant_of(aligned_size, "aligned_size")
    scope.program.include("groups.h")
    places = [_address(array, index, scope.mode) for array, index in ((dst, dst_idx), (src, src_idx))]
    return Value(f"jit::copy_together({', '.join(places)}, {cast(size, INT64, scope.mode).code})", VOID)


def _address(array, index, mode):
    if not is_iterator(array) or (isinstance(array.type, Array) and not array.type.dense):
        raise TypeError(f"memcpy_async copies between C-contiguous arrays, given {describe(array)}")
    base = f"{array.code}.data" if isinstance(array.type, Array) else as_iterator(array).code
    return f"{base} + {cast(index, INT64, mode).code}"


@builtin
def wait(scope, group):
    """Waits for all copies of `memcpy_async`."""
    _group(group, ThreadBlockGroup)
    return Value("__syncthreads()", VOID)


@builtin
def wait_prior(scope, group, step):
    """Waits for all copies of `memcpy_async` but the last `step`."""
    _group(group, ThreadBlockGroup)
    constant_of(step, "step")
    return Value("__syncthreads()", VOID)
