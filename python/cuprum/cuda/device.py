"""CUDA devices by their number, with CuPy's names."""

from .. import _core
from .._checks import as_integer
from .._device import Device as _Device
from .._memory import numbered

__all__ = ["Device", "get_compute_capability", "get_device_id"]


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


def get_device_id():
    """The number of the current device."""
    return _Device().id


def get_compute_capability():
    """CUDA's compute capability of the current device, as in '90'; None for the CPU."""
    return _Device(_core.device_name()).compute_capability
