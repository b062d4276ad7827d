"""Streams and events, with CuPy's names.

A stream is an ordered queue of a device. Work on different streams overlaps, and the library keeps the order of the
program between them: whatever reads an array comes after what writes it, on whichever stream, by itself.
Operations stay pending as everywhere; leaving a stream hands over what was recorded there.
"""

import functools
import threading
import warnings

from .. import _core
from .._checks import as_integer
from .._memory import numbered
from .event import Event, get_elapsed_time
from .graph import Graph

__all__ = ["Event", "ExternalStream", "Stream", "get_current_stream", "get_elapsed_time", "is_ptds_enabled"]


class _Chosen(threading.local):
    """The streams that this thread has chosen, by the name of their device; the first of a device is not listed."""

    def __init__(self):
        self.streams = {}
        self.own = {}  # the thread's own ones: ptds
        self.entered = {}  # those of the `with` blocks that the thread is in


_chosen = _Chosen()
_firsts = {}  # by the name of their device


def _first(device):
    """The stream of those who choose none."""
    found = _firsts.get(device)
    return found or _firsts.setdefault(device, Stream._of(_core.first_stream(device)))


def _own(device):
    """The stream of this thread."""
    if device not in _chosen.own:
        _chosen.own[device] = Stream._of(_core.take_stream(device, True, 0))
    return _chosen.own[device]


class BaseStream:
    """What streams of every origin can do."""

    _handle = None
    _device_id = None

    @functools.cached_property
    def _device(self):
        """The name of its device."""
        return self._handle.device_name

    @property
    def ptr(self):
        """The address of the native stream, for other libraries."""
        return self._handle.ptr

    @property
    def device_id(self):
        """The number of its device; -1 for a stream of another library that came without one."""
        if self._device_id is not None:
            return self._device_id
        return int(self._device.partition(":")[2] or 0)

    @property
    def is_non_blocking(self):
        """Was it made with `non_blocking=True`?"""
        return self._handle.non_blocking

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

        What is pending is handed over first, so that a loop that waits for this ends. No event is recorded. Asking a
        stream that captures breaks the capture, as in CUDA.

        >>> stream = cp.cuda.Stream()
        >>> stream.synchronize()
        >>> stream.done
        True
        """
        return self._handle.done

    def record(self, event=None):
        """Records an event, a new one by default, behind all that the stream was given, and returns it."""
        if event is None:
            event = Event._on(self._device)
        event.record(self)
        return event

    def wait_event(self, event):
        """What the stream is given from now on comes behind the event. One that was recorded on a stream that captures
        lets this one join the capture, until it ends."""
        self._handle.wait_event(event._event)

    def launch_host_func(self, callback, arg):
        """Calls `callback(arg)` on a thread of the device when all that the stream was given so far is done. A capture
        keeps it, and calls it with every launch.

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
        _chosen.streams[self._device] = self
        self._handle.use()
        return self

    def __enter__(self):
        _chosen.entered.setdefault(self._device, []).append(self)
        return self.use()

    def __exit__(self, *_):
        """Back to the stream of the block around it, or to the null stream: what `use` has chosen is forgotten."""
        name = self._device
        blocks = _chosen.entered[name]
        blocks.pop()
        (blocks[-1] if blocks else _first(name)).use()

    def __eq__(self, other):
        return isinstance(other, BaseStream) and self._handle.number == other._handle.number

    def __hash__(self):
        return hash(self._handle.number)

    def __repr__(self):
        return f"<{type(self).__name__} {self._handle.number} (device {self._device})>"


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
        """A stream of another library, by its `__cuda_stream__` method; the object stays alive with the result. Streams
        of this library are known again: work under either name keeps the order of the program.

        >>> stream = cp.cuda.Stream()
        >>> cp.cuda.Stream.from_external(stream) == stream
        True
        """
        is_own = isinstance(stream, BaseStream)
        made = Stream._of(
            stream._handle if is_own else _core.external_stream(_core.device_name(), _address_of(stream))
        )
        made._foreign_stream_ref = stream
        made._device_id = -1  # the protocol does not say
        return made


def _address_of(stream):
    """What the protocol `__cuda_stream__` says of an object."""
    where = "cuprum.cuda.Stream.from_external: "
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is None:
        raise TypeError(
            f"{where}a {type(stream).__name__} does not implement __cuda_stream__; write ExternalStream(address) "
            "for an address"
        )
    answer = protocol() if callable(protocol) else protocol
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise TypeError(f"{where}__cuda_stream__ must return a 2-tuple, not {answer!r}")
    if not all(isinstance(part, int) for part in answer):
        raise TypeError(f"{where}__cuda_stream__ must return (int, int), not {answer!r}")
    version, address = answer
    if version != 0:
        raise TypeError(f"{where}unsupported version {version} of __cuda_stream__; write version 0")
    return address


def _checked_priority(priority, device):
    if priority is None:
        return 0
    priority = as_integer(priority, "cuda.Stream", "priority")
    first, last = _core.stream_priorities(device)
    return min(max(priority, first), last)


class ExternalStream(BaseStream):
    """A stream that another library has made, by its address. It must live as long as it is used here;
    `Stream.from_external` sees to that."""

    def __init__(self, ptr, device_id=-1):
        warnings.warn(
            "cuprum.cuda.ExternalStream is deprecated; write Stream.from_external(stream), which keeps it alive",
            DeprecationWarning,
            stacklevel=2,
        )
        self._device_id = as_integer(device_id, "cuda.ExternalStream", "device_id")
        self._handle = _core.external_stream(
            _named(self._device_id), as_integer(ptr, "cuda.ExternalStream", "ptr")
        )


def _named(device_id):
    """The device of a number; -1: the current one."""
    return _core.device_name() if device_id == -1 else numbered(device_id).name


def get_current_stream(device_id=-1):
    """The stream that this thread's work on a device goes to, the current one by default.

    >>> cp.cuda.get_current_stream() == cp.cuda.Stream.null
    True
    """
    device = _named(as_integer(device_id, "cuda.get_current_stream", "device_id"))
    return _chosen.streams.get(device) or _first(device)


def is_ptds_enabled():
    """Do threads use streams of their own by default? No: write `Stream.ptds.use()`."""
    return False
