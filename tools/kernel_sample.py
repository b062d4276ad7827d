#!/usr/bin/env python3
"""Every kind of kernel a few times, compared with NumPy: fast enough for compute-sanitizer.

    python tools/kernel_sample.py                       on the default device (CUPRUM_DEVICE)
    python tools/kernel_sample.py --size small          fewer sizes, for memcheck
    python tools/kernel_sample.py --size race           a dtype or two and sizes just beyond one block, for racecheck
    python tools/kernel_sample.py --family sorts        one family; --list names them
    python tools/kernel_sample.py --share 0/5           every fifth dtype, from the first on

Each line names a family and how many results were compared; differences are listed and make the exit status 1.
"""

import argparse
import sys
import time

import numpy as np

import cuprum as cp

DTYPES = ["?", "i1", "u2", "i4", "u8", "e", "f", "d", "F", "D"]

# Hazards between threads do not depend on the dtype: one of four bytes, and one of sixteen for the widest registers.
RACE_DTYPES = ["f", "D"]
SIZES = {
    "full": [(), (0,), (1,), (33,), (1025,), (8200,), (5, 67), (130, 3), (3, 2050)],
    "small": [(), (33,), (5, 67)],
    # Just beyond a block of 256 threads with 4 elements each, a tile of 8192 (scans, masks), tiles of 32 x 32.
    "race": [(1100,), (8200,), (35, 67)],
}


