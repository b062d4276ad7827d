"""Hooks: objects that are told what memory pools do on a thread."""

import threading

from .. import _core
from .._device import Device
from .._memory import naming

__all__ = ["MemoryHook"]


class _Entered(threading.local):
    def __init__(self):
        self.hooks = {}  # by name
        self.names = {}  # of blocks: the objects that hold them


_entered = _Entered()
_lock = threading.Lock()
_watching = 0  # hooks that are entered, on all threads


def get_memory_hooks():
    """The hooks of this thread by their names."""
    return _entered.hooks


def _tell(kind, device, size, mem_size, mem_ptr, block):
    """What a pool has done: 0 taken memory from the device, 1 handed a block out, 2 got it back."""
    hooks = list(_entered.hooks.values())
    if not hooks:
        return
    if kind == 1 and naming.memory is not None:
        _entered.names[block] = id(naming.memory)
    pmem_id = _entered.names.get(block, block) if kind == 1 else _entered.names.pop(block, block)
    what = {"device_id": Device(device).id, "mem_size": mem_size}
    known = {**what, "mem_ptr": mem_ptr}
    for hook in hooks:
        if kind == 0:
            hook.alloc_preprocess(**what)
            hook.alloc_postprocess(**known)
        elif kind == 1:
            hook.malloc_preprocess(**what, size=size)
            hook.malloc_postprocess(**known, size=size, pmem_id=pmem_id)
        else:
            hook.free_preprocess(**known, pmem_id=pmem_id)
            hook.free_postprocess(**known, pmem_id=pmem_id)


def _watch(more):
    global _watching
    with _lock:
        _watching += more
        _core.watch_memory(_tell if _watching else None, more)


class MemoryHook:
    """Base of hooks: in a `with` block the methods are called for what pools do on this thread. `alloc_` is memory
    taken from the device, `malloc_` a request that was served, `free_` memory given back to the pool. Each pair is
    called when the thing is done, one after the other, for hooks are programs and the engine must not be interrupted.

    >>> class Count(cp.cuda.MemoryHook):
    ...     name, bytes = "count", 0
    ...     def malloc_postprocess(self, **event):
    ...         self.bytes += event["size"]
    >>> with Count() as count:
    ...     pointer = cp.cuda.alloc(100)
    >>> count.bytes
    100
    """

    name = "MemoryHook"

    def __enter__(self):
        if self.name in _entered.hooks:
            raise KeyError(f"cuprum.cuda.MemoryHook: a hook with the name {self.name!r} is entered already")
        _entered.hooks[self.name] = self
        _watch(1)
        return self

    def __exit__(self, *_):
        _watch(-1)
        del _entered.hooks[self.name]

    def alloc_preprocess(self, **kwargs):
        """`device_id`, `mem_size`: bytes to be taken from the device."""

    def alloc_postprocess(self, **kwargs):
        """The same, and `mem_ptr`: where they are."""

    def malloc_preprocess(self, **kwargs):
        """`device_id`, `size`: bytes that were asked for; `mem_size`: the same rounded up."""

    def malloc_postprocess(self, **kwargs):
        """The same, and `mem_ptr`: where they are, `pmem_id`: the `id` of the PooledMemory, or another name of the
        block until it is freed."""

    def free_preprocess(self, **kwargs):
        """`device_id`, `mem_size`, `mem_ptr`, `pmem_id`: what goes back to the pool."""

    def free_postprocess(self, **kwargs):
        """The same."""
