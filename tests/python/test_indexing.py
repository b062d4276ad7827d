"""Indexing: every kind of index, reading and writing, with NumPy's results and NumPy's texts."""

import gc
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from devices import HERE, asks_for_index_errors
from oracle import check_expression, check_statement, compare, lines, run
from strategies import arrays, assert_same, shapes

CUBE = np.arange(60.0).reshape(3, 4, 5)

READS = lines("""
x[1]
x[-1]
x[1, 2]
x[1, 2, 3]
x[0, ...]
x[..., 0]
x[()]
x[...]
x[None]
x[None, 0, None]
x[1:]
x[::-1]
x[::-2, 1:3]
x[5:1:-1]
x[10:20]
x[:, :, -3:]
x[1:2, ..., None, 0]
x[True]
x[False]
x[True, [0, 1]]
x[:, True]
x[:, True, :, [0, 1]]
x[:, True, [0, 1]]
x[True, :, [0, 1]]
x[0, True]
x[:, 0, True]
x[True, 0, 0, 0]
x[True, ..., 0]
x[:, xp.zeros((4, 5), bool)]
x[xp.zeros((3, 4), bool), [1]]
x[xp.zeros((3, 4), bool), [1, 2]]
x[xp.ones((3, 4), bool), [1, 2]]
x[xp.array(1)]
x[xp.array(1), 0, 0]
x[xp.array(1), :, [0, 1]]
x[[0, 1], ..., [0, 1], [1, 2]]
x[[0, 1], ..., :, :, [1, 2]]
x[:, [0, 1], ..., [1, 2]]
x[[[0, 1]], True, :]
x[[0, 1], None, ..., [1, 2]]
x[[0, 1], ..., [1, 2], ...]
x[[], :]
x[[[]]]
x[[0, 7]]
x[:, [0, 7]]
x[:, [0, -7]]
x[:, :, [0, 1], [1]]
x[[0, 1], [0, 1, 2]]
x[[0, 1], 0, [0, 1, 2]]
x[[0.5]]
x[xp.array([0.5])]
x['a']
x[1.0]
x[np.float64(1)]
x[None, None, 5]
x[3]
x[0, 4]
x[0, 0, -6]
x[0, 0, 0, 0]
x[0, 0, 0, ..., 0]
x[..., ...]
x[xp.zeros(4, bool)]
x[xp.zeros((3, 5), bool)]
x[xp.zeros((3, 4, 5, 1), bool)]
x[:, xp.zeros((3,), bool)]
x[0:2:0]
x[2**70]
x[[2**70]]
x[xp.array([1], 'u8')]
x[[True, False, True]]
x[[True, False]]
x[(True, False, True)]
x[[1, True]]
x[[[True]]]
x[np.bool_(True)]
x[np.int8(1)]
x[[np.int8(1), 2]]
x[np.array([2, 0])]
x[np.array([True, False, True])]
x[np.array([[0, 1], [2, 0]]), 1:3]
x[xp.ones(3, bool), xp.ones(4, bool)]
x[xp.ones(3, bool), :, xp.ones(5, bool)]
x[[0, 1], xp.ones(4, bool)]
x[{}]
x[range(2)]
x[1:2, ..., 'a']
x[xp.array([], dtype=float)]
x[(1,) * 70]
x[(None,) * 62]
x[[0], 1, 1, 1]
x[x > 30]
x[x[:, 0] > 30]
x[:, :, x[0, 0] > 2]
x[xp.array([[0], [2]]), :, xp.array([1, 3])]
x[:, xp.array([[0], [2]]), xp.array([1, 3])]
x.T[[0, 4, 2]]
x[::-1, ::2][[True, False, True]]
z[()]
z[...]
z[0]
z[True]
z[None]
z[xp.array(True)]
z[[0]]
e[0]
e[[]]
e[[0]]
e[:, [5]]
e.T[[5]]
e.T[[[]], :]
e.T[[5], []]
""")


