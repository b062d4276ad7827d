"""Memory pools, and which of them arrays are allocated from.

Every device has a pool. A program may have further ones, and allocators that it has written itself: `set_allocator` for
the process, `using_allocator` for a block of one thread.
"""

import contextlib
import ctypes
import threading
import warnings

from . import _core
from ._device import Device
from ._memory import ManagedMemory, Memory, MemoryAsync, MemoryPointer, PooledMemory, UnownedMemory

__all__ = ["MemoryPool", "get_default_memory_pool"]

_NO_LIMIT = 2**64 - 1


class MemoryPool(_core.MemoryPool):
    """Memory of the current device that is kept for reuse when it is freed: what is in use, what waits, and a limit.
    `allocator` is where the pool gets its memory: `malloc_managed`, or a function that makes a MemoryPointer of a size.

    >>> pool = cp.cuda.MemoryPool()
    >>> with cp.cuda.using_allocator(pool.malloc):
    ...     a = cp.ones(128, "f8")
    >>> pool.used_bytes()
    1024
    """

    def __init__(self, allocator=None):
        if allocator is not None and not callable(allocator):
            raise TypeError(
                "cuprum.MemoryPool: allocator must be a function that makes a MemoryPointer of a size, "
                f"given {type(allocator).__name__}"
            )
        super().__init__("managed" if allocator is malloc_managed else "device")
        if allocator not in (None, malloc, malloc_async, malloc_managed):
            self.take_from(allocator)

    @classmethod
    def _of_the_devices(cls):
        pool = cls.__new__(cls)
        _core.MemoryPool.__init__(pool, "default")
        return pool

    def malloc(self, size):
        """A pointer to `size` new bytes.

        >>> cp.get_default_memory_pool().malloc(10).mem.size
        10
        """
        return MemoryPointer(PooledMemory._from(self, size) if size else Memory(0), 0)

    def free_all_free(self):
        """The old name of `free_all_blocks`."""
        warnings.warn(
            "cuprum.MemoryPool.free_all_free is deprecated; write free_all_blocks()",
            DeprecationWarning,
            stacklevel=2,
        )
        self.free_all_blocks()


class MemoryAsyncPool(MemoryPool):
    """The same: every pool hands out memory in the order of streams. `get_limit` tells 2**64 - 1 where there is none.

    >>> cp.cuda.MemoryAsyncPool().malloc(100).mem.size
    100
    """

    def __init__(self, pool_handles="current"):
        super().__init__()

    def malloc(self, size):
        """A pointer to `size` new bytes."""
        return MemoryPointer(MemoryAsync._of(self.allocate(size)), 0)

    def get_limit(self):
        """Bytes that may be in use; 2**64 - 1: no limit."""
        return super().get_limit() or _NO_LIMIT


def malloc(size):
    """A pointer to `size` bytes that no pool keeps."""
    return MemoryPointer(Memory(size), 0)


def malloc_async(size):
    """The same in the order of the current stream.

    >>> cp.cuda.malloc_async(100).mem.size
    100
    """
    return MemoryPointer(MemoryAsync(size), 0)


def malloc_managed(size):
    """A pointer to `size` bytes that move between host and device by themselves; on the CPU, of its memory.

    >>> cp.cuda.malloc_managed(100).mem.size
    100
    """
    return MemoryPointer(ManagedMemory(size), 0)


_default = MemoryPool._of_the_devices()
_unpooled = _core.MemoryPool("direct")


def get_default_memory_pool():
    """The pool that array memory comes from: used_bytes, free_bytes, total_bytes, set_limit, free_all_blocks.

    >>> pool = cp.get_default_memory_pool()
    >>> pool.free_all_blocks()
    >>> pool.used_bytes() <= pool.total_bytes()
    True
    """
    return _default


# -- Allocators -----------------------------------------------------------------------------------------


class _Chosen(threading.local):
    def __init__(self):
        self.allocators = []  # of the `using_allocator` blocks that this thread is in


_chosen = _Chosen()
_of_process = _default.malloc


