"""Python kernels whose threads work together: shared memory, barriers, warps, atomics, groups, algorithms."""

import numpy as np
import pytest

import cuprum as cp
from cuprum import jit


def test_a_tiled_matrix_product():
    @jit.rawkernel()
    def matmul(a, b, c):
        tile_a = jit.shared_memory(cp.float32, (16, 16))
        tile_b = jit.shared_memory(cp.float32, (16, 16))
        column, row = jit.grid(2)
        tx, ty = jit.threadIdx.x, jit.threadIdx.y
        total = cp.float32(0)
        for t in range(0, a.shape[1], 16):
            tile_a[ty, tx] = a[row, t + tx]
            tile_b[ty, tx] = b[t + ty, column]
            jit.syncthreads()
            for k in range(16):
                total += tile_a[ty, k] * tile_b[k, tx]
            jit.syncthreads()
        c[row, column] = total

    a = np.random.RandomState(0).rand(48, 32).astype("f4")
    b = np.random.RandomState(1).rand(32, 64).astype("f4")
    c = cp.zeros((48, 64), dtype="f4")
    matmul[(4, 3), (16, 16)](cp.asarray(a), cp.asarray(b), c)
    np.testing.assert_allclose(c.get(), a @ b, rtol=1e-5)


def test_dynamic_shared_memory():
    @jit.rawkernel()
    def reverse(x):
        i = jit.threadIdx.x
        held = jit.shared_memory(cp.int32, None)
        held[i] = x[jit.blockIdx.x, i]
        jit.syncthreads()
        x[jit.blockIdx.x, i] = held[jit.blockDim.x - 1 - i]

    x = np.arange(128, dtype="i4").reshape(2, 64)
    given = cp.asarray(x)
    reverse[2, 64](given, shared_mem=256)
    np.testing.assert_array_equal(given.get(), x[:, ::-1])


def test_local_memory():
    @jit.rawkernel()
    def sort_three(x):
        i = jit.grid(1)
        held = jit.local_memory(x.dtype, 3)
        for j in range(3):
            held[j] = x[i, j]
        for j in range(2):
            for k in range(2 - j):
                if held[k] > held[k + 1]:
                    held[k], held[k + 1] = held[k + 1], held[k]
        for j in range(3):
            x[i, j] = held[j]

    x = np.random.RandomState(0).permutation(96).reshape(32, 3).astype("f8")
    given = cp.asarray(x)
    sort_three[1, 32](given)
    np.testing.assert_array_equal(given.get(), np.sort(x, axis=1))


@pytest.mark.parametrize("dtype", ["i4", "u4", "i8", "u8", "f2", "f4", "f8"])
def test_atomic_arithmetic(dtype):
    @jit.rawkernel()
    def f(x, out):
        i = jit.grid(1)
        jit.atomic_add(out, 0, x[i])
        jit.atomic_sub(out, 1, x[i])
        jit.atomic_min(out, 2, x[i])
        jit.atomic_max(out, 3, x[i])
        jit.atomic_exch(out, i + 4, x[i])

    x = np.random.RandomState(0).randint(1, 5, 64).astype(dtype)
    out = np.zeros(68, dtype=dtype)
    out[1], out[2] = 1000, 100
    given = cp.asarray(out)
    f[4, 16](cp.asarray(x), given)
    expected = [x.sum(), 1000 - x.sum(), x.min(), x.max(), *x]
    np.testing.assert_array_equal(given.get(), np.array(expected, dtype=dtype))


@pytest.mark.parametrize("dtype", ["i4", "u4", "i8", "u8"])
def test_atomic_bits(dtype):
    @jit.rawkernel()
    def f(x, out):
        i = jit.grid(1)
        jit.atomic_and(out, 0, x[i])
        jit.atomic_or(out, 1, x[i])
        jit.atomic_xor(out, 2, x[i])
        out[3 + i] = jit.atomic_cas(out, 3 + i, 0, x[i])

    x = np.random.RandomState(0).randint(16, 32, 8).astype(dtype)
    out = cp.zeros(11, dtype=dtype)
    out[0] = 31
    f[1, 8](cp.asarray(x), out)
    expected = [np.bitwise_and.reduce(x), np.bitwise_or.reduce(x), np.bitwise_xor.reduce(x)]
    assert out[:3].tolist() == expected
    assert (out[3:] == 0).all()


def test_atomic_counters():
    @jit.rawkernel()
    def f(out):
        jit.atomic_inc(out, 0, 9)
        jit.atomic_dec(out, 1, 9)

    out = cp.zeros(2, dtype=cp.uint32)
    f[2, 8](out)
    assert out.tolist() == [16 % 10, (-16) % 10]


