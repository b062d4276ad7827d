"""Creation functions against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import DTYPES, arrays, assert_same, check

ORDERS = ["C", "F"]


def layout(a):
    return a.flags.c_contiguous, a.flags.f_contiguous


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), 3, (0,), (2, 3), (2, 0, 3), [4, 1]])
@pytest.mark.parametrize("order", ORDERS)
def test_filled(dtype, shape, order):
    for name in ("zeros", "ones"):
        got, want = getattr(cp, name)(shape, dtype, order), getattr(np, name)(shape, dtype, order)
        assert_same(got, want)
        assert layout(got) == layout(want)
    got, want = cp.full(shape, 3, dtype, order), np.full(shape, 3, dtype, order)
    assert_same(got, want)
    empty = cp.empty(shape, dtype, order)
    assert empty.shape == want.shape and empty.dtype == dtype and layout(empty) == layout(want)


@pytest.mark.parametrize(
    "value", [True, 2, -3, 1.5, 2j, np.float32(1.5), np.int8(-1), np.uint64(2**63), float("nan"), 2**63]
)
def test_full_takes_the_dtype_of_its_value(value):
    assert_same(cp.full((2, 2), value), np.full((2, 2), value))


def test_full_of_arrays():
    assert_same(cp.full((2, 3), cp.arange(3)), np.full((2, 3), np.arange(3)))
    assert_same(cp.full((2, 3), [1, 2, 3], "f4"), np.full((2, 3), [1, 2, 3], "f4"))
    assert_same(cp.full_like(cp.ones((2, 3)), [1, 2, 3]), np.full_like(np.ones((2, 3)), [1, 2, 3]))


@given(
    arrays(),
    st.sampled_from(["C", "F", "A", "K"]),
    st.none() | st.sampled_from(DTYPES),
    st.none() | st.just((4,)),
)
def test_like(pair, order, dtype, shape):
    a, b = pair
    for name in ("zeros_like", "ones_like", "full_like"):
        value = (1,) if name == "full_like" else ()
        want = getattr(np, name)(a, *value, dtype=dtype, order=order, shape=shape)
        got = getattr(cp, name)(b, *value, dtype=dtype, order=order, shape=shape)
        assert_same(got, want)
        assert layout(got) == layout(want)


ARANGES = [
    (5,), (0,), (-3,), (2, 8), (2, 8, 3), (8, 2, -2), (2, 2), (5.5,), (0, 1, 0.1), (1, 0, -0.25), (0, 10, 3.5),
    (2**62, 2**62 + 3), (True,), (np.int8(3),), (0, 5, np.float32(1.5)), (-0.0, 1.0), (1e6, 1e6 + 3), (0.1, 1.0, 0.3),
]  # fmt: skip


@pytest.mark.parametrize("args", ARANGES, ids=str)
def test_arange(args):
    check(lambda xp: xp.arange, args, args)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.kind != "b"])
def test_arange_of_dtype(dtype):
    assert_same(cp.arange(1, 20, 3, dtype=dtype), np.arange(1, 20, 3, dtype=dtype))
    assert_same(cp.arange(7, dtype=dtype), np.arange(7, dtype=dtype))


def test_arange_large():
    for n in (1023, 4097, 100_003):
        assert_same(cp.arange(n), np.arange(n))
        assert_same(cp.arange(0, n * 0.1, 0.1), np.arange(0, n * 0.1, 0.1))


def test_arange_errors():
    for args in ((0, 5, 0), (0, float("nan")), (0, 1e300), ("a",)):
        check(lambda xp: xp.arange, args, args)


@given(
    st.floats(-100, 100),
    st.floats(-100, 100),
    st.integers(0, 20),
    st.booleans(),
    st.none() | st.sampled_from(["f4", "i4", "f8"]),
)
def test_linspace(start, stop, num, endpoint, dtype):
    want = np.linspace(start, stop, num, endpoint, dtype=dtype)
    got = cp.linspace(start, stop, num, endpoint, dtype=dtype)
    if dtype == "i4":
        assert got.dtype == want.dtype and np.abs(cp.asnumpy(got) - want).max(initial=0) <= 1
        return
    assert got.dtype == want.dtype
    np.testing.assert_allclose(
        cp.asnumpy(got), want, rtol=1e-5 if dtype == "f4" else 1e-12, atol=1e-12 if dtype != "f4" else 1e-5
    )
    if num and endpoint and num > 1:
        assert cp.asnumpy(got)[-1] == want[-1]


def test_linspace_of_arrays():
    start, stop = np.array([0.0, 1.0]), np.array([[2.0, 3.0]])
    for axis in (0, -1, 1):
        want, step = np.linspace(start, stop, 5, axis=axis, retstep=True)
        got, got_step = cp.linspace(cp.asarray(start), cp.asarray(stop), 5, axis=axis, retstep=True)
        np.testing.assert_allclose(cp.asnumpy(got), want, rtol=1e-14)
        np.testing.assert_allclose(cp.asnumpy(got_step), step)
    with pytest.raises(ValueError, match="non-negative"):
        cp.linspace(0, 1, -1)


def test_logspace():
    np.testing.assert_allclose(
        cp.asnumpy(cp.logspace(0, 3, 7, base=2)), np.logspace(0, 3, 7, base=2), rtol=1e-14
    )


MATRICES = [(3,), (3, 5), (3, 5, 1), (3, 5, -1), (0,), (4, 2, 7), (4, 2, -9), (2, 3, 2**63), (2, 3, -(2**62))]


@pytest.mark.parametrize("args", MATRICES, ids=str)
@pytest.mark.parametrize("dtype", ["f8", "i4", "?", "c8"])
def test_matrices(args, dtype):
    assert_same(cp.eye(*args, dtype=dtype), np.eye(*args, dtype=dtype))
    assert_same(cp.tri(*args, dtype=dtype), np.tri(*args, dtype=dtype))
    assert_same(cp.identity(args[0], dtype), np.identity(args[0], dtype))


@pytest.mark.parametrize("k", [-3, -1, 0, 1, 2])
@pytest.mark.parametrize("shape", [(3, 4), (4, 3), (2, 3, 4), (5,), (0, 2)])
def test_triangles(shape, k):
    a = np.arange(1, 1 + int(np.prod(shape))).reshape(shape)
    for name in ("tril", "triu"):
        assert_same(getattr(cp, name)(cp.asarray(a), k), getattr(np, name)(a, k))


@pytest.mark.parametrize("k", [-2, 0, 1])
def test_diag(k):
    for a in (np.arange(3), np.arange(12).reshape(3, 4), np.zeros(0)):
        assert_same(cp.diag(cp.asarray(a), k), np.diag(a, k))
    assert_same(cp.diagflat([[1, 2], [3, 4]], k), np.diagflat([[1, 2], [3, 4]], k))
    with pytest.raises(ValueError, match="1- or 2-d"):
        cp.diag(cp.ones((2, 2, 2)))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("sparse", [False, True])
def test_meshgrid(indexing, sparse):
    for count in (0, 1, 2, 3):
        xs = [np.arange(i + 2) for i in range(count)]
        want = np.meshgrid(*xs, indexing=indexing, sparse=sparse)
        got = cp.meshgrid(*[cp.asarray(x) for x in xs], indexing=indexing, sparse=sparse)
        assert len(got) == len(want)
        for g, w in zip(got, want):
            assert_same(g, w)
    with pytest.raises(ValueError, match="indexing"):
        cp.meshgrid([1], indexing="ab")


def test_array_and_asarray():
    x = cp.arange(6).reshape(2, 3)
    assert cp.asarray(x) is x
    assert cp.array(x) is not x and not cp.shares_memory(cp.array(x), x)
    assert cp.asarray(x, "f4").dtype == np.float32
    assert cp.array([1, 2], ndmin=3).shape == (1, 1, 2)
    assert cp.ascontiguousarray(x.T).flags.c_contiguous and cp.asfortranarray(x).flags.f_contiguous
    assert cp.ascontiguousarray(3.0).shape == (1,)
    assert_same(cp.copy(x.T), np.copy(np.arange(6).reshape(2, 3).T))
    host = np.arange(3)
    assert_same(cp.asarray(host), host)
    shared = cp.asarray(host, copy=False, device="cpu")
    host[0] = 9
    assert int(shared[0]) == 9


def test_shape_errors():
    for shape in (-1, (2, -1), "a", (1.5,), None, (2**62, 2**62)):
        for name in ("zeros", "ones", "empty"):
            check(lambda xp, name=name: getattr(xp, name), (shape,), (shape,))


A = np.arange(6).reshape(2, 3)
SCOPE = {"a": A, "f": A * 1.0, "b": np.arange(3), "t": np.arange(24).reshape(2, 3, 4)}

EXPRESSIONS = lines("""
xp.zeros((2, 3))
xp.zeros(3, 'i4')
xp.ones((2, 0))
xp.ones(())
xp.full((2,), 3)
xp.full((2,), 3.5, dtype=int)
xp.full((2, 3), b)
xp.full(2, 300, dtype='u1')
xp.full(2, 1j)
xp.zeros(-1)
xp.zeros((2, -1))
xp.zeros((1,) * 65)
xp.zeros((2**40, 2**40))
xp.zeros((2**62,))
xp.zeros((0, 2**62, 4))
xp.zeros_like(a)
xp.full_like(a, 2.5)
xp.full_like(a, 2.5, dtype=float)
xp.full_like(a.astype('u1'), 300)
xp.ones_like(a, shape=(2, 2))
xp.empty_like(a, shape=(2, -1))
xp.zeros_like(a, order='Q')
xp.arange(5)
xp.arange(2, 5)
xp.arange(5, 2)
xp.arange(5, 2, -1)
xp.arange(0, 1, 0.1)
xp.arange(1, 2, 0.3)
xp.arange(0.5)
xp.arange(10, 0, -2.5)
xp.arange(3, dtype='i1')
xp.arange(300, dtype='u1')
xp.arange(5, dtype='f4') / 7
xp.arange(0, 1, 0.1, dtype='f4')
xp.arange(0, 2, 0.1, dtype='f2')
xp.arange(0, 5, 0.5, dtype=int)
xp.arange(1.5, 6, dtype=int)
xp.arange(0, 10, 0)
xp.arange(0, 1e30)
xp.arange(0.0, float('nan'))
xp.arange(1j)
xp.arange(0, 3 + 3j, 1 + 1j)
xp.arange(True)
xp.arange(0, 2, dtype=bool)
xp.arange(0, 3, dtype=bool)
xp.arange(np.float32(3))
xp.arange(np.int8(3))
xp.arange(0, 3, np.float32(.5))
xp.arange(2**62, 2**62 + 3)
xp.arange(-2**63, -2**63 + 3)
xp.arange(2**53, 2**53 + 5)
xp.linspace(0, 1, 5)
xp.linspace(0, 1, 5, endpoint=False)
xp.linspace(2, 3, 7, retstep=True)
xp.linspace(0, 10, 5, dtype=int)
xp.linspace(-1, 1, 4, dtype='i4')
xp.linspace(0, 1, 0)
xp.linspace(0, 1, 1)
xp.linspace(3, 3, 4)
xp.linspace(0, 5e-324, 3)
xp.linspace(0, 1j, 3)
xp.linspace(0, 1, -1)
xp.linspace(0, 1, 2.5)
xp.linspace(b, b + 1, 4)
xp.linspace(b, 9, 4, axis=1)
xp.linspace(f.astype('f4'), 2, 3)
xp.eye(3)
xp.eye(2, 3, k=1)
xp.eye(3, k=-1, dtype=int)
xp.eye(2, 3, k=5)
xp.eye(-1)
xp.tri(3)
xp.tri(2, 4, 1, dtype='i4')
xp.tri(3, 3, -5)
xp.tri(3, 3, 2**62)
xp.tril(a)
xp.tril(t, -1)
xp.tril(b)
xp.triu(a)
xp.triu(t, 1)
xp.triu(f, -5)
""")


OWN_TEXTS = ("xp.linspace(0, 1, 2.5)", "xp.zeros_like(a, order='Q')", "xp.zeros((1,) * 65)")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    check_expression(source, texts=source not in OWN_TEXTS, **SCOPE)


def test_arange_needs_a_stop():
    with pytest.raises(TypeError):
        cp.arange()
