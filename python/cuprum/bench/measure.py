"""The clock. Two libraries take turns, so that whatever else the machine does meets both of them alike.

A time is the best of several; the result is evaluated within it, and the previous result is dropped within it, as in
a loop that a user would write.
"""

import os
import time
import timeit
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from .small_rows import SmallRow, names


@dataclass
class Result:
    """Seconds per call of each library, and the bytes that the row had to move."""

    name: str
    seconds: dict  # library name -> seconds
    small: bool = False
    read: int | None = None  # bytes; None where memory is not the limit
    written: int | None = None
    target: float | None = None
    peak: dict | None = None  # library name -> bytes
    error: str | None = None

    def ratio(self, ours):
        """How much faster ours is than the fastest of the others."""
        return min(time for name, time in self.seconds.items() if name != ours) / self.seconds[ours]


@dataclass
class Memory:
    """What the memory bus of this machine gives to buffers of the benchmark's size, in bytes per second."""

    read: float
    copy: float  # counting the bytes once: as many again are written

    @classmethod
    def probe(cls, nbytes, repeats=9):
        """Measured with NumPy, whose max and copy do nothing but wait for memory; on one core and on all."""
        source, target = np.ones(nbytes // 4, np.float32), np.ones(nbytes // 4, np.float32)

        def best(threads, work):
            parts = list(zip(np.array_split(source, threads), np.array_split(target, threads)))
            with ThreadPoolExecutor(threads) as pool:
                return min(timeit.repeat(lambda: list(pool.map(work, parts)), number=1, repeat=repeats))

        read = min(best(threads, lambda part: part[0].max()) for threads in (1, cores()))
        copy = min(best(threads, lambda part: np.copyto(part[1], part[0])) for threads in (1, cores()))
        return cls(nbytes / read, nbytes / copy)

    def limit(self, result):
        """Seconds below which `result` cannot fall: its writes as copies, the rest of its reads as reads."""
        copied = min(result.read, result.written)
        return copied / self.copy + (result.read - copied) / self.read


def cores():
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


class Disagreement(AssertionError):
    """The libraries compute different things: a time would mean nothing."""


def _parts(result):
    return result if isinstance(result, tuple) else (result,)


def _close(ours, theirs):
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return False
    if ours.dtype.kind not in "fc":
        return np.array_equal(ours, theirs)
    # The scale of the whole result counts: differences near zero differ in their last digits.
    tolerance = 2e-5 if ours.dtype.itemsize // (2 if ours.dtype.kind == "c" else 1) <= 4 else 1e-11
    scale = np.max(np.abs(theirs), initial=0.0, where=np.isfinite(theirs))
    return np.allclose(ours, theirs, rtol=tolerance, atol=tolerance * float(scale) * 0.1, equal_nan=True)


def _no_worse(row, data, part, ours, theirs):
    """Long float32 sums differ by how they are added up: ours must be at least as near to the truth."""
    if ours.dtype != np.float32 or theirs.dtype != np.float32 or ours.shape != theirs.shape:
        return False
    truth = _parts(row.run(np, data.in_double()))[part]
    return np.abs(ours - truth).max() <= np.abs(theirs - truth).max()


def check(row, results, libraries, host_data):
    """Raises Disagreement unless every library computed what the first one did."""

    def host(library):
        library.evaluate(results[library.name])
        return [np.asarray(library.asnumpy(part)) for part in _parts(results[library.name])]

    def agree(part, ours, theirs):
        if row.check:
            return row.check(host_data, ours, theirs)
        return _close(ours, theirs) or _no_worse(row, host_data, part, ours, theirs)

    expected = host(libraries[0])
    for library in libraries[1:]:
        for part, (ours, theirs) in enumerate(zip(host(library), expected)):
            if not agree(part, ours, theirs):
                raise Disagreement(f"{library.name} and {libraries[0].name} compute different results")


def measure(row, libraries, data, seconds=1.0, clock=time.perf_counter):
    """Times `row` on each library in turn, at least three times, and again while `seconds` per library last. Rows that
    pause keep all processors busy, so that whatever else runs there counts: at least eight times, pauses not counted.

    `data` maps library names to Data. The first library is the base, which the others are compared with; one between it
    and the last that lacks what the row asks for is left out.
    """
    if isinstance(row, SmallRow):
        return _measure_small(row, [libraries[0], libraries[-1]], seconds)
    host_data = data[libraries[0].name]
    results, asked = {}, libraries
    for library in asked:
        try:
            results[library.name] = row.run(library.xp, data[library.name])
        except AttributeError:
            if library in (asked[0], asked[-1]):
                raise
            libraries = [other for other in libraries if other is not library]
    check(row, results, libraries, host_data)

    best = {library.name: float("inf") for library in libraries}
    deadline = time.perf_counter() + seconds * len(libraries)
    pause = row.pause if clock is time.perf_counter else 0.0  # others' threads do not count in processor time
    least, most, rounds = (8, 12, 0) if pause else (3, 50, 0)
    while rounds < least or (rounds < most and time.perf_counter() < deadline):
        for library in libraries:
            name = library.name
            if pause:
                time.sleep(pause)
                deadline += pause
                library.evaluate(row.run(library.xp, data[name]))  # wakes the library's threads
            start = clock()
            results[name] = row.run(library.xp, data[name])
            library.evaluate(results[name])
            best[name] = min(best[name], clock() - start)
        rounds += 1

    result = Result(row.name, best, target=row.target)
    if row.reads:
        result.read = row.bytes_read(host_data)
        result.written = sum(part.nbytes for part in _parts(results[libraries[0].name]))
    results.clear()
    if row.memory:
        result.peak = {
            lib.name: lib.peak_memory(lambda lib=lib: row.run(lib.xp, data[lib.name])) for lib in libraries
        }
    return result


def _timer(row, library):
    """Of the row's statement; arrays that it gives are evaluated in the time, where the row says so."""
    host = np.linspace(0.0, 1.0, row.elements, dtype=np.float32)
    seen = {
        "xp": library.xp,
        "a": library.asarray(host),
        "b": library.asarray(host + 1),
        **names(library.asarray),
    }
    statement = row.statement()
    evaluate = getattr(library.xp, "evaluate", None)
    if row.evaluated and evaluate is not None:
        exec(statement, seen)
        parts = _parts(seen.pop("r", None))
        if all(isinstance(part, library.xp.ndarray) for part in parts):
            statement += "\nevaluate(r)" if len(parts) == 1 else "\nevaluate(*r)"
            seen["evaluate"] = evaluate
    return timeit.Timer(statement, globals=seen)


def _measure_small(row, libraries, seconds):
    timers = {library.name: _timer(row, library) for library in libraries}
    best = {library.name: float("inf") for library in libraries}
    rounds = 20
    calls = {name: max(1, int(seconds / rounds / (timer.timeit(10) / 10))) for name, timer in timers.items()}
    for _ in range(rounds):
        for name, timer in timers.items():
            best[name] = min(best[name], timer.timeit(calls[name]) / calls[name])
    return Result(row.name, best, small=True, target=row.target)