def _engine_allocator(allocator, function):
    """What the engine is told: a pool without a way through Python, a function, or None for the devices' own."""
    if allocator is malloc or allocator is malloc_async:
        return _unpooled
    pool = getattr(allocator, "__self__", None)
    if isinstance(pool, MemoryPool) and getattr(allocator, "__func__", None) in (
        MemoryPool.malloc,
        MemoryAsyncPool.malloc,
    ):
        return None if pool is _default else pool
    if not callable(allocator):
        raise TypeError(
            f"cuprum.cuda.{function}: an allocator is a function of a size that returns a MemoryPointer, not a "
            f"{type(allocator).__name__}; write pool.malloc for a MemoryPool"
        )
    return allocator


def set_allocator(allocator=None):
    """From now on arrays get their memory from `allocator(size)`, which returns a MemoryPointer: `pool.malloc` of a
    MemoryPool, `malloc_managed`, `malloc_async`, or a function of the program's. None: from no pool.

    A function of the program's is called amid an evaluation. It may allocate memory, and must not compute.

    >>> cp.cuda.set_allocator(cp.cuda.MemoryPool(cp.cuda.malloc_managed).malloc)
    >>> cp.cuda.set_allocator(cp.get_default_memory_pool().malloc)
    """
    global _of_process
    if _chosen.allocators:
        raise ValueError(
            "cuprum.cuda.set_allocator: inside of using_allocator the allocator is that of the block; write "
            "set_allocator outside"
        )
    allocator = malloc if allocator is None else allocator
    chosen = _engine_allocator(allocator, "set_allocator")
    try:
        _core.evaluate_pending()  # with the memory that it was asked for with
    finally:  # an allocator that fails is left as well
        _core.choose_allocator(chosen)
        _of_process = allocator


def get_allocator():
    """What arrays of this thread get their memory from.

    >>> cp.cuda.get_allocator() == cp.get_default_memory_pool().malloc
    True
    """
    return _chosen.allocators[-1] if _chosen.allocators else _of_process


@contextlib.contextmanager
def using_allocator(allocator=None):
    """`set_allocator` for a block of this thread. Leaving it computes what is pending on the current device, so that
    what was asked for inside has its memory from there.

    >>> pool = cp.cuda.MemoryPool()
    >>> with cp.cuda.using_allocator(pool.malloc):
    ...     a = cp.zeros(100)
    """
    allocator = malloc if allocator is None else allocator
    _core.evaluate_pending()  # with the memory that it was asked for with
    _core.enter_allocator(_engine_allocator(allocator, "using_allocator"))
    _chosen.allocators.append(allocator)
    try:
        yield
        _core.evaluate_pending()
    finally:
        _chosen.allocators.pop()
        _core.leave_allocator()


def alloc(size):
    """A pointer to `size` new bytes on the current device, from the chosen allocator.

    >>> cp.cuda.alloc(100).mem.size
    100
    """
    return get_allocator()(size)


# -- Allocators of others -------------------------------------------------------------------------------


class _Given:
    """What a function has allocated: another one gets it back when nobody uses it any more."""

    def __init__(self, address, device_id, free):
        self._arguments, self._free = (address, device_id), free

    def __del__(self):
        self._free(*self._arguments)


class PythonFunctionAllocator:
    """An allocator of two functions: `malloc_func(size, device_id)` returns an address, `free_func(address, device_id)`
    takes it back.

    >>> runtime = cp.cuda.runtime
    >>> pair = cp.cuda.PythonFunctionAllocator(lambda n, _: runtime.malloc(n), lambda p, _: runtime.free(p))
    >>> pair.malloc(100).mem.size
    100
    """

    def __init__(self, malloc_func, free_func):
        self._malloc, self._free = malloc_func, free_func

    def malloc(self, size):
        """A pointer to what `malloc_func` gives."""
        device = Device()
        address = self._malloc(size, device.id)
        return MemoryPointer(UnownedMemory(address, size, _Given(address, device.id, self._free)), 0)


class CFunctionAllocator(PythonFunctionAllocator):
    """The same of two functions of C by their addresses, `void* (*malloc_func)(void* param, size_t, int device_id)` and
    `void (*free_func)(void* param, void*, int device_id)`; `owner` is kept as long as the allocator."""

    def __init__(self, param, malloc_func, free_func, owner):
        allocate = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)(
            malloc_func
        )
        release = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(free_func)
        self._owner = owner
        super().__init__(
            lambda size, device_id: allocate(param, size, device_id) or 0,
            lambda address, device_id: release(param, address, device_id),
        )