def arrays(dtype, shape, seed):
    """A NumPy array of small values, so that integer results do not depend on overflow nor float sums on order."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 2 if dtype == "?" else 7, shape)
    a = values.astype(dtype)
    return a + (rng.integers(0, 3, shape) * 1j).astype(dtype) if a.dtype.kind == "c" else a


def layouts(a):
    """The array and views of it: steps, reversed, transposed, broadcast."""
    yield a
    if a.ndim:
        yield a[::-1]
        yield a[..., ::2]
    if a.ndim > 1:
        yield a.T
        yield np.broadcast_to(a[:1], a.shape)


def device_views(a):
    return zip(layouts(a), layouts_of_device(a))


def layouts_of_device(a):
    d = cp.asarray(a)
    yield d
    if a.ndim:
        yield d[::-1]
        yield d[..., ::2]
    if a.ndim > 1:
        yield d.T
        yield cp.broadcast_to(d[:1], a.shape)


def elementwise(sizes):
    for t in DTYPES:
        for shape in sizes:
            a = arrays(t, shape, 1)
            b = arrays(t, shape, 2)
            y = cp.asarray(b)
            for n, x in device_views(a):
                if n.shape == b.shape:
                    yield f"add {t} {shape}", n + b, x + y
                    yield f"fused {t} {shape}", np.where(n > b, n * b, n), cp.where(x > y, x * y, x)
                yield f"copy {t} {shape}", n.copy(), x.copy()
                yield f"astype {t} {shape}", n.astype("D"), x.astype("D")
    for name in ("sin", "exp", "sqrt", "log1p", "tanh", "floor", "isnan", "sign"):
        a = arrays("d", (257,), 3) / 3
        yield name, getattr(np, name)(a), getattr(cp, name)(cp.asarray(a))


def reductions(sizes):
    for t in DTYPES:
        for shape in sizes:
            a = arrays(t, shape, 4)
            if a.size == 0:
                continue
            for n, x in device_views(a):
                axes = [None] + ([0] if a.ndim else []) + ([1, (0, 1)] if a.ndim == 2 else [])
                for axis in axes:
                    for name in ("sum", "prod", "any") + (() if t in "FD" else ("max", "argmin")):
                        if name == "prod" and t[0] not in "?iu":
                            continue
                        if name == "argmin" and isinstance(axis, tuple):
                            continue
                        yield (
                            f"{name} {t} {n.shape} {axis}",
                            getattr(n, name)(axis=axis),
                            getattr(x, name)(axis=axis),
                        )
                if t in "fd":
                    yield f"var {t} {n.shape}", n.var(), x.var()
                    yield f"mean square {t} {n.shape}", ((n - 1) ** 2).mean(), ((x - 1) ** 2).mean()


def scans(sizes):
    for t in DTYPES:
        for shape in sizes:
            if not shape or t in ("?", "e"):  # NumPy rounds a float16 sum at every step
                continue
            for n, x in device_views(arrays(t, shape, 5)):
                yield f"cumsum {t} {n.shape}", np.cumsum(n, axis=-1), cp.cumsum(x, axis=-1)
                yield f"cumsum axis 0 {t} {n.shape}", np.cumsum(n, axis=0), cp.cumsum(x, axis=0)
                yield f"cumsum flat {t} {n.shape}", np.cumsum(n), cp.cumsum(x)


def sorts(sizes):
    for t in DTYPES:
        for shape in sizes:
            if not shape:
                continue
            for n, x in device_views(arrays(t, shape, 5)):
                yield f"sort {t} {n.shape}", np.sort(n), cp.sort(x)
                yield f"argsort {t} {n.shape}", np.argsort(n, kind="stable"), cp.argsort(x, kind="stable")


def indexing(sizes):
    for t in DTYPES:
        for shape in sizes:
            if not shape or 0 in shape:
                continue
            a = arrays(t, shape, 6)
            mask = arrays("?", shape, 7)
            index = np.random.default_rng(8).integers(-shape[0], shape[0], 33)
            for n, x in device_views(a):
                if n.shape == mask.shape:
                    yield f"mask {t} {n.shape}", n[mask], x[cp.asarray(mask)]
                i = index if n.shape[0] == shape[0] else index % n.shape[0]
                yield f"take {t} {n.shape}", n[i], x[cp.asarray(i)]
            x = cp.asarray(a)
            n = a.copy()
            n[mask] = n.ravel()[:1]
            x[cp.asarray(mask)] = x.ravel()[:1]
            yield f"masked assign {t} {shape}", n, x
            n[index] = np.arange(33).reshape((33,) + (1,) * (a.ndim - 1)).astype(t)
            x[cp.asarray(index)] = cp.arange(33).reshape((33,) + (1,) * (a.ndim - 1)).astype(t)
            yield f"scatter {t} {shape}", n, x
            if t in ("i4", "d", "f"):
                np.add.at(n, index, n.dtype.type(2))
                cp.add.at(x, cp.asarray(index), cp.asarray(n.dtype.type(2)))
                yield f"add.at {t} {shape}", n, x
            yield f"nonzero {t} {shape}", np.stack(np.nonzero(a)), cp.stack(cp.nonzero(cp.asarray(a)))


def leaves(sizes):
    """Kernels that read a leaf through indices, or draw it."""
    for t in DTYPES:
        for shape in sizes:
            if not shape or 0 in shape:
                continue
            a, w = arrays(t, (50,), 22), arrays(t, shape, 23)
            rng = np.random.default_rng(24)
            i, rows = (rng.integers(-n, n, s) for n, s in ((50, shape), (shape[0], shape[0])))
            table, v, k = cp.asarray(a), cp.asarray(w), cp.asarray(rows)
            for of in ("i8", "i4"):
                j = cp.asarray(i.astype(of))
                yield f"gathered {t} {of} {shape}", np.where(w, a[i], w), cp.where(v, table[j], v)
                yield f"both gathered {t} {of} {shape}", a[i] == a[i[::-1]], table[j] == table[j[::-1]]
            yield f"rows gathered {t} {shape}", np.where(w, w[rows], w), cp.where(v, v[k], v)
            if t != "?":
                yield f"sum of gathered {t} {shape}", (a[i] + w).sum(-1), (table[j] + v).sum(-1)
                yield f"sum of gathered rows {t} {shape}", (w[rows] + w).sum(0), (v[k] + v).sum(0)
    for shape in sizes:
        if not shape or 0 in shape:
            continue
        for name in ("PCG64", "PCG64DXSM", "Philox"):
            g, d = (xp.random.Generator(getattr(xp.random, name)(7)) for xp in (np, cp))
            yield f"drawn {name} {shape}", g.random(shape) * 3, d.random(shape) * 3
            yield f"drawn halves {name} {shape}", g.random(shape, "f4") * 3, d.random(shape, "f4") * 3
            yield (
                f"count of drawn {name} {shape}",
                (g.random(shape) < 0.5).sum(0),
                (d.random(shape) < 0.5).sum(0),
            )
            yield f"uniform {name} {shape}", g.uniform(-1, 2, shape).max(-1), d.uniform(-1, 2, shape).max(-1)
        d, e = (cp.random.Generator(cp.random.Philox4x3210(7)) for _ in range(2))
        for law, arguments in (
            ("random", ()),
            ("standard_normal", ()),
            ("exponential", ()),
            ("integers", (9,)),
        ):
            stored = cp.evaluate(getattr(e, law)(*arguments, size=shape))
            yield f"drawn {law} {shape}", cp.asnumpy(stored) * 2, getattr(d, law)(*arguments, size=shape) * 2


def products(sizes):
    for t in ("i4", "e", "f", "d", "F", "D"):
        for m, k, n in ((1, 1, 1), (17, 33, 65), (64, 64, 64), (3, 0, 2)):
            a, b = arrays(t, (m, k), 9), arrays(t, (k, n), 10)
            yield f"matmul {t} {m, k, n}", a @ b, cp.asarray(a) @ cp.asarray(b)
            yield f"matmul T {t} {m, k, n}", b.T @ a.T, cp.asarray(b).T @ cp.asarray(a).T
        a, b = arrays(t, (3, 9, 8), 11), arrays(t, (8, 5), 12)
        yield f"matmul batch {t}", a @ b, cp.asarray(a) @ cp.asarray(b)
    for t in ("i4", "f", "d"):
        yield f"arange {t}", np.arange(3, 1000, 2, dtype=t), cp.arange(3, 1000, 2, dtype=t)


def searches(sizes):
    """Rows that lie in shared memory with their guide, in the caches, and values too few for one."""
    rng = np.random.default_rng(13)
    for t in ("i4", "f", "d"):
        for n, count in ((1000, 40_000), (20_000, 40_000), (1000, 33)):
            row = np.unique(arrays("i4", (n,), 14).cumsum()).astype(t)
            values = rng.integers(-5, int(row[-1]) + 5, count).astype(t)
            r, v = cp.asarray(row), cp.asarray(values)
            for side in ("left", "right"):
                yield f"searchsorted {t} {n}", np.searchsorted(row, values, side), cp.searchsorted(r, v, side)
            yield f"isin {t} {n}", np.isin(values, row), cp.isin(v, r)
            yield f"histogram {t} {n}", np.histogram(values, row)[0], cp.histogram(v, r)[0]
            yield f"equal bins {t} {n}", np.histogram(values, 20)[0], cp.histogram(v, 20)[0]
            yield f"interp {t} {n}", np.interp(values, row, row * 2.0), cp.interp(v, r, r * 2.0)
            places = np.abs(values).astype("i8") % 100
            d = cp.asarray(places)
            yield f"bincount {n}", np.bincount(places), cp.bincount(d)
            yield f"bincount of weights {t} {n}", np.bincount(places, values), cp.bincount(d, v)


def parts(sizes):
    """What is put together from parts, repeated, or slid along."""
    for t in DTYPES:
        for shape in sizes:
            if not shape or 0 in shape:
                continue
            for n, x in device_views(arrays(t, shape, 15)):
                yield f"stack {t} {n.shape}", np.stack([n, n, n], -1), cp.stack([x, x, x], -1)
                yield f"concatenate {t} {n.shape}", np.concatenate([n, n], -1), cp.concatenate([x, x], -1)
                yield f"repeat {t} {n.shape}", np.repeat(n, 3, -1), cp.repeat(x, 3, -1)
            if t in ("i4", "f", "d") and len(shape) == 1:
                a, b = arrays(t, shape, 16), arrays(t, (7,), 17)
                yield f"convolve {t} {shape}", np.convolve(a, b), cp.convolve(cp.asarray(a), cp.asarray(b))


def large(sizes):
    """Ways that are taken for arrays beyond a cache alone: order statistics without a sort, moves by window."""
    rng = np.random.default_rng(18)
    for t in ("i4", "f", "d"):
        a = rng.integers(-1000, 1000, 70_001).astype(t)
        x = cp.asarray(a)
        yield f"median {t}", np.median(a), cp.median(x)
        yield f"quantile {t}", np.quantile(a, [0.1, 0.9]), cp.quantile(x, [0.1, 0.9])
    n = np.zeros(20_000_003, "f")
    index = rng.integers(-n.size, n.size, 1_300_000)
    values = np.arange(index.size, dtype="f")
    x = cp.zeros(n.shape, "f")
    n[index] = values
    x[cp.asarray(index)] = cp.asarray(values)
    yield "scatter by windows", n, x
    i = cp.asarray(index)
    for t in ("f", "d"):
        yield f"gather by windows {t}", n.astype(t)[index], x.astype(t)[i]
    for t in ("f", "i4", "i8"):
        sums, total = np.zeros(n.shape, t), cp.zeros(n.shape, t)
        np.add.at(sums, index, (values % 7).astype(t))
        cp.add.at(total, i, cp.asarray((values % 7).astype(t)))
        yield f"sums by windows {t}", sums, total


def sums_at_few_places(sizes):
    """Counted, carried from word to word, and added as they are."""
    rng = np.random.default_rng(19)
    for places in (3, 1000):
        index = rng.integers(-places, places, 70_001)
        i = cp.asarray(index)
        for t in ("i4", "i8", "u8", "f", "d"):
            for values in (1, np.arange(index.size) % 5 * (1 << 40 if t[-1] == "8" else 1)):
                n = np.zeros(places, t)
                x = cp.zeros(places, t)
                v = np.asarray(values).astype(t)
                for name in ("add", "subtract"):
                    getattr(np, name).at(n, index, v)
                    getattr(cp, name).at(x, i, cp.asarray(v))
                    yield f"{name}.at {t} {places}", n, x


def own_kernels(sizes):
    """A program's kernels: fused bodies, launched ones, reductions along both axes, shared memory and barriers."""
    pure = cp.ElementwiseKernel("T x, T y", "T z", "z = x + y + x")
    launched = cp.ElementwiseKernel("raw T x, T y", "T z", "z = x[n - 1 - i] + y")
    total = cp.ReductionKernel("T x", "T y", "x + x", "a + b", "y = a", "0")
    turned = cp.RawKernel(
        r"""extern "C" __global__ void turned(const float* x, float* y) {
            __shared__ float s[256];
            s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
            __syncthreads();
            y[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
        }""",
        "turned",
    )
    for t in set(DTYPES) - {"?", "i1", "u2", "e"}:
        for shape in sizes:
            a = arrays(t, shape, 21)
            for n, x in device_views(a):
                yield f"pure {t} {n.shape}", n + n + n, pure(x, x)
            x = cp.asarray(a)
            yield f"launched {t} {shape}", a.ravel()[::-1].reshape(shape) + a, launched(x, x)
            for axis in (None, *range(a.ndim)):
                yield f"total {t} {shape} {axis}", 2 * a.sum(axis=axis, dtype=t), total(x, axis=axis)
    a = np.arange(1024, dtype="f")
    y = cp.empty(1024, "f")
    turned((4,), (256,), (cp.asarray(a), y))
    yield "shared memory", a.reshape(4, 256)[:, ::-1].ravel(), y


