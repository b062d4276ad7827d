"""Sorting, searching sorted arrays, choosing by condition and position."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, check_statement, lines
from strategies import REALS, arrays, assert_same, check, dtypes, shapes

X = np.array([[3.0, np.nan, -1.0], [0.0, 7.0, -0.0]])
SCOPE = {
    "x": X,
    "i": np.array([[5, 1, 4], [1, 5, 9]]),
    "r": np.array([1, 2, 2, 3, 5]),
    "z": np.array(5),
    "e": np.zeros((0, 3)),
    "c": np.array([1 + 2j, 1 - 2j, complex(np.nan, 1), 0]),
}

EXPRESSIONS = lines("""
xp.sort(x)
xp.sort(x, axis=0)
xp.sort(x, axis=None)
xp.sort(i.T)
xp.sort(i[:, ::-1])
xp.sort(c)
xp.sort(z)
xp.sort(z, axis=None)
xp.sort(e)
xp.sort(i, axis=3)
xp.argsort(x)
xp.argsort(i, axis=0)
xp.argsort(i, axis=None)
xp.argsort(c)
z.argsort()
xp.argsort(z, axis=1)
xp.argsort(i > 4, kind='stable')
i.argsort(kind='abc')
i.argsort(kind='stable', stable=True)
xp.lexsort((i[0], i[1]))
xp.lexsort((i[0], i[0] > 2))
xp.lexsort((i, i), axis=0)
xp.lexsort((i[0], i[0, :2]))
xp.partition(i, 5)
xp.partition(i, -4)
i.argpartition(4)
xp.searchsorted(r, 2)
xp.searchsorted(r, 2, side='right')
xp.searchsorted(r, xp.array([[0, 1], [5, 6]]))
xp.searchsorted(r, xp.array([2.5, 3.0]), 'right')
xp.searchsorted(r, xp.array([]))
xp.searchsorted(xp.zeros(0), xp.array([1.0, 2.0]))
xp.searchsorted(i, 3)
xp.searchsorted(r, xp.array([3, 1]), side='abc')
xp.searchsorted(r, 3, sorter=[])
xp.searchsorted(r, 3, sorter=xp.array([0, 1]))
xp.searchsorted(r, 3, sorter=xp.array([7, 7, 7, 7, 7]))
xp.searchsorted(r, 3, sorter=xp.array([0, 1, 2, 3, 4.5]))
xp.searchsorted(r, 3, sorter=xp.arange(5, dtype='u4'))
xp.searchsorted(r, 3, sorter=xp.arange(5, dtype='u8'))
xp.searchsorted(r, 3, sorter=xp.arange(4, dtype='u8'))
xp.searchsorted(r[::-1], xp.array([3, 1]), sorter=xp.array([4, 3, 2, 1, 0]))
xp.searchsorted(xp.array([1.0, 2.0, xp.nan, xp.nan]), xp.array([xp.nan, 3.0, 2.0]))
xp.searchsorted(xp.array([1.0, 2.0, xp.nan, xp.nan]), xp.array([xp.nan, 3.0, 2.0]), side='right')
r.searchsorted(xp.array([2, 4]))
xp.unique(i)
xp.unique(x)
xp.unique(x, equal_nan=False)
xp.unique(i, return_index=True, return_inverse=True, return_counts=True)
xp.unique(i, return_counts=True)
xp.unique(e)
xp.unique(xp.ones((0,)), True, True, True, axis=0)
xp.unique(xp.ones((0, 3)), True, True, True, axis=0)
xp.unique(xp.ones((0, 3)), True, True, True, axis=1)
xp.unique(xp.ones((3, 0)), True, True, True, axis=0)
xp.unique(xp.ones((3, 0)), True, True, True, axis=1)
xp.unique(xp.ones((2, 0, 3)), True, True, True, axis=1)
x.take([0, 7])
x.take([0, 7], axis=1)
x.take([0, -1], axis=1)
x.take([0, -1], axis=1, mode='clip')
x.take([0, 7, -8], mode='wrap')
x.take([0, 7], mode='abc')
x.take(1)
x.take(xp.array(1))
x.take([[0, 1]], axis=0)
x.take(1, axis=1)
x.take([True, False])
x.take(xp.array([1.5]))
xp.zeros(0).take([0])
xp.zeros(0).take([0], mode='wrap')
xp.zeros(0).take([])
e.take([0], axis=0)
e.take([0], axis=0, mode='clip')
xp.zeros((0, 0)).take([5, 7], axis=1)
xp.zeros((0, 2, 0)).take([[5, 7]], axis=2, mode='wrap')
xp.zeros((2, 0)).take([5, 7], axis=1)
i.take([0, 1], out=xp.zeros(2, 'i4'))
i.take([0, 1], out=xp.zeros(3, int))
z.take(0)
z.take(0, axis=0)
xp.take_along_axis(x, xp.argsort(x, axis=1), 1)
xp.take_along_axis(x, xp.argsort(x, axis=0), axis=0)
xp.take_along_axis(x, i, 1)
xp.take_along_axis(x, i[0], 1)
xp.take_along_axis(x, x, 1)
xp.take_along_axis(x, xp.array([[0, 1]]), 1)
xp.take_along_axis(x, xp.array([[0, 1], [1, 1], [1, 1]]), 1)
xp.take_along_axis(x, xp.array([0, 5]), None)
xp.take_along_axis(x, xp.array([0, 9]), None)
xp.take_along_axis(x, xp.array([[0, 9]]), None)
xp.array([0, 1, 2]).choose([xp.array([1, 2, 3]), xp.array([4, 5, 6])])
xp.array([0, 1, 2]).choose([xp.array([1, 2, 3]), xp.array([4, 5, 6])], mode='clip')
xp.choose(xp.array([0, 1, -1]), [xp.array([1, 2, 3]), xp.array([4, 5, 6])], mode='wrap')
xp.choose(xp.array([0, 1.5]), [xp.array([1, 2]), xp.array([4, 5])])
xp.choose(xp.array([[0], [1]]), [xp.array([1, 2]), xp.array(10.5)])
xp.compress([1, 0, 1], x, axis=1)
xp.compress([1, 0, 1], x)
x.compress([True, False, True], axis=1)
xp.compress([1, 0, 1, 0, 0, 0, 0, 1], x)
xp.compress([[1, 0]], x)
xp.compress([1, 0, 0, 0], x, axis=1)
xp.compress([1, 0, 0, 1], x, axis=1)
xp.extract(x > 2, x)
xp.extract([1, 0, 1], x)
z.nonzero()
xp.flatnonzero(z)
xp.argwhere(z)
xp.argwhere(xp.array(0))
xp.argwhere(x)
xp.nonzero(x)
xp.nonzero(x.T)
x.nonzero()
xp.where(x > 2)
xp.where(x > 2, 1)
xp.where(x > 2, 1, x)
xp.where(xp.array([True]), 1, 2.5)
xp.where(xp.array([1, 0]), xp.array([1], 'i1'), 100)
xp.where(x > 1, xp.zeros(4), 0)
xp.where(x, x.astype('f4'), i.astype('i2'))
x.clip(0.5, 1)
x.clip(min=0)
x.clip(max=xp.array([0, 1, 2]))
xp.clip(i, 2, 4)
i.clip(1.5, 4)
x.round()
(x * 1.2345).round(2)
i.round(-1)
i.round(2)
(x + 2.5).round()
xp.round(x.astype('f4') / 3, 1)
(c * 1.23).round(1)
c.conj()
x.conj()
""")


OWN_TEXTS = ("z.nonzero()", "xp.where(x > 1, xp.zeros(4), 0)")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    # NumPy's vector sorts put 0.0 and -0.0 in an order that depends on the processor.
    zeros = source != "xp.sort(x, axis=None)" and not source.startswith("xp.unique(x")
    check_expression(source, texts=source not in OWN_TEXTS, zeros=zeros, **SCOPE)


def test_failed_put_writes_nothing():
    x = cp.zeros(3)
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 3"):
        cp.put(x, [0, 9], 1)
    assert x.tolist() == [0, 0, 0]


STATEMENTS = lines("""
i.sort()
i.sort(axis=0)
i.T.sort(axis=0)
i.sort(axis=2)
i.partition(1)
i.partition(7)
xp.put(x, [0, 1], [])
xp.put(x, [], [])
xp.put(x, [0, 1, 2], [1, 2])
xp.put(x.T, [0, 1, 2], [1, 2])
xp.put(x, [0, 9], [1, 2], mode='clip')
x.put([-1, 1], 3)
xp.place(x, x > 0, [])
xp.place(x, x > 100, [])
xp.place(x, x > -5, [1, 2])
xp.place(x, xp.array([1, 0]), [1])
xp.putmask(x, x > 0, [7, 8])
xp.putmask(x, xp.array([1, 0]), [1])
xp.putmask(x, x > 0, [])
xp.putmask(x, x > 0, x * 2)
xp.put_along_axis(x, xp.argmax(i, axis=1, keepdims=True), 99, axis=1)
xp.put_along_axis(x, xp.array([0, 1]), 7, None)
xp.copyto(i, x)
xp.copyto(x, i)
xp.copyto(x, xp.zeros(4))
xp.copyto(x, 1, where=xp.array([True, False, True]))
xp.copyto(x, 1.5, where=x > 0)
xp.copyto(i, 1.5)
xp.copyto(i, 1.5, casting='unsafe')
""")


@pytest.mark.parametrize("source", STATEMENTS)
def test_statement(source):
    check_statement(source, x=X, i=SCOPE["i"])


@pytest.mark.parametrize("dtype", [d.name for d in REALS])
def test_sort_is_stable_and_complete(dtype):
    rng = np.random.default_rng(3)
    a = (rng.normal(size=(4, 500)) * 20).astype(dtype)
    b = cp.asarray(a)
    order = cp.asnumpy(cp.argsort(b, axis=1))
    assert np.array_equal(order, np.argsort(a, axis=1, kind="stable"))
    assert np.array_equal(cp.asnumpy(cp.sort(b, axis=0)), np.sort(a, axis=0))


def test_every_kind_of_sort():
    b = cp.asarray(np.array([3, 1, 2]))
    for kind in ("quicksort", "mergesort", "heapsort", "stable", None):
        assert cp.sort(b, kind=kind).tolist() == [1, 2, 3]


def test_partition_puts_kth_in_place():
    a = np.random.default_rng(4).permutation(100)
    got = cp.asnumpy(cp.partition(cp.asarray(a), [10, 50]))
    assert got[10] == 10 and got[50] == 50 and got[:10].max() < 10


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8", "i8", "e", "f", "d"])
@pytest.mark.parametrize(
    "kth", [0, -1, 25_000, [25_000, 25_001], [10, 49_990, 30_000], list(range(0, 50_000, 2000))]
)
def test_partition_of_long_rows(dtype, kth):
    """Rows that are not sorted but split by their digits: ties, all signs, NaN, rows that are not contiguous."""
    rng = np.random.default_rng(8)
    a = (rng.standard_normal((2, 50_000)) * 50).astype("i4").astype(dtype)
    if a.dtype.kind == "f":
        a[0] *= rng.random(50_000).astype(dtype)
        a[1, ::7] = np.nan
        a[0, ::9] = -0.0
    for x in (a, a[:, ::-1]):
        got = cp.asnumpy(cp.partition(cp.asarray(x), kth))
        order = np.sort(x)
        assert np.array_equal(np.sort(got), order, equal_nan=True)
        for k in np.atleast_1d(kth) % 50_000:
            assert np.array_equal(got[:, k], order[:, k], equal_nan=True)
            whole = np.where(np.isnan(got), np.inf, got) if got.dtype.kind == "f" else got
            assert (whole[:, :k] <= whole[:, k : k + 1]).all()
            assert (whole[:, k:] >= whole[:, k : k + 1]).all()


@pytest.mark.parametrize("numbers", ["equal", "rising", "two values", "far apart"])
def test_partition_of_special_rows(numbers):
    a = {
        "equal": np.full(40_000, 3.5),
        "rising": np.arange(40_000.0),
        "two values": np.arange(40_000) % 2 * 1e300,
        "far apart": np.where(np.arange(40_000) == 7, 1e308, np.arange(40_000) * 5e-324),
    }[numbers]
    got = cp.asnumpy(cp.partition(cp.asarray(a), [1000, 20_000, 39_999]))
    order = np.sort(a)
    assert np.array_equal(np.sort(got), order)
    assert np.array_equal(got[[1000, 20_000, 39_999]], order[[1000, 20_000, 39_999]])
    assert got[:20_000].max() <= got[20_000] <= got[20_000:].min()


def test_read_only_sort():
    with pytest.raises(ValueError, match="sort array is read-only"):
        cp.broadcast_to(cp.arange(3), (2, 3)).sort()


@given(data=st.data())
def test_searchsorted(data):
    dtype = data.draw(st.sampled_from(REALS))
    a, _ = data.draw(arrays(dtype, st.integers(0, 30).map(lambda n: (n,))))
    v, w = data.draw(arrays(dtype, shapes(2, 6)))
    a = np.sort(a)
    side = data.draw(st.sampled_from(["left", "right"]))
    check(lambda xp: xp.searchsorted, (a, v), (cp.asarray(a), w), side=side)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "e", "f", "d", "F", "D"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_searches_for_many(dtype, side):
    """More values than are searched for together, NaN among them and in the row; views of rows and values."""
    rng = np.random.default_rng(9)
    row = np.sort((rng.standard_normal(3001) * 60).astype("i4").astype(dtype))
    values = (rng.standard_normal((70, 50)) * 70).astype("i4").astype(dtype)
    if row.dtype.kind in "fc":
        row[-5:] = np.nan
        values[::7, 3] = np.nan
    if row.dtype.kind == "c":
        row[-2:] = complex(np.nan, np.nan)
        values[5] = complex(1, np.nan)
        row = np.sort(row)
    a, b = cp.asarray(row), cp.asarray(values)
    every = slice(None)
    for of_row in (every, slice(None, None, 3), slice(1), slice(0)):
        for of_values in (every, (every, slice(None, None, -2)), (3, every), (2, 3)):
            got = cp.searchsorted(a[of_row], b[of_values], side)
            assert_same(got, np.searchsorted(row[of_row], values[of_values], side))


SPREADS = {
    "uniform": lambda n: np.linspace(-3, 5, n),
    "steps": lambda n: np.repeat(np.linspace(-3, 5, n // 4), 4),
    "squares": lambda n: np.linspace(0, 9, n) ** 2 - 20,
    "one far away": lambda n: np.append(np.linspace(0, 1, n - 1), 1e6),
    "two values": lambda n: np.repeat([-2.0, 7.0], n // 2),
    "neighbours": lambda n: np.cumsum(np.full(n, np.spacing(np.float32(1)), "f4"), dtype="f4") + 1,
    "infinite ends": lambda n: np.concatenate([[-np.inf, -np.inf], np.linspace(-3, 5, n), [np.inf]]),
    "huge": lambda n: np.linspace(-8e307, 8e307, n),
    "tiny": lambda n: np.arange(n) * 5e-324,
}


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "i8", "u8", "e", "f", "d"])
@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("n", [5, 8, 64, 1000])
def test_searches_in_rows_of_every_spread(spread, n, dtype):
    """Many values for each element, so that searches may begin in the middle: the elements, their neighbours, what
    lies between and beyond them, and NaN."""
    rng = np.random.default_rng(n)
    row = SPREADS[spread](n)
    if np.dtype(dtype).kind in "iu":
        finite = np.clip(np.nan_to_num(row, posinf=1e18, neginf=-1e18), -1e18, 1e18)
        info = np.iinfo(dtype)
        row = np.sort(np.array([min(max(int(x * 3), info.min), info.max) for x in finite], dtype))
        if dtype in ("i8", "u8"):  # beyond what a double tells apart
            row = (
                row
                + np.sort(rng.integers(0, 2**62, len(row))).astype(dtype) // 2
                + np.arange(len(row)).astype(dtype)
            )
        with np.errstate(over="ignore"):
            near = np.concatenate([row, row - row.dtype.type(1), row + row.dtype.type(1)])
    else:
        with np.errstate(over="ignore"):
            row = np.sort(row.astype(dtype))
        near = np.concatenate(
            [row, np.nextafter(row, -np.inf, dtype=dtype), np.nextafter(row, np.inf, dtype=dtype)]
        )
        near = np.concatenate([near, np.array([np.nan, np.inf, -np.inf, 0.0, -0.0], dtype)])
    values = rng.choice(near, 9 * len(row) + 30)
    for of_row in (row, np.append(row, np.array([np.nan] * 3, dtype)) if row.dtype.kind == "f" else row[::2]):
        a, b = cp.asarray(of_row), cp.asarray(values)
        for side in ("left", "right"):
            assert_same(cp.searchsorted(a, b, side), np.searchsorted(of_row, values, side))
            if not np.isnan(of_row).any():
                assert_same(cp.digitize(b, a, side == "left"), np.digitize(values, of_row, side == "left"))
        assert_same(cp.isin(b, a), np.isin(values, of_row))


def test_searches_in_an_unsorted_row_stay_within_it():
    rng = np.random.default_rng(3)
    for row in (
        rng.standard_normal(200),
        rng.integers(-9, 9, 64),
        np.array([0.0, 9.0, np.nan, -1.0, 2.0, 1.0]),
    ):
        got = cp.searchsorted(cp.asarray(row), cp.asarray(rng.standard_normal(5000)))
        assert int(got.min()) >= 0 and int(got.max()) <= len(row)


@given(data=st.data())
def test_where(data):
    dtype = data.draw(dtypes)
    a, b = data.draw(arrays(dtype, (3, 4)))
    c, d = data.draw(arrays(data.draw(dtypes), (4,)))
    m, n = data.draw(arrays(np.dtype("?"), (3, 1)))
    assert_same(cp.where(n, b, d), np.where(m, a, c))


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8", "u4", "u8"])
@pytest.mark.parametrize("n", [17, 64, 200, 257, 1025, 2049, 5000, 70_000, 200_000])
def test_sort_gives_the_bits_of_a_stable_sort(dtype, n):
    """Rows and columns around the lengths where the way of sorting changes; zeros and NaN keep their order."""
    rng = np.random.default_rng(n)
    x = rng.integers(-1000, 1000, n).astype(dtype) if n % 2 else rng.integers(-3, 4, n).astype(dtype)
    if dtype[0] == "f":
        x[rng.integers(0, n, n // 8)] = -0.0
        x[rng.integers(0, n, n // 16)] = np.nan
        x[rng.integers(0, n, n // 16)] = -np.nan
    rows = np.stack([x, x[::-1]])
    bits = "u" + dtype[1]
    expected = np.sort(rows, kind="stable").view(bits)
    for array, axis in (
        (cp.asarray(rows), 1),
        (cp.asarray(rows.T.copy()), 0),
        (cp.asarray(rows.T.copy()).T, 1),
    ):
        result = cp.asnumpy(cp.sort(array, axis=axis))
        result = result.T.copy() if axis == 0 else result
        assert np.array_equal(np.ascontiguousarray(result).view(bits), expected)
