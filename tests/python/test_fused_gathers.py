"""`table[idx] * w` is one kernel, which reads the table through the indices itself."""

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE, HOST_MEMORY
from kernel_counts import nothing_is_small, work


@pytest.fixture(autouse=True)
def lazy():
    with nothing_is_small():
        yield


def operands(xp, dtype="f8", shape=(40, 30), seed=0):
    rng = np.random.default_rng(seed)
    a = rng.integers(-50, 50, shape).astype(dtype)
    i = rng.integers(-shape[0], shape[0], shape[0])
    j = rng.integers(-shape[-1], shape[-1], shape[-1])
    return xp.asarray(a), xp.asarray(i), xp.asarray(j)


# Of a table, indices of its rows and of its columns, each as many as there are: which are one kernel?
ONE = {
    "rows": lambda xp, a, i, j: a[i] * 2 + a,
    "columns": lambda xp, a, i, j: xp.take(a, j, axis=1) * 2 + a,
    "both": lambda xp, a, i, j: a[i] - xp.take(a, j, axis=1),
    "pairs": lambda xp, a, i, j: a[i] - a[i[::-1]],
    "take": lambda xp, a, i, j: xp.take(a, i, axis=0) * a,
    "where": lambda xp, a, i, j: xp.where(a > 0, a[i], 0),
    "a strided table": lambda xp, a, i, j: a[::-1, ::2][i] * 3,
    "a turned table": lambda xp, a, i, j: xp.asarray(a.T)[:, i] * 3,
    "strided indices": lambda xp, a, i, j: a[i[::-2]] * 3,
    "a vector": lambda xp, a, i, j: a[3][j] * a[5][j],
    "a vector by a matrix": lambda xp, a, i, j: a[:, 3][i.reshape(8, 5)] * 2,
    "a matrix by a matrix": lambda xp, a, i, j: a[i.reshape(8, 5)] + 1,
    "indices broadcast": lambda xp, a, i, j: a[:, 3][xp.broadcast_to(i, (3, 40))] + 1,
    "axes of size 1": lambda xp, a, i, j: (a[i[:, None], None, :] + 1)[0],
    "turned": lambda xp, a, i, j: a[i].T + a.T,
    "sum": lambda xp, a, i, j: (a[i] * a).sum(),
    "sum of itself": lambda xp, a, i, j: a[i].sum(axis=0),
    "sum of rows": lambda xp, a, i, j: (xp.take(a, j, axis=1) * 2).sum(axis=1),
    "var": lambda xp, a, i, j: (a[i] - a).var(axis=1),
    "argmax": lambda xp, a, i, j: (a[i] - a).argmax(axis=0),
    "argmin": lambda xp, a, i, j: a[i].argmin(),
    "several outputs": lambda xp, a, i, j: (lambda b: b + 1)(a[i] * 3),
    "a copy": lambda xp, a, i, j: a[i].T.copy(),
    "greatest and more": lambda xp, a, i, j: xp.minimum(a[i], a).max() * 2,
    "a stage of two": lambda xp, a, i, j: xp.maximum(a, xp.minimum(a[i], a).max(axis=1, keepdims=True)),
    "a stage of two, by columns": lambda xp, a, i, j: xp.maximum(
        a, xp.minimum(xp.take(a, j, axis=1), a).max(axis=0)
    ),
    "read twice": lambda xp, a, i, j: (lambda d: d * d + d)(a[i]),
}


# Booleans have no difference, and NumPy's variance of float16 overflows.
NO_ORACLE = {*((name, "?") for name in ("both", "pairs", "var", "argmax")), ("var", "f2")}
CASES = [(name, dtype) for name in ONE for dtype in ("f8", "f4", "i2", "?", "c16", "f2")]