def agree(expected, got):
    expected, got = np.asarray(expected), cp.asnumpy(got)
    if expected.shape != got.shape or expected.dtype != got.dtype:
        return f"{expected.dtype}{expected.shape} expected, {got.dtype}{got.shape} found"
    if expected.dtype.kind in "fc":
        tolerance = 16 * np.finfo(expected.dtype).eps
        same = np.isclose(got, expected, rtol=tolerance, atol=tolerance, equal_nan=True)
    else:
        same = got == expected
    if np.all(same):
        return None
    where = tuple(int(i) for i in np.argwhere(~np.asarray(same))[0])
    wrong = np.size(same) - np.count_nonzero(same)
    return f"{wrong} differ, first at {where}: {expected[where]} expected, {got[where]} found"


FAMILIES = {
    f.__name__: f
    for f in (
        elementwise, reductions, scans, sorts, indexing, leaves, products, searches, parts, large, sums_at_few_places,
        own_kernels,
    )
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", choices=SIZES, default="full")
    parser.add_argument("--family", choices=FAMILIES, action="append")
    parser.add_argument("--share", default="0/1", metavar="I/N", help="every Nth dtype, from the Ith on")
    parser.add_argument("--list", action="store_true", help="the names of the families")
    options = parser.parse_args()
    if options.list:
        print(*FAMILIES)
        return 0
    if options.size == "race":
        DTYPES[:] = RACE_DTYPES
    first, step = map(int, options.share.split("/"))
    DTYPES[:] = DTYPES[first::step]
    wrong = 0
    for name in options.family or FAMILIES:
        start, count, bad = time.perf_counter(), 0, []
        try:
            for what, expected, got in FAMILIES[name](SIZES[options.size]):
                count += 1
                difference = agree(expected, got)
                if difference:
                    bad.append(f"{what}: {difference}")
        except Exception as error:
            bad.append(f"after {count} results: {type(error).__name__}: {error}")
        seconds = time.perf_counter() - start
        print(f"{name:<12} {count:>5} results, {len(bad)} differ, {seconds:.1f} s", flush=True)
        for line in bad[:12]:
            print("   ", line)
        wrong += len(bad)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
