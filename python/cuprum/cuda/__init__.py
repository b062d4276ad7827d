"""CUDA devices, with CuPy's names: `cp.cuda.Device(1)`, `cp.cuda.Event()`, `cp.cuda.runtime.getDeviceCount()`.

Everything works without a GPU as well: `is_available()` is False then, streams, events and memory are those of the CPU.
"""

import importlib

from .. import _core
from . import (
    compiler,
    device,
    driver,
    event,
    function,
    graph,
    memory,
    memory_hook,
    memory_hooks,
    pinned_memory,
    runtime,
    stream,
)
from .device import *
from .function import *
from .graph import *
from .memory import *
from .memory_hook import *
from .pinned_memory import *
from .stream import *

__all__ = sorted(
    {
        "compiler",
        "driver",
        "get_local_runtime_version",
        "is_available",
        "memory_hooks",
        "runtime",
        "synchronize",
    }.union(
        device.__all__,
        function.__all__,
        graph.__all__,
        memory.__all__,
        memory_hook.__all__,
        pinned_memory.__all__,
        stream.__all__,
    )
)


def is_available():
    """Is there a CUDA device that works? `python -m cuprum info` says why not.

    >>> cp.cuda.is_available() in (True, False)
    True
    """
    return _core.cuda_device_count() > 0


def get_local_runtime_version():
    """The CUDA that the plug-in was built with: 13000 for 13.0; 0 where CUDA cannot be used."""
    return runtime.runtimeGetVersion()


def synchronize():
    """Evaluates what is pending on the current device, and waits for it."""
    _core.synchronize(_core.device_name())


def __getattr__(name):
    if name == "cufft":
        return importlib.import_module(".cufft", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
