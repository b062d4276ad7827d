"""Device memory: pools, pointers, allocators, with CuPy's names.

Arrays live in the pool of their device. It is the only allocator: what else `set_allocator` is given is refused.
"""

import contextlib

from .._core import MemoryPool, OutOfMemoryError
from .._memory import BaseMemory, Memory, MemoryPointer, UnownedMemory

__all__ = [
    "BaseMemory", "Memory", "MemoryPointer", "MemoryPool", "OutOfMemoryError", "UnownedMemory", "alloc",
    "get_allocator", "set_allocator", "using_allocator",
]  # fmt: skip


def alloc(size):
    """A pointer to `size` new bytes on the current device.

    >>> cp.cuda.alloc(100).mem.size
    100
    """
    return MemoryPool().malloc(size)


def set_allocator(allocator=None):
    """Where arrays get their memory from: the pool of their device, which None and `MemoryPool().malloc` mean.

    >>> cp.cuda.set_allocator(cp.cuda.MemoryPool().malloc)
    """
    if allocator is not None and not isinstance(getattr(allocator, "__self__", None), MemoryPool):
        raise TypeError(
            "cuprum.cuda.set_allocator: arrays live in the pool of their device; write set_allocator() to keep it"
        )


def get_allocator():
    """What arrays get their memory from."""
    return MemoryPool().malloc


@contextlib.contextmanager
def using_allocator(allocator=None):
    """`set_allocator` for a block."""
    set_allocator(allocator)
    yield
