"""Events: points in the work of a stream."""

from .. import _core

__all__ = ["Event", "get_elapsed_time"]


class Event:
    """A point in the work of a stream of the current device. Recording hands over what is pending there.

    >>> start, stop = cp.cuda.Event(), cp.cuda.Event()
    >>> start.record()
    >>> a = cp.ones(1000) + 1
    >>> stop.record()
    >>> cp.cuda.get_elapsed_time(start, stop) >= 0
    True
    """

    def __init__(self, block=False, disable_timing=False, interprocess=False):
        self._event = _core.DeviceEvent(
            _core.device_name(), bool(block), bool(disable_timing), bool(interprocess)
        )

    @classmethod
    def _on(cls, device):
        event = cls.__new__(cls)
        event._event = _core.DeviceEvent(device, False, False, False)
        return event

    @property
    def ptr(self):
        """The address of the native event; 0 where the device has none."""
        return self._event.ptr

    def record(self, stream=None):
        """Marks the point behind all that the program has asked of a stream so far, the current one by default."""
        from .stream import get_current_stream

        self._event.record((get_current_stream() if stream is None else stream)._handle)

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