@pytest.mark.parametrize(("name", "dtype"), [case for case in CASES if case not in NO_ORACLE])
def test_is_one_kernel(name, dtype):
    a, i, j = operands(cp, dtype)
    want = ONE[name](np, *operands(np, dtype))
    (kernels, calls), got = work(lambda: ONE[name](cp, a, i, j))
    assert (kernels, calls) == (1, 0)
    assert got.dtype == want.dtype and got.shape == want.shape
    if name in ("sum", "var"):
        np.testing.assert_allclose(cp.asnumpy(got), want, rtol=1e-2 if dtype == "f2" else 1e-5)
    else:
        np.testing.assert_array_equal(cp.asnumpy(got), want)
    with cp.eager(True):
        assert np.array_equal(cp.asnumpy(ONE[name](cp, a, i, j)), cp.asnumpy(got))


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 5000, 300_000])
@pytest.mark.parametrize("dtype", ["f4", "i8", "u1"])
def test_lengths(size, dtype):
    rng = np.random.default_rng(size)
    table = rng.integers(0, 100, 777).astype(dtype)
    index = rng.integers(-777, 777, size)
    w = rng.integers(0, 100, size).astype(dtype)
    got = cp.asarray(table)[cp.asarray(index)] * cp.asarray(w) + cp.asarray(w)
    np.testing.assert_array_equal(cp.asnumpy(got), table[index] * w + w)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_indices_of_every_dtype(dtype):
    rng = np.random.default_rng(2)
    table, w = rng.random(100, dtype="f4"), rng.random((60, 50), dtype="f4")
    index = rng.integers(-100 if dtype[0] == "i" else 0, 100, w.shape).astype(dtype)
    a, i, v = cp.evaluate(cp.asarray(table), cp.asarray(index), cp.asarray(w))
    for read in (
        lambda t, k, x: t[k] * x + x,
        lambda t, k, x: t[k.T].T * x,
        lambda t, k, x: t[k[::2, ::-1]] - t[k[1::2]],
        lambda t, k, x: (t[k] * x).max(axis=0),
    ):
        (kernels, calls), got = work(lambda read=read: read(a, i, v))
        if not HOST_MEMORY:  # which looks at the indices, as int64, in the call
            assert (kernels, calls) == (1, 0)
        np.testing.assert_array_equal(cp.asnumpy(got), read(table, index, w))


def test_many_gathers():
    rng = np.random.default_rng(4)
    table, index = rng.integers(0, 9, 50), rng.integers(-50, 50, (120, 70))
    a, rows = cp.evaluate(cp.asarray(table)), [cp.evaluate(cp.asarray(i)) for i in index]
    (kernels, calls), got = work(lambda: sum(a[i] for i in rows))
    assert (kernels, calls) == (1, 0) and np.array_equal(cp.asnumpy(got), table[index].sum(axis=0))


@pytest.mark.skipif(HOST_MEMORY, reason="the call looks at the indices, as int64")
def test_what_else_reads_converted_indices():
    """They are converted once, and the gather reads that."""
    a, i = cp.evaluate(cp.arange(100.0), cp.arange(50, dtype="i4")[::-1])
    wide = i.astype("i8")
    (kernels, calls), got = work(lambda: a[wide] * 2)
    assert (kernels, calls) == (2, 0) and got.tolist() == list(range(98, -2, -2))
    kept = cp.evaluate(cp.arange(50, dtype="i4") + 0)
    b = a[kept] * 2
    kept += 1  # what is pending reads the indices as they were
    assert b.tolist() == list(range(0, 100, 2))


@pytest.mark.parametrize("rows", [(3, 1), (3, 2), (1000, 3), (50, 300), (7, 4000), (2, 3, 5), (20, 30, 40)])
def test_rows(rows):
    rng = np.random.default_rng(1)
    table = rng.random(rows, dtype="f4")
    index = rng.integers(-rows[0], rows[0], 123)
    for axis in range(len(rows)):
        along = index % rows[axis]
        want = np.take(table, along, axis=axis) * np.float32(2)
        got = cp.take(cp.asarray(table), cp.asarray(along), axis=axis) * np.float32(2)
        np.testing.assert_array_equal(cp.asnumpy(got), want)
    a, i = cp.asarray(table), cp.asarray(index)
    b = table[index]
    for axis in (None, 0, -1):
        got, stored = (a[i] * 3).sum(axis=axis), cp.evaluate(a[i]) * 3
        assert np.array_equal(cp.asnumpy(got), cp.asnumpy(stored.sum(axis=axis)))  # bit for bit
        np.testing.assert_allclose(cp.asnumpy(got), (b * 3).sum(axis=axis), rtol=1e-4)


