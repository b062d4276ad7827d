"""Shapes and axes: what is a view, what is a copy, results and texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, check_statement, compare, lines, run
from strategies import arrays, assert_same, shapes

A = np.arange(6).reshape(2, 3)
SCOPE = {"a": A, "f": A * 1.0, "b": np.arange(3), "t": np.arange(24).reshape(2, 3, 4), "e": np.zeros((0, 3)),
         "s": np.zeros((1, 3, 1)), "c": np.array([[1 + 2j, 3 - 4j]]), "z": np.array(7)}  # fmt: skip

EXPRESSIONS = lines("""
a.reshape(3, 2)
a.reshape((3, -1))
a.reshape(-1)
a.reshape(6, order='F')
a.T.reshape(2, 3)
a.T.reshape(2, 3, order='F')
a.T.reshape(6, order='A')
a.reshape(4, -1)
a.reshape(-1, -1)
a.reshape(7)
a.T.reshape(6, copy=False)
a.reshape(6, copy=True)
a.reshape(-1, 0)
a.reshape(1, 6, 1, 1)
z.reshape(())
z.reshape(1, 1)
e.reshape(-1, 0)
e.reshape(-1, 3)
e.reshape(3, 0, 5)
a.T.reshape(6, order='K')
t[:, ::2].reshape(2, 8)
t[::-1].reshape(6, 4)
xp.reshape(a, 6)
a.ravel()
a.T.ravel()
a.T.ravel('K')
a.T.ravel('A')
a.ravel('F')
t.transpose(1, 0, 2).ravel('K')
t[:, ::-1].ravel('K')
a.ravel('X')
a.flatten()
a.T.flatten()
a.flatten('F')
a.T.flatten('K')
a.transpose()
t.transpose(2, 0, 1)
t.transpose((2, 0, 1))
t.transpose(-1, 0, 1)
a.transpose(0, 0)
a.transpose(0)
a.transpose(0, 3)
a.swapaxes(0, 1)
a.swapaxes(0, 5)
xp.moveaxis(t, 0, -1)
xp.moveaxis(t, [0, 1], [-1, 0])
xp.moveaxis(a, [0, 0], [0, 1])
xp.moveaxis(a, 0, [0, 1])
xp.moveaxis(a, 0, 5)
s.squeeze()
s.squeeze(0)
s.squeeze((0, -1))
a.squeeze(0)
a.squeeze(5)
xp.squeeze(s, (0, 0))
xp.expand_dims(a, 1)
xp.expand_dims(a, (0, -1))
xp.expand_dims(a, 5)
xp.expand_dims(a, (0, 0))
xp.broadcast_to(b, (2, 3))
xp.broadcast_to(a, (3, 2))
xp.broadcast_to(a, (3,))
xp.broadcast_to(b, (-3,))
xp.broadcast_to(z, ())
xp.flip(t)
xp.flip(t, 0)
xp.flip(t, (0, 2))
xp.flip(a, 5)
xp.flip(a, (0, 0))
xp.flip(a, (0, 0, 5))
xp.moveaxis(a, (0, 0, 5), (0, 1, 1))
xp.moveaxis(a, (0, 0), (0, 5))
xp.sum(a, axis=(0, 0, 5))
xp.repeat(a, [1.5, 2.9], axis=0)
xp.repeat(a, [1.5, 2.9, 1], axis=0)
xp.repeat(a, 2.9)
xp.repeat(a, xp.array([1.5]))
xp.take(a, 1.5)
xp.take(a, [1.5, 0])
xp.take(a, [2j])
xp.take(a, [xp.nan])
xp.take(a, xp.array([1.5]))
xp.flip(e)
xp.roll(a, 1)
xp.roll(a, 1, axis=1)
xp.roll(a, (1, 2), 0)
xp.roll(t, (1, -2), (0, 2))
xp.roll(t, 1, (0, 2))
xp.roll(t, -7, 1)
xp.roll(a, 1, 7)
xp.roll(e, 1)
xp.roll(b, 1.7)
xp.roll(b, [1.7, 1])
xp.roll(b, '2')
xp.roll(b, xp.array([1.5]))
a.repeat(2)
a.repeat([1, 0, 2], axis=1)
a.repeat(2, axis=0)
a.repeat([1, 2])
a.repeat(xp.array([2, 0, 1, 1, 0, 3]))
a.repeat([1, 2, 3], axis=0)
a.repeat([1, -1, 2], axis=1)
z.repeat(3)
a.repeat(0)
b.repeat(2.0)
b.repeat(xp.array([1, 2, 3], 'u4'))
b.repeat(xp.array([True, False, True]))
b.repeat(xp.array([1, 2, 3], 'u8'))
b.repeat(xp.array([1., 2, 3]))
xp.tile(a, 2)
xp.tile(a, (2, 1))
xp.tile(a, (2, 1, 3))
xp.tile(b, (2, 2))
xp.tile(a, 0)
xp.tile(a, -1)
xp.resize(a, (2, 5))
xp.resize(a, 4)
xp.resize(a, (0, 3))
xp.resize(xp.zeros(0), (3,))
xp.resize(a, (-1,))
xp.split(b, 3)
xp.split(a, [1], axis=1)
xp.split(a, [1, 5, 2], axis=1)
xp.split(a, 2, axis=1)
xp.array_split(xp.arange(8), 3)
xp.array_split(a, 0)
xp.atleast_1d(z)
xp.atleast_2d(b)
xp.atleast_3d(b)
xp.atleast_3d(a)
a.diagonal()
t.diagonal(1, 0, 2)
t.diagonal(-1, 1, 2)
a.diagonal(7)
a.diagonal(0, 0, 0)
b.diagonal()
a.diagonal(0, 0, 5)
c.real
c.imag
a.real
f.imag
f.view('i8')
f.view('i4')
c.view('f8')
a.astype('i1')[:, :2].copy().view('i2')
xp.zeros((2, 3), 'i1').view('i2')
xp.zeros((3, 4), 'i1').T.view('i2')
xp.zeros((), 'i1').view('i2')
xp.zeros((2, 3), 'i2').T.view('i1')
xp.concatenate([a, a])
xp.concatenate([a, f], axis=1)
xp.concatenate([a, a], axis=-1)
xp.concatenate([a, b], axis=None)
xp.concatenate([a, a > 2])
xp.concatenate([a.astype('i1'), a.astype('u1')])
xp.concatenate([])
xp.concatenate([a, b])
xp.concatenate([a, a.T])
xp.concatenate([z, z])
xp.concatenate([z, z], axis=None)
xp.concatenate([a, a], axis=3)
xp.concatenate([a, a], out=xp.zeros((4, 3), int), dtype=int)
xp.concatenate([a, a], out=xp.zeros((3, 3), int))
xp.concatenate([f, f], out=xp.zeros((4, 3), int))
xp.concatenate([f, f], dtype=int)
xp.concatenate([f, f], dtype=int, casting='unsafe')
xp.concatenate([f, f], dtype=int, casting='nope')
xp.concatenate([a, e])
xp.stack([a, a])
xp.stack([a, f], axis=-1)
xp.stack([])
xp.stack([a, b])
xp.stack([a, a], axis=4)
xp.stack([z, z])
a.real is a
xp.real(f) is f
c.real is c
a.reshape(3, 2, copy='False')
b.mT
""")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    check_expression(source, **SCOPE)


LAYOUTS = lines("""
a.reshape(3, 2).strides
a.T.copy().strides
a.T.copy(order='K').strides
t.transpose(1, 2, 0).copy(order='K').strides
xp.empty_like(t.transpose(1, 2, 0)).strides
xp.zeros_like(t.transpose(1, 2, 0)).strides
xp.full_like(t.transpose(1, 2, 0), 3, order='C').strides
xp.zeros_like(a.T, dtype='f4').strides
xp.ones_like(a.T, order='A').flags.f_contiguous
xp.ones_like(a.T, shape=(5, 2)).strides
xp.concatenate([a.T, a.T]).strides
xp.broadcast_to(b, (2, 3)).strides
xp.flip(a).strides
a.diagonal().strides
xp.zeros((2, 3), order='F').strides
xp.full((2, 3), 7, order='F').strides
xp.broadcast_to(b, (2, 3)).flags.writeable
a.diagonal().flags.writeable
f.imag.flags.writeable
a.reshape(6).flags.writeable
xp.moveaxis(t, 0, -1).strides
xp.eye(3, order='F').flags.f_contiguous
""")


@pytest.mark.parametrize("source", LAYOUTS)
def test_layout(source):
    check_expression(source, **SCOPE)


VIEWS = lines("""
x.reshape(4, 3)
x.ravel()
x.T
x.swapaxes(0, 1)
xp.moveaxis(x, 0, 1)
x[None].squeeze()
xp.expand_dims(x, 0)
xp.flip(x)
xp.split(x, 3)[1]
xp.atleast_3d(x)
x.view('i8')
x.T.ravel('F')
x.T.ravel('K')
x[1:]
x.reshape(x.shape)
""")


@pytest.mark.parametrize("source", VIEWS)
def test_views_share_memory(source):
    x = cp.arange(12.0).reshape(3, 4).copy()
    view = eval(source, {"x": x, "xp": cp})
    assert cp.shares_memory(x, view)
    view[...] = 1
    assert bool((x == 1).any()) or source == "x.view('i8')"


COPIES = lines("""
x.flatten()
x.T.reshape(12)
x.T.ravel()
x.repeat(1)
xp.tile(x, 1)
xp.roll(x, 0)
xp.resize(x, (3, 4))
xp.concatenate([x])
xp.stack([x])
x.copy()
x[[0, 1]]
x[x > -1]
x.reshape(12, copy=True)
x.take([0])
x.cumsum()
""")


@pytest.mark.parametrize("source", COPIES)
def test_copies_do_not(source):
    x = cp.arange(12.0).reshape(3, 4).copy()
    copy = eval(source, {"x": x, "xp": cp})
    assert not cp.shares_memory(x, copy)
    copy[...] = -1
    assert float(x.sum()) == 66.0


def test_concatenate_reads_before_it_writes():
    a = cp.arange(6).reshape(2, 3).copy()
    cp.concatenate([a[1:], a[:1]], out=a)
    assert a.tolist() == [[3, 4, 5], [0, 1, 2]]


def test_broadcast_arrays():
    x, y = cp.broadcast_arrays(cp.arange(3), cp.zeros((2, 1)))
    assert x.shape == y.shape == (2, 3)
    with pytest.raises(ValueError, match="broadcast"):
        cp.broadcast_arrays(cp.zeros(3), cp.zeros(4))


STATEMENTS = lines("""
xp.concatenate([a[:1], a[1:]], out=a)
xp.stack([b, b], out=a)
a.T.reshape(6)[0] = 9
a.reshape(6)[0] = 9
a.ravel()[:] = 0
a.real = 7
a.shape = (3, 2)
a.shape = (4, 2)
xp.copyto(a, 7, where=3.2)
xp.copyto(a, 7, where=0)
xp.copyto(a, 7, where=-4)
xp.copyto(a, 7, where=1j)
xp.copyto(a, b, where=b)
xp.copyto(a, b.reshape(1, 1, 1, 3), where=[[True], [False]])
xp.copyto(a, b.reshape(1, 1, 3, 1), where=[[True], [False]])
xp.copyto(a, b, where=xp.ones((1, 2, 3), bool))
xp.copyto(a, xp.ones((2, 2, 3)), where=True)
""")


@pytest.mark.parametrize("source", STATEMENTS)
def test_statement(source):
    check_statement(source, texts=False, a=A, b=np.arange(3))


def test_values_do_not_see_later_writes():
    x = cp.arange(4.0)
    y, z = x.repeat(2), cp.tile(x, 2)
    w, v = cp.concatenate([x, x]), x.reshape(2, 2).T.reshape(4)
    x[...] = -1
    assert (y.tolist(), z.tolist()) == ([0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 2, 3] * 2)
    assert (w.tolist(), v.tolist()) == ([0, 1, 2, 3] * 2, [0, 2, 1, 3])


@given(data=st.data())
def test_reshape(data):
    """Views exactly where NumPy has them."""
    a, b = data.draw(arrays(np.dtype("i4"), shapes(4, 4)))
    a = np.asarray(a)
    factors = [n for n in a.shape if n > 1]
    order = data.draw(st.sampled_from("CFA"))
    merged, current = [], 1
    for n in data.draw(st.permutations(factors)):
        current *= n
        if data.draw(st.booleans()):
            merged.append(current)
            current = 1
    shape = tuple(merged + [current] + [1] * data.draw(st.integers(0, 2))) if a.size else (0, 2)
    want = run("x.reshape(s, order=o)", {"x": a, "s": shape, "o": order})
    got = run("x.reshape(s, order=o)", {"x": b, "s": shape, "o": order})
    compare(got, want)
    if a.size:
        assert cp.shares_memory(b, got) == np.shares_memory(a, want)


@given(data=st.data())
def test_ravel_and_flatten(data):
    a, b = data.draw(arrays(np.dtype("i4"), shapes(4, 4)))
    order = data.draw(st.sampled_from("CFAK"))
    for method in ("ravel", "flatten"):
        assert_same(getattr(b, method)(order), getattr(np.asarray(a), method)(order))


@given(data=st.data())
def test_concatenate(data):
    base = data.draw(shapes(3, 4).filter(len))
    axis = data.draw(st.integers(-len(base), len(base) - 1))
    pairs = []
    for _ in range(data.draw(st.integers(1, 3))):
        shape = list(base)
        shape[axis] = data.draw(st.integers(0, 3))
        pairs.append(data.draw(arrays(shape=tuple(shape))))
    want = np.concatenate([np.asarray(a) for a, _ in pairs], axis=axis)
    assert_same(cp.concatenate([b for _, b in pairs], axis=axis), want)


@pytest.mark.parametrize("dtype", ["?", "i2", "f", "d", "D"])
def test_repeat_by_many_counts(dtype):
    rng = np.random.default_rng(1)
    a, counts = rng.integers(0, 9, (3, 20_000)).astype(dtype), rng.integers(0, 12, 20_000)
    counts[100:200] = 0
    counts[300] = 500
    x, n = cp.asarray(a), cp.asarray(counts)
    assert_same(cp.repeat(x[0], n), np.repeat(a[0], counts))
    assert_same(cp.repeat(x[:, ::-1], n, axis=1), np.repeat(a[:, ::-1], counts, axis=1))
    assert_same(cp.repeat(x.T, n, axis=0), np.repeat(a.T, counts, axis=0))
    assert_same(cp.repeat(x, n[:3], axis=0), np.repeat(a, counts[:3], axis=0))
    assert_same(cp.repeat(x[0, :5], n[:5].astype("u1")), np.repeat(a[0, :5], counts[:5]))
    assert_same(cp.repeat(x[0], n * 0), np.repeat(a[0], counts * 0))


def test_repeat_by_wrong_counts():
    for counts, error in (([1, -1, 2], ValueError), ([1, 2], ValueError), ([1.5, 2, 3], TypeError)):
        with pytest.raises(error):
            cp.repeat(cp.arange(3), cp.asarray(counts))


def test_reshape_of_none_is_a_view():
    a = cp.arange(6).reshape(2, 3)[:, ::2]
    b = a.reshape(None)
    assert b is not a and b.shape == (2, 2) and cp.shares_memory(a, b)
    with pytest.raises(TypeError, match="None"):
        a.reshape(shape=None)


def test_repeat_with_as_many_dimensions_as_there_may_be():
    for shape in ((1,) * 64, (2,) + (1,) * 63, (1,) * 62 + (2, 3)):
        x = np.arange(np.prod(shape)).reshape(shape)
        for axis in (0, 31, 62, 63, -1, None):
            for counts in (2, [3], 0):
                assert_same(cp.repeat(cp.asarray(x), counts, axis), np.repeat(x, counts, axis))
        with pytest.raises(ValueError, match="negative"):
            cp.repeat(cp.asarray(x), -1, 0)
