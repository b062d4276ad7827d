"""What the harness must know of an array library: everything else is the same code for all of them."""

import importlib
import tracemalloc

import numpy as np


class Library:
    """An array module and the three things that differ: moving data in, waiting, and moving data out."""

    def __init__(self, name):
        self.name = name
        self.xp = importlib.import_module(name)

    def asarray(self, host):
        """A copy of a NumPy array in this library's memory."""
        return self.xp.array(host)

    def evaluate(self, result):
        """Return once the bytes of `result` (an array or a tuple of arrays) exist."""

    def asnumpy(self, array):
        return np.asarray(array)

    def peak_memory(self, program):
        """The highest number of bytes that `program()` held beyond what was there before."""
        raise TypeError(f"{self.name} does not tell how much memory it uses")


class NumPy(Library):
    def peak_memory(self, program):
        tracemalloc.start()  # NumPy reports its buffers to tracemalloc
        try:
            result = program()
            peak = tracemalloc.get_traced_memory()[1]
            del result
            return peak
        finally:
            tracemalloc.stop()


class Cuprum(Library):
    def asarray(self, host):
        return self.xp.asarray(host)

    def evaluate(self, result):
        self.xp.evaluate(*(result if isinstance(result, tuple) else (result,)))

    def asnumpy(self, array):
        return self.xp.asnumpy(array)

    def peak_memory(self, program):
        pool = self.xp.get_default_memory_pool()
        pool.reset_peak()
        before = pool.used_bytes()
        result = program()
        self.evaluate(result)
        peak = pool.peak_bytes() - before
        del result
        return peak


_KINDS = {"numpy": NumPy, "cuprum": Cuprum}


def load(name):
    """The adapter for the module `name`; a module without an adapter of its own is taken for a NumPy."""
    return _KINDS.get(name, NumPy)(name)