@pytest.mark.parametrize("dtype", ["i4", "u8", "f2", "f8"])
def test_shuffles(dtype):
    @jit.rawkernel()
    def f(x, y):
        i = jit.laneid()
        v = x[i]
        y[0, i] = jit.shfl_sync(0xFFFFFFFF, v, 5)
        y[1, i] = jit.shfl_up_sync(0xFFFFFFFF, v, 3)
        y[2, i] = jit.shfl_down_sync(0xFFFFFFFF, v, 3)
        y[3, i] = jit.shfl_xor_sync(0xFFFFFFFF, v, 1)
        y[4, i] = jit.shfl_sync(0xFFFFFFFF, v, 0, width=8)

    x = np.arange(32).astype(dtype)
    y = cp.zeros((5, 32), dtype=dtype)
    f[1, 32](cp.asarray(x), y)
    lanes = np.arange(32)
    sources = [lanes * 0 + 5, np.where(lanes < 3, lanes, lanes - 3), np.where(lanes > 28, lanes, lanes + 3)]
    np.testing.assert_array_equal(y.get(), x[np.array([*sources, lanes ^ 1, lanes // 8 * 8])])


def test_votes():
    @jit.rawkernel()
    def f(y):
        i = jit.laneid()
        if jit.all_sync(0xFFFFFFFF, i < 32) and not jit.all_sync(0xFFFFFFFF, i < 31):
            jit.atomic_add(y, 0, 1)
        if jit.any_sync(0xFFFFFFFF, i == 7) and not jit.any_sync(0xFFFFFFFF, i == 32):
            jit.atomic_add(y, 1, 1)
        y[2] = jit.ballot_sync(0xFFFFFFFF, i < 5)

    y = cp.zeros(3, dtype=cp.int32)
    f[1, 32](y)
    assert y.tolist() == [32, 32, 31]


def test_a_scan_of_a_warp():
    @jit.rawkernel()
    def scan(x):
        i = jit.threadIdx.x
        v = x[i]
        step = 1
        while step < jit.warpsize:
            below = jit.shfl_up_sync(0xFFFFFFFF, v, step)
            if i >= step:
                v += below
            step *= 2
        jit.syncwarp()
        x[i] = v

    x = np.random.RandomState(0).randint(0, 9, 32)
    given = cp.asarray(x)
    scan[1, 32](given)
    np.testing.assert_array_equal(given.get(), x.cumsum())


def test_groups():
    @jit.rawkernel()
    def f(x, y):
        block, grid = jit.cg.this_thread_block(), jit.cg.this_grid()
        rank = grid.thread_rank()
        x[rank] = block.thread_rank() + 100 * grid.block_rank()
        grid.sync()
        y[rank] = x[grid.num_threads() - 1 - rank]
        jit.cg.sync(block)

    x, y = cp.zeros(64, dtype=int), cp.zeros(64, dtype=int)
    f[2, 32](x, y)
    expected = np.concatenate([np.arange(32), 100 + np.arange(32)])
    np.testing.assert_array_equal(y.get(), expected[::-1])


@pytest.mark.parametrize("dtype", ["i4", "f4", "f2", "c8"])
def test_reductions_of_warps_and_blocks(dtype):
    @jit.rawkernel()
    def f(x, y):
        Warp, Block = jit.cub.WarpReduce[dtype], jit.cub.BlockReduce[dtype, 96]
        of_warp = jit.shared_memory(dtype=Warp.TempStorage, size=1)
        of_block = jit.shared_memory(dtype=Block.TempStorage, size=1)
        i = jit.threadIdx.x
        total = Block(of_block[0]).Sum(x[i])
        least = Block(of_block[0]).Reduce(x[i], jit.cub.Min())
        largest = Warp(of_warp[0]).Reduce(x[i], jit.cub.Max())
        if i == 0:
            y[0], y[1] = total, least
        if i % 32 == 0:
            y[2 + i // 32] = largest

    x = np.random.RandomState(0).randint(0, 20, 96).astype(dtype)
    y = cp.zeros(5, dtype=dtype)
    f[1, 96](cp.asarray(x), y)
    expected = [x.sum(dtype=dtype), x.min(), *x.reshape(3, 32).max(axis=1)]
    np.testing.assert_array_equal(y.get(), np.array(expected, dtype=dtype))


@pytest.mark.parametrize("order", ["C", "F"])
def test_algorithms(order):
    @jit.rawkernel()
    def f(x, sums, places):
        i = jit.threadIdx.x
        row = x[i]
        sums[i].begin()[0] = jit.thrust.reduce(jit.thrust.seq, row.begin(), row.end())
        jit.thrust.sort(jit.thrust.seq, row.begin(), row.end())
        first, last = jit.thrust.equal_range(jit.thrust.seq, row.begin(), row.end(), 3)
        places[i, 0] = first - row.begin()
        places[i, 1] = last - first
        jit.thrust.exclusive_scan(jit.thrust.seq, row.begin(), row.end(), sums[i].begin() + 1, 5)

    x = np.random.RandomState(0).randint(0, 6, (8, 10))
    given = cp.asarray(np.array(x, order=order))
    sums, places = cp.zeros((8, 11), dtype=int), cp.zeros((8, 2), dtype=int)
    f[1, 8](given, sums, places)
    rows = np.sort(x, axis=1)
    np.testing.assert_array_equal(given.get(), rows)
    np.testing.assert_array_equal(sums.get()[:, 0], x.sum(axis=1))
    np.testing.assert_array_equal(sums.get()[:, 1:], rows.cumsum(axis=1) - rows + 5)
    np.testing.assert_array_equal(places.get()[:, 0], (rows < 3).sum(axis=1))
    np.testing.assert_array_equal(places.get()[:, 1], (rows == 3).sum(axis=1))
