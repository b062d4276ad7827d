"""Streams and events, with CuPy's names.

A stream is an ordered queue of a device. Work on different streams overlaps, and the library keeps the order of the
program between them: whatever reads an array comes after what writes it, on whichever stream, by itself.
Operations stay pending as everywhere; leaving a stream hands over what was recorded there.
"""

import threading

from .. import _core
from .._checks import as_integer
from .event import Event, get_elapsed_time
from .graph import Graph

__all__ = ["Event", "ExternalStream", "Stream", "get_current_stream", "get_elapsed_time", "is_ptds_enabled"]


class _Chosen(threading.local):
    """The streams that this thread has chosen, by the name of their device; the first of a device is not listed."""

    def __init__(self):
        self.streams = {}
        self.own = {}  # the thread's own ones: ptds
        self.before = []  # what the `with` blocks that the thread is in give back


_chosen = _Chosen()


def _first(device):
    """The stream of those who choose none."""
    return Stream._of(_core.first_stream(device))


def _own(device):
    """The stream of this thread."""
    if device not in _chosen.own:
        _chosen.own[device] = Stream._of(_core.take_stream(device, True, 0))
    return _chosen.own[device]


class BaseStream:
    """What streams of every origin can do."""

    _handle = None

    @property
    def ptr(self):
        """The address of the native stream, for other libraries; 0 where the device has none."""
        return self._handle.ptr

    @property
    def device_id(self):
        """The number of its device."""
        return int(self._handle.device_name.partition(":")[2] or 0)

    @property
    def priority(self):
        """Lower numbers go first."""
        return self._handle.priority

    def __cuda_stream__(self):
        """The protocol by which libraries exchange streams: its version and the address."""
        return (0, self.ptr)

    def synchronize(self):
        """Hands over what is pending here, and waits until the device has done all that the stream was given."""
        self._handle.synchronize()

    @property
    def done(self):
        """Has the device done everything that the program has asked of the stream so far?

        What is pending is handed over first, so that a loop that waits for this ends. No event is recorded.

        >>> stream = cp.cuda.Stream()
        >>> stream.synchronize()
        >>> stream.done
        True
        """
        return self._handle.done

    def record(self, event=None):
        """Records an event, a new one by default, behind all that the stream was given, and returns it."""
        if event is None:
            event = Event._on(self._handle.device_name)
        event.record(self)
        return event

    def wait_event(self, event):
        """What the stream is given from now on comes behind the event."""
        self._handle.wait_event(event._event)

    def launch_host_func(self, callback, arg):
        """Calls `callback(arg)` on a thread of the device when all that the stream was given so far is done.

        >>> seen = []
        >>> with cp.cuda.Stream() as stream:
        ...     stream.launch_host_func(seen.append, "done")
        >>> stream.synchronize()
        >>> seen
        ['done']
        """
        self._handle.launch_host(lambda: callback(arg))

    def add_callback(self, callback, arg):
        """The same for `callback(stream, error, arg)`; the error is 0."""
        self._handle.launch_host(lambda: callback(self, 0, arg))

    def begin_capture(self, mode=None):
        """Keeps the work that the stream is given from now on, instead of running it; see `end_capture`."""
        self._handle.begin_capture()

    def end_capture(self):
        """The work since `begin_capture`, which `launch` runs as often as one likes.

        >>> a = cp.zeros(3)
        >>> with cp.cuda.Stream() as stream:
        ...     stream.begin_capture()
        ...     a += 1
        ...     graph = stream.end_capture()
        >>> graph.launch()
        >>> graph.launch()
        >>> a
        array([2., 2., 2.])
        """
        return Graph(self._handle.end_capture())

    def is_capturing(self):
        """Between `begin_capture` and `end_capture`?"""
        return self._handle.captures

    def use(self):
        """From now on this thread's work on the device of the stream goes there. Returns the stream."""
        _chosen.streams[self._handle.device_name] = self
        self._handle.use()
        return self

    def __enter__(self):
        name = self._handle.device_name
        _chosen.before.append(_chosen.streams.get(name) or _first(name))
        return self.use()

    def __exit__(self, *_):
        _chosen.before.pop().use()

    def __eq__(self, other):
        return isinstance(other, BaseStream) and self._handle.number == other._handle.number

    def __hash__(self):
        return hash(self._handle.number)

    def __repr__(self):
        return f"<{type(self).__name__} {self._handle.number} (device {self._handle.device_name})>"


class _Default:
    """`Stream.null` and `Stream.ptds`: the default streams of the current device."""

    def __init__(self, find):
        self._find = find

    def __get__(self, instance, owner):
        return self._find(_core.device_name())


class Stream(BaseStream):
    """A stream of the current device: `null=True` the one that work goes to by default, `ptds=True` the thread's own,
    else a new one. `non_blocking` and `priority` are CUDA's.

    >>> with cp.cuda.Stream(non_blocking=True) as stream:
    ...     a = cp.ones(3) + 1
    >>> stream.synchronize()
    """

    null = _Default(_first)
    ptds = _Default(_own)

    def __init__(self, null=False, non_blocking=False, ptds=False, priority=None):
        device = _core.device_name()
        if null and ptds:
            raise ValueError("cuprum.cuda.Stream: null and ptds exclude each other; write one of them")
        if null:
            self._handle = _first(device)._handle
        elif ptds:
            self._handle = _own(device)._handle
        else:
            self._handle = _core.take_stream(device, bool(non_blocking), _checked_priority(priority, device))

    @classmethod
    def _of(cls, handle):
        stream = cls.__new__(cls)
        stream._handle = handle
        return stream

    @staticmethod
    def from_external(stream):
        """A stream of another library, by its `__cuda_stream__` method or, as an integer, by its address."""
        if isinstance(stream, BaseStream):
            return stream
        protocol = getattr(stream, "__cuda_stream__", None)
        if protocol is None:
            return ExternalStream(as_integer(stream, "cuda.Stream.from_external", "stream"))
        version, address = protocol() if callable(protocol) else protocol
        if version != 0:
            raise ValueError(
                f"cuprum.cuda.Stream.from_external: version {version} of __cuda_stream__ is not known"
            )
        return ExternalStream(address)


def _checked_priority(priority, device):
    if priority is None:
        return 0
    priority = as_integer(priority, "cuda.Stream", "priority")
    first, last = _core.stream_priorities(device)
    return min(max(priority, first), last)


class ExternalStream(BaseStream):
    """A stream that another library has made, by its address. It must live as long as it is used here."""

    def __init__(self, ptr, device_id=-1):
        device = _core.device_name()
        if device_id != -1:
            device = f"{device.partition(':')[0]}:{as_integer(device_id, 'cuda.ExternalStream', 'device_id')}"
        self._handle = _core.external_stream(device, as_integer(ptr, "cuda.ExternalStream", "ptr"))


def get_current_stream(device_id=-1):
    """The stream that this thread's work on a device goes to, the current one by default.

    >>> cp.cuda.get_current_stream() == cp.cuda.Stream.null
    True
    """
    device = _core.device_name()
    if device_id != -1:
        kind = device.partition(":")[0]
        device = _core.device_called(f"{kind}:{device_id}") or device
    return _chosen.streams.get(device) or _first(device)


def is_ptds_enabled():
    """Do threads use streams of their own by default? No: write `Stream.ptds.use()`."""
    return False
