"""Host memory that a device copies from and to without a detour: page-locked for CUDA, ordinary memory for the CPU.

A copy between such memory and a GPU runs at the speed of the bus. Locking pages takes the system milliseconds, so freed
memory waits in a pool.
"""

import threading

import numpy as np

from ._checks import as_dims
from ._core import OutOfMemoryError, PinnedMemory, PinnedMemoryPointer

__all__ = ["get_default_pinned_memory_pool"]

_UNIT = 512  # bytes: requests are rounded up, so that blocks serve requests of about their size


class _PooledMemory:
    """A block on loan from a pool, which gets it back when the last pointer to it has gone."""

    def __init__(self, pool, block):
        self._pool, self._block = pool, block
        self.ptr, self.size = block.ptr, block.size

    def __del__(self):
        self._pool._take_back(self._block)


class PinnedMemoryPool:
    """Pinned host memory, kept for reuse after it was freed.

    >>> pool = cp.cuda.PinnedMemoryPool()
    >>> pointer = pool.malloc(1000)
    >>> pointer.size(), pool.n_free_blocks()
    (1024, 0)
    >>> del pointer
    >>> pool.n_free_blocks()
    1
    """

    def __init__(self, allocator=PinnedMemory):
        self._allocator = allocator
        self._free = {}  # size -> blocks
        self._lock = threading.RLock()  # a finaliser may run in the middle of any call

    def malloc(self, size):
        """A pointer to at least `size` bytes."""
        size = max(1, -(-size // _UNIT)) * _UNIT
        with self._lock:
            blocks = self._free.get(size)
            block = blocks.pop() if blocks else None
        return PinnedMemoryPointer(_PooledMemory(self, block or self._allocate(size)), 0)

    def _allocate(self, size):
        try:
            return self._allocator(size)
        except OutOfMemoryError:
            self.free_all_blocks()
            return self._allocator(size)

    def n_free_blocks(self):
        """How many blocks are kept for reuse."""
        with self._lock:
            return sum(map(len, list(self._free.values())))

    def free_all_blocks(self):
        """Gives the blocks that are kept for reuse back to the system."""
        with self._lock:
            self._free.clear()

    def _take_back(self, block):
        with self._lock:
            self._free.setdefault(block.size, []).append(block)


_pool = PinnedMemoryPool()
_allocator = _pool.malloc


def get_default_pinned_memory_pool():
    """The pool that pinned memory comes from: `n_free_blocks`, `free_all_blocks`.

    >>> cp.get_default_pinned_memory_pool().free_all_blocks()
    """
    return _pool


def set_pinned_memory_allocator(allocator=None):
    """From now on `alloc_pinned_memory(size)` is `allocator(size)`; None: memory that is not kept for reuse."""
    global _allocator
    _allocator = (lambda size: PinnedMemoryPointer(PinnedMemory(size), 0)) if allocator is None else allocator


def alloc_pinned_memory(size):
    """A pointer to `size` bytes of pinned host memory or more, an object with a buffer.

    >>> host = np.frombuffer(cp.cuda.alloc_pinned_memory(800), count=100)
    >>> cp.ones(100).get(out=host).sum()
    np.float64(100.0)
    """
    return _allocator(size)


def empty_pinned(shape, dtype=float, order="C"):
    """A NumPy array in pinned memory, with arbitrary contents; see numpy.empty.

    >>> cp.arange(3.0).get(out=cp.cupyx.empty_pinned(3))
    array([0., 1., 2.])
    """
    dtype = np.dtype(dtype)
    if dtype.hasobject:
        raise ValueError("cuprum.cupyx.empty_pinned: cannot create an OBJECT array from memory buffer")
    shape = as_dims(shape, "cupyx.empty_pinned")
    pointer = alloc_pinned_memory(int(np.prod(shape, dtype=np.int64)) * dtype.itemsize)
    return np.ndarray(shape, dtype, pointer, order=order)


def zeros_pinned(shape, dtype=float, order="C"):
    """A NumPy array of zeros in pinned memory; see numpy.zeros."""
    result = empty_pinned(shape, dtype, order)
    result[...] = 0
    return result


def empty_like_pinned(a, dtype=None, order="K", subok=None, shape=None):
    """A NumPy array in pinned memory with the shape and dtype of `a`; see numpy.empty_like."""
    dtype = a.dtype if dtype is None else dtype
    if order in ("A", "K") or order is None:
        order = "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
    return empty_pinned(a.shape if shape is None else shape, dtype, order)


def zeros_like_pinned(a, dtype=None, order="K", subok=None, shape=None):
    """A NumPy array of zeros in pinned memory with the shape and dtype of `a`; see numpy.zeros_like."""
    result = empty_like_pinned(a, dtype, order, subok, shape)
    result[...] = 0
    return result
