"""matmul, dot, vdot, vecdot, matvec, vecmat, inner, outer, tensordot and kron: shapes, dtypes, layouts, errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, check_statement, lines
from strategies import assert_same, broadcastable, check

RNG = np.random.default_rng(5)
SCOPE = {"x": RNG.normal(size=(2, 3)), "y": RNG.normal(size=(3, 4)), "v": RNG.normal(size=3),
         "t": RNG.normal(size=(2, 3, 4)), "u": RNG.normal(size=(5, 4, 6)), "i": np.arange(6).reshape(2, 3),
         "b": np.arange(6).reshape(2, 3) % 2 == 0, "c": RNG.normal(size=(2, 3)) + 1j, "z": np.array(3.0)}  # fmt: skip

EXPRESSIONS = lines("""
x @ y
x @ v
v @ y
v @ v
x @ x
x @ y[0]
v[:2] @ y
z @ x
x @ z
t @ y[:, :1].T[:, :1].reshape(1, 1).repeat(4, 0)
t @ u[:1]
t @ u[:3]
xp.ones((2, 2, 3)) @ xp.ones((3, 3, 4))
xp.ones((0, 3)) @ y
xp.ones((2, 0)) @ xp.ones((0, 3))
xp.ones(0) @ xp.ones(0)
b @ b.T
x.astype('f2') @ y.astype('f2')
x.astype('f4') @ y
i.astype('i1') @ i.T.astype('i2')
i @ i.T
i.astype('u1') @ i.T.astype('u1')
i @ y
c @ y
c @ c.T
c.conj() @ x.T
x.T @ x
x[:, ::-1] @ y[::-1]
x[::-1, ::2] @ y[::2, 1:3]
y.T @ x.T
xp.matmul(x, y, out=xp.zeros((2, 3)))
xp.matmul(x, y, out=xp.zeros((2, 4), int))
xp.matmul(i, i.T, out=xp.zeros((2, 2)))
xp.dot(x, x)
xp.dot(x, y)
x.dot(y)
xp.dot(x, z)
xp.dot(z, z)
xp.dot(v, xp.ones(4))
xp.dot(x, y[:, 0])
xp.dot(t, u)
xp.dot(t, xp.ones(3))
xp.dot(x, y, out=xp.zeros((2, 4), int))
xp.dot(x, y, out=xp.zeros((2, 5)))
xp.dot(b, b.T)
xp.vdot(x, x)
xp.vdot(x, y)
xp.vdot(c, c)
xp.vdot(x, c)
xp.inner(x, x)
xp.inner(x, y)
xp.inner(x, z)
xp.inner(t, u[:, :, 0])
xp.inner(v, v)
xp.outer(x, y)
xp.outer(v, i)
xp.outer(x, y, out=xp.zeros((2, 3)))
xp.tensordot(x, y, 1)
xp.tensordot(x, y, 2)
xp.tensordot(x, y, 0)
xp.tensordot(x, y, ([1], [0]))
xp.tensordot(t, u, ([2], [1]))
xp.tensordot(t, t, ([0, 2], [0, 2]))
xp.tensordot(t, t, ([2, 1, 0], [2, 1, 0]))
xp.tensordot(x, y, ([0], [0]))
xp.tensordot(x, y, ([0, 1], [0]))
xp.kron(x, y)
xp.kron(z, y)
xp.kron(t, x)
xp.kron(i, b)
xp.kron(z, z)
xp.kron(c, i)
xp.tensordot(x, y, (1, 0))
xp.tensordot(t, u, (-1, -2))
xp.tensordot(t, t, ([-1, 0], [-1, 0]))
xp.tensordot(t, t, ([0, 0], [0, 0]))
xp.tensordot(t, t, ([5], [0]))
xp.tensordot(i, b, ([0, 1], [0, 1]))
xp.tensordot(z, z, 0)
xp.tensordot(x, y, -1)
xp.outer(c, z)
xp.outer(b, b)
xp.vdot(z, z)
xp.vdot(i, b)
xp.vdot(xp.ones(0), xp.ones(0))
xp.inner(z, z)
xp.inner(c, c)
xp.matmul(t, u[0], axes=[(2, 1), (0, 1), (1, 0)])
xp.matmul(t, u[0], axes=[(1, 2), (0, 1)])
xp.matmul(t, u[0], axes=((1, 2), (0, 1), (0, 1)))
xp.matmul(t, v, axes=[(0, 1), 0, 0])
xp.matmul(t, v, axes=[(0, 1), 0, (0, 1)])
xp.matmul(v, v, axes=[0, 0, ()])
xp.matmul(v, v, axes=[0, 4, ()])
xp.matmul(x, y, axis=0)
xp.matmul(x, y, keepdims=True)
xp.matmul(x, y, dtype='f4')
xp.matmul(i, y, dtype='c16')
xp.matmul(x, y, dtype='i4')
xp.matmul(x, y, dtype='f4', casting='safe')
xp.matmul(x, y, dtype='i4', casting='unsafe')
xp.matmul(x, y, signature='ff->f')
xp.matmul(x, y, signature=(None, None, 'f4'))
xp.matmul(x, y, signature='fd->f')
xp.matmul(x, y, dtype='f4', signature='ff->f')
xp.matmul(x, y, out=(xp.zeros((2, 4)),))
xp.matmul(x, y, out=(xp.zeros((2, 4)), None))
xp.matmul(x, y, out=xp.zeros((5, 2, 4)), order='C')
xp.matmul(x, y, order='F')
xp.matmul(x, y, order='Q')
xp.matmul(x, y, casting='Q')
xp.matmul(x, y, where=True)
xp.vecdot(t, u[0, :, 0])
xp.vecdot(c, c)
xp.vecdot(c, x)
xp.vecdot(x, c)
xp.vecdot(b, b)
xp.vecdot(i.astype('i1') * 40, i)
xp.vecdot(i.astype('f2'), i.astype('f2'))
xp.vecdot(t, t, axis=1, keepdims=True)
xp.vecdot(t, t, axis=0)
xp.vecdot(t, t[:1], axis=-2)
xp.vecdot(t, t, axis=5)
xp.vecdot(t, x, axes=[1, 1])
xp.vecdot(t, t, axes=[0, 0, ()])
xp.vecdot(t, t, axes=[0, 0, 0], keepdims=True)
xp.vecdot(t, t, axes=[0, 0], keepdims=True)
xp.vecdot(t, t, axes=[0, 0], axis=1)
xp.vecdot(t, t, axes=0)
xp.vecdot(t, t, axes=[0])
xp.vecdot(t, t, axes=[(0, 1), 0])
xp.vecdot(x, y)
xp.vecdot(x, xp.ones(1))
xp.vecdot(x, 3)
xp.vecdot(x, v, dtype='f4')
xp.vecdot(x, v, out=xp.zeros(2))
xp.vecdot(x, v, out=xp.zeros(2, int))
xp.vecdot(x, v, out=xp.zeros(3))
xp.vecdot(x, v, out=3)
xp.vecdot(xp.ones((2, 0)), xp.ones((2, 0)))
xp.matvec(t, u[0, :, 0])
xp.matvec(x, v)
xp.matvec(x, xp.ones((5, 3)))
xp.matvec(t, u[:2, :, 0])
xp.matvec(t, xp.ones((3, 1, 4)))
xp.matvec(c, v)
xp.matvec(c, c)
xp.matvec(v, v)
xp.matvec(x, xp.ones((2, 5)))
xp.matvec(t, v, axes=[(0, 1), 0, 0])
xp.matvec(x, v, axis=0)
xp.matvec(x, v, keepdims=True)
xp.matvec(b, b)
xp.matvec(i, i, out=xp.zeros((2, 2)))
xp.matvec(xp.ones((2, 0)), xp.ones(0))
xp.vecmat(v, y)
xp.vecmat(x, y)
xp.vecmat(t[:, 0, :], u[:2])
xp.vecmat(c, y)
xp.vecmat(c, c.T)
xp.vecmat(xp.ones((7, 5)), y)
xp.vecmat(v, v)
xp.vecmat(v, t, axes=[0, (1, 2), 0])
xp.vecmat(v, t, axes=[0, (1, 2), -1])
xp.vecmat(i, y, dtype='f4')
xp.vecmat(i, y, dtype='f4', casting='unsafe')
""")

OWN_TEXTS = (
    "axis",
    "keepdims",
    "signature",
    "where",
    "Q",
    "casting",
    "dtype=",
    "axes",
    "outer(c",
    "tensordot(",
    "zeros(3)",
    "vecdot(t, t",
    "xp.ones((2, 2, 3)) @",
    "t @ u[:3]",
    "out=",
    "xp.inner(x, y)",
)


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    check_expression(source, texts=not any(t in source for t in OWN_TEXTS), ulps=64, **SCOPE)


STATEMENTS = lines("""
xp.matmul(x, y, out=o)
xp.matmul(i, y, out=o)
xp.matmul(x, y, out=o[::-1])
xp.dot(x, y, out=o)
xp.outer(x[0, :2], v[:1].repeat(4), out=o)
xp.matmul(o.T, o, out=s)
xp.matmul(s, s, out=s)
xp.matmul(s, s, out=s.T)
""")


@pytest.mark.parametrize("source", STATEMENTS)
def test_out(source):
    check_statement(source, ulps=64, o=np.ones((2, 4)), s=RNG.normal(size=(4, 4)), x=SCOPE["x"], y=SCOPE["y"],
                    i=SCOPE["i"], v=SCOPE["v"])  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "complex128", "int64"])
def test_batches_backwards(dtype):
    x, y = (np.arange(30).reshape(5, 3, 2).astype(dtype), np.arange(40).reshape(5, 2, 4).astype(dtype))
    want = x[::-1] @ y
    out = cp.zeros((5, 3, 4), dtype)
    for a, b, to in [(x[::-1], y, out), (x[::-1], y, out[::-1]), (x, y[::-1], out[::-1])]:
        got = cp.matmul(cp.asarray(x)[:: a.strides[0] // x.strides[0]],
                        cp.asarray(y)[:: b.strides[0] // y.strides[0]], out=to)  # fmt: skip
        assert np.array_equal(cp.asnumpy(got), want if a is not x else x @ y[::-1])


def test_numpys_gufuncs_are_answered_by_cuprum():
    x, y, v = (cp.asarray(SCOPE[k]) for k in "xyv")
    for got, want in [
        (np.matmul(x, y), x @ y),
        (np.matvec(x, v), x @ v),
        (np.vecmat(v, y), v @ y),
        (np.vecdot(x, v, axis=-1, keepdims=True), (x @ v)[:, None]),
    ]:
        assert isinstance(got, cp.ndarray)
        assert_same(got, cp.asnumpy(want), 4)


def test_products_of_pending_arrays():
    x, y = cp.asarray(SCOPE["x"]), cp.asarray(SCOPE["y"])
    got = ((x * 2) @ (y + 1)).sum()
    assert float(got) == pytest.approx(float(((SCOPE["x"] * 2) @ (SCOPE["y"] + 1)).sum()))


@given(data=st.data())
def test_matmul(data):
    """Whole numbers: exact in every dtype and order of summation."""
    dtype = np.dtype(data.draw(st.sampled_from("bhiqBHIQefdFD?")))
    n, k, m = (data.draw(st.integers(0, 5)) for _ in range(3))
    batch = data.draw(st.sampled_from([(), (2,), (2, 3)]))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    a = rng.integers(0, 4, size=batch[data.draw(st.integers(0, len(batch))) :] + (n, k)).astype(dtype)
    b = rng.integers(0, 4, size=batch + (k, m)).astype(dtype)
    p, q = cp.asarray(a), cp.asarray(b)
    if data.draw(st.booleans()):
        a, p = a.swapaxes(-1, -2).copy().swapaxes(-1, -2), p.swapaxes(-1, -2).copy().swapaxes(-1, -2)
    if data.draw(st.booleans()):
        b, q = b[..., ::-1], q[..., ::-1]
    assert_same(p @ q, a @ b)


@given(data=st.data())
def test_vectors_and_stacks(data):
    """vecdot, matvec and vecmat of random stacks, layouts and core axes, with small whole numbers."""
    functions = {"vecdot": ("n", "n", ""), "matvec": ("mn", "n", "m"), "vecmat": ("n", "nm", "m")}
    name, core = data.draw(st.sampled_from(sorted(functions.items())))
    dtype = np.dtype(data.draw(st.sampled_from("?bhiqBHIQefdFD")))
    sizes = {"n": data.draw(st.integers(0, 4)), "m": data.draw(st.integers(0, 4))}
    stacks = data.draw(broadcastable(2, max_dims=2, max_side=3))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    hosts, devices, axes = [], [], []
    for names, stack in zip(core, stacks):
        shape = stack + tuple(sizes[x] for x in names)
        order = data.draw(st.permutations(range(len(shape))))
        values = rng.integers(0, 4, size=tuple(shape[i] for i in order)).astype(dtype)
        if dtype.kind == "c":
            values = values + dtype.type(1j) * rng.integers(0, 4, size=values.shape)
        hosts.append(values)
        devices.append(cp.asarray(values))
        axes.append(tuple(order.index(len(stack) + i) for i in range(len(names))))
    axes.append(tuple(range(len(core[2]))))
    check(lambda xp: getattr(xp, name), hosts, devices, axes=axes)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_small_products_touch_nothing_else(dtype):
    """Registers reach past short rows: of operands that end there, and of results that are parts of other arrays."""
    rng = np.random.default_rng(3)
    for m, n, k in [(1, 9, 16), (3, 5, 7), (8, 8, 8), (13, 3, 16), (16, 12, 5), (16, 16, 16), (5, 17, 4)]:
        a, b = rng.random((9, m, k)).astype(dtype), rng.random((9, k, n)).astype(dtype)
        want = sum(a[:, :, i, None] * b[:, i, None, :] for i in range(k))  # in the order of k
        tolerance = 8 * k * np.finfo(dtype).eps
        np.testing.assert_allclose(cp.asnumpy(cp.asarray(a) @ cp.asarray(b)), want, rtol=tolerance)
        whole = cp.full((9, m + 2, n + 3), 7, dtype)
        cp.matmul(cp.asarray(a), cp.asarray(b), out=whole[:, 1:-1, 1:-2])
        np.testing.assert_allclose(cp.asnumpy(whole[:, 1:-1, 1:-2]), want, rtol=tolerance)
        edge = cp.asnumpy(whole).copy()
        edge[:, 1:-1, 1:-2] = 7
        assert np.all(edge == 7)
        wide = cp.asarray(np.concatenate([b, np.full((9, k, 2), np.nan, dtype)], -1))[..., :n]
        backwards = cp.asnumpy(cp.asarray(a)[::-1] @ wide[::-1])
        np.testing.assert_allclose(backwards[::-1], want, rtol=tolerance)
