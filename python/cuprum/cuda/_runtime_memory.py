"""The functions of the CUDA runtime that are about memory, by addresses and handles of streams.

Copies and fills are work of arrays over those addresses, so that they keep the order of the program.
"""

import ctypes

import numpy as np

from .. import _core
from .._checks import as_integer
from .._core import CUDARuntimeError, PinnedMemory
from .._device import Device as _Device
from .._memory import ManagedMemory, Memory, MemoryAsync, MemoryPointer, UnownedMemory, numbered
from ._attribute_numbers import NUMBERS
from .stream import Stream

__all__ = [
    "PointerAttributes", "deviceGetAttribute", "free", "freeAsync", "freeHost", "hostAlloc", "hostAllocDefault",
    "hostAllocMapped", "hostAllocPortable", "hostAllocWriteCombined", "malloc", "mallocAsync", "mallocManaged",
    "memAdvise", "memAttachGlobal", "memAttachHost", "memPrefetchAsync", "memcpy", "memcpyAsync", "memcpyDefault",
    "memcpyDeviceToDevice", "memcpyDeviceToHost", "memcpyHostToDevice", "memcpyHostToHost", "memcpyPeer",
    "memcpyPeerAsync", "memoryTypeDevice", "memoryTypeHost", "memoryTypeManaged", "memoryTypeUnregistered", "memset",
    "memsetAsync", "pointerGetAttributes", "pointerGetMemoryType", *(f"cudaDevAttr{name}" for name in NUMBERS),
]  # fmt: skip

hostAllocDefault, hostAllocPortable, hostAllocMapped, hostAllocWriteCombined = 0, 1, 2, 4
memAttachGlobal, memAttachHost = 1, 2
memoryTypeUnregistered, memoryTypeHost, memoryTypeDevice, memoryTypeManaged = 0, 1, 2, 3
memcpyHostToHost, memcpyHostToDevice, memcpyDeviceToHost, memcpyDeviceToDevice, memcpyDefault = 0, 1, 2, 3, 4
globals().update({f"cudaDevAttr{name}": number for name, number in NUMBERS.items()})

_NAMES = {number: name for name, number in NUMBERS.items()}
_made = {}  # by address: what was allocated here


def _integer(value, function, parameter):
    return as_integer(value, f"cuda.runtime.{function}", parameter)


def _stream(handle, function):
    """A stream of any origin."""
    handle = _integer(handle, function, "stream")
    return Stream._of(_core.external_stream(_core.device_name(), handle)) if handle else Stream.null


def deviceGetAttribute(attrib, device):
    """An attribute of a device by CUDA's number of it; 0 for what means nothing there.

    >>> runtime = cp.cuda.runtime
    >>> runtime.deviceGetAttribute(runtime.cudaDevAttrMaxThreadsPerBlock, 0) >= 1
    True
    """
    name = _NAMES.get(_integer(attrib, "deviceGetAttribute", "attrib"))
    if name is None:
        raise CUDARuntimeError(
            f"cuprum.cuda.runtime.deviceGetAttribute: {attrib} is the number of no attribute (cudaErrorInvalidValue)"
        )
    return numbered(_integer(device, "deviceGetAttribute", "device")).attributes.get(name, 0)


# -- Allocating -----------------------------------------------------------------------------------------


def _keep(memory, kind):
    _made[memory.ptr] = memory, kind
    return memory.ptr


def _drop(ptr, function, *kinds):
    address = _integer(ptr, function, "ptr")
    if address == 0:
        return
    if address not in _made or _made[address][1] not in kinds:
        raise CUDARuntimeError(
            f"cuprum.cuda.runtime.{function}: nothing that was allocated here is at {address:#x} "
            "(cudaErrorInvalidValue)"
        )
    del _made[address]


def malloc(size):
    """`size` new bytes of the current device: their address.

    >>> address = cp.cuda.runtime.malloc(100)
    >>> cp.cuda.runtime.memset(address, 1, 100)
    >>> cp.cuda.runtime.free(address)
    """
    return _keep(Memory(_integer(size, "malloc", "size")), "device")


def mallocManaged(size, flags=memAttachGlobal):
    """The same that host and device share."""
    return _keep(ManagedMemory(_integer(size, "mallocManaged", "size")), "device")


def mallocAsync(size, stream):
    """The same in the order of a stream."""
    return _keep(MemoryAsync(_integer(size, "mallocAsync", "size"), _stream(stream, "mallocAsync")), "device")


def free(ptr):
    """Gives back what was allocated here; 0 is nothing."""
    _drop(ptr, "free", "device")


def freeAsync(ptr, stream):
    """The same behind the work of a stream."""
    _drop(ptr, "freeAsync", "device")


def hostAlloc(size, flags):
    """`size` bytes of pinned host memory: their address.

    >>> address = cp.cuda.runtime.hostAlloc(100, cp.cuda.runtime.hostAllocDefault)
    >>> cp.cuda.runtime.freeHost(address)
    """
    return _keep(PinnedMemory(_integer(size, "hostAlloc", "size")), "host")


def freeHost(ptr):
    """Gives back what `hostAlloc` gave."""
    _drop(ptr, "freeHost", "host")


# -- Copying and filling --------------------------------------------------------------------------------


def _pointer(address, size):
    return MemoryPointer(UnownedMemory(address, size, None), 0)


def _is_of_device(address, size):
    here = _core.device_name()
    return not _core.device_info(here)["host_accessible"] and _core.device_holds(here, address)


