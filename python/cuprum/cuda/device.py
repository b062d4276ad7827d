"""CUDA devices by their number, with CuPy's names."""

from .. import _core
from .._checks import as_integer
from .._device import Device as _Device
from .._memory import numbered

__all__ = ["Device", "from_pointer", "get_compute_capability", "get_device_id"]


class Device(_Device):
    """A CUDA device by its number; without one, the device that new arrays live on. On a machine without a GPU, number
    0 is the CPU: programs that choose device 0 run there too.

    >>> cp.cuda.Device().synchronize()
    >>> with cp.cuda.Device(0):
    ...     a = cp.zeros(3)
    """

    def __init__(self, device=None):
        is_number = device is not None and not isinstance(device, (str, _Device))
        super().__init__(numbered(as_integer(device, "cuda.Device", "device")) if is_number else device)


def from_pointer(ptr):
    """The device whose memory is at that address.

    >>> a = cp.arange(3)
    >>> cp.cuda.device.from_pointer(a.data.ptr) == a.device
    True
    """
    address = as_integer(ptr, "cuda.device.from_pointer", "ptr")
    here = _core.device_name()
    for name in [here, *(f"cuda:{number}" for number in range(_core.cuda_device_count()))]:
        if _core.device_holds(name, address):
            return Device(name)
    raise _core.CUDARuntimeError(
        f"cuprum.cuda.device.from_pointer: no device has memory at {address:#x} (cudaErrorInvalidValue)"
    )


def get_device_id():
    """The number of the current device."""
    return _Device().id


def get_compute_capability():
    """CUDA's compute capability of the current device, as in '90'; None for the CPU."""
    return _Device(_core.device_name()).compute_capability
