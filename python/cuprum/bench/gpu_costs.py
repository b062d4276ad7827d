"""What a GPU library costs beside its kernels: the time of the host per call, and transfers."""

import functools
import time
import timeit

import numpy as np

from .gpu_rows import SMALL_ROWS


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
