"""Memory pools side by side: the requests of real programs, recorded once and made of each pool.

    python -m cuprum.bench.gpu_memory            Cuprum's pool, and CuPy's and PyTorch's where they can be imported
    python -m cuprum.bench.gpu_memory --models   on any machine: models of CuPy's and PyTorch's pools instead
    python -m cuprum.bench.gpu_memory --short    also running out of memory, over and over, and spill, on a GPU

Of each pool: the most bytes that it held of the device, over the most that were in use; how often it went to the device
for memory; the time of a request and its freeing. The programs run eagerly, as an array library without fusion would.
"""

import argparse
import bisect
import itertools
import time

import numpy as np

from .programs import softmax

MEGA = 1 << 20

# -- Programs ---------------------------------------------------------------------------------------------


def training(xp, rng):
    """A small network, trained by gradient descent; the last batch of an epoch is a short one."""
    sizes = [784, 1024, 1024, 10]
    weights = [xp.asarray(rng.standard_normal(s).astype("f4") * 0.03) for s in itertools.pairwise(sizes)]
    data = xp.asarray(rng.standard_normal((6000, sizes[0])).astype("f4"))
    for _ in range(3):
        for begin in range(0, len(data), 2048):
            layers = [data[begin : begin + 2048]]
            for w in weights[:-1]:
                layers.append(xp.maximum(layers[-1] @ w, 0))
            error = softmax(xp, layers[-1] @ weights[-1]) - 0.1
            for i in reversed(range(len(weights))):
                gradient = layers[i].T @ error
                error = (error @ weights[i].T) * (layers[i] > 0)
                weights[i] = weights[i] - 0.01 * gradient
    return weights


def table(xp, rng):
    """Pieces of a table of all lengths: cleaned, sorted, joined, and counted; some are kept."""
    kept = []
    for _ in range(60):
        n = int(rng.integers(10_000, 1_500_000))
        values = xp.asarray(rng.standard_normal(n))
        keys = xp.asarray(rng.integers(0, 1000, n))
        good = abs(values) < 2
        values, keys = values[good], keys[good]
        order = xp.argsort(keys)
        values, keys = values[order], keys[order]
        counts = xp.bincount(keys, weights=values, minlength=1000)
        kept.append((counts, values[:: int(rng.integers(2, 50))].copy()))
        if len(kept) > 12:
            del kept[int(rng.integers(0, 12))]
        if rng.random() < 0.2:
            whole = xp.concatenate([v for _, v in kept])
            kept[0] = (counts, xp.sort(whole))
    return kept


def refinement(xp, rng):
    """A field on a grid that is refined and coarsened, with a history of snapshots."""
    field = xp.asarray(rng.standard_normal((300, 300)))
    history = []
    for step in range(80):
        n = field.shape[0]
        for _ in range(4):
            inner = 0.25 * (field[:-2, 1:-1] + field[2:, 1:-1] + field[1:-1, :-2] + field[1:-1, 2:])
            field = field.copy()
            field[1:-1, 1:-1] = inner
        if step % 7 == 3 and n < 1500:
            field = xp.repeat(xp.repeat(field, 2, axis=0), 2, axis=1)[: int(n * 1.7), : int(n * 1.7)].copy()
        elif step % 11 == 5:
            field = field[::2, ::2].copy()
        history.append(field.astype("f4"))
        if len(history) > 20:
            history = history[::2]
    return history


PROGRAMS = {"training": training, "table": table, "refinement": refinement}


def record(program):
    """The requests of a program: (block, size), and (block, None) where it is freed."""
    import cuprum as cp

    trace = cp.cuda.memory_hooks.TraceHook()
    with trace, cp.cuda.using_allocator(cp.cuda.MemoryPool().malloc), cp.eager():
        result = program(cp, np.random.default_rng(1))
        del result
    return trace.events


# -- Pools ------------------------------------------------------------------------------------------------


