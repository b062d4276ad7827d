"""Assignments into views: values that die with the statement, lines and small blocks, rows of every length."""

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from cuprum import _core


def grids(*shape, dtype="f8", n=2):
    rng = np.random.default_rng(7)
    host = [(rng.random(shape) * 100 - 50).astype(dtype) for _ in range(n)]
    return host, [cp.asarray(h) for h in host]


def equal(device, host):
    got = cp.asnumpy(device)
    assert got.dtype == host.dtype and got.shape == host.shape
    assert got.tobytes() == host.tobytes()


def kernels():
    return _core.engine_stats()["kernels"]


# Rows around every length at which the CPU changes how it cuts blocks: 256 bytes, a register of 1 KB, two of them.
LENGTHS = [1, 2, 7, 31, 32, 33, 63, 64, 65, 127, 128, 129, 140, 255, 256, 257, 300, 511, 513, 1030, 2100]


@pytest.mark.parametrize("dtype", ["i1", "f4", "f8", "c16"])
@pytest.mark.parametrize("row", LENGTHS)
def test_stencils_of_rows(row, dtype):
    (a, n), (da, dn) = grids(6, row + 2, dtype=dtype)
    for x, to in ((a, n), (da, dn)):
        to[1:-1, 1:-1] = x[1:-1, 2:] + x[2:, 1:-1] * x[:-2, 1:-1] - x[1:-1, :-2]
    equal(dn, n)


@pytest.mark.parametrize("row", [40, 128, 140, 300, 1030])
def test_rows_meet_every_kind_of_operand(row):
    """Contiguous rows beside columns, single rows, one element, reversed, strided and three-dimensional operands."""
    rng = np.random.default_rng(3)
    cube = rng.random((3, 4, 2 * row))
    parts = [rng.random(s) for s in ((3, 4, 1), (row,), (1, 1, 1), (4, row), (3, 1, row))]
    wide = np.zeros((3, 5, row + 3))

    def run(xp, cube, parts, to):
        column, line, one, plane, deep = parts
        to[:, 1:, 2:-1] = cube[:, :, ::2] * column + line[::-1] - one * plane[::-1] + deep
        to[:, 0, ::2] = cube[:, 0, : to[:, 0, ::2].shape[-1]]
        return to

    expected = run(np, cube, parts, wide.copy())
    equal(run(cp, cp.asarray(cube), [cp.asarray(p) for p in parts], cp.asarray(wide)), expected)


@pytest.mark.parametrize("row", [40, 70, 140, 300, 1030, 5000])
def test_rows_shared_out_among_threads(row):
    """Enough work for all threads, which begin and end in the middle of rows; the last row is the shortest piece."""
    (a, n), (da, dn) = grids(150, row + 3, dtype="f4")
    for x, to in ((a, n), (da, dn)):
        to[1:, 2:-1] = x[1:, 3:] * x[:-1, :-3] - x[:1, 1:-2] + x[1:, :1]
    equal(dn, n)
    threads = _core.get_num_threads()
    try:
        _core.set_num_threads(1)
        equal(da[1:, ::2] + da[:-1, ::2], a[1:, ::2] + a[:-1, ::2])
    finally:
        _core.set_num_threads(threads)
    equal(da[1:, ::2] + da[:-1, ::2], a[1:, ::2] + a[:-1, ::2])


def test_rows_with_two_results():
    (a, b), (da, db) = grids(5, 150)
    x, y = a[1:, 3:] + b[:-1, :-3], a[1:, 3:] * b[:-1, :-3]
    dx, dy = da[1:, 3:] + db[:-1, :-3], da[1:, 3:] * db[:-1, :-3]
    cp.evaluate(dx, dy)
    equal(dx, x)
    equal(dy, y)


@pytest.mark.parametrize("shape", [(1, 1), (14, 140), (90, 100), (140, 140), (3, 20000)])
@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "f8", "c16"])
def test_copies_of_lines_and_blocks(shape, dtype):
    (a, n), (da, dn) = grids(*shape, dtype=dtype)
    for x, to in ((a, n), (da, dn)):
        to[0, :] = x[-1, :]
        to[:, 0] = x[:, -1]
        to[1:-1, 1:-1] = x[1:-1, 2:] if shape[1] > 2 else x[1:-1, 1:-1]
        to[::-1, ::2] = x[:, ::2]
        to[-1, :] = 1
        to[1:-1, -1] = 0
    equal(dn, n)
    square = min(shape)
    dn[:square, :square] = da[:square, :square].T
    n[:square, :square] = a[:square, :square].T
    equal(dn, n)


@pytest.mark.parametrize("n", [1, 2, 64, 128, 129])
def test_one_operation_over_strided_lines(n):
    (a, b), (da, db) = grids(n, 3)
    for x, y in ((a, b), (da, db)):
        y[:, 1] = -x[:, 0]
        y[::-1, 2] = x[:, 1] * y[0, 0]
        x[:, 0] = x[:, 0] + 2.5
        x[:, 2] = x[::-1, 2] * 2
        y[:, 0] = x[:, 0] < 0
    equal(db, b)
    equal(da, a)


def test_a_temporary_is_not_kept():
    _, (a, n) = grids(200, 300)
    cp.evaluate(a, n)
    with cp.eager(False):
        pool = cp.get_default_memory_pool()
        pool.reset_peak()
        before, count = pool.used_bytes(), kernels()
        n[1:-1, 1:-1] = a[2:, 1:-1] + a[:-2, 1:-1] * 2
        assert kernels() == count + 1
        assert pool.peak_bytes() == before


