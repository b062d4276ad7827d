"""The benchmark on a GPU, beside CuPy, PyTorch and JAX where they are installed.

A figure is the median of times between two device events (JAX: of the clock, after waiting), each around one call whose
result is evaluated; every library is warm. The libraries take turns row by row, on the same numbers.
"""

import functools
import gc
import importlib
import json
import os
import statistics
import time
import timeit

import numpy as np

from . import gpu_first_use, gpu_plot
from .gpu_namespace_rows import ROWS as NAMESPACE_ROWS
from .gpu_namespace_rows import HostData
from .gpu_rows import ROWS as BASIC_ROWS
from .gpu_rows import SMALL_ROWS, Data

ROWS = BASIC_ROWS + NAMESPACE_ROWS


def parts(result):
    return result if isinstance(result, (tuple, list)) else (result,)


class Library:
    """What the harness must know of a library: how data goes in and out, how to wait, and how to time."""

    evaluated = "{}"  # the code that has an expression computed

    def __init__(self, name, module=None):
        self.name = name
        self.xp = importlib.import_module(module or name)

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


class Cuprum(Library):
    evaluated = "xp.evaluate({})"

    def __init__(self, name="cuprum"):
        super().__init__(name)
        self.event, self.between = self.xp.cuda.Event, self.xp.cuda.get_elapsed_time

    def asarray(self, host):
        return self.xp.asarray(host)

    def asnumpy(self, array):
        return self.xp.asnumpy(array)

    def settle(self, result):
        self.xp.evaluate(*parts(result))

    def warm_up(self, call):
        """The first calls run on the interpreter, while kernels are compiled in the background."""
        for _ in range(2):
            call()
            self.xp._core.finish_compiling()
        super().warm_up(call)

    def wait(self):
        self.xp.Device().synchronize()

    def release(self):
        self.xp.get_default_memory_pool().free_all_blocks()


class CuPy(Library):
    def __init__(self, name="cupy"):
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


class Torch(Library):
    def __init__(self, name="torch"):
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


class Jax(Library):
    """Compiled by jax.jit; only rows that say how."""

    def __init__(self, name="jax"):
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

    def wait(self):
        pass

    def milliseconds(self, call):
        start = time.perf_counter()
        call()
        return (time.perf_counter() - start) * 1e3


class NumPy(Library):
    """For trying the harness where there is no GPU."""

    def asarray(self, host):
        return host

    def wait(self):
        pass

    def milliseconds(self, call):
        start = time.perf_counter()
        call()
        return (time.perf_counter() - start) * 1e3


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


def measure(row, library, data, seconds):
    """(median milliseconds, a sample of the result) or None where the library has no such row."""
    program = library.program(row)
    if program is None:
        return None

    def call():
        result = program(data)
        library.settle(result)
        return result

    library.warm_up(call)
    times, end = [], time.perf_counter() + seconds
    while len(times) < 5 or (len(times) < 50 and time.perf_counter() < end):
        times.append(library.milliseconds(call))
    sample = _sample(library, call()) if row.compared else None
    return statistics.median(times), sample


