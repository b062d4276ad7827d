"""A few functions of the CUDA runtime under their own names."""

from .. import _core
from .._device import Device as _Device
from .._memory import numbered

__all__ = [
    "CUDARuntimeError", "deviceSynchronize", "getDevice", "getDeviceCount", "is_hip", "memGetInfo", "setDevice",
]  # fmt: skip

is_hip = False


class CUDARuntimeError(RuntimeError):
    pass


def getDeviceCount():
    """Number of CUDA devices; 0 where CUDA cannot be used."""
    return _core.cuda_device_count()


def getDevice():
    """The number of the current device."""
    return _Device().id


def setDevice(device):
    """New arrays of this thread live on CUDA device number `device` from now on."""
    numbered(device).use()


def deviceSynchronize():
    """Waits for the current device."""
    _core.synchronize(_core.device_name())


def memGetInfo():
    """Free and total bytes of the current device."""
    return _Device().mem_info