def test_a_value_that_is_kept_keeps_its_elements():
    (a, n), (da, dn) = grids(20, 30)
    kept = da[1:-1] + 1
    dn[1:-1] = kept
    da[:] = 0
    equal(kept, a[1:-1] + 1)
    n[1:-1] = a[1:-1] + 1
    equal(dn, n)


def test_a_view_of_a_temporary_keeps_its_elements():
    (a, _), (da, dn) = grids(20, 30)
    views = []

    def seen(x):
        views.append(x[2:4])
        return x

    dn[1:-1] = seen(da[1:-1] + 1)
    da[:] = 0
    equal(views[0], (a[1:-1] + 1)[2:4])


def test_a_borrowed_reference_is_no_loss():
    """A caller that has the only reference and asks again gets the same values, whatever was written meanwhile."""
    (a, n), (da, dn) = grids(20, 30)
    holder = [da[1:-1] * 3]
    list(map(operator.setitem, [dn], [slice(1, -1)], holder))
    da[:] = 0
    equal(holder[0], a[1:-1] * 3)
    n[1:-1] = a[1:-1] * 3
    equal(dn, n)


def test_a_temporary_that_reads_its_target():
    (a, _), (da, _) = grids(20, 30)
    for x in (a, da):
        x[1:-1, 1:-1] = 0.25 * (x[1:-1, 2:] + x[1:-1, :-2] + x[2:, 1:-1] + x[:-2, 1:-1])
        x[:, 0] = x[:, 1] + x[:, 0]
        x[1:] = x[:-1] + x[1:]
        x[::-1] = x + 0.0
    equal(da, a)


def test_a_temporary_of_another_dtype_or_shape():
    (a, n), (da, dn) = grids(20, 30)
    for xp, x, to in ((np, a, n), (cp, da, dn)):
        to[1:3] = (x[1:3] * 2).astype("f4")
        to[3:6] = x[0] + x[1]
        to[6:8] = (x[0] + x[1])[None, None]
        to[8:10] = xp.sqrt(abs(x[8:10])).max(axis=1, keepdims=True)
        to[10:12] = x[10:12].T.copy().T + 1
        to[12:14] = 1 * (x[12:14] > 0)
    equal(dn, n)


def test_a_temporary_in_another_shape():
    """Where the bytes come in the view's order, they are computed straight into it."""
    (a, n), (da, dn) = grids(20, 30)
    for xp, x, to in ((np, a, n), (cp, da, dn)):
        to[3:5] = xp.repeat(x[0], 2).reshape(2, 30)
        to[6:10] = (x[:15, :8] * 3).reshape(4, 30)
        to[11, 2:22] = xp.repeat(x[1, :10], 2)
        to[:, 5] = (x[:4, :5] + 1).reshape(20)
        to[12:16] = (x[:15, :8].T * 3).reshape(4, 30)
        to[1:3] = (to[:2] + 1).reshape(60).reshape(2, 30)
        kept = xp.repeat(x[2, :15], 2) * 2
        to[17] = kept
        kept[3] = -1
        to[18] = kept
    equal(dn, n)
    a, n = cp.asarray(np.arange(5000.0)), cp.zeros(100_001)
    cp.evaluate(a, n)
    with cp.eager(False):
        pool = cp.get_default_memory_pool()
        pool.reset_peak()
        before, count = pool.used_bytes(), kernels()
        n[1:] = cp.repeat(a, 20)
        assert kernels() == count + 1
        assert pool.peak_bytes() == before


def test_a_temporary_into_a_target_that_is_read_later():
    """What was recorded before the write sees the values before it."""
    (a, n), (da, dn) = grids(20, 30)
    earlier, pending = dn * 2, da + dn
    dn[2:5] = da[2:5] - da[3:6]
    equal(earlier, n * 2)
    equal(pending, a + n)


def test_a_read_only_target_refuses_a_temporary():
    _, (a, n) = grids(4, 5)
    n.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        n[1:3] = a[1:3] + 1


slices = st.builds(
    slice,
    st.one_of(st.none(), st.integers(-13, 13)),
    st.one_of(st.none(), st.integers(-13, 13)),
    st.one_of(st.none(), st.integers(-3, 3).filter(bool)),
)


@given(slices, slices, slices, st.integers(0, 12), st.integers(0, 12))
def test_columns_rows_and_blocks_that_may_overlap(rows, cols, other, i, j):
    host = np.arange(169.0).reshape(13, 13)
    device = cp.asarray(host)
    for x in (host, device):
        x[rows, i] = x[rows, j]
        x[i, cols] = x[j, cols]
        count = min(len(range(*cols.indices(13))), len(range(*other.indices(13))))
        x[rows, cols][:, :count] = x[rows, other][:, :count]
        x[:, i] = x[j, :] + x[:, j]
    equal(device, host)


@pytest.mark.parametrize("shape", [(9,), (5000,), (40, 40), (300, 200), (20, 30, 40)])
def test_values_that_read_what_they_write(shape):
    # The CPU computes such values straight into their place; nothing that was named before is lost.
    (host, _), (device, _) = grids(*shape)

    def step(a):
        inner, before, after = (
            (slice(1, -1),) * a.ndim,
            (slice(None, -2),) * a.ndim,
            (slice(2, None),) * a.ndim,
        )
        kept = a[before] * 2
        a[inner] = (a[before] + a[after]) * 0.25 + a[inner]
        value = a[after] - a[before]
        a[inner] = value
        a[inner] += a[before]
        a[after] *= a[before] + value
        return kept, value, a

    for _ in range(3):
        for got, want in zip(step(device), step(host), strict=True):
            equal(got, want)


def test_a_step_in_its_own_array_is_one_kernel():
    _, (a, _) = grids(64, 64)
    before = kernels()
    a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    assert kernels() - before == (1 if a.device == "cpu" else 2)