@pytest.mark.parametrize("source", READS)
def test_read(source):
    check_expression(source, x=CUBE, z=np.array(5), e=np.zeros((0, 3)))


WRITES = lines("""
x[0] = 1
x[0:2] = xp.ones(4)
x[0, 0, 0:2] = xp.ones(3)
x[0, 0] = xp.ones((1, 1, 5))
x[0, 0] = xp.ones((2, 1, 5))
x[0, 0, 0] = xp.ones(1)
x[0, 0, 0] = [1, 2]
x[0, 0, 0] = 3.5
x[1, ..., 2] = xp.arange(4)
x[[0, 1]] = xp.ones((3, 1, 1))
x[[0, 1]] = xp.ones((1, 1, 1, 1))
x[[0, 1], :, 0] = xp.ones((4, 2))
x[[0, 1], :, 0] = xp.arange(4)
x[:, [0, 1], 0] = xp.ones((3, 3))
x[:, [0, 1], 0] = xp.arange(6).reshape(3, 2)
x[:, [0, 2], 1:3] = xp.arange(4).reshape(2, 2)
x[[0, 0, 0], 1, 1] = [1, 2, 3]
x[x > 20] = xp.ones(3)
x[x > 20] = 0
x[x > 20] = xp.arange(39)
x[x > 58] = xp.ones((3, 2))
x[x > -1] = xp.ones(61)
x[x > -1] = xp.ones(1)
x[x > 100] = xp.ones(0)
x[xp.ones(3, bool)] = xp.ones(4)
x[xp.ones(3, bool)] = xp.ones((2, 1, 1))
x[xp.ones(3, bool)] = xp.ones((3, 1, 1))
x[xp.zeros(3, bool)] = xp.ones((3, 1, 1))
x[5] = 1
x[[5]] = 1
x[0] = 1j
x[()] = xp.ones((3, 4, 5))
x[...] = xp.ones((3, 4, 6))
x[True] = xp.ones((2, 4, 5))
x[True] = 3
x[False] = 3
x[[]] = 5
x[[]] = xp.ones((2, 1, 1))
x[1:] = x[:-1]
x[::-1] = x
x[[0, 1, 2]] = x[[2, 1, 0]]
x[0] += 1
x[[0, 0, 1]] += 1
x[x > 30] *= 2
x[1:] += x[:-1]
x[:, ::2][...] = 7
x.T[1] = 3
x[..., 0] = x[..., 1]
i[i] = 3
i[i > 2] = 300
i[0] = 3.7
i[:] = xp.array([1.5, 2.5, -1, 4])
u[0] = 300
u[[0]] = 300
u[u >= 0] = 300
u[0] = -1
u[0] = 3.7
u[:] = xp.array([1, 2, 300])
u[0] = 1j
u[1:] = True
b[0] = 5
b[:] = xp.array([0, 2, 0.5])
del x[0]
""")


@pytest.mark.parametrize("source", WRITES)
def test_write(source):
    check_statement(source, x=CUBE, i=np.arange(4), u=np.zeros(3, np.uint8), b=np.zeros(3, bool))


@pytest.mark.parametrize(
    "source", ["x[0] = 1", "x[[0]] = 1", "x[x > 0] = 1", "x[1:] = 1", "x[...] = 1", "x[0, 0] = 1"]
)
def test_read_only(source):
    frozen = "x = xp.broadcast_to(xp.arange(3.0), (2, 3)); "
    want = run(frozen + source, {"xp": np}, True)
    got = run(frozen + source, {"xp": cp}, True)
    compare(got, want)
    assert str(got) == "assignment destination is read-only"


# -- Views and values -----------------------------------------------------------------------------------


def test_basic_indices_are_views():
    x = cp.asarray(CUBE)
    for index in [slice(1, 3), (slice(None), 1), (0, 1, Ellipsis), (0, 1, 2, Ellipsis), None, Ellipsis]:
        view = x[index]
        assert view.base is x
        view[...] = -1
        assert bool((x[index] == -1).all())


