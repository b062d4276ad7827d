"""Streams and events, with CuPy's names.

A device has one stream: all its work goes there, in the order of the program. Every Stream object stands for it, so
code that spreads work over several is right without a word about order; the work just does not overlap.
"""

from .. import _core

__all__ = ["Event", "Stream", "get_current_stream", "get_elapsed_time"]


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
        self._device = _core.device_name()
        self._event = _core.DeviceEvent(self._device)

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
    """The stream of the current device.

    >>> with cp.cuda.Stream(non_blocking=True) as stream:
    ...     a = cp.ones(3) + 1
    >>> stream.synchronize()
    """

    null = None  # the one stream, under CuPy's names for the default streams; set below
    ptds = None

    def __init__(self, null=False, non_blocking=False, ptds=False, priority=None):
        pass  # CuPy's arguments: they choose among streams, and there is one

    @property
    def ptr(self):
        """The address of the native stream; 0 for the CPU."""
        return _core.device_info(_core.device_name())["stream"]

    @property
    def device_id(self):
        """The number of the current device."""
        return int(_core.device_name().partition(":")[2] or 0)

    def synchronize(self):
        """Evaluates what is pending, and waits until the device has done it."""
        _core.synchronize(_core.device_name())

    @property
    def done(self):
        """Has the device done everything that the program has asked of it so far?

        What is pending is given to the device first, so that a loop that waits for this ends. Nothing is recorded.

        >>> stream = cp.cuda.Stream()
        >>> stream.synchronize()
        >>> stream.done
        True
        """
        return _core.done(_core.device_name())

    def record(self, event=None):
        """Records an event, a new one by default, and returns it."""
        event = Event() if event is None else event
        event.record()
        return event

    def wait_event(self, event):
        """What is asked of the device from now on comes after the event. On the device of the event it does anyway."""
        if event._device != _core.device_name():
            event.synchronize()

    def use(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def __eq__(self, other):
        return isinstance(other, Stream)

    def __hash__(self):
        return hash(Stream)


Stream.null = Stream.ptds = Stream()


def get_current_stream(device_id=-1):
    """The stream that work is given to."""
    return Stream.null
