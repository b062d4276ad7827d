"""Device memory as CuPy shows it: `x.data.ptr`, blocks of bytes, memory of others by its address.

A MemoryPointer is an address in a block; `cp.ndarray` takes it for `memptr` and makes an array there.
"""

import contextlib
import ctypes
import threading

import numpy as np

from . import _core
from ._checks import as_integer
from ._device import Device


class BaseMemory:
    """A block of bytes on a device: `ptr`, `size`, `device`."""

    def __init__(self, block):
        self._block = block  # a vector of uint8

    @property
    def ptr(self):
        """Its address; 0 without bytes. Asking evaluates what is pending."""
        return _core.address_of(self._block)

    @property
    def size(self):
        """Number of bytes."""
        return self._block.size

    @property
    def device(self):
        """The device that it is on."""
        return self._block.device

    @property
    def device_id(self):
        """The number of that device."""
        return self.device.id

    def __int__(self):
        return self.ptr


class Memory(BaseMemory):
    """New bytes on the current device, which no pool keeps.

    >>> cp.cuda.Memory(100).size
    100
    """

    def __init__(self, size):
        super().__init__(_direct.allocate(size))


class MemoryAsync(BaseMemory):
    """The same in the order of a stream, the current one by default."""

    def __init__(self, size, stream=None):
        with contextlib.nullcontext() if stream is None else stream:
            self._own(_direct.allocate(size))

    def _own(self, block):
        from .cuda.stream import get_current_stream

        super().__init__(block)
        stream = get_current_stream()
        self.stream_ref = lambda: stream

    @classmethod
    def _of(cls, block):
        memory = cls.__new__(cls)
        memory._own(block)
        return memory


class _Naming(threading.local):
    memory = None


naming = _Naming()  # for hooks: the PooledMemory that this thread is about to allocate


class PooledMemory(BaseMemory):
    """Bytes from a pool, which gets them back with the last array over them."""

    @classmethod
    def _from(cls, pool, size):
        naming.memory = memory = cls.__new__(cls)
        try:
            memory._block = pool.allocate(size)
        finally:
            naming.memory = None
        return memory

    def free(self):
        """Gives the bytes back now, unless arrays use them."""
        self._block = _core.empty(0, "uint8")


class ManagedMemory(BaseMemory):
    """Bytes that move between host and device by themselves; on the CPU, new bytes of its memory.

    >>> memory = cp.cuda.ManagedMemory(100)
    >>> memory.prefetch(cp.cuda.Stream.null)
    """

    def __init__(self, size):
        super().__init__(_managed.allocate(size))

    def prefetch(self, stream, *, device_id=None):
        """Moves the bytes to a device, theirs by default, as work of the stream."""
        device = self.device_id if device_id is None else _known(device_id, "ManagedMemory.prefetch")
        _core.prefetch(self._block, stream, device)

    def advise(self, advise, dev):
        """Tells the driver how the bytes will be used: CUDA's numbers, 1 to 6."""
        number = as_integer(advise, "cuda.ManagedMemory.advise", "advise")
        if not 1 <= number <= 6:
            raise _core.CUDARuntimeError(
                f"cuprum.cuda.ManagedMemory.advise: {number} is invalid; advices are 1 to 6 (cudaErrorInvalidValue)"
            )
        _core.advise(self._block, number, dev.id)


def _known(device_id, function):
    """The number of a device that there is; -1 is the host."""
    number = as_integer(device_id, f"cuda.{function}", "device_id")
    if number >= 0:
        try:
            _core.device_info(numbered(number).name)
        except (RuntimeError, ValueError) as error:
            raise _core.CUDARuntimeError(
                f"cuprum.cuda.{function}: there is no device {number} (cudaErrorInvalidDevice)"
            ) from error
    return number


_direct = _core.MemoryPool("direct")
_managed = _core.MemoryPool("managed direct")


class UnownedMemory(BaseMemory):
    """Memory that somebody else has allocated, by its address; `owner` is kept until the last array over it has gone.

    >>> a = cp.arange(3)
    >>> mem = cp.cuda.UnownedMemory(a.data.ptr, a.nbytes, a)
    >>> b = cp.ndarray(3, a.dtype, cp.cuda.MemoryPointer(mem, 0))
    >>> b[0] = 7
    >>> a
    array([7, 1, 2])
    """

    @_core.composite  # memory of an array is where the array is
    def __init__(self, ptr, size, owner, device_id=-1):
        with Device() if device_id < 0 else numbered(device_id):
            super().__init__(_core.memory_at(ptr, size, owner))


