"""Data larger than the device: sin of a NumPy array in place, chunk by chunk, by `map_chunks` and by the usual loop.

    python -m cuprum.bench.gpu_chunks                          4 GiB of float32, beside CuPy where it is installed
    python -m cuprum.bench.gpu_chunks --gib 1 --chunk-mib 16   another size
    python -m cuprum.bench.gpu_chunks --timeline chunks.html   and the picture of a run

`of the bus` is the bytes that went either way in a second, over what copies from and to pinned memory move when both
directions are busy, measured in the same run.
"""

import argparse
import threading
import time

import numpy as np


def _best(work, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def _bus(cp, mib=256, rounds=8):
    """Bytes per second that pinned memory sends and gets at the same time, both together."""
    n = mib << 20
    up, down = (cp.cupyx.zeros_pinned(n, np.uint8) for _ in range(2))
    there, fetched = cp.zeros(n, np.uint8), cp.zeros(n, np.uint8)
    cp.evaluate(there, fetched)

    def send():
        with cp.cuda.Stream(non_blocking=True):
            for _ in range(rounds):
                there.set(up)

    def fetch():
        with cp.cuda.Stream(non_blocking=True) as stream:
            for _ in range(rounds):
                fetched.get(out=down, stream=stream)

    def both():
        threads = [threading.Thread(target=target) for target in (send, fetch)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        cp.Device().synchronize()

    both()
    return 2 * n * rounds / _best(both, 3)


def _cupy_loop(cupy, x, chunk):
    """What is usually written."""
    for begin in range(0, x.size, chunk):
        part = x[begin : begin + chunk]
        part[...] = cupy.asnumpy(cupy.sin(cupy.asarray(part)))


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m cuprum.bench.gpu_chunks", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--gib", type=float, default=4)
    parser.add_argument("--chunk-mib", type=float, help="of map_chunks (default: its own choice)")
    parser.add_argument("--cupy-chunk-mib", type=float, default=256)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--timeline", metavar="PAGE", help="writes the timeline of one more run")
    asked = parser.parse_args(arguments)
    import cuprum as cp

    x = np.random.default_rng(0).random(int(asked.gib * (1 << 28)), dtype=np.float32)
    moved = 2 * x.nbytes
    bus = _bus(cp)
    chunk_bytes = None if asked.chunk_mib is None else int(asked.chunk_mib * (1 << 20))
    print(
        f"sin over {asked.gib:g} GiB of float32 in place, {cp.Device()}; the bus moves {bus / 1e9:.1f} GB/s both ways"
    )

    def ours():
        cp.map_chunks(cp.sin, x, out=x, chunk_bytes=chunk_bytes)

    rows = [("cuprum map_chunks", ours)]
    try:
        import cupy

        rows.append(("cupy loop", lambda: _cupy_loop(cupy, x, int(asked.cupy_chunk_mib * (1 << 18)))))
    except ImportError:
        print("cupy is not installed: no comparison")
    seconds = {}
    for name, work in rows:
        work()  # compiled, and memory taken
        cp._core.finish_compiling()
        seconds[name] = _best(work, asked.repeats)
        print(f"{name:<20}{seconds[name] * 1e3:>10.1f} ms{moved / seconds[name] / 1e9:>10.1f} GB/s"
              f"{moved / seconds[name] / bus:>8.0%} of the bus")  # fmt: skip
    if len(seconds) == 2:
        print(f"ratio: {seconds['cupy loop'] / seconds['cuprum map_chunks']:.1f}x")
    if asked.timeline:
        with cp.profiler.timeline(asked.timeline, "map_chunks: sin in place"):
            ours()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
