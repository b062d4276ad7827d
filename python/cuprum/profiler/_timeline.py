"""The timeline: what was recorded, as one page that opens from disk."""

import functools
import html
import json
import os
import sys
import threading
import time
from importlib import resources

import numpy as np

from .. import _core, _device
from .._pinned import empty_pinned
from ..cuda.stream import Event, get_current_stream, get_elapsed_time
from ._recording import Recording
from ._transfers import source_of

_KINDS = ["kernel", "call", "upload", "download", "peer", "wait", "host", "range"]


class timeline:
    """Records what runs in a block and writes it as one page: streams, kernels, copies, waits and host work on a time
    axis, with zoom, search and a table of the costliest expressions. The page needs no network and no other file.

    Times are those of the device: on CUDA by events around each piece of work, which it takes a few microseconds to
    hand over. `of the bus` is beside what a plain copy of memory moves, measured when the page is made.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "out.html")
    >>> with cp.profiler.timeline(path) as t:
    ...     total = float((cp.arange(1000.0) ** 2).sum())
    >>> os.path.getsize(path) > 10_000
    True
    """

    def __init__(self, path, title=None):
        self.path = os.fspath(path)
        self._title = title
        self._recording = None

    def __enter__(self):
        with open(self.path, "w"):  # what cannot be written is known before an hour's work
            pass
        self._recording = Recording()
        return self

    def __exit__(self, *_):
        recording = self._recording.stop()
        title = self._title or f"Timeline of {os.path.basename(sys.argv[0] or 'Python')}"
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(_page(title, _as_data(recording, title)))

    def _repr_html_(self):
        """In a notebook: the page itself."""
        with open(self.path, encoding="utf-8") as file:
            text = html.escape(file.read())
        return f'<iframe srcdoc="{text}" width="100%" height="720" frameborder="0"></iframe>'


def _page(title, data):
    template = (resources.files(__package__) / "timeline.html").read_text(encoding="utf-8")
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return template.replace("__TITLE__", html.escape(title), 1).replace("__DATA__", text, 1)


class _Texts:
    """Each text once."""

    def __init__(self):
        self.all, self._numbers = [], {}

    def number(self, text):
        text = text or ""
        if text not in self._numbers:
            self._numbers[text] = len(self.all)
            self.all.append(text)
        return self._numbers[text]


def _as_data(recording, title):
    """What the page reads: lanes, texts, and spans as columns."""
    texts = _Texts()
    lanes, number = _lanes(recording)
    spans = recording.spans
    columns = {
        "kind": [_KINDS.index(span.kind) for span in spans],
        "lane": [number[span.lane] for span in spans],
        "begin": [max(0, span.begin - recording.begin) for span in spans],
        "length": [span.end - span.begin for span in spans],
        "name": [texts.number(span.name) for span in spans],
        "expression": [texts.number(span.expression) for span in spans],
        "places": [texts.number(span.places) for span in spans],
        "place": [texts.number(span.place) for span in spans],
        "bytes": [span.bytes for span in spans],
        "pinned": [int(span.pinned) for span in spans],
    }
    places = {place for span in spans for place in (span.place or "", *span.places.split("\n")) if place}
    devices = ", ".join(_describe(device) for device in sorted({d for d, _ in recording.streams.values()}))
    lost = f", {recording.lost} spans were not kept" if recording.lost else ""
    return {
        "title": title,
        "subtitle": f"{devices or 'no device'} · {time.strftime('%Y-%m-%d %H:%M')}{lost}",
        "duration": recording.end - recording.begin,
        "lanes": lanes,
        "texts": texts.all,
        "spans": columns,
        "sources": {place: source_of(place) for place in places},
    }


def _describe(device):
    model = _core.device_info(device)["description"]
    return device if model == device else f"{device}: {model}"


def _lanes(recording):
    """The lanes of the page, threads of the host first, then the streams of each device; and each one's number."""
    lanes, number = [], {}
    threads = recording.thread_names()
    main = threading.main_thread().name
    used = {span.lane for span in recording.spans if span.lane < 0}
    for lane in sorted(used, key=lambda lane: (threads[-1 - lane] != main, -lane)):
        number[lane] = len(lanes)
        lanes.append({"name": threads[-1 - lane], "host": True, "device": ""})
    for lane, (device, is_first) in sorted(recording.streams.items(), key=lambda item: (item[1][0], item[0])):
        number[lane] = len(lanes)
        name = f"stream {lane}" + (" (default)" if is_first else "")
        lanes.append({"name": name, "host": False, "device": device, "bus": _bus(device)})
    return lanes, number


@functools.cache
def _bus(device):
    """Bytes per second that plain copies move, within the memory of a device, and between it and pinned host memory;
    None where there is no room to measure it."""
    nbytes = (1 << 28) if device.startswith("cuda") else (1 << 25)  # more than a cache holds
    try:
        with _device.Device(device):
            return _measured_bus(nbytes)
    except MemoryError:
        return None


def _measured_bus(nbytes):
    a, b = _core.evaluate(_core.zeros(nbytes, "uint8"), _core.zeros(nbytes, "uint8"))
    host = empty_pinned(nbytes, np.uint8)
    host[...] = 0

    def seconds(work):
        times = []
        for _ in range(4):
            start, stop = Event(), Event()
            start.record()
            work()
            stop.record()
            stop.synchronize()
            times.append(get_elapsed_time(start, stop) * 1e-3)
        return max(min(times), 1e-9)

    within = seconds(lambda: b.__setitem__(Ellipsis, a))
    across = seconds(lambda: a.get(stream=get_current_stream(), out=host))
    return {"memory": 2 * nbytes / within, "host": nbytes / across}