def test_element_is_a_snapshot():
    a = cp.asarray(np.array([1.0, 2.0]))
    t = a[0]
    a[0] = a[1]
    a[1] = t
    assert a.tolist() == [2.0, 1.0]


def test_row_is_a_window():
    a = cp.asarray(np.arange(4.0).reshape(2, 2))
    row = a[0]
    a[0] = a[1]
    assert row.tolist() == [2.0, 3.0]


def test_augmented_assignment_to_an_element_makes_a_new_value():
    a = cp.asarray(np.arange(3.0))
    t = s = a[1]
    t += 5
    assert (float(s), float(t), a.tolist()) == (1.0, 6.0, [0.0, 1.0, 2.0])


def test_indices_of_pending_arrays():
    x = cp.asarray(CUBE)
    y = (x * 2)[1:, [0, 2]]
    assert np.array_equal(cp.asnumpy(y), (CUBE * 2)[1:, [0, 2]])
    index = cp.asarray(np.array([0, 1])) + 1
    assert np.array_equal(cp.asnumpy(x[index]), CUBE[[1, 2]])
    assert np.array_equal(cp.asnumpy(x[cp.argmax(x[:, 0, 0])]), CUBE[2])


def test_iteration():
    x = cp.asarray(CUBE)
    for got, want in zip(x, CUBE):
        assert got.base is x
        assert np.array_equal(cp.asnumpy(got), want)
    assert [float(v) for v in x[0, 0] + 1] == [1.0, 2.0, 3.0, 4.0, 5.0]
    with pytest.raises(TypeError, match="iteration over a 0-d array"):
        iter(cp.asarray(5))


def test_index_objects_run_code_safely():
    class Evil:
        def __init__(self, x):
            self.x = x

        def __index__(self):
            self.x[...] = 7
            gc.collect()
            return 1

    x = cp.asarray(CUBE.copy())
    assert float(x[Evil(x), Evil(x), 0]) == 7.0


def test_scatter_methods():
    a = cp.zeros(3)
    a.scatter_add(cp.array([0, 0, 2]), 1)
    assert a.tolist() == [2, 0, 1]
    a.scatter_max([0, 1, 1], cp.array([1.0, 5.0, 4.0]))
    assert a.tolist() == [2, 5, 1]
    a.scatter_min((slice(None),), 3)
    assert a.tolist() == [2, 3, 1]
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        a.scatter_add([3], 1)


AT = lines("""
xp.add.at(f, [0, 0, 2], 1)
xp.add.at(f, [0, -3, 2], xp.array([1.5, 2, 3]))
xp.add.at(f, ([0, 1],), xp.array([[1.0], [2.0]]))
xp.add.at(f, slice(1, None), 5)
xp.add.at(f, 1, 5)
xp.add.at(f, [0, 9], 1)
xp.add.at(f, f > 0, 1)
xp.multiply.at(m, ([0, 0], [1, 1]), 3)
xp.maximum.at(m, [0, 0, 1], xp.array([[5, 0, 1], [2, 9, 1], [7, 7, 7]]))
xp.subtract.at(m, (slice(None), [0, 0]), 1)
xp.add.at(m, [0, 0], 1.75)
xp.add.at(m, [0, 0], 1j)
xp.multiply.at(u, [0, 0, 1], 300)
xp.add.at(u, [0, 0, 1], 1.5)
xp.divide.at(u, [0, 0, 1], 2)
xp.add.at(b, [0, 0, 1], 1)
xp.logical_xor.at(b, [0, 0, 1], True)
xp.negative.at(f, [0, 0, 1])
xp.negative.at(m, [0, 1])
xp.sqrt.at(f, [1, 1])
xp.sqrt.at(m, [1, 1])
xp.add.at(f, [], 1)
xp.add.at(f, [0, 1], xp.ones(3))
""")


