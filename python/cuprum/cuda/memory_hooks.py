"""Hooks that are there already: one prints what pools do, one adds it up by lines of the program, one keeps it."""

import json
import os
import sys
import traceback

from .memory_hook import MemoryHook

__all__ = ["DebugPrintHook", "LineProfileHook", "TraceHook"]


class DebugPrintHook(MemoryHook):
    """Prints a line of JSON for everything that pools do.

    >>> with cp.cuda.memory_hooks.DebugPrintHook():
    ...     pointer = cp.cuda.alloc(100)  # doctest: +ELLIPSIS
    {"hook":...
    """

    name = "DebugPrintHook"

    def __init__(self, file=None, flush=True):
        self.file = sys.stdout if file is None else file
        self.flush = flush

    def _print(self, hook, event, *keys):
        what = {"hook": hook, **{key: event[key] for key in keys}}
        if "pmem_id" in what:
            what["pmem_id"] = hex(what["pmem_id"])
        print(json.dumps(what, separators=(",", ":")), file=self.file, flush=self.flush)

    def alloc_postprocess(self, **event):
        """Prints memory that was taken from the device."""
        self._print("alloc", event, "device_id", "mem_size", "mem_ptr")

    def malloc_postprocess(self, **event):
        """Prints a request that was served."""
        self._print("malloc", event, "device_id", "size", "mem_size", "mem_ptr", "pmem_id")

    def free_postprocess(self, **event):
        """Prints memory that went back to its pool."""
        self._print("free", event, "device_id", "mem_size", "mem_ptr", "pmem_id")


class _Line:
    """A line of the program in a chain of calls, with the bytes that were asked for below it."""

    def __init__(self):
        self.used = self.acquired = 0
        self.below = {}


def _human(size):
    unit = 0
    while size >= 1024 and unit < 6:
        size, unit = size / 1024, unit + 1
    return f"{size:.2f}{' KMGTPE'[unit].strip()}B"


class LineProfileHook(MemoryHook):
    """Adds up by lines of the program what was asked for, and what of it had to be taken from the device.

    An array is allocated where it is computed: under `cp.eager()` that is the line that asks for it.

    >>> hook = cp.cuda.memory_hooks.LineProfileHook(max_depth=1)
    >>> with hook:
    ...     pointer = cp.cuda.MemoryPool().malloc(1000)
    >>> hook.print_report()  # doctest: +ELLIPSIS
    _root (1...
    """

    name = "LineProfileHook"

    def __init__(self, max_depth=0):
        self._root = _Line()
        self._max_depth = max_depth

    def malloc_preprocess(self, device_id, size, mem_size):
        """Counts a request."""
        self._count(mem_size, 0)

    def alloc_preprocess(self, device_id, mem_size):
        """Counts memory taken from the device."""
        self._count(0, mem_size)

    def _count(self, used, acquired):
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
        frames = [f for f in traceback.extract_stack() if not f.filename.startswith(package)]
        if self._max_depth:
            frames = frames[: self._max_depth - 1]
        line = self._root
        line.used, line.acquired = line.used + used, line.acquired + acquired
        for frame in frames:
            line = line.below.setdefault((frame.filename, frame.lineno, frame.name), _Line())
            line.used, line.acquired = line.used + used, line.acquired + acquired

    def print_report(self, file=None):
        """Prints the lines, each with the bytes asked for and the bytes taken from the device."""
        file = sys.stdout if file is None else file
        self._print(self._root, "_root", 0, file)
        file.flush()

    def _print(self, line, name, depth, file):
        file.write(f"{'  ' * depth}{name} ({_human(line.used)}, {_human(line.acquired)})\n")
        for (filename, number, function), below in line.below.items():
            self._print(below, f"{filename}:{number}:{function}", depth + 1, file)


class TraceHook(MemoryHook):
    """Keeps the requests of a program, so that another pool can be asked the same (`cuprum.bench.gpu_memory`):
    `events` is a list of (block, size), and of (block, None) where the block is freed.

    >>> with cp.cuda.memory_hooks.TraceHook() as trace:
    ...     pointer = cp.cuda.alloc(100)
    ...     del pointer
    >>> trace.events
    [(0, 100), (0, None)]
    """

    name = "TraceHook"

    def __init__(self):
        self.events = []
        self._numbers = {}
        self._count = 0

    def malloc_postprocess(self, **event):
        """Keeps a request."""
        self._numbers[event["pmem_id"]] = self._count
        self.events.append((self._count, event["size"]))
        self._count += 1

    def free_postprocess(self, **event):
        """Keeps that a block was freed; one that was there before is nothing."""
        number = self._numbers.pop(event["pmem_id"], None)
        if number is not None:
            self.events.append((number, None))