def _sample(library, result):
    """Up to a thousand elements of the (first) result, on the host."""
    array = parts(result)[0]
    flat = array.reshape(-1)
    step = max(1, flat.shape[0] // 1000)
    return np.asarray(library.asnumpy(flat[::step]))


def _agree(ours, theirs):
    if ours is None or theirs is None:
        return True
    if ours.shape != theirs.shape:
        return False
    return np.allclose(
        ours.astype(np.float64), theirs.astype(np.float64), rtol=2e-2, atol=1e-3, equal_nan=True
    )


def verdict(row, times, limit, ours_by_row):
    """(what the target allows in milliseconds, was it met); None where there is nothing to compare with."""
    ours, peers = times.get("cuprum"), [t for name, t in times.items() if name not in ("cuprum", "jax")]
    if row.target is None or ours is None:
        return None
    of, factor = row.target.of, row.target.factor
    base = (
        limit if of == "limit"
        else (min(peers) if peers else None) if of == "best"
        else times.get(of) if of in ("torch", "cupy")
        else 1.0 if of == "ms"
        else ours_by_row.get(of)
    )  # fmt: skip
    return None if base is None else (base * factor, ours <= base * factor)


def run_rows(rows, libraries, scale, seconds):
    host = HostData(scale)
    data = {library.name: Data(host, library.asarray) for library in libraries}
    large = 4 * host.side**2
    copies = [measure(ROWS[0], library, data[library.name], seconds) for library in libraries]
    bandwidth = 2 * large / min(copy[0] for copy in copies if copy)  # bytes per millisecond
    ours_by_row, figures = {}, []
    names = "".join(f"{library.name:>10}" for library in libraries)
    print(f"{'milliseconds':<26}{names}{'limit':>9}{'share':>7}  target")
    for row in rows:
        times, samples, errors = {}, {}, {}
        for library in (*libraries, *reversed(libraries)):  # forth and back: a clock that falls falls for all
            try:
                measured = measure(row, library, data[library.name], seconds / 2)
                if measured:
                    times[library.name] = min(measured[0], times.get(library.name, measured[0]))
                    samples[library.name] = measured[1]
            except Exception as error:
                errors[library.name] = f"{type(error).__name__}: {error}"
            gc.collect()
            library.release()
        limit = row.bytes * large / bandwidth if row.bytes else None
        ours_by_row[row.name] = times.get("cuprum")
        allowed = verdict(row, times, limit, ours_by_row)
        figures.append(
            {"name": row.name, "times": times, "limit": limit, "target": allowed and allowed[0],
             "met": allowed and allowed[1], "errors": errors}
        )  # fmt: skip
        reference = next((samples[name] for name in ("cupy", "torch", "numpy") if name in samples), None)
        if "cuprum" in samples and not _agree(samples["cuprum"], reference):
            figures[-1]["errors"]["result"] = "differs"
        print(_line(figures[-1], libraries), flush=True)
    return figures


def _line(figure, libraries):
    text = f"{figure['name']:<26}"
    for library in libraries:
        time_ = figure["times"].get(library.name)
        text += f"{time_:>10.3f}" if time_ is not None else f"{'-':>10}"
    if figure["limit"] and "cuprum" in figure["times"]:
        text += f"{figure['limit']:>9.3f}{figure['limit'] / figure['times']['cuprum']:>7.0%}"
    else:
        text += " " * 16
    if figure["target"]:
        text += f"  {figure['target']:.3f} {'met' if figure['met'] else 'MISSED'}"
    for name, error in figure["errors"].items():
        text += f"\n    {name}: {error[:300]}"
    return text


def run_small(libraries, calls=2000):
    """Microseconds of the host per call, in a loop that has nothing else in it."""
    print(f"\n{'host, microseconds':<26}" + "".join(f"{lib.name:>10}" for lib in libraries))
    figures = []
    for name, code, evaluated, target in SMALL_ROWS:
        times = {}
        for library in libraries:
            if library.name == "jax":
                continue
            a, b = (library.asarray(np.linspace(0, 1, 16, dtype=np.float32)) for _ in range(2))
            names = {"a": a, "b": b, "xp": library.xp}
            timer = timeit.Timer(library.evaluated.format(code) if evaluated else code, globals=names)
            library.warm_up(functools.partial(timer.timeit, 1))
            best = float("inf")
            for _ in range(10):
                best = min(best, timer.timeit(calls) / calls * 1e6)
                library.wait()
            times[library.name] = best
        met = None if target is None else times.get("cuprum", float("inf")) <= target
        figures.append({"name": name, "microseconds": times, "target": target, "met": met})
        shown = (f"{times[lib.name]:.2f}" if lib.name in times else "-" for lib in libraries)
        text = f"{name:<26}" + "".join(f"{time:>10}" for time in shown)
        print(text + ("" if target is None else f"   {target} {'met' if met else 'MISSED'}"), flush=True)
    return figures


def _best_of(library, way, repeats=5):
    times = []
    for _ in range(repeats):
        library.wait()
        start = time.perf_counter()
        way()
        library.wait()
        times.append((time.perf_counter() - start) * 1e3)
    return min(times)


def run_transfers(libraries, scale):
    """Milliseconds for one large array from and to pageable host memory."""
    host = np.random.default_rng(2).random(int(2**28 * scale), dtype=np.float32)
    figures = {}
    for library in libraries:
        if library.name in ("jax", "numpy"):
            continue
        there = library.asarray(host)
        times = {
            "to the device": _best_of(library, functools.partial(library.asarray, host)),
            "to the host": _best_of(library, functools.partial(library.asnumpy, there)),
        }
        for way, best in times.items():
            rate = host.nbytes / best / 1e6
            print(f"{library.name}: {host.nbytes / 2**20:.0f} MiB {way} in {best:.1f} ms, {rate:.1f} GB/s")
        figures[library.name] = times
        del there
        library.release()
    return figures


def run(rows, peers, scale, seconds, json_path=None, plot_path=None):
    """The whole benchmark; returns the exit status."""
    libraries = load(["cuprum", *peers])
    if not libraries or libraries[0].name != "cuprum":
        return 1
    device = libraries[0].xp.Device()
    print(f"{device}: {device.attributes['description']}")
    versions = {library.name: getattr(library.xp, "__version__", "") for library in libraries}
    print(", ".join(f"{name} {version}" for name, version in versions.items()) + "\n")
    figures = {"device": device.attributes, "versions": versions, "scale": scale}
    figures["rows"] = run_rows(rows, libraries, scale, seconds)
    if len(rows) == len(ROWS):
        figures["host"] = run_small(libraries)
        print()
        figures["transfers"] = run_transfers(libraries, scale)
        cold = [library.name for library in libraries if library.name in ("cuprum", "cupy")]
        figures["cold start"] = gpu_first_use.run_cold(cold)
        figures["never seen"] = gpu_first_use.run_new(cold)
    aimed = [f for f in figures["rows"] if f["met"] is not None]
    missed = [f["name"] for f in aimed if not f["met"]]
    failed = [f["name"] for f in figures["rows"] if "cuprum" not in f["times"] or "result" in f["errors"]]
    print(f"\ntargets met: {len(aimed) - len(missed)} of {len(aimed)}")
    if missed:
        print(f"missed: {', '.join(missed)}")
    if failed:
        print(f"failed or different: {', '.join(failed)}")
    if json_path:
        with open(json_path, "w") as file:
            json.dump(figures, file, indent=1)
        print(f"figures: {json_path}")
    if plot_path and gpu_plot.plot(plot_path, figures):
        print(f"plot: {plot_path}")
    return 1 if failed else 0
