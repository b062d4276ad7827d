"""The libraries that the GPU's benchmark measures: how data goes in and out of each, how to wait, and how to time."""

import importlib
import os
import time

import numpy as np


def parts(result):
    return result if isinstance(result, (tuple, list)) else (result,)


class Library:
    """What the harness must know of a library: how data goes in and out, how to wait, and how to time."""

    evaluated = "{}"  # the code that has an expression computed

    def __init__(self, name):
        self.name = name
        self.xp = importlib.import_module(name)

    def program(self, row):
        """The row as this library runs it: a function of the data; None: it has none."""
        return lambda data: row.run(self.xp, data)

    def settle(self, result):
        """Starts whatever is still pending."""

    def warm_up(self, call):
        for _ in range(3):
            call()
        self.wait()

    def release(self):
        """Gives cached memory back, for the others."""

    def asnumpy(self, array):
        return np.asarray(array)

    def milliseconds(self, call):
        start, stop = self.event(), self.event()
        start.record()
        result = call()
        stop.record()
        stop.synchronize()
        del result
        return self.between(start, stop)


class CuPy(Library):
    def __init__(self, name):
        super().__init__(name)
        self.event, self.between = self.xp.cuda.Event, self.xp.cuda.get_elapsed_time

    def asarray(self, host):
        return self.xp.asarray(host)

    def asnumpy(self, array):
        return self.xp.asnumpy(array)

    def wait(self):
        self.xp.cuda.Device().synchronize()

    def release(self):
        self.xp.get_default_memory_pool().free_all_blocks()


class Cuprum(CuPy):
    """As CuPy, whose names it has, but lazy and compiled in the background."""

    evaluated = "xp.evaluate({})"

    def settle(self, result):
        self.xp.evaluate(*parts(result))

    def warm_up(self, call):
        """The first calls run on the interpreter, while kernels are compiled in the background."""
        for _ in range(2):
            call()
            self.xp._core.finish_compiling()
        super().warm_up(call)


class Torch(Library):
    def __init__(self, name):
        super().__init__(name)
        if not self.xp.cuda.is_available():
            raise ImportError("torch has no CUDA device")

    def program(self, row):
        if row.torch is None:
            return None
        body = row.run if row.torch == "same" else row.torch
        return lambda data: body(self.xp, data)

    def asarray(self, host):
        return self.xp.from_numpy(np.ascontiguousarray(host)).cuda()

    def asnumpy(self, array):
        return array.cpu().numpy()

    def event(self):
        return self.xp.cuda.Event(enable_timing=True)

    def between(self, start, stop):
        return start.elapsed_time(stop)

    def wait(self):
        self.xp.cuda.synchronize()

    def release(self):
        self.xp.cuda.empty_cache()


class ByClock(Library):
    """Timed by the clock of the host: a call returns when its result is there."""

    def wait(self):
        pass

    def milliseconds(self, call):
        start = time.perf_counter()
        call()
        return (time.perf_counter() - start) * 1e3


class Jax(ByClock):
    """Compiled by jax.jit; only rows that say how."""

    def __init__(self, name):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        super().__init__(name)
        self.np = importlib.import_module("jax.numpy")
        if all(device.platform == "cpu" for device in self.xp.devices()):
            raise ImportError("jax has no CUDA device")

    def program(self, row):
        if row.jax is None:
            return None
        arguments = {"Black-Scholes 64M": "options"}.get(row.name, "x")

        class Names:
            pass

        def body(value):
            names = Names()
            setattr(names, arguments, value)
            return row.jax(self.np, names)

        compiled = self.xp.jit(body)
        return lambda data: compiled(getattr(data, arguments))

    def asarray(self, host):
        return self.xp.device_put(host)

    def settle(self, result):
        self.xp.block_until_ready(result)


class NumPy(ByClock):
    """For trying the harness where there is no GPU."""

    def asarray(self, host):
        return host


_KINDS = {"cuprum": Cuprum, "cupy": CuPy, "torch": Torch, "jax": Jax, "numpy": NumPy}


def load(names):
    """The libraries that are there; Cuprum first."""
    libraries = []
    for name in names:
        try:
            libraries.append(_KINDS[name](name))
        except Exception as error:
            print(f"{name} takes no part: {type(error).__name__}: {error}")
    return libraries
