"""Device memory: pools, pointers, allocators, hooks and spill, with CuPy's names."""

from .. import _core
from .._core import OutOfMemoryError
from .._memory import (
    BaseMemory,
    ManagedMemory,
    Memory,
    MemoryAsync,
    MemoryPointer,
    PooledMemory,
    UnownedMemory,
)
from .._pools import (
    CFunctionAllocator,
    MemoryAsyncPool,
    MemoryPool,
    PythonFunctionAllocator,
    alloc,
    get_allocator,
    malloc_async,
    malloc_managed,
    set_allocator,
    using_allocator,
)

__all__ = [
    "BaseMemory", "CFunctionAllocator", "ManagedMemory", "Memory", "MemoryAsync", "MemoryAsyncPool", "MemoryPointer",
    "MemoryPool", "OutOfMemoryError", "PooledMemory", "PythonFunctionAllocator", "UnownedMemory", "alloc",
    "get_allocator", "get_spill", "malloc_async", "malloc_managed", "set_allocator", "set_spill", "spill_stats",
    "using_allocator",
]  # fmt: skip


def set_spill(on=True):
    """Where a device, or the limit of its pool, is full: shall the arrays that were not used for longest go to host
    memory, and come back when they are used? Off by default; CUPRUM_SPILL=1 turns it on. Arrays whose address somebody
    outside knows stay. The CPU's memory is the host's: nothing goes there.

    >>> cp.cuda.set_spill(True)
    >>> cp.cuda.get_spill()
    True
    >>> cp.cuda.set_spill(False)
    """
    _core.set_spill(on)


def get_spill():
    """Does memory go to the host where a device is full?"""
    return _core.get_spill()


def spill_stats():
    """What went to the host since the process began, in bytes: `to_host`, `from_host`, `on_host` (there now), and
    `again` (of those that went, those that had come back before).

    >>> sorted(cp.cuda.spill_stats())
    ['again', 'from_host', 'on_host', 'to_host']
    """
    return _core.spill_stats()
