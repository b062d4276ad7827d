"""How long a function takes, told apart into recording and computing."""

import time

import numpy as np

__all__ = ["benchmark"]

_SECONDS = 0.2  # of measuring each of the two times; at least one call


def benchmark(f, *args, **kwargs):
    """Prints how long `f(*args, **kwargs)` takes until its results are computed, how long the call alone takes, which
    only records, and how many kernels and bytes of memory it costs. Timers that only call `f`, such as `%timeit`, see
    the recording alone. `cp.profiler.benchmark` gives every time of many repetitions.

    >>> x = cp.ones(1000)
    >>> cp.benchmark(lambda: cp.sin(x) * 2)
    <lambda>: evaluated in ..., recorded in ..., 1 kernel, 16 KB read and written
    """
    if not callable(f):
        raise TypeError(f"cuprum.benchmark: a function is needed, given a {type(f).__name__}")
    from .profiler import benchmark as repeat
    from .profiler._transfers import in_bytes

    timed = repeat(f, args, kwargs, n_repeat=1000, n_warmup=2, max_duration=_SECONDS)
    evaluated = np.median(np.maximum(timed.cpu_times, timed.gpu_times.max(axis=0)))
    kernels, copies, moved = _work(f, args, kwargs)
    parts = [
        f"evaluated in {_in_seconds(evaluated)}",
        f"recorded in {_in_seconds(_recorded(f, args, kwargs))}",
        f"{kernels} kernel{'s' * (kernels != 1)}",
        f"{in_bytes(moved)} read and written",
    ]
    parts += [f"{copies} cop{'ies' if copies > 1 else 'y'} between host and device"] if copies else []
    print(f"{timed.name}: {', '.join(parts)}")


def _recorded(f, args, kwargs):
    """Seconds of a call whose results nobody asks for, the median."""
    times, end = [], time.perf_counter() + _SECONDS
    while not times or (time.perf_counter() < end and len(times) < 1000):
        begin = time.perf_counter()
        result = f(*args, **kwargs)
        times.append(time.perf_counter() - begin)
        del result
    return float(np.median(times))


def _work(f, args, kwargs):
    """Kernels and primitives of one call, copies between host and device, and the bytes that the former touch."""
    from .profiler._benchmark import _hand_over
    from .profiler._recording import Recording

    recording = Recording()
    try:
        _hand_over(f(*args, **kwargs))
    finally:
        spans = recording.stop().spans
    kernels = [span for span in spans if span.kind in ("kernel", "call")]
    copies = sum(span.kind in ("upload", "download", "peer") for span in spans)
    return len(kernels), copies, sum(span.bytes for span in kernels)


def _in_seconds(t):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if t >= size:
            return f"{t / size:.3g} {unit}"
    return f"{t * 1e9:.0f} ns"
