"""Streams on a GPU: how far work on two of them overlaps, beside the same on one, and what order between them costs.

Times of one run, each the best of several: `ratio` is the time of two portions of work on two streams over that of one
portion on one stream. 1 is perfect overlap, 2 none.
"""

import time

import numpy as np


def _best(work, wait, repeats=7):
    times = []
    for _ in range(repeats):
        wait()
        start = time.perf_counter()
        work()
        wait()
        times.append((time.perf_counter() - start) * 1e3)
    return min(times)


def _compiled(peer):
    """Everything that was asked for is compiled and done."""
    peer.wait()
    if hasattr(peer.xp, "evaluate"):
        peer.xp._core.finish_compiling()


class Peer:
    """Cuprum or CuPy: the same program for both."""

    def __init__(self, name, xp):
        self.name, self.xp = name, xp
        self.evaluate = getattr(xp, "evaluate", lambda x: x)

    def wait(self):
        self.xp.cuda.Device().synchronize()

    def streams(self, count=2):
        return [self.xp.cuda.Stream(non_blocking=True) for _ in range(count)]


def _chain(peer, x, steps=60):
    """A long kernel on few elements: one fused chain, or as many kernels as operations."""
    xp = peer.xp
    for _ in range(steps):
        x = xp.sin(x) * 1.5 + xp.cos(x)
    return peer.evaluate(x)


def _fold(peer, x):
    """One thread folds a row, element after element."""
    if hasattr(peer.xp, "evaluate"):
        return peer.evaluate(peer.xp.logaddexp.accumulate(x, axis=1))
    code = """
    double sum = x[i * n];
    for (int k = 1; k < n; ++k) {
      double high = max(sum, x[i * n + k]), low = min(sum, x[i * n + k]);
      sum = high + log1p(exp(low - high));
      y[i * n + k] = sum;
    }"""
    kernel = peer.xp.ElementwiseKernel("raw float64 x, int32 n", "raw float64 y", code, "fold")
    y = peer.xp.empty_like(x)
    kernel(x, x.shape[1], y, size=x.shape[0])
    return y


def kernels(peer, rows):
    """Kernels that fill a quarter of the device, ten in a row: on one stream, and as many more on a second one."""
    inputs = [peer.xp.asarray(np.random.default_rng(i).random((rows, 1024))) for i in range(2)]
    streams = peer.streams()

    def work(count):
        for _ in range(10):
            for stream, x in zip(streams[:count], inputs):
                with stream:
                    _fold(peer, x)

    work(2)
    _compiled(peer)
    return _best(lambda: work(1), peer.wait), _best(lambda: work(2), peer.wait)


def copies(peer, elements):
    """A copy to the device beside kernels that take about as long: kernels alone, copy alone, and both."""
    xp = peer.xp
    host = xp.cuda.alloc_pinned_memory(elements * 8)
    source = np.frombuffer(host, np.float64, elements)
    source[:] = 1
    target, x = xp.zeros(elements), xp.asarray(np.linspace(0, 1, elements // 4))
    streams = peer.streams()

    def copy():
        with streams[0]:
            target.set(source)

    def compute():
        with streams[1]:
            for _ in range(2):
                _chain(peer, x, 20)

    def both():
        compute()
        copy()

    for _ in range(2):
        both()
        _compiled(peer)
    return _best(copy, peer.wait), _best(compute, peer.wait), _best(both, peer.wait)


def order_cost(peer, calls=2000):
    """Microseconds of the host for one addition, on one stream, and where each reads what another stream wrote."""
    xp = peer.xp
    streams = peer.streams()
    figures = []
    for count in (1, 2):
        x = xp.ones(16)
        start = time.perf_counter()
        for i in range(calls):
            with streams[i % count]:
                x = peer.evaluate(x + 1)
        figures.append((time.perf_counter() - start) / calls * 1e6)
        peer.wait()
    return figures


def run_streams(peers):
    """Prints and returns the figures."""
    figures = {}
    for name, xp in peers:
        peer = Peer(name, xp)
        one, two = kernels(
            peer, 132 // 4 * 128
        )  # a block of 128 rows for every fourth multiprocessor of an H200
        copy, compute, both = copies(peer, 1 << 24)
        same, across = order_cost(peer)
        figures[name] = {
            "kernels of a quarter": {"one": one, "two": two, "ratio": two / one},
            "copy beside kernels": {
                "copy": copy,
                "kernels": compute,
                "both": both,
                "ratio": both / max(copy, compute),
            },
            "an addition, host": {"same stream": same, "across streams": across},
        }
        for row, values in figures[name].items():
            print(
                f"{name:<8}{row:<24}" + "  ".join(f"{key} {value:.3f}" for key, value in values.items()),
                flush=True,
            )
    return figures


if __name__ == "__main__":
    import json
    import sys

    import cuprum

    libraries = [("cuprum", cuprum)]
    try:
        import cupy

        libraries.append(("cupy", cupy))
    except ImportError:
        pass
    results = run_streams(libraries)
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as file:
            json.dump(results, file, indent=1)