@pytest.mark.parametrize("source", AT)
def test_ufunc_at(source):
    check_statement(
        source,
        texts=False,
        f=np.arange(3.0) * 16,
        m=np.arange(6).reshape(2, 3),
        u=np.full(3, 100, np.uint8),
        b=np.zeros(3, bool),
    )


def test_layout_of_results():
    """As NumPy's: the dimensions of the index arrays first in memory, the others as they lie."""
    for order in "CF":
        x = np.zeros((3, 4, 5), order=order)
        y = cp.asarray(x, order="K")
        for index in [([0, 1],), (slice(None), [0, 1]), (Ellipsis, [0, 1]), ([0, 1], slice(None), [0, 1])]:
            assert y[index].strides == x[index].strides
        for got, want in zip(y.nonzero() + (y == 0).nonzero(), x.nonzero() + (x == 0).nonzero()):
            assert got.strides == want.strides


def test_no_references_leak():
    x, key = cp.asarray(CUBE), (slice(1, None), [0, 1])
    x[key]
    before = sys.getrefcount(x)
    for _ in range(100):
        x[key], x[1], x[1, 2, 3], x[1:], x[x > 3], x.sum(axis=0), x.reshape(-1)
    gc.collect()
    assert sys.getrefcount(x) == before


# -- Random indices -------------------------------------------------------------------------------------


@st.composite
def any_indices(draw, shape):
    """Mixtures of every kind, with now and then something that does not fit."""
    items = []
    for n in shape + (3,) * draw(st.integers(0, 1)):
        kind = draw(st.sampled_from(["slice", "int", "array", "mask", "newaxis", "ellipsis", "bool", "stop"]))
        wrong = draw(st.integers(0, 14)) == 0
        if kind == "stop":
            break
        if kind == "slice":
            bound = st.none() | st.integers(-n - 2, n + 2)
            items.append(slice(draw(bound), draw(bound), draw(st.sampled_from([None, 1, 2, -1, -3]))))
        elif kind == "int":
            items.append(draw(st.integers(-n, n if wrong else max(n - 1, 0))))
        elif kind == "array":
            side = draw(st.sampled_from([(2,), (1,), (2, 2), (0,), ()] + [(3,)] * wrong))
            values = [draw(st.integers(-n, n - 1)) if n else 0 for _ in range(int(np.prod(side)))]
            items.append(np.array(values, dtype=int).reshape(side))
        elif kind == "mask":
            items.append(np.array([draw(st.booleans()) for _ in range(n + wrong)], dtype=bool))
        else:
            items.append({"newaxis": None, "ellipsis": Ellipsis, "bool": True}[kind])
    return tuple(items)


def on_device(index):
    return tuple(cp.asarray(i) if isinstance(i, np.ndarray) else i for i in index)


@asks_for_index_errors
@given(data=st.data())
def test_random_reads(data):
    a, b = data.draw(arrays(shape=shapes(4, 4)))
    a = np.asarray(a)
    index = data.draw(any_indices(a.shape))
    # Which of several mistakes is named first is nobody's business.
    compare(run("x[i]", {"x": b, "i": on_device(index)}), run("x[i]", {"x": a, "i": index}), texts=False)


@given(data=st.data())
def test_random_writes(data):
    a, b = data.draw(arrays(shape=shapes(4, 4)))
    a = np.asarray(a)
    index = data.draw(any_indices(a.shape))
    region = run("x[i]", {"x": a, "i": index})
    shape = np.shape(region) if not isinstance(region, Exception) else ()
    shape = tuple(1 if data.draw(st.integers(0, 3)) == 0 else n for n in shape)[
        data.draw(st.integers(0, len(shape))) :
    ]
    v, w = data.draw(arrays(a.dtype, shape))
    repeated = any(isinstance(i, np.ndarray) and i.dtype.kind == "i" for i in index)
    if repeated and np.size(v) > 1:
        v, w = np.asarray(v).flat[0], w.reshape(-1)[0]
    got = run("x[i] = v", {"x": b, "i": on_device(index), "v": w}, True)
    want = run("x[i] = v", {"x": a, "i": index, "v": v}, True)
    compare(got, want, texts=False)
    assert_same(b, a)


