"""Pinned host memory, with CuPy's names."""

from .._core import PinnedMemory, PinnedMemoryPointer
from .._pinned import PinnedMemoryPool, alloc_pinned_memory, set_pinned_memory_allocator

__all__ = [
    "PinnedMemory", "PinnedMemoryPointer", "PinnedMemoryPool", "alloc_pinned_memory",
    "set_pinned_memory_allocator",
]  # fmt: skip
