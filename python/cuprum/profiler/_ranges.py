"""Parts of the program with names: for NVIDIA's profilers (NVTX), and for the timeline."""

import contextlib
import functools

from .. import _core, _device


class time_range:
    """Names what the program does in a block or in a function: an entry of the timeline, and a range of NVTX where
    NVIDIA's profilers watch. `color_id` and `argb_color` are CuPy's, and do nothing. With `sync`, the device is waited
    for at both ends, so that the range holds the work that the block asked for.

    >>> with cp.profiler.time_range("preparing"):
    ...     x = cp.arange(3.0)
    >>> @cp.profiler.time_range()
    ... def step(x):
    ...     return x + 1
    >>> step(x)
    array([1., 2., 3.])
    """

    def __init__(self, message=None, color_id=None, argb_color=None, sync=False):
        if color_id is not None and argb_color is not None:
            raise ValueError(
                "cuprum.profiler.time_range: color_id and argb_color are given; write one of them"
            )
        self.message, self.color_id, self.argb_color, self.sync = message, color_id, argb_color, sync
        self._begun = []

    def __enter__(self):
        if self.message is None:
            raise ValueError("cuprum.profiler.time_range: a block needs a name; write time_range('name')")
        if self.sync:
            _device.Device().synchronize()
        self._begun.append(_core.trace_clock())
        _core.push_range(str(self.message))
        return self

    def __exit__(self, *_):
        if self.sync:
            _device.Device().synchronize()
        _core.pop_range()
        _core.add_range(str(self.message), self._begun.pop(), _core.trace_clock())

    def __call__(self, function):
        message = function.__name__ if self.message is None else self.message

        @functools.wraps(function)
        def ranged(*args, **kwargs):
            with time_range(message, self.color_id, self.argb_color, self.sync):
                return function(*args, **kwargs)

        return ranged


@contextlib.contextmanager
def profile():
    """What runs in the block is what NVIDIA's profilers show, when they are told to wait for it (`nsys profile
    --capture-range=cudaProfilerApi`). Without CUDA it does nothing.

    >>> with cp.profiler.profile():
    ...     x = cp.evaluate(cp.arange(3.0) + 1)
    """
    _core.watch(True)
    try:
        yield
    finally:
        _device.Device().synchronize()
        _core.watch(False)
