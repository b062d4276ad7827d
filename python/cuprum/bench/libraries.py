"""What the harness must know of an array library: everything else is the same code for all of them."""

import functools
import importlib
import tracemalloc
import types

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


class SciPy(NumPy):
    """Its transforms, on as many threads as the others, and its factorizations, over NumPy's arrays. Rows that need
    anything else leave it out."""

    def __init__(self, name, threads=1):
        self.name = name
        factors = importlib.import_module("scipy.linalg")
        self.xp = types.SimpleNamespace(linalg=types.SimpleNamespace(**vars(factors)))
        self.xp.linalg.cholesky = functools.partial(factors.cholesky, lower=True)
        transforms = importlib.import_module("scipy.fft")
        self.xp.fft = types.SimpleNamespace(
            **{
                kind: functools.partial(getattr(transforms, kind), workers=threads)
                for kind in ("fft", "ifft", "fft2", "fftn", "rfft", "irfft", "rfft2", "irfft2")
            }
        )

    def asarray(self, host):
        return np.array(host)


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


def load(name, threads=1):
    """The adapter for the module `name`; a module without an adapter of its own is taken for a NumPy."""
    return SciPy(name, threads) if name == "scipy" else _KINDS.get(name, NumPy)(name)