def _host(address, size):
    return np.frombuffer((ctypes.c_ubyte * size).from_address(address), np.uint8)


def _copy(dst, src, size, kind, function, wait):
    dst, src = _integer(dst, function, "dst"), _integer(src, function, "src")
    size, kind = _integer(size, function, "size"), _integer(kind, function, "kind")
    if size == 0:
        return
    if not 0 <= kind <= 4:
        raise CUDARuntimeError(
            f"cuprum.cuda.runtime.{function}: kind {kind} is not a direction; write memcpyDefault "
            "(cudaErrorInvalidMemcpyDirection)"
        )
    if kind == memcpyDefault:
        kind = memcpyHostToDevice * _is_of_device(dst, size) + memcpyDeviceToHost * _is_of_device(src, size)
    if kind == memcpyHostToHost:
        _host(dst, size)[...] = _host(src, size)
    elif kind == memcpyHostToDevice:
        _pointer(dst, size).copy_from_host(src, size)
    elif kind == memcpyDeviceToDevice:
        _pointer(dst, size).copy_from_device(_pointer(src, size), size)
    elif wait:
        _pointer(src, size).copy_to_host(dst, size)
    else:
        _pointer(src, size).copy_to_host_async(dst, size)


def memcpy(dst, src, size, kind):
    """Copies `size` bytes between addresses; `kind` says which of them are the host's.

    >>> a, b, runtime = cp.arange(3), cp.zeros(3, int), cp.cuda.runtime
    >>> runtime.memcpy(b.data.ptr, a.data.ptr, a.nbytes, runtime.memcpyDeviceToDevice)
    >>> b
    array([0, 1, 2])
    """
    _copy(dst, src, size, kind, "memcpy", True)


def memcpyAsync(dst, src, size, kind, stream):
    """The same as work of a stream; host memory must stay as it is until the stream has got so far."""
    with _stream(stream, "memcpyAsync"):
        _copy(dst, src, size, kind, "memcpyAsync", False)


def memcpyPeer(dst, dstDevice, src, srcDevice, size):
    """Copies `size` bytes from one device to another."""
    size = _integer(size, "memcpyPeer", "size")
    with numbered(_integer(srcDevice, "memcpyPeer", "srcDevice")):
        source = _pointer(_integer(src, "memcpyPeer", "src"), size).bytes(size)
    with numbered(_integer(dstDevice, "memcpyPeer", "dstDevice")):
        _core.copyto(_pointer(_integer(dst, "memcpyPeer", "dst"), size).bytes(size), source)


def memcpyPeerAsync(dst, dstDevice, src, srcDevice, size, stream):
    """The same as work of a stream."""
    with _stream(stream, "memcpyPeerAsync"):
        memcpyPeer(dst, dstDevice, src, srcDevice, size)


def memset(ptr, value, size):
    """Sets every one of `size` bytes to `value`."""
    address, size = _integer(ptr, "memset", "ptr"), _integer(size, "memset", "size")
    if size:
        _pointer(address, size).memset(_integer(value, "memset", "value") & 255, size)


def memsetAsync(ptr, value, size, stream):
    """The same as work of a stream."""
    with _stream(stream, "memsetAsync"):
        memset(ptr, value, size)


def memPrefetchAsync(devPtr, count, dstDevice, stream):
    """Moves managed memory to a device, -1 the host, as work of a stream."""
    address, size = (
        _integer(devPtr, "memPrefetchAsync", "devPtr"),
        _integer(count, "memPrefetchAsync", "count"),
    )
    block = _pointer(address, size)
    device = _integer(dstDevice, "memPrefetchAsync", "dstDevice")
    _core.prefetch(block.mem._block, _stream(stream, "memPrefetchAsync"), device)


def memAdvise(devPtr, count, advice, device):
    """Tells the driver how managed memory will be used."""
    block = _pointer(_integer(devPtr, "memAdvise", "devPtr"), _integer(count, "memAdvise", "count"))
    _core.advise(
        block.mem._block, _integer(advice, "memAdvise", "advice"), _integer(device, "memAdvise", "device")
    )


class PointerAttributes:
    """What is known of an address: `device`, `devicePointer`, `hostPointer`, `type`."""

    def __init__(self, device, devicePointer, hostPointer, type):
        self.device, self.devicePointer, self.hostPointer, self.type = (
            device,
            devicePointer,
            hostPointer,
            type,
        )


def pointerGetAttributes(ptr):
    """Whose memory is at an address.

    >>> a = cp.arange(3)
    >>> cp.cuda.runtime.pointerGetAttributes(a.data.ptr).device == a.device.id
    True
    """
    address = _integer(ptr, "pointerGetAttributes", "ptr")
    memory, kind = _made.get(address, (None, None))
    if kind == "host":
        return PointerAttributes(_Device().id, address, address, memoryTypeHost)
    if isinstance(memory, ManagedMemory):
        return PointerAttributes(memory.device_id, address, address, memoryTypeManaged)
    if _core.device_holds(_core.device_name(), address):
        return PointerAttributes(_Device().id, address, 0, memoryTypeDevice)
    return PointerAttributes(-2, 0, address, memoryTypeUnregistered)


def pointerGetMemoryType(ptr):
    """The `type` of `pointerGetAttributes`: `memoryTypeHost`, `memoryTypeDevice`, ..."""
    return pointerGetAttributes(ptr).type