def numbered(number):
    """The device of that number and of the current one's kind, which is CUDA's where there is a choice; on a machine
    without CUDA, number 0 is where everything runs."""
    if _core.device_name().startswith("far"):
        return Device(f"far:{number}")
    return Device() if number == 0 and _core.cuda_device_count() == 0 else Device(number)


class MemoryPointer:
    """An address on a device: `mem`, the memory that it points into, and how many bytes behind its start.

    >>> a = cp.arange(4)
    >>> cp.ndarray(2, a.dtype, a.data + 2 * a.itemsize)
    array([2, 3])
    """

    def __init__(self, mem, offset):
        self.mem = mem
        self._offset = offset

    @property
    def _block(self):
        return self.mem._block

    @property
    def ptr(self):
        """The address; 0 where the memory has no bytes."""
        return self.mem.ptr + self._offset

    @property
    def device(self):
        """The device that it is on."""
        return self.mem.device

    @property
    def device_id(self):
        """The number of that device."""
        return self.mem.device_id

    def __int__(self):
        return self.ptr

    def __add__(self, nbytes):
        return MemoryPointer(self.mem, self._offset + nbytes)

    __radd__ = __add__

    def __sub__(self, nbytes):
        return MemoryPointer(self.mem, self._offset - nbytes)

    def __repr__(self):
        return f"<MemoryPointer {self.ptr:#x} device={self.device_id} mem={self.mem!r}>"

    def bytes(self, size):
        """The `size` bytes from here on, as a vector of uint8."""
        return _core.ndarray(size, "uint8", self)

    def copy_from_device(self, src, size):
        """Copies bytes from another pointer on the device."""
        if size:
            self.bytes(size)[...] = src.bytes(size)

    def copy_from_host(self, mem, size):
        """Copies bytes from host memory: an object with a buffer, or an address (a number or a `ctypes.c_void_p`)."""
        if size:
            self.bytes(size)[...] = _core.frombuffer(_host_bytes(mem, size), "uint8")

    def copy_to_host(self, mem, size):
        """Copies bytes into host memory: an object with a writeable buffer, or an address."""
        if size:
            self.bytes(size).get(out=_numpy_bytes(_host_bytes(mem, size)))

    def copy_from(self, mem, size):
        """Copies bytes from a pointer on the device, or from host memory."""
        copy = self.copy_from_device if isinstance(mem, MemoryPointer) else self.copy_from_host
        copy(mem, size)

    def memset(self, value, size):
        """Sets every one of `size` bytes to `value`."""
        if size:
            self.bytes(size).fill(value)

    def copy_from_device_async(self, src, size, stream=None):
        """`copy_from_device` as work of a stream, the current one by default."""
        with _on(stream):
            self.copy_from_device(src, size)

    def copy_from_host_async(self, mem, size, stream=None):
        """`copy_from_host` as work of a stream. The host memory may be used again when the call returns."""
        with _on(stream):
            self.copy_from_host(mem, size)

    def copy_from_async(self, mem, size, stream=None):
        """`copy_from` as work of a stream."""
        with _on(stream):
            self.copy_from(mem, size)

    def copy_to_host_async(self, mem, size, stream=None):
        """`copy_to_host` without waiting: the bytes are there when the stream has got so far."""
        if size:
            with _on(stream):
                self.bytes(size).get(out=_numpy_bytes(_host_bytes(mem, size)), blocking=False)

    def memset_async(self, value, size, stream=None):
        """`memset` as work of a stream."""
        with _on(stream):
            self.memset(value, size)


def _on(stream):
    return contextlib.nullcontext() if stream is None else stream


def _host_bytes(mem, size):
    """`size` bytes of the host: from an object with a buffer, or at an address."""
    address = mem.value if isinstance(mem, ctypes.c_void_p) else mem
    if isinstance(address, int):
        return memoryview((ctypes.c_ubyte * size).from_address(address)).cast("B")
    return memoryview(mem).cast("B")[:size]


def _numpy_bytes(view):
    return np.frombuffer(view, np.uint8)


def data(self):
    """Where the array begins: `x.data.ptr` is its address, `x.data.mem` the memory that holds it."""
    block, offset = _core.block_of(self)
    return MemoryPointer(PooledMemory(block), offset)


_core.ndarray.data = property(data)
