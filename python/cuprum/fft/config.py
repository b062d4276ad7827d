"""CuPy's `cupy.fft.config`: the caches of plans, and the switches of cuFFT.

A plan holds what a device makes once for transforms of some lengths: on the CPU the roots of unity, on a GPU what cuFFT
prepares. The last used ones are kept, 16 by default. Each device has a cache, which serves all threads; devices that
compute on the host use the CPU's. A plan is made by the call, though the transform runs later.

>>> cache = cp.fft.config.get_plan_cache()
>>> cache.set_size(32)
>>> cache.get_size()
32
>>> cache.set_size(16)
"""

import contextvars
import sys
import types
import warnings

from ._plans import PlanCache

__all__ = [
    "clear_plan_cache", "get_plan_cache", "get_plan_cache_max_memsize", "get_plan_cache_size", "set_cufft_gpus",
    "set_plan_cache_max_memsize", "set_plan_cache_size", "show_plan_cache_info",
]  # fmt: skip

_enable_nd_planning = contextvars.ContextVar("cuprum.fft.config.enable_nd_planning", default=True)
_use_multi_gpus = contextvars.ContextVar("cuprum.fft.config.use_multi_gpus", default=False)
_devices = contextvars.ContextVar("cuprum.fft.config.devices", default=None)


def get_plan_cache():
    """The cache of the current device's plans.

    >>> cp.fft.config.get_plan_cache().get_memsize()
    -1
    """
    return PlanCache()


def clear_plan_cache():
    """Forgets all plans, and the counts of hits and misses.

    >>> cp.fft.config.clear_plan_cache()
    >>> cp.fft.config.get_plan_cache().get_curr_size()
    0
    """
    get_plan_cache().clear()


def get_plan_cache_size():
    """How many plans are kept at most; -1: any number.

    >>> cp.fft.config.get_plan_cache_size()
    16
    """
    return get_plan_cache().get_size()


def set_plan_cache_size(size):
    """Keeps at most `size` plans; -1: any number, 0: none.

    >>> cp.fft.config.set_plan_cache_size(16)
    """
    get_plan_cache().set_size(size)


def get_plan_cache_max_memsize():
    """How many bytes of plans are kept at most; -1: any number.

    >>> cp.fft.config.get_plan_cache_max_memsize()
    -1
    """
    return get_plan_cache().get_memsize()


def set_plan_cache_max_memsize(size):
    """Keeps at most `size` bytes of plans; -1: any number, 0: none.

    >>> cp.fft.config.set_plan_cache_max_memsize(-1)
    """
    get_plan_cache().set_memsize(size)


def show_plan_cache_info():
    """Prints what is in the cache, and how often it was of use."""
    get_plan_cache().show_info()


def set_cufft_gpus(gpus):
    """The GPUs that a transform would be spread over with `use_multi_gpus`: a number of them, or a list.

    It is remembered; a transform runs on the device of its array.
    """
    if not isinstance(gpus, (int, list, tuple)):
        raise ValueError(
            "cuprum.fft.config.set_cufft_gpus: gpus must be an int or a list or tuple of int, given a "
            f"{type(gpus).__name__}"
        )
    devices = tuple(range(gpus)) if isinstance(gpus, int) else tuple(gpus)
    if len(devices) <= 1:
        raise ValueError(f"cuprum.fft.config.set_cufft_gpus: Must use at least 2 GPUs, given {gpus!r}")
    _devices.set(devices)


class _Config(types.ModuleType):
    """The switches that are written as attributes."""

    @property
    def enable_nd_planning(self):
        """Several axes are one call, whatever this says."""
        _warn_of_nd_planning()
        return _enable_nd_planning.get()

    @enable_nd_planning.setter
    def enable_nd_planning(self, value):
        _warn_of_nd_planning()
        _enable_nd_planning.set(value)

    @property
    def use_multi_gpus(self):
        return _use_multi_gpus.get()

    @use_multi_gpus.setter
    def use_multi_gpus(self, value):
        _use_multi_gpus.set(bool(value))

    @property
    def devices(self):
        """The GPUs that were set, while `use_multi_gpus` is true."""
        return _devices.get() if _use_multi_gpus.get() else None


def _warn_of_nd_planning():
    warnings.warn(
        "enable_nd_planning is deprecated as of CuPy 14 and will always be True in the future.",
        DeprecationWarning,
        stacklevel=3,
    )


sys.modules[__name__].__class__ = _Config
