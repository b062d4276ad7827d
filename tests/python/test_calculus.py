"""Differences, sums, interpolation, convolution: values, dtypes, shapes and errors of NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import DTYPES, FLOATS, arrays, assert_same, check, fill

RNG = np.random.default_rng(3)
ARRAYS = {
    "a": RNG.normal(size=(4, 5)),
    "f": RNG.normal(size=(3, 4, 3)).astype("f4"),
    "c": RNG.normal(size=6) + 1j * RNG.normal(size=6),
    "i": RNG.integers(-9, 9, (4, 3)),
    "u": np.array([3, 250, 7, 9], "u1"),
    "b": np.array([True, False, True, True]),
    "x": np.array([0.0, 1.0, 1.5, 3.5, 4.0]),
    "r": np.array([0.0, 2.0, 4.0, 6.0, 8.0]),
    "v": RNG.normal(size=(5, 3)),
    "w": RNG.normal(size=(5, 2)),
    "e": np.zeros((0,)),
    "z": np.array(2.0),
}

EXPRESSIONS = lines("""
xp.ediff1d(i)
xp.ediff1d(u, to_begin=1, to_end=[2, 3])
xp.ediff1d(a, to_end=a[:2])
xp.ediff1d(e)
xp.ediff1d(e, to_begin=[1.0])
xp.ediff1d(z)
xp.ediff1d(u, to_end=1.5)
xp.ediff1d(i, to_begin=1.5)
xp.ediff1d(b)
xp.gradient(a)
xp.gradient(f)
xp.gradient(f, 2.0, axis=(0, 2))
xp.gradient(a, 2.0, x)
xp.gradient(a, 2.0, x, edge_order=2)
xp.gradient(a, axis=1, edge_order=2)
xp.gradient(a, r, axis=-1)
xp.gradient(i)
xp.gradient(i, [1, 2, 4, 8], axis=0)
xp.gradient(c, 0.5)
xp.gradient(c, edge_order=2)
xp.gradient(f, 0.25, 0.5, 1.0, edge_order=2)
xp.gradient(u)
xp.gradient(b)
xp.gradient(a, x, axis=0)
xp.gradient(a, a, axis=0)
xp.gradient(a, 1, 2, 3)
xp.gradient(a, edge_order=3)
xp.gradient(e)
xp.gradient(a, axis=2)
xp.trapezoid(a)
xp.trapezoid(a, x)
xp.trapezoid(a, axis=0, dx=0.5)
xp.trapezoid(a, a, axis=0)
xp.trapezoid(i)
xp.trapezoid(f, axis=1)
xp.trapezoid(c)
xp.trapezoid(u)
xp.trapezoid(b)
xp.trapezoid(e)
xp.trapezoid(a, e)
xp.cross(v, v[::-1])
xp.cross(v, v[0])
xp.cross(v, w)
xp.cross(w, v)
xp.cross(w, w[::-1])
xp.cross(i[:3].T, i[1:].T, axis=0)
xp.cross(i[0], v)
xp.cross(v, v[::-1], axisc=0)
xp.cross(v.T, v, axisa=0)
xp.cross(a, a)
xp.cross(z, a)
xp.cross(v, v, axisa=5)
xp.cross(v, v, axisc=5)
xp.cross(v, v[:2])
xp.unwrap(a * 5)
xp.unwrap(a * 5, axis=0)
xp.unwrap(f * 7, discont=4.0)
xp.unwrap(i, period=4)
xp.unwrap(i, period=5, axis=0)
xp.unwrap(i)
xp.unwrap(r, period=4)
xp.unwrap(e)
xp.unwrap(c)
xp.unwrap(u, period=7)
xp.real_if_close(c)
xp.real_if_close(c * 1e-20)
xp.real_if_close(a)
xp.real_if_close(c, tol=1e9)
xp.real_if_close((c.real + 1e-7j).astype('F'))
xp.interp(a, x, r)
xp.interp(1.2, x, r)
xp.interp(a, x, r, left=-1, right=9)
xp.interp(r, x, c[:5])
xp.interp(r - 1, x, c[:5], left=1j, right=2)
xp.interp(r, x[:1], r[:1], -3, -4)
xp.interp(xp.asarray([1.0, np.nan]), x[:1], r[:1])
xp.interp(a * 20, r, x, period=7)
xp.interp(a * 20, r, c[:5], period=-3.5)
xp.interp(i, x, u[:1])
xp.interp(i, x.astype('f4'), r.astype('i2'))
xp.interp(e, x, r)
xp.interp(a, e, e)
xp.interp(c, x, r)
xp.interp(a, x, r, period=0)
xp.interp(xp.asarray([np.nan, np.inf, -np.inf, 4.0, 0.0]), x, r, left=7)
xp.interp(xp.asarray([0.5, 1.2, 2.0, 3.7]), x, xp.asarray([np.inf, np.inf, 1.0, -np.inf, np.nan]))
""")


# NumPy 2.5 refuses vectors of two elements.
if np.lib.NumpyVersion(np.__version__) >= "2.5.0":
    PLANE = {"xp.cross(v, w)", "xp.cross(w, v)", "xp.cross(w, w[::-1])", "xp.cross(a, a)"}
    EXPRESSIONS = [source for source in EXPRESSIONS if source not in PLANE]


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_against_numpy(source):
    check_expression(source, ulps=16, zeros=False, **ARRAYS)


@pytest.mark.parametrize("y,axis", [([[1.0, 2.0]], 3), (1.0, -1)])
def test_trapezoid_names_an_axis_that_is_not_there(y, axis):
    """NumPy: IndexError("list assignment index out of range")."""
    with pytest.raises(IndexError, match=rf"^cuprum\.trapezoid: axis {axis} is out of bounds"):
        cp.trapezoid(cp.asarray(y), axis=axis)


@given(st.data())
def test_ediff1d(data):
    pair = data.draw(arrays(st.sampled_from(DTYPES), special=False))
    check(lambda xp: xp.ediff1d, pair[:1], pair[1:])


@given(st.data())
def test_gradient(data):
    kinds = st.sampled_from([np.dtype(c) for c in "bhiqBHIQfdFD"])
    pair = data.draw(arrays(kinds, special=False))
    axis = data.draw(st.sampled_from([None, 0, -1, (0, 1)]))
    order = data.draw(st.sampled_from([1, 2]))
    check(lambda xp: xp.gradient, pair[:1], pair[1:], 32, zeros=False, axis=axis, edge_order=order)


@given(arrays(st.sampled_from(FLOATS[1:])), st.integers(0, 2**32 - 1), st.integers(2, 9))
def test_interp(pair, seed, count):
    rng = np.random.default_rng(seed)
    points = np.sort(rng.choice(np.arange(-20, 20), count, replace=False) / 2.0)
    values = fill(rng, np.dtype("d"), (count,), special=False)
    check(
        lambda xp: lambda x: xp.interp(x, xp.asarray(points), xp.asarray(values)),
        pair[:1],
        pair[1:],
        8,
        False,
    )


@given(arrays(st.sampled_from([np.dtype(c) for c in "bhiqBHIQd"]), special=False), st.sampled_from([-1, 0]))
def test_unwrap(pair, axis):
    period = 6 if pair[0].dtype.kind in "iu" else 2.5
    check(lambda xp: xp.unwrap, pair[:1], pair[1:], 256, zeros=False, axis=axis, period=period)


CONVOLUTIONS = lines("""
xp.convolve(x, u)
xp.convolve(u, u)
xp.convolve(b, b[:2])
xp.correlate(b, b[:2], 'full')
xp.convolve(c, x, 'same')
xp.correlate(c, c, 'full')
xp.correlate(x, c, 'same')
xp.correlate(x, c, 'full')
xp.correlate(x[:2], c, 'valid')
xp.correlate(c, x)
xp.convolve(3, x)
xp.convolve(z, z)
xp.convolve(x, r, 1)
xp.convolve(x, [np.inf, 1.0])
xp.convolve(xp.asarray([1.0, np.nan, 2.0, 3.0]), x[:2], 'same')
xp.convolve(x, e)
xp.convolve(e, x)
xp.correlate(x, e)
xp.correlate(e, x)
xp.correlate(a, x)
xp.correlate(x, a)
xp.correlate(z, x)
xp.convolve(x, r, 'other')
xp.convolve(x, r, 7)
""")


@pytest.mark.parametrize("source", CONVOLUTIONS)
def test_convolutions(source):
    check_expression(source, ulps=64, zeros=False, **ARRAYS)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("dtype", "?bHiQfdD")
def test_convolution_of_lengths(name, mode, dtype):
    rng = np.random.default_rng(5)
    for n in (1, 2, 3, 8):
        for m in (1, 2, 5, 8):
            a, v = fill(rng, np.dtype(dtype), (n,), False), fill(rng, np.dtype(dtype), (m,), False)
            got = getattr(cp, name)(cp.asarray(a)[::-1], cp.asarray(v), mode)
            want = getattr(np, name)(a[::-1], v, mode)
            assert got.dtype == want.dtype and got.shape == want.shape
            np.testing.assert_allclose(cp.asnumpy(got), want, 1e-5, 1e-5)


def test_a_long_convolution():
    rng = np.random.default_rng(6)
    a, v = rng.integers(0, 9, 20_000), rng.integers(0, 9, 300)
    assert_same(cp.convolve(cp.asarray(a), cp.asarray(v)), np.convolve(a, v))


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("lengths", [(1000, 7), (300, 299), (700, 700), (1025, 260), (5000, 1100)])
@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "i4", "i8", "e", "f", "d", "F", "D"])
def test_convolution_of_many_taps(mode, lengths, dtype):
    """Blocks of results, parts of sums, and ends where a result has fewer products than the others."""
    rng = np.random.default_rng(7)
    a, v = (rng.integers(0, 3, n).astype(dtype) for n in lengths)
    if a.dtype.kind == "c":
        a, v = a + 1j * rng.integers(0, 3, a.size), v - 1j * rng.integers(0, 3, v.size)
    a, v = a.astype(dtype), v.astype(dtype)
    for x, y in ((a, v), (v, a)):
        for name in ("convolve", "correlate"):
            got = getattr(cp, name)(cp.asarray(x), cp.asarray(y), mode)
            assert_same(got, getattr(np, name)(x, y, mode))


@pytest.mark.parametrize("dtype", ["f", "d", "i8", "D"])
def test_convolution_of_strided_vectors(dtype):
    a, v = np.arange(60).astype(dtype), np.arange(12).astype(dtype)
    x, y = cp.asarray(a), cp.asarray(v)
    for at, taps in (
        (slice(None, None, 3), slice(None, None, -2)),
        (slice(50, 2, -1), slice(3, 4)),
        (slice(1, None), slice(1, None)),
    ):
        assert_same(cp.convolve(x[at], y[taps]), np.convolve(a[at], v[taps]))
        assert_same(cp.correlate(x[at], y[taps], "same"), np.correlate(a[at], v[taps], "same"))


def test_products_with_what_is_not_there_are_left_out():
    """A zero put before the signal, times an infinity, would be NaN."""
    a = np.ones(300)
    v = np.full(40, np.inf)
    assert_same(cp.convolve(cp.asarray(a), cp.asarray(v)), np.convolve(a, v))


def test_numpy_arrays_are_refused():
    for call in (cp.gradient, cp.ediff1d, cp.unwrap, cp.trapezoid, cp.real_if_close):
        with pytest.raises(TypeError, match="host memory"):
            call(np.ones(3))
    with pytest.raises(TypeError, match="host memory"):
        cp.convolve(np.ones(3), np.ones(3))


def test_differences_of_nothing_are_an_array_of_their_own():
    nothing = cp.diagonal(cp.zeros((0, 3)))  # read-only
    for n in (1, 2, 5):
        differences = cp.diff(nothing, n=n)
        differences += 1
        assert differences.shape == np.diff(np.zeros(0), n=n).shape and differences.flags.writeable
