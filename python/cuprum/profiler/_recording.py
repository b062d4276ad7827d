"""What the recorder of the core (src/runtime/trace.h) gives, as Python objects."""

import threading
import typing

from .. import _core


class Span(typing.NamedTuple):
    """Time that a stream or a thread of the host has spent on something."""

    kind: str  # kernel, call, upload, download, peer, wait, host, range
    lane: int  # a stream's number; a thread: -1 - its number
    begin: int  # nanoseconds of the steady clock
    end: int
    name: str
    expression: str  # the lines that show_graph prints
    places: str  # of each line
    place: str | None  # the line of the program
    bytes: int
    host: int  # address of a copy's host memory
    pinned: bool
    other: str | None  # the device at the other end


class Recording:
    """Begun when it is made; `stop` ends it."""

    def __init__(self):
        self.begin = _core.start_recording()
        self.end = None
        self.spans, self.threads, self.lost = [], [], 0
        self.streams = {}  # number of a stream: (device, is it the device's first one)

    def stop(self):
        """Waits for what was handed over, and reads the spans."""
        self.end = _core.trace_clock()
        spans, self.streams, self.threads, self.lost = _core.stop_recording(self.begin)
        self.spans = [Span(*span) for span in spans]
        self.end = max([self.end, *(span.end for span in self.spans)])
        return self

    def thread_names(self):
        """{number of a thread: its name}."""
        known = {thread.native_id: thread.name for thread in threading.enumerate()}
        return {n: known.get(number) or f"{name} {number}" for n, (number, name) in enumerate(self.threads)}