def replay(events, take):
    """Makes the requests of `take(size)`; what it returns is dropped where the program freed it."""
    live, used, most = {}, 0, 0
    sizes = {}
    start = time.perf_counter()
    for block, size in events:
        if size is None:
            live.pop(block, None)
            used -= sizes.pop(block, 0)
        else:
            live[block] = take(size)
            sizes[block] = size
            used += size
            most = max(most, used)
    seconds = time.perf_counter() - start
    live.clear()
    return most, seconds


def cuprum_pool(events):
    import cuprum as cp

    pool = cp.cuda.MemoryPool()
    most, seconds = replay(events, pool.malloc)
    return pool.peak_total_bytes(), pool.n_device_allocations(), most, seconds


def cupy_pool(events):
    import cupy

    held = {"now": 0, "most": 0, "count": 0}

    class Counted(cupy.cuda.Memory):
        def __init__(self, size):
            super().__init__(size)
            self.counted = size
            held["now"] += size
            held["most"] = max(held["most"], held["now"])
            held["count"] += 1

        def __del__(self):
            held["now"] -= self.counted

    pool = cupy.cuda.MemoryPool(lambda size: cupy.cuda.MemoryPointer(Counted(size), 0))
    most, seconds = replay(events, pool.malloc)
    return held["most"], held["count"], most, seconds


def torch_pool(events):
    import torch

    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_stats()
    most, seconds = replay(events, lambda n: torch.empty(max(n, 1), dtype=torch.uint8, device="cuda"))
    after = torch.cuda.memory_stats()
    count = after["segment.all.allocated"] - before.get("segment.all.allocated", 0)
    return (
        after["reserved_bytes.all.peak"] - before.get("reserved_bytes.all.current", 0),
        count,
        most,
        seconds,
    )


class Model:
    """A pool that cuts blocks from segments and joins them again: how large a segment is and when a block is cut is
    what pools differ in. Free blocks are a sorted list of (size, address)."""

    def __init__(self, rounded, segment, rest, family):
        self.rounded, self.segment, self.rest, self.family = rounded, segment, rest, family
        self.free = {}  # family -> sorted (size, address)
        self.blocks = {}  # address -> [size, is free, segment]
        self.before = {}  # address -> address of the block before it in its segment
        self.held = self.count = 0
        self.next = 1 << 40

    def malloc(self, size):
        size = self.rounded(size)
        family = self.family(size)
        free = self.free.setdefault(family, [])
        at = bisect.bisect_left(free, (size, 0))
        if at < len(free):
            _, address = free.pop(at)
        else:
            address, bytes_ = self.next, self.segment(size)
            self.next += bytes_ + MEGA
            self.held, self.count = self.held + bytes_, self.count + 1
            self.blocks[address] = [bytes_, False, address]
        block = self.blocks[address]
        left = block[0] - size
        if left >= self.rest(size):
            behind = address + block[0]
            self.blocks[address + size] = [left, True, block[2]]
            self.before[address + size] = address
            if behind in self.before:
                self.before[behind] = address + size
            bisect.insort(free, (left, address + size))
            block[0] = size
        block[1] = False
        return ModelBlock(self, address, family)

    def give_back(self, address, family):
        free = self.free[family]
        block = self.blocks[address]
        behind = self.blocks.get(address + block[0])
        if behind and behind[1] and behind[2] == block[2]:
            free.remove((behind[0], address + block[0]))
            del self.blocks[address + block[0]], self.before[address + block[0]]
            block[0] += behind[0]
            if address + block[0] in self.before:
                self.before[address + block[0]] = address
        before = self.before.get(address)
        if before is not None and self.blocks[before][1]:
            free.remove((self.blocks[before][0], before))
            self.blocks[before][0] += block[0]
            del self.blocks[address], self.before[address]
            if before + self.blocks[before][0] in self.before:
                self.before[before + self.blocks[before][0]] = before
            address, block = before, self.blocks[before]
        block[1] = True
        bisect.insort(free, (block[0], address))


class ModelBlock:
    def __init__(self, pool, address, family):
        self.arguments, self.pool = (address, family), pool

    def __del__(self):
        self.pool.give_back(*self.arguments)


