"""Device memory as CuPy shows it: `x.data.ptr`, blocks of bytes, memory of others by its address, the pool.

Every device has one pool, in which all of its arrays live. A MemoryPointer is an address in a block; `cp.ndarray` takes
it for `memptr` and makes an array there.
"""

from . import _core
from ._core import MemoryPool
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
    """New bytes from the pool of the current device.

    >>> cp.cuda.Memory(100).size
    100
    """

    def __init__(self, size):
        super().__init__(_core.empty(size, "uint8"))


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

    def bytes(self, size):
        """The `size` bytes from here on, as a vector of uint8."""
        return _core.ndarray(size, "uint8", self)

    def copy_from_device(self, src, size):
        """Copies bytes from another pointer on the device."""
        self.bytes(size)[...] = src.bytes(size)

    def copy_from_host(self, mem, size):
        """Copies bytes from host memory, given as an object with a buffer."""
        self.bytes(size)[...] = _core.frombuffer(memoryview(mem).cast("B")[:size], "uint8")

    def copy_to_host(self, mem, size):
        """Copies bytes into host memory, given as an object with a writeable buffer."""
        memoryview(mem).cast("B")[:size] = memoryview(self.bytes(size).get())

    def copy_from(self, mem, size):
        """Copies bytes from a pointer on the device, or from host memory."""
        copy = self.copy_from_device if isinstance(mem, MemoryPointer) else self.copy_from_host
        copy(mem, size)

    def memset(self, value, size):
        """Sets every one of `size` bytes to `value`."""
        self.bytes(size).fill(value)


def data(self):
    """Where the array begins: `x.data.ptr` is its address, `x.data.mem` the memory that holds it."""
    block, offset = _core.block_of(self)
    return MemoryPointer(BaseMemory(block), offset)


def malloc(self, size):
    """A pointer to `size` new bytes.

    >>> cp.get_default_memory_pool().malloc(10).mem.size
    10
    """
    return MemoryPointer(Memory(size), 0)


_core.ndarray.data = property(data)
MemoryPool.malloc = malloc