def test_a_mask_is_counted_again_when_it_has_changed():
    mask, values = cp.zeros(9000, bool), cp.arange(9000.0)
    mask[7] = True
    for n in range(1, 20):
        with pytest.raises(ValueError, match="cannot assign"):
            values[mask] = cp.zeros(n + 1)  # counts, and is refused
        mask[100 * n] = True
        assert mask.nonzero()[0].get().tolist() == [7, *range(100, 100 * n + 1, 100)]
        assert values[mask].size == n + 1


@pytest.mark.parametrize("n", [1, 31, 8191, 8192, 8193, 40001])
@pytest.mark.parametrize("density", [0, 0.02, 0.5, 1])
def test_masks_of_many_sizes(n, density):
    rng = np.random.default_rng(n)
    m, x = rng.random(n) < density, rng.integers(0, 99, n)
    for view in (slice(None), slice(1, None), slice(None, None, -2)):
        mask, host = cp.asarray(m)[view], m[view]
        assert_same(cp.nonzero(mask)[0], np.nonzero(host)[0])
        for c in "?bhfdD":
            y = x[view].astype(c)
            a = cp.asarray(x.astype(c))[view]
            assert_same(a[mask], y[host])
            replaced = np.arange(host.sum()).astype(c)
            a[mask] = cp.asarray(replaced)
            y[host] = replaced
            assert_same(a, y)


@pytest.mark.parametrize("dtype", ["i4", "u8", "f", "D"])
@pytest.mark.parametrize("op", ["add", "subtract", "maximum"])
def test_folds_of_many_into_few(dtype, op):
    """Counts and sums of more positions than one thread takes; an index out of bounds leaves everything as it was."""
    rng = np.random.default_rng(5)
    index, values = rng.integers(-50, 50, 80_000), rng.integers(0, 9, 80_000).astype(dtype)
    a = np.zeros((50, 2), dtype)[:, 1]
    b = cp.asarray(np.zeros((50, 2), dtype))[:, 1]
    getattr(np, op).at(a, index, values)
    getattr(cp, op).at(b, cp.asarray(index), cp.asarray(values))
    assert np.array_equal(cp.asnumpy(b), a)
    index[70_000] = 50
    with pytest.raises(IndexError):
        getattr(cp, op).at(b, cp.asarray(index), cp.asarray(values))
        cp.asnumpy(b)
    if not HERE.name.startswith("cuda"):  # a GPU finds the index while it writes the others
        assert np.array_equal(cp.asnumpy(b), a)


def test_more_index_arrays_than_a_kernel_takes():
    """Dimensions of one element may have any stride: those that indexing has made have 0."""
    a, x = np.arange(12).reshape(3, 4), cp.arange(12).reshape(3, 4)
    index = np.zeros((1, 1, 3, 4, 1), int)
    expected = np.take_along_axis(a[None, None, ..., None], index, -1)
    assert_same(cp.take_along_axis(x[None, None, ..., None], cp.asarray(index), -1), expected)
    target = x.copy()[None, None, ..., None]
    cp.put_along_axis(target, cp.asarray(index), cp.asarray(expected * 2), -1)
    assert_same(target, expected * 2)


@pytest.mark.parametrize("axis", [0, 1, 2, None])
def test_take_gives_c_order(axis):
    a, x = np.arange(24).reshape(2, 3, 4).T, cp.arange(24).reshape(2, 3, 4).T
    got, expected = cp.take(x, [1, 0], axis), np.take(a, [1, 0], axis)
    assert_same(got, expected)
    assert got.strides == expected.strides
