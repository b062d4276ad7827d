"""Copies between the host and devices: each with its line of the program, and warnings of those that need not be."""

import collections
import os
import typing
import warnings

from ._recording import Recording

_LEAST = 4096  # bytes: smaller copies are values, which programs may well look at


class TransferWarning(UserWarning):
    """Bytes go back and forth between the host and a device."""


class Transfer(typing.NamedTuple):
    """A copy: its direction as in "host -> cuda:0", what it moved, how fast, and where the program asked for it."""

    direction: str
    bytes: int
    seconds: float
    pinned: bool
    place: str | None
    source: str
    begin: float  # seconds since the block began
    address: int  # of the host memory

    @property
    def rate(self):
        """Bytes per second."""
        return self.bytes / self.seconds if self.seconds else float("inf")


def in_bytes(n):
    """A number of bytes as text, as in "8.39 MB"."""
    for unit in ("B", "KB", "MB", "GB"):
        if n < 1000:
            return f"{n:.3g} {unit}" if n < 999.5 else f"{n:.0f} {unit}"
        n /= 1000
    return f"{n:.3g} TB"


def short(place):
    """The place without its folders."""
    return os.path.basename(place) if place else "?"


class transfers:
    """Lists the copies between host and devices that a block causes: direction, bytes, rate, pinned or not, and the
    line of the program. Iterating gives them one by one; `print` shows them by line. Bytes that go to the host and
    come back, or go to the device again and again, are reported by a `TransferWarning` that names the lines.

    >>> x = cp.arange(1000.0)
    >>> with cp.profiler.transfers() as t:
    ...     host = cp.asnumpy(x)
    >>> len(t), t[0].bytes, t[0].direction.endswith("-> host")
    (1, 8000, True)
    """

    def __init__(self, warn=True):
        self._warn = warn
        self._copies = []
        self.round_trips = []  # (first line, second line, bytes, how often)

    def __enter__(self):
        self._recording = Recording()
        return self

    def __exit__(self, *_):
        recording = self._recording.stop()
        self._copies = [
            self._transfer(span, recording)
            for span in sorted(recording.spans, key=lambda span: span.begin)
            if span.kind in ("upload", "download", "peer")
        ]
        self.round_trips = _round_trips(self._copies)
        if self._warn:
            for text in _warnings(self.round_trips, self._copies):
                warnings.warn(text, TransferWarning, stacklevel=2)

    @staticmethod
    def _transfer(span, recording):
        device = recording.streams[span.lane][0]
        ends = {"upload": ("host", device), "download": (device, "host"), "peer": (span.other, device)}
        return Transfer(
            " -> ".join(ends[span.kind]),
            span.bytes,
            (span.end - span.begin) * 1e-9,
            span.pinned,
            span.place,
            source_of(span.place),
            (span.begin - recording.begin) * 1e-9,
            span.host,
        )

    def __iter__(self):
        return iter(self._copies)

    def __len__(self):
        return len(self._copies)

    def __getitem__(self, index):
        return self._copies[index]

    @property
    def bytes(self):
        """All bytes that were copied."""
        return sum(copy.bytes for copy in self._copies)

    def __str__(self):
        lines = collections.OrderedDict()
        for copy in self._copies:
            lines.setdefault((copy.direction, copy.pinned, copy.place, copy.source), []).append(copy)
        text = [f"{len(self)} copies, {in_bytes(self.bytes)}"]
        if lines:
            text.append(
                f"{'direction':<16}{'copies':>7}{'bytes':>10}{'time':>11}{'rate':>12}  memory    line"
            )
        for (direction, pinned, place, source), copies in lines.items():
            moved, seconds = sum(c.bytes for c in copies), sum(c.seconds for c in copies)
            rate = in_bytes(moved / seconds) + "/s" if seconds else ""
            text.append(
                f"{direction:<16}{len(copies):>7}{in_bytes(moved):>10}{seconds * 1e3:>8.3f} ms{rate:>12}  "
                f"{'pinned' if pinned else 'pageable':<10}{short(place)}  {source}".rstrip()
            )
        return "\n".join(text + _warnings(self.round_trips, self._copies))

    __repr__ = __str__


def source_of(place):
    """The text of a line of the program."""
    import linecache

    file, _, line = (place or "").rpartition(":")
    return linecache.getline(file, int(line)).strip() if file else ""


def _round_trips(copies):
    """Downloads whose memory, or as many bytes right afterwards, go up again: (line down, line up, bytes, how
    often)."""
    found = collections.Counter()
    down = {}  # address of host memory: the copy that wrote it
    latest = None
    for copy in copies:
        if copy.bytes < _LEAST or not copy.address:
            continue
        if copy.direction.endswith("-> host"):
            down[copy.address] = latest = copy
            continue
        came = down.get(copy.address) or latest
        if (
            came
            and came.bytes == copy.bytes
            and came.direction.split(" ")[0] == copy.direction.split(" ")[-1]
        ):
            found[came.place, copy.place, copy.bytes] += 1
            latest = None
    return [(*key, count) for key, count in found.items()]


def _warnings(round_trips, copies):
    texts = [
        f"cuprum.profiler.transfers: {in_bytes(size)} go to the host at {short(down)} and come back at {short(up)}"
        f"{f', {count} times' if count > 1 else ''}; compute on the device, or keep a copy there"
        for down, up, size, count in round_trips
    ]
    again = collections.Counter(
        (copy.place, copy.address, copy.bytes)
        for copy in copies
        if copy.direction.startswith("host ->") and copy.bytes >= _LEAST
    )
    texts += [
        f"cuprum.profiler.transfers: {in_bytes(size)} of the same host memory go to the device {count} times at "
        f"{short(place)}; copy them once, before the loop"
        for (place, _, size), count in again.items()
        if count > 2 and not any(place == up for _, up, _, _ in round_trips)
    ]
    return texts
