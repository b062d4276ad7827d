"""Timing a function on the host and on devices, as CuPy's `cupyx.profiler.benchmark` does."""

import math
import numbers
import time

import numpy as np

from .. import _core
from .._memory import numbered
from ..cuda.event import Event, get_elapsed_time


class _PerfCaseResult:
    """The times of `benchmark` in seconds: `cpu_times`, `gpu_times` (a row per device); str() shows statistics."""

    def __init__(self, name, ts, devices):
        self.name = name
        self._ts = ts
        self._devices = devices

    @property
    def cpu_times(self):
        """Seconds of the host, of each repetition."""
        return self._ts[0]

    @property
    def gpu_times(self):
        """Seconds of each device, of each repetition: two dimensions."""
        return self._ts[1:]

    @staticmethod
    def _to_str_per_item(device_name, t):
        t_us = t * 1e6
        text = f"    {device_name}: {t_us.mean():9.03f} us"
        if t.size > 1:
            text += f"   +/- {t_us.std():6.03f} (min: {t_us.min():9.03f} / max: {t_us.max():9.03f}) us"
        return text

    def to_str(self, show_gpu=False):
        """The statistics as a line."""
        results = [self._to_str_per_item("CPU", self._ts[0])]
        if show_gpu:
            results += [
                self._to_str_per_item(f"GPU-{d}", times) for d, times in zip(self._devices, self._ts[1:])
            ]
        return f"{self.name:<20s}:{' '.join(results)}"

    def __str__(self):
        return self.to_str(show_gpu=True)

    __repr__ = __str__


def _check(condition, argument, wanted, given):
    if not condition:
        raise ValueError(
            f"cuprum.profiler.benchmark: {argument} should be {wanted}, not a {type(given).__name__}"
        )


def _hand_over(result):
    """Hands over what a function has returned: a recorded expression that nobody asks for would never run."""
    if isinstance(result, _core.ndarray):
        _core.evaluate(result)
    elif isinstance(result, (list, tuple)):
        for part in result:
            _hand_over(part)
    elif isinstance(result, dict):
        _hand_over(list(result.values()))


def benchmark(
    func,
    args=(),
    kwargs={},  # noqa: B006 - CuPy's signature
    n_repeat=10000,
    *,
    name=None,
    n_warmup=10,
    max_duration=math.inf,
    devices=None,
):
    """Times a function on the host and on the devices of the given numbers, the current one by default. What the
    function returns is evaluated within the time of the host: here an array that nobody asks for is never computed.

    >>> def f(a):
    ...     return 3 * cp.sin(-a)
    >>> result = cp.profiler.benchmark(f, (cp.ones(100),), n_repeat=5, n_warmup=1)
    >>> print(result)  # doctest: +ELLIPSIS
    f                   :    CPU: ... us   +/- ... (min: ... / max: ...) us     GPU-0: ... us ...
    >>> result.cpu_times.shape, result.gpu_times.shape
    ((5,), (1, 5))
    """
    _check(callable(func), "func", "callable", func)
    if name is None:
        name = getattr(func, "__name__", type(func).__name__)
    if devices is None:
        devices = (int(_core.device_name().partition(":")[2] or 0),)
    _check(isinstance(args, tuple), "args", "a tuple", args)
    _check(isinstance(kwargs, dict), "kwargs", "a dict", kwargs)
    _check(isinstance(n_repeat, int), "n_repeat", "an int", n_repeat)
    _check(isinstance(name, str), "name", "a str", name)
    _check(isinstance(n_warmup, int), "n_warmup", "an int", n_warmup)
    _check(isinstance(max_duration, numbers.Number), "max_duration", "a number", max_duration)
    _check(isinstance(devices, tuple), "devices", "a tuple", devices)
    return _repeat(func, args, kwargs, n_repeat, name, n_warmup, max_duration, devices)


def _events(devices):
    events = []
    for device in devices:
        with device:
            events.append(Event())
    return events


def _record(events, devices):
    for event, device in zip(events, devices):
        with device:
            event.record()


def _repeat(func, args, kwargs, n_repeat, name, n_warmup, max_duration, numbers_of_devices):
    devices = [numbered(number) for number in numbers_of_devices]
    starts, stops = _events(devices), _events(devices)
    for _ in range(n_warmup):
        _hand_over(func(*args, **kwargs))
    _record(starts, devices)
    for event in starts:
        event.synchronize()
    cpu_times, gpu_times = [], [[] for _ in devices]
    spent = 0
    for _ in range(n_repeat):
        _record(starts, devices)
        begin = time.perf_counter()
        result = func(*args, **kwargs)
        _hand_over(result)
        cpu_times.append(time.perf_counter() - begin)
        _record(stops, devices)
        for event in stops:
            event.synchronize()
        for times, start, stop in zip(gpu_times, starts, stops):
            times.append(get_elapsed_time(start, stop) * 1e-3)
        spent += time.perf_counter() - begin
        if spent > max_duration:
            break
    times = np.asarray([cpu_times] + gpu_times, dtype=np.float64)
    return _PerfCaseResult(name, times, numbers_of_devices)
