"""Functions of the package that are written in array expressions, against NumPy."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression
from strategies import FLOATS, REALS, arrays, assert_same, broadcastable, check


@given(st.data())
def test_isclose(data):
    kinds = st.sampled_from([*FLOATS[1:], np.dtype("i4"), np.dtype("D")])
    shapes = data.draw(broadcastable())
    a, b = data.draw(arrays(kinds, shapes[0])), data.draw(arrays(kinds, shapes[1]))
    equal_nan = data.draw(st.booleans())
    for x in (a[0], b[0]):  # CUDA's hypot overflows in the last binade
        assume(x.dtype.kind != "c" or not (np.abs(x[np.isfinite(x)]) > 1e307).any())
    check(lambda xp: xp.isclose, (a[0], b[0]), (a[1], b[1]), equal_nan=equal_nan, rtol=1e-3)


def test_allclose_and_equality():
    x = cp.array([1.0, 2.0, cp.nan])
    assert cp.allclose(x[:2], x[:2] + 1e-9) is True
    assert cp.allclose(x, x) is False and cp.allclose(x, x, equal_nan=True) is True
    assert cp.array_equal(x, x) is False and cp.array_equal(x, x, equal_nan=True) is True
    assert cp.array_equal(x[:2], x) is False and cp.array_equal([1, 2], cp.array([1, 2])) is True
    assert cp.array_equiv([1, 2], cp.array([[1, 2], [1, 2]])) is True
    assert cp.array_equiv([1, 2, 3], cp.array([1, 2])) is False


@given(arrays(st.sampled_from([*FLOATS, np.dtype("F"), np.dtype("i4")])), st.booleans())
def test_nan_to_num(pair, own_values):
    a, b = pair
    kwargs = {"nan": 1.5, "posinf": 7.0, "neginf": -7.0} if own_values else {}
    check(lambda xp: xp.nan_to_num, (a,), (b,), zeros=False, **kwargs)


def test_nan_to_num_in_place():
    x = cp.array([1.0, cp.nan])
    assert cp.nan_to_num(x, copy=False) is x
    assert x.tolist() == [1.0, 0.0]


@given(arrays(st.sampled_from(REALS)), st.integers(-3, 3), st.integers(-3, 3))
def test_clip(pair, low, high):
    a, b = pair
    for args in ((low, high), (low, None), (None, high)):
        check(lambda xp: xp.clip, (a, *args), (b, *args), zeros=False)


@pytest.mark.parametrize(
    "arguments", ["1", "a_min=1", "a_max=1", "1, 2, max=3", "1, min=2", "None, 2", "1, None"]
)
def test_clip_takes_both_limits_or_neither(arguments):
    check_expression(f"xp.clip(x, {arguments})", texts=False, x=np.arange(5))


@pytest.mark.parametrize("name", ["nan", "posinf", "neginf"])
@pytest.mark.parametrize("shape", [(4,), (1, 4), (2, 1), (2, 4), ()])
def test_nan_to_num_broadcasts_what_it_fills_in(name, shape):
    x = np.array([[0, 1, np.nan, 4], [11, -np.inf, np.inf, 13]])
    for y in (x, x[0]):
        check_expression(f"xp.nan_to_num(x, {name}=v)", texts=False, x=y, v=np.full(shape, 5.0))


@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
@pytest.mark.parametrize("deg", [False, True])
def test_angle_of_every_dtype(dtype, deg):
    check_expression(f"xp.angle(x, deg={deg})", ulps=8, x=np.array([0, 1, 1], dtype))


def test_clip_forms():
    x = np.arange(6.0)
    y = cp.asarray(x)
    assert_same(cp.clip(y, min=2), np.clip(x, min=2))
    assert_same(cp.clip(y, max=2), np.clip(x, max=2))
    assert_same(cp.clip(y, y[::-1], 4), np.clip(x, x[::-1], 4))
    assert_same(cp.clip(y), np.clip(x, None, None))
    assert cp.clip(y, 1, 2, out=y) is y
    with pytest.raises(ValueError, match="a_min"):
        cp.clip(y, 1, 2, min=1)


@given(
    arrays(st.sampled_from([np.dtype("d"), np.dtype("f"), np.dtype("i4")]), special=False), st.integers(-2, 4)
)
def test_round(pair, decimals):
    a, b = pair
    check(lambda xp: xp.round, (a, decimals), (b, decimals), 2)


@given(
    arrays(st.sampled_from([np.dtype("D"), np.dtype("d"), np.dtype("f"), np.dtype("i2")]), special=False),
    st.booleans(),
)
def test_angle(pair, deg):
    check(lambda xp: xp.angle, pair[:1], pair[1:], 8, deg=deg)


@given(st.data())
def test_average(data):
    a, b = data.draw(
        arrays(st.sampled_from([np.dtype("d"), np.dtype("f"), np.dtype("i4")]), (3, 4), special=False)
    )
    axis = data.draw(st.sampled_from([None, 0, 1, -1, (0, 1)]))
    keepdims = data.draw(st.booleans())
    w = np.arange(1.0, 13).reshape(3, 4)
    np.testing.assert_allclose(
        cp.asnumpy(cp.average(b, axis, cp.asarray(w), keepdims=keepdims)),
        np.average(a, axis, w, keepdims=keepdims),
        rtol=1e-5,
        atol=1e-6,
    )
    got, scale = cp.average(b, axis, returned=True)
    want, want_scale = np.average(a, axis, returned=True)
    np.testing.assert_allclose(cp.asnumpy(got), want, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(cp.asnumpy(scale), want_scale)


def test_average_of_vectors_and_errors():
    a = np.arange(12.0).reshape(3, 4)
    for axis, w in ((0, [1, 2, 3]), (1, [1, 2, 3, 4])):
        np.testing.assert_allclose(
            cp.asnumpy(cp.average(cp.asarray(a), axis, cp.asarray(w))), np.average(a, axis, w)
        )
    for args in ((None, [1, 2, 3]), (0, [1, 2]), (0, [0, 0, 0])):
        check(
            lambda xp, args=args: lambda x: xp.average(x, args[0], xp.asarray(args[1])),
            (a,),
            (cp.asarray(a),),
        )


@given(st.data())
def test_diff(data):
    a, b = data.draw(arrays(st.sampled_from([*REALS, np.dtype("D")]), special=False))
    n, axis = data.draw(st.integers(-1, 3)), data.draw(st.sampled_from([-1, 0, 1]))
    check(lambda xp: xp.diff, (a, n, axis), (b, n, axis))
    if a.ndim and a.shape[-1]:
        check(lambda xp: lambda x: xp.diff(x, prepend=x[..., :1], append=1), (a,), (b,))


@pytest.mark.parametrize("name", ["hstack", "vstack", "dstack", "column_stack"])
def test_stacks(name):
    for shapes in (
        [(3,), (3,)],
        [(2, 3), (2, 3)],
        [(2, 3, 4)] * 2,
        [(), ()],
        [(2, 1), (2, 4)],
        [(3,), (2, 3)],
        [],
    ):
        xs = [np.arange(int(np.prod(s))).reshape(s) for s in shapes]
        check(lambda xp: getattr(xp, name), (xs,), ([cp.asarray(x) for x in xs],))


@pytest.mark.parametrize("name", ["split", "array_split", "hsplit", "vsplit", "dsplit"])
def test_splits(name):
    for shape in [(6,), (4, 6), (2, 4, 6), ()]:
        a = np.arange(int(np.prod(shape))).reshape(shape)
        for where in (2, 3, 5, 0, -1, [1, 3], [], [9], (2, 2)):
            check(lambda xp, w=where: lambda x: tuple(getattr(xp, name)(x, w)), (a,), (cp.asarray(a),))


def test_splits_are_views():
    x = cp.arange(6)
    cp.split(x, 2)[0][0] = 9
    assert int(x[0]) == 9


@pytest.mark.parametrize("k", range(-3, 5))
def test_rot90(k):
    a = np.arange(24).reshape(2, 3, 4)
    for axes in ((0, 1), (1, 0), (1, 2), (0, 0), (0, 5), (0,)):
        check(lambda xp, axes=axes: lambda x: xp.rot90(x, k, axes), (a,), (cp.asarray(a),))


def test_unique_of_slices():
    rng = np.random.RandomState(3)
    for shape, axis in (((6, 2), 0), ((3, 5), 1), ((4, 2, 2), 0), ((0, 2), 0), ((1, 3), 0)):
        a = rng.randint(0, 2, size=shape)
        check(
            lambda xp, axis=axis: lambda x: xp.unique(x, True, True, True, axis=axis), (a,), (cp.asarray(a),)
        )


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("shape", [(3, 0, 2), (0, 2, 2), (2, 2, 0)])
def test_unique_of_empty_slices(shape, axis):
    check_expression(f"xp.unique(x, True, True, True, axis={axis})", x=np.zeros(shape))


def test_unique_results():
    a = np.array([[3, 1], [3, 2]])
    for name in ("unique_all", "unique_counts", "unique_inverse"):
        want, got = getattr(np, name)(a), getattr(cp, name)(cp.asarray(a))
        assert got._fields == want._fields
        for g, w in zip(got, want):
            assert_same(g, w)
    assert_same(cp.unique_values(cp.asarray(a)), np.array([1, 2, 3]))


def test_atleast_and_friends():
    for shape in [(), (3,), (2, 3), (2, 3, 4)]:
        a = np.ones(shape)
        for name in ("atleast_1d", "atleast_2d", "atleast_3d"):
            assert_same(getattr(cp, name)(cp.asarray(a)), getattr(np, name)(a))
        check(lambda xp: xp.flipud, (a,), (cp.asarray(a),))
        check(lambda xp: xp.fliplr, (a,), (cp.asarray(a),))
        check(lambda xp: xp.matrix_transpose, (a,), (cp.asarray(a),))
        for args in ((0, 0), (0, 1), (-1, 0), (2, 1), (0, 9), (5, 0)):
            check(lambda xp, args=args: lambda x: xp.rollaxis(x, *args), (a,), (cp.asarray(a),))
    assert len(cp.atleast_1d(1, 2)) == 2


def test_append_resize_fill_diagonal():
    a = np.arange(6).reshape(2, 3)
    assert_same(cp.append(cp.asarray(a), [[7, 8, 9]], axis=0), np.append(a, [[7, 8, 9]], axis=0))
    assert_same(cp.append(cp.asarray(a), 7), np.append(a, 7))
    for shape in ((2, 2), (5, 3), (0,), 7):
        assert_same(cp.resize(cp.asarray(a), shape), np.resize(a, shape))
    for shape, wrap in (((3, 4), False), ((4, 3), True), ((7, 3), True), ((7, 3), False), ((3, 3, 3), False)):
        for value in (5, [1, 2]) if shape == (3, 4) else (5,):
            want, got = np.zeros(shape), cp.zeros(shape)
            np.fill_diagonal(want, value, wrap)
            cp.fill_diagonal(got, value, wrap)
            assert_same(got, want)


def test_copyto():
    a, b = np.zeros((2, 3)), cp.zeros((2, 3))
    np.copyto(a, [1, 2, 3], where=[True, False, True])
    cp.copyto(b, [1, 2, 3], where=[True, False, True])
    assert_same(b, a)
    with pytest.raises(TypeError):
        cp.copyto(cp.zeros(2, int), 1.5)
    with pytest.raises(TypeError):
        cp.copyto([0, 0], 1)


@given(st.data())
def test_products(data):
    """Matrix products of exact values."""
    kinds = st.sampled_from([np.dtype("i8"), np.dtype("i2"), np.dtype("?"), np.dtype("u1")])
    n, k, m = (data.draw(st.integers(0, 4)) for _ in range(3))
    batch = data.draw(st.sampled_from([(), (2,), (1,), (3, 1)]))
    a, b = (
        data.draw(arrays(kinds, (*batch, n, k), special=False)),
        data.draw(arrays(kinds, (k, m), special=False)),
    )
    for name in ("matmul", "dot"):
        check(lambda xp, name=name: getattr(xp, name), (a[0], b[0]), (a[1], b[1]))
    check(lambda xp: xp.inner, (a[0], b[0].T), (a[1], b[1].T))
    check(lambda xp: xp.outer, (a[0], b[0]), (a[1], b[1]))
    check(lambda xp: lambda x, y: xp.tensordot(x, y, ([-1], [0])), (a[0], b[0]), (a[1], b[1]))
    check(lambda xp: lambda x, y: xp.tensordot(x, y, 1), (a[0], b[0]), (a[1], b[1]))
    check(lambda xp: xp.vdot, (a[0], a[0]), (a[1], a[1]))
    check(lambda xp: xp.vecdot, (a[0], a[0]), (a[1], a[1]))
    check(lambda xp: xp.kron, (a[0], b[0]), (a[1], b[1]))


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16", "f2", "i4"])
def test_matmul_of_floats(dtype):
    rng = np.random.RandomState(1)
    for n, k, m in ((1, 1, 1), (3, 5, 7), (64, 65, 33), (130, 7, 129)):
        a, b = rng.randn(n, k).astype(dtype), rng.randn(k, m).astype(dtype)
        want = a.astype("c16") @ b.astype("c16")
        for x, y in ((a, b), (np.asfortranarray(a), b), (a[::-1], b[:, ::-1]), (a.T.copy().T, b.T.copy().T)):
            got = cp.asnumpy(cp.asarray(np.ascontiguousarray(x)) @ cp.asarray(y))
            want = x.astype("c16") @ y.astype("c16")
            eps = 1e-3 if dtype == "f2" else np.finfo(np.dtype(dtype)).eps if dtype != "i4" else 0
            np.testing.assert_allclose(
                got, want if dtype[0] == "c" else want.real, rtol=0, atol=40 * eps * k + 1e-30
            )
            assert got.dtype == x.dtype


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8"])
@pytest.mark.parametrize("shape", [(130, 37), (200, 50), (65, 300), (513, 20)])
def test_product_with_the_own_transpose(shape, dtype):
    """Computed as a triangle of tiles and mirrored: every tile must be there."""
    a = np.random.RandomState(4).randn(*shape).astype(dtype)
    x = cp.asarray(a)
    for got, want in ((x @ x.T, a @ a.T), (x.T @ x, a.T @ a)):
        np.testing.assert_allclose(cp.asnumpy(got), want, rtol=0, atol=1e-3)
        assert cp.array_equal(got, got.T)