def _up(size, unit):
    return max(1, -(-size // unit)) * unit


def cupy_model(events):
    """Requests are rounded to 512 bytes; a segment is as large as its first request."""
    pool = Model(lambda n: _up(n, 512), lambda n: n, lambda n: 512, lambda n: 0)
    most, seconds = replay(events, pool.malloc)
    return pool.held, pool.count, most, seconds


def torch_model(events):
    """Requests of up to 1 MiB share segments of 2 MiB; larger ones, segments of 20 MiB, or their own from 10 MiB on."""

    def segment(n):
        return 2 * MEGA if n <= MEGA else 20 * MEGA if n < 10 * MEGA else _up(n, 2 * MEGA)

    pool = Model(
        lambda n: _up(n, 512), segment, lambda n: 512 if n <= MEGA else MEGA + 1, lambda n: int(n > MEGA)
    )
    most, seconds = replay(events, pool.malloc)
    return pool.held, pool.count, most, seconds


def _pools(models):
    pools = {"cuprum": cuprum_pool}
    if models:
        return {**pools, "cupy (model)": cupy_model, "torch (model)": torch_model}
    for name, pool in (("cupy", cupy_pool), ("torch", torch_pool)):
        try:
            __import__(name)
        except ImportError:
            continue
        pools[name] = pool
    return pools


# -- Out of memory and spill ------------------------------------------------------------------------------


def run_short(attempts=1000):
    """Milliseconds of a request that fails, with the device almost full; and the rate of spill."""
    import cuprum as cp

    pool = cp.get_default_memory_pool()
    pool.free_all_blocks()
    free = cp.Device().mem_info[0]
    kept = cp.evaluate(cp.ones(int(free * 0.6) // 8))
    used, checksum = pool.used_bytes(), kept[::1_000_003].sum().item()
    start = time.perf_counter()
    for _ in range(attempts):
        try:
            cp.evaluate(cp.zeros(int(free * 0.6) // 8))
            raise AssertionError("there was room")
        except cp.OutOfMemoryError:
            pass
    milliseconds = (time.perf_counter() - start) * 1e3 / attempts
    intact = pool.used_bytes() == used and kept[::1_000_003].sum().item() == checksum
    print(f"out of memory: {milliseconds:.2f} ms each, {attempts} times, everything intact: {intact}")
    del kept
    pool.free_all_blocks()
    size, count = 64 * MEGA, 64
    pool.set_limit(size * count // 2)
    cp.cuda.set_spill(True)
    before = cp.cuda.spill_stats()
    start = time.perf_counter()
    arrays = [cp.evaluate(cp.full(size // 8, float(i))) for i in range(count)]
    for i in range(count):
        arrays[i] = cp.evaluate(arrays[i] * 2 + 1)
    right = all(a[::99_991].max().item() == 2 * i + 1 for i, a in enumerate(arrays))
    cp.cuda.synchronize()
    seconds = time.perf_counter() - start
    after = cp.cuda.spill_stats()
    moved = sum(after[key] - before[key] for key in ("to_host", "from_host"))
    print(
        f"spill, {size * count / 2**30:.1f} GiB in half of that: right: {right}, {moved / 2**30:.1f} GiB moved, "
        f"{moved / 2**30 / seconds:.1f} GiB/s over all of it"
    )
    cp.cuda.set_spill(False)
    pool.set_limit(0)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--short", action="store_true")
    options = parser.parse_args(arguments)
    print(f"{'program':<12}{'pool':<16}{'held':>12}{'over use':>10}{'from device':>13}{'ns each':>9}")
    for name, program in PROGRAMS.items():
        events = record(program)
        for pool, run in _pools(options.models).items():
            held, count, most, seconds = run(events)
            each = seconds * 1e9 / len(events)
            print(
                f"{name:<12}{pool:<16}{held / MEGA:>8.1f} MiB{held / most:>10.3f}{count:>13}{each:>9.0f}",
                flush=True,
            )
    if options.short:
        run_short()


if __name__ == "__main__":
    main()
