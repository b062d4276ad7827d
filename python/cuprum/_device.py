"""Devices: where arrays live."""

import atexit
import functools
import os
import sys
import threading

from . import _core
from ._checks import as_integer

__all__ = ["Device"]


def _name_of(text):
    """The one name of the device that a text means, None if it means none; the device need not be there."""
    return _core.device_called(text) if text.isascii() else None


class _Entered(threading.local):
    """What was current before each `with` block that this thread is in; one Device may be entered by many threads."""

    def __init__(self):
        self.before = []


_entered = _Entered()


@functools.total_ordering
class Device:
    """A device: `cp.Device("cpu")`, `cp.Device("cuda:0")`, `cp.Device(0)` (a CUDA device); without an argument the one
    that new arrays live on. In a `with` block new arrays of this thread live there. `cp.Device("auto")` is the CUDA
    device, and in its block small arrays stay on the host until they meet large ones.

    >>> with cp.Device("cpu"):
    ...     a = cp.zeros(3)
    >>> a.device
    <Device cpu>
    """

    def __init__(self, device=None):
        if device is None:
            name = _core.device_name()
        elif isinstance(device, Device):
            name = device._name
        elif isinstance(device, str):
            name = _name_of(device)
        else:
            name = _name_of(f"cuda:{as_integer(device, 'Device', 'device')}")
        if name is None:
            raise ValueError(
                f"cuprum.Device: {device!r} is not a device of this library; the devices are 'cpu', 'cuda', 'cuda:N' "
                "and 'auto'"
            )
        self._entry = device._entry if isinstance(device, Device) else name  # what new arrays are made for
        self._name = _core.device_info(name)["name"] if name.startswith("auto") else name

    @property
    def id(self):
        """The number of a CUDA device; 0 for the CPU."""
        return int(self._name.partition(":")[2] or 0)

    @property
    def name(self):
        """What CUPRUM_DEVICE calls it: 'cpu', 'cuda:0'."""
        return self._name

    @property
    def compute_capability(self):
        """CUDA's, as in '90'; None for the CPU."""
        return str(_core.device_info(self._name)["compute_capability"] or "") or None

    @property
    def mem_info(self):
        """Free and total bytes of the device."""
        return _core.device_info(self._name)["memory"]

    @property
    def attributes(self):
        """CUDA's attributes of the device by their names; elsewhere those that mean something.

        >>> "MaxThreadsPerBlock" in cp.Device().attributes
        True
        """
        return _core.device_attributes(self._name)

    @property
    def pci_bus_id(self):
        """Where a CUDA device sits, as in '0000:3b:00.0'."""
        if not self._name.startswith("cuda"):
            raise _core.CUDARuntimeError(
                f"cuprum.Device.pci_bus_id: {self} is on no PCI bus (cudaErrorInvalidDevice)"
            )
        return _core.cuda_pci_bus_id(self.id)

    @classmethod
    def from_pci_bus_id(cls, pci_bus_id):
        """The CUDA device that sits there."""
        for number in range(_core.cuda_device_count()):
            if _core.cuda_pci_bus_id(number).lower() == str(pci_bus_id).lower():
                return cls(f"cuda:{number}")
        raise _core.CUDARuntimeError(
            f"cuprum.Device.from_pci_bus_id: there is no CUDA device at {pci_bus_id!r} (cudaErrorInvalidDevice)"
        )

    def use(self):
        """From now on new arrays of this thread live here. Returns the device."""
        _core.enter_device(self._entry)
        return self

    def synchronize(self):
        """Evaluates what is pending on the device, and waits until it has done all its work."""
        _core.synchronize(self._name)

    def __enter__(self):
        _entered.before.append(_core.enter_device(self._entry))
        return self

    def __exit__(self, *_):
        _core.enter_device(_entered.before.pop())

    def __eq__(self, other):
        if isinstance(other, Device):
            return self._name == other._name
        return self._name == _name_of(other) if isinstance(other, str) else NotImplemented

    def __lt__(self, other):
        if not isinstance(other, Device):
            return NotImplemented
        return (self._name.partition(":")[0], self.id) < (other._name.partition(":")[0], other.id)

    def __hash__(self):
        return hash(self._name)

    def __int__(self):
        return self.id

    def __str__(self):
        return self._name

    def __repr__(self):
        return f"<Device {self._name}>"


def device(self):
    """The device that the array lives on."""
    return Device(self._device_name)


def to_device(self, device, /, *, stream=None):
    """The array on another device: itself if it is there already, else a copy, made on a stream of either device.

    >>> cp.arange(3).to_device("cpu").device
    <Device cpu>
    """
    return _core.to_device(self, Device(device).name, stream)


def cuda_array_interface(self):
    """The array's memory for other CUDA libraries (version 3 of the protocol); arrays elsewhere have none."""
    if not self._device_name.startswith("cuda"):
        raise AttributeError(f"__cuda_array_interface__: the array lives on {self._device_name}")
    return {
        "shape": self.shape,
        "typestr": self.dtype.str,
        "data": (self.data.ptr, not self.flags.writeable),
        "version": 3,
        "strides": None if self.flags.c_contiguous else self.strides,
        "stream": _core.current_native_stream(self._device_name),
    }


def array_interface(self):
    """The array's memory for host libraries that ask for it by this protocol, as Pillow does; arrays that the host
    cannot read have none."""
    try:
        readonly = memoryview(self).readonly
    except BufferError as error:
        raise AttributeError(f"__array_interface__: {error}") from None
    return {
        "shape": self.shape,
        "typestr": self.dtype.str,
        "data": (self.data.ptr, readonly),
        "version": 3,
        "strides": None if self.flags.c_contiguous else self.strides,
    }


_core.ndarray.device = property(device)
_core.ndarray.__array_interface__ = property(array_interface)
_core.ndarray.__cuda_array_interface__ = property(cuda_array_interface)
_core.ndarray.to_device = to_device

atexit.register(_core.stop_devices)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_core.before_fork, after_in_parent=_core.after_fork, after_in_child=_core.after_fork
    )

# NVIDIA's wheels are looked for where this Python finds packages.
_core.set_package_folders([path for path in sys.path if path.endswith(("site-packages", "dist-packages"))])
