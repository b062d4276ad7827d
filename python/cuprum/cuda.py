"""CUDA devices, with CuPy's names: `cp.cuda.Device(1)`, `cp.cuda.Event()`, `cp.cuda.runtime.getDeviceCount()`.

Everything works without a GPU as well: `is_available()` is False then, the null stream and events are those of the CPU.
"""

from . import _core
from ._core import MemoryPool
from ._device import Device as _Device

__all__ = [
    "Device",
    "Event",
    "MemoryPool",
    "Stream",
    "get_current_stream",
    "get_device_id",
    "get_elapsed_time",
    "is_available",
    "runtime",
    "synchronize",
]


class Device(_Device):
    """A CUDA device by its number; without one, the device that new arrays live on.

    >>> cp.cuda.Device().synchronize()
    """

    def __init__(self, device=None):
        super().__init__(device)


class Event:
    """A point in the work of the current device. Recording evaluates what is pending.

    >>> start, stop = cp.cuda.Event(), cp.cuda.Event()
    >>> start.record()
    >>> a = cp.ones(1000) + 1
    >>> stop.record()
    >>> cp.cuda.get_elapsed_time(start, stop) >= 0
    True
    """

    def __init__(self, block=False, disable_timing=False, interprocess=False):
        self._event = _core.DeviceEvent(_core.device_name())

    def record(self, stream=None):
        """Marks the point behind everything that the program has asked of the device so far."""
        self._event.record()

    def synchronize(self):
        """Waits until the work before the event is done."""
        self._event.synchronize()

    @property
    def done(self):
        """Is the work before the event done?"""
        return self._event.done


def get_elapsed_time(start_event, end_event):
    """Milliseconds between two recorded events, by the device's clock."""
    return _core.elapsed(start_event._event, end_event._event)


class Stream:
    """The stream of the current device: all its work goes there, in the order of the program."""

    null = None  # the one stream, set below

    def __init__(self, null=False, non_blocking=False, ptds=False, priority=None):
        pass  # CuPy's arguments: they choose among streams, and there is one

    @property
    def ptr(self):
        """The address of the native stream; 0 for the CPU."""
        return _core.device_info(_core.device_name())["stream"]

    def synchronize(self):
        """Evaluates what is pending, and waits until the device has done it."""
        _core.synchronize(_core.device_name())

    @property
    def done(self):
        """Has the device done everything that it was given?"""
        event = Event()
        event._event.record()
        return event.done

    def record(self, event=None):
        """Records an event, a new one by default, and returns it."""
        event = Event() if event is None else event
        event.record()
        return event

    def use(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


Stream.null = Stream()


def get_current_stream(device_id=-1):
    """The stream that work is given to."""
    return Stream.null


def is_available():
    """Is there a CUDA device that works? `python -m cuprum info` says why not.

    >>> cp.cuda.is_available() in (True, False)
    True
    """
    return _core.cuda_device_count() > 0


def get_device_id():
    """The number of the current device."""
    return _Device().id


def synchronize():
    """Evaluates what is pending on the current device, and waits for it."""
    _core.synchronize(_core.device_name())


class runtime:
    """A few functions of the CUDA runtime under their own names."""

    class CUDARuntimeError(RuntimeError):
        pass

    @staticmethod
    def getDeviceCount():
        """Number of CUDA devices; 0 where CUDA cannot be used."""
        return _core.cuda_device_count()

    @staticmethod
    def getDevice():
        """The number of the current device."""
        return get_device_id()

    @staticmethod
    def setDevice(device):
        """New arrays of this thread live on CUDA device number `device` from now on."""
        Device(device).use()

    @staticmethod
    def deviceSynchronize():
        """Waits for the current device."""
        synchronize()

    @staticmethod
    def memGetInfo():
        """Free and total bytes of the current device."""
        return _Device().mem_info