CALLS = {
    "it is asked for": lambda a, i, j, keep: keep(a[i]) * 2,
    "a part is read": lambda a, i, j, keep: a[i][3:] * 2,
    "it is read often": lambda a, i, j, keep: a[0][j] * a,
    "two kernels read it": lambda a, i, j, keep: (lambda b: b.sum(axis=0)[:3] + b.sum(axis=1)[:3])(a[i]),
    "it is read in two ways": lambda a, i, j, keep: (lambda b: b + b.T)(a[:30][:, j][j]),
    "rows are normalised": lambda a, i, j, keep: (lambda b: b - b.mean(axis=1, keepdims=True))(a[i]),
    "stages of a kernel read it": lambda a, i, j, keep: a[:, 3][i].var(where=a[:, 0] > 0),
    "two index arrays": lambda a, i, j, keep: a[i[:30], j] * 2,
    "backwards": lambda a, i, j, keep: a[i][::-1] * 2,
    "it lies across the table": lambda a, i, j, keep: a[:, j] * 2,
    "rows are long": lambda a, i, j, keep: a.reshape(2, -1)[i % 2] + 1,
}


@pytest.mark.parametrize("name", CALLS)
def test_stays_a_call_where(name):
    a, i, j = operands(cp)
    kept = []
    keep = lambda x: kept.append(x) or x
    (_, calls), got = work(lambda: CALLS[name](a, i, j, keep))
    assert calls >= 1
    np.testing.assert_allclose(cp.asnumpy(got), CALLS[name](*operands(np), keep))


def test_what_it_reads_may_be_pending():
    a, i, _ = operands(cp)
    x, k, _ = operands(np)
    (kernels, calls), got = work(lambda: (a * 2)[(i + 1) % 40] + a)
    assert np.array_equal(cp.asnumpy(got), (x * 2)[(k + 1) % 40] + x)
    assert calls <= HOST_MEMORY and kernels == 3  # the table, the indices, and what reads them
    (kernels, calls), got = work(lambda: ((a * 2)[i] + 1)[i] * a)
    assert np.array_equal(cp.asnumpy(got), ((x * 2)[k] + 1)[k] * x)


def test_graph():
    a, i, _ = operands(cp)
    text = str(cp.show_graph(a[i] * a + 1))
    assert "gather" in text
    assert "1 kernel\n" in text and "reads 2 (1 by indices)" in text and "[view]" not in text


WRITES = {
    "itself": lambda a, i, v: a.__imul__(a[i]),
    "renamed": lambda a, i, v: a[i] * 2 + a,
    "a part of itself": lambda a, i, v: a.__setitem__(slice(1, None), a[i[1:]] * 2),
    "by its neighbour": lambda a, i, v: a.__setitem__(slice(1, None), a[i[1:]] + a[:-1]),
    "turned around": lambda a, i, v: a.__setitem__(slice(None, None, -1), a[i] + a),
    "the indices": lambda a, i, v: i.__setitem__(slice(None), i[i] + 0),
    "the indices, whole": lambda a, i, v: i.__imul__(i[i]),
    "another": lambda a, i, v: v.__setitem__(slice(2, 502), a[i][:500] * 2),
    "another, its part": lambda a, i, v: v.__setitem__(slice(2, None), a[i[2:]] * 2),
    "another, whole": lambda a, i, v: v.__setitem__(Ellipsis, a[i] * 2),
    "added": lambda a, i, v: v.__setitem__(slice(1, None), v[1:] + a[i[1:]]),
}


@pytest.mark.parametrize("name", WRITES)
def test_writes(name):
    def run(xp):
        rng = np.random.default_rng(3)
        a, i = xp.asarray(rng.integers(0, 9, 9000)), xp.asarray(rng.integers(-9000, 9000, 9000))
        v = xp.asarray(rng.integers(0, 9, 9000))
        before = a[i] + v  # pending while its operands are written
        for _ in range(2):
            result = WRITES[name](a, i, v)
            a = result if name == "renamed" else a
            i %= 9000
            after = a[i] * v
        return [x if xp is np else cp.asnumpy(x) for x in (before, after, a, i, v)]

    for got, want in zip(run(cp), run(np)):
        np.testing.assert_array_equal(got, want)


def test_an_operand_that_dies_is_not_overwritten():
    for _ in range(3):
        a = cp.evaluate(cp.arange(20000.0))
        i = cp.evaluate(cp.arange(20000)[::-1] + 0)
        b = a[i] + a
        del a
        assert bool((b == 19999).all())
        c = i[i] + i
        del i
        assert bool((c == 19999).all())


@pytest.mark.skipif(HOST_MEMORY, reason="this device's indices are looked at by the call")
@pytest.mark.parametrize(
    "read", ["a[i] * 2", "(a[i] + 1).sum()", "b[:, i] * 2", "b.T[i].T * 2", "cp.take(b, i, axis=1) + 1"]
)
def test_a_bad_index_is_found_late(read):
    a, b = cp.evaluate(cp.arange(5.0), cp.ones((3, 5)))
    i = cp.asarray(np.array([1, 4, -6, 7, 2])) + 0  # the first in C order is told
    axis = 0 if read[0] in "(" or read.startswith(("a[", "b.T")) else 1
    with pytest.raises(IndexError, match=f"^index -6 is out of bounds for axis {axis} with size 5"):
        cp.evaluate(eval(read, {"a": a, "b": b, "i": i, "cp": cp}))
        HERE.synchronize()
    HERE.synchronize()  # told once
    assert (a[cp.asarray([4, 0]) + 0] * 2).tolist() == [8, 0]


def test_both_bad_indices_of_one_kernel():
    a, i = cp.evaluate(cp.arange(5.0), cp.asarray([1, 9]))
    with pytest.raises(IndexError, match=r"^index 9 is out of bounds"):
        cp.evaluate(a[i] * a[i + 1])
        HERE.synchronize()
    HERE.synchronize()


def test_captured():
    a, i = cp.evaluate(cp.arange(5.0), cp.array([4, 0, 1]))
    out = cp.evaluate(cp.zeros(3))
    stream = cp.cuda.Stream()
    with stream:
        stream.begin_capture()
        out[:] = a[i] * 2
        graph = stream.end_capture()
    for index in ([4, 0, 1], [2, 2, 2]):
        i.set(np.array(index))
        graph.launch(stream)
        stream.synchronize()
        assert out.tolist() == [2 * k for k in index]
    i.set(np.array([0, 5, 0]))
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 5"):
        graph.launch(stream)
        stream.synchronize()


def test_threads_change_no_bit():
    rng = np.random.default_rng(5)
    table, w = rng.random(1000, dtype="f4"), rng.random(200_000, dtype="f4")
    a, i, w = cp.asarray(table), cp.asarray(rng.integers(0, 1000, 200_000)), cp.asarray(w)
    stored = cp.evaluate(a[i])
    want = cp.asnumpy(cp.evaluate(stored * w)), float((stored * w).sum())
    before = _core.get_num_threads()
    try:
        for threads in (1, 2, 3):
            _core.set_num_threads(threads)
            assert np.array_equal(cp.asnumpy(a[i] * w), want[0]) and float((a[i] * w).sum()) == want[1]
    finally:
        _core.set_num_threads(before)
