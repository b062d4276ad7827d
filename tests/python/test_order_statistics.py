"""Medians and quantiles: values, dtypes, shapes and errors of NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, check_statement, lines
from strategies import REALS, arrays, assert_same, check

METHODS = [
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull",
    "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest",
]  # fmt: skip

RNG = np.random.default_rng(4)
HOLES = RNG.normal(size=(5, 6))
HOLES[RNG.random((5, 6)) < 0.3] = np.nan
HOLES[2] = np.nan
ARRAYS = {
    "a": RNG.normal(size=(4, 5)),
    "t": RNG.normal(size=(3, 4, 2)).astype("f4"),
    "n": HOLES,
    "m": np.array([3.0, np.nan, 1.0, 2.0], "f4"),
    "c": RNG.normal(size=6) + 1j * RNG.normal(size=6),
    "i": RNG.integers(-9, 9, (4, 3)),
    "u": np.array([3, 250, 7, 9], "u1"),
    "h": np.array([3, 5, 7, 9], "e"),
    "b": np.array([True, False, True]),
    "w": RNG.integers(0, 4, (4, 5)) + 0.5,
    "e": np.zeros((0,)),
    "e3": np.zeros((0, 3)),
    "z": np.array(2.0),
    "q": np.array([0.0, 0.1, 0.5, 1.0]),
    "q2": np.array([[0.0, 0.25], [0.75, 0.5]], "f4"),
}

EXPRESSIONS = lines("""
xp.median(a)
xp.median(a, axis=0)
xp.median(a, axis=-1, keepdims=True)
xp.median(t, axis=(0, 2))
xp.median(t, axis=(2, 0), keepdims=True)
xp.median(t, axis=())
xp.median(t, keepdims=True)
xp.median(n)
xp.median(n, axis=1)
xp.median(m)
xp.median(i, axis=0)
xp.median(u)
xp.median(h)
xp.median(b)
xp.median(c)
xp.median(e)
xp.median(e3, axis=0)
xp.median(e3, axis=1)
xp.median(z)
xp.median([1, 4, 2])
xp.median(a, axis=2)
xp.median(a, axis=(0, 0))
xp.nanmedian(n)
xp.nanmedian(n, axis=0)
xp.nanmedian(n, axis=1)
xp.nanmedian(n, axis=(0, 1), keepdims=True)
xp.nanmedian(m)
xp.nanmedian(i, axis=1)
xp.nanmedian(t, axis=(0, 2))
xp.nanmedian(e)
xp.nanmedian(e3, axis=0)
xp.nanmedian(n, axis=2)
xp.quantile(a, 0.3)
xp.quantile(a, q)
xp.quantile(a, q, axis=0)
xp.quantile(a, q2, axis=1)
xp.quantile(a, q2, axis=1, keepdims=True)
xp.quantile(t, 0.3)
xp.quantile(t, q, axis=(0, 2))
xp.quantile(t, q2, axis=0)
xp.quantile(t, [0.2, 0.7], axis=(0, 2), keepdims=True)
xp.quantile(t, xp.asarray(0.25))
xp.quantile(i, 1)
xp.quantile(i, [0, 1], axis=0)
xp.quantile(i, 0.3, axis=0)
xp.quantile(u, 0.6)
xp.quantile(h, 0.6)
xp.quantile(b, 0.5)
xp.quantile(b, 0.5, method='lower')
xp.quantile(n, 0.5)
xp.quantile(n, q, axis=1)
xp.quantile(m, 0)
xp.quantile(z, 0.5)
xp.quantile(a, 1.5)
xp.quantile(a, [0.5, -0.1])
xp.quantile(a, np.nan)
xp.quantile(c, 0.5)
xp.quantile(a, 0.5, method='other')
xp.quantile(a, xp.zeros((1, 1, 1)))
xp.quantile(a, 0.5, axis=7)
xp.quantile(a, 0.3, weights=w, method='inverted_cdf')
xp.quantile(a, q, axis=0, weights=w, method='inverted_cdf')
xp.quantile(a, 0.3, axis=1, weights=w[0], method='inverted_cdf')
xp.quantile(t, 0.3, axis=(2, 0), weights=xp.ones((2, 3)), method='inverted_cdf')
xp.quantile(a, 0.3, weights=w)
xp.quantile(a, 0.3, weights=w[0], method='inverted_cdf')
xp.quantile(a, 0.3, axis=0, weights=w[0], method='inverted_cdf')
xp.quantile(a, 0.3, weights=-w, method='inverted_cdf')
xp.quantile(a, 0.3, weights=w * 0, method='inverted_cdf')
xp.quantile(i, 0, axis=0, weights=[0, 1, 2, 1], method='inverted_cdf')
xp.percentile(a, 30)
xp.percentile(a, [30, 100], axis=1)
xp.percentile(t, 30.0, axis=1)
xp.percentile(i, 50, axis=0)
xp.percentile(a, 101)
xp.nanquantile(n, 0.3)
xp.nanquantile(n, q, axis=0)
xp.nanquantile(n, q2, axis=1)
xp.nanquantile(n, 0.4, axis=(0, 1), keepdims=True)
xp.nanquantile(n, q.astype('f4'), axis=0)
xp.nanquantile(n.astype('f4'), q.astype('f4'), axis=1, method='weibull')
xp.nanquantile(m, 0.4)
xp.nanquantile(i, 0.4)
xp.nanquantile(n, 0.4, weights=xp.ones((5, 6)), method='inverted_cdf')
xp.nanpercentile(n, [20, 70], axis=0)
xp.nanpercentile(n, 120)
""")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_against_numpy(source):
    check_expression(source, ulps=4, zeros=False, **ARRAYS)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
def test_methods(name, method):
    for n in (1, 2, 3, 7, 10):
        x = np.random.default_rng(n).normal(size=(n, 2))
        x[0, 1] = np.nan if n > 2 else x[0, 1]
        for q in ("0.5", "0", "1.0", "[0.0, 0.1, 0.25, 0.33, 0.5, 0.7, 0.95, 1.0]"):
            for axis in ("None", "0"):
                source = f"xp.{name}(x, {q}, axis={axis}, method={method!r})"
                check_expression(source, ulps=8, zeros=False, x=x)
                check_expression(source, ulps=8, zeros=False, x=(np.nan_to_num(x) * 9).astype("i4"))


STATEMENTS = lines("""
xp.median(x, axis=0, out=o)
xp.median(x, axis=1, keepdims=True, out=k)
xp.quantile(x, 0.3, axis=0, out=o)
xp.percentile(x, 30, axis=1, keepdims=True, out=k)
xp.nanmedian(x, axis=0, out=o)
xp.nanquantile(x, 0.3, axis=0, out=o)
xp.quantile(x, 0.3, axis=0, out=j)
""")


@pytest.mark.parametrize("source", STATEMENTS)
def test_out(source):
    x = np.random.default_rng(1).normal(size=(4, 5))
    check_statement(source, False, 4, x=x, o=np.zeros(5), k=np.zeros((4, 1)), j=np.zeros(5, int))


@given(st.data())
def test_median(data):
    pair = data.draw(arrays(st.sampled_from([d for d in REALS if d.char != "e"]), special=False))
    axis = data.draw(st.sampled_from([None, 0, -1, (0, 1)]))
    name = data.draw(st.sampled_from(["median", "nanmedian"]))
    check(lambda xp: getattr(xp, name), pair[:1], pair[1:], 4, zeros=False, axis=axis)


@given(st.data())
def test_quantile(data):
    pair = data.draw(arrays(st.sampled_from([np.dtype(c) for c in "bhiqBHfd"]), special=False))
    axis = data.draw(st.sampled_from([None, 0, -1]))
    q = data.draw(st.sampled_from([0.5, 0.0, 1, [0.25, 0.75], 0.9]))
    method = data.draw(st.sampled_from(METHODS))
    check(lambda xp: xp.quantile, (pair[0], q), (pair[1], q), 8, zeros=False, axis=axis, method=method)


def test_numpy_arrays_are_refused():
    for name in ("median", "nanmedian"):
        with pytest.raises(TypeError, match="host memory"):
            getattr(cp, name)(np.ones(3))
    with pytest.raises(TypeError, match="host memory"):
        cp.quantile(np.ones(3), 0.5)


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
@pytest.mark.parametrize("name", ["median", "nanmedian", "quantile", "nanquantile"])
def test_overwritten_input_gives_the_same(name, axis):
    x = np.random.default_rng(2).normal(size=(5, 6))
    args = () if "median" in name else (0.3,)
    got = getattr(cp, name)(cp.asarray(x), *args, axis=axis, overwrite_input=True)
    np.testing.assert_array_equal(
        cp.asnumpy(got), cp.asnumpy(getattr(cp, name)(cp.asarray(x), *args, axis=axis))
    )
    y = cp.asarray(x)
    getattr(cp, name)(y, *args, axis=axis)
    np.testing.assert_array_equal(cp.asnumpy(y), x)


@pytest.mark.parametrize("method", ["linear", "lower", "midpoint", "inverted_cdf", "weibull"])
@pytest.mark.parametrize("dtype", ["i4", "f", "d"])
@pytest.mark.parametrize("shape", [(2, 40_001), (70, 600), (3, 16_384)])
def test_quantiles_of_long_rows(method, dtype, shape):
    """Rows that are split at the quantiles instead of being sorted; NaN are found all the same."""
    rng = np.random.default_rng(3)
    a = (rng.standard_normal(shape) * 1000).astype(dtype)
    x = cp.asarray(a)
    assert_same(cp.median(x, axis=1), np.median(a, axis=1))
    for q in (0.0, 0.123, 1.0, [0.5, 0.25, 0.9]):
        assert_same(cp.quantile(x, q, axis=1, method=method), np.quantile(a, q, axis=1, method=method))
    if dtype != "i4":
        a[1, 77] = np.nan
        got = cp.quantile(cp.asarray(a), [0.1, 0.6], axis=1, method=method)
        assert_same(got, np.quantile(a, [0.1, 0.6], axis=1, method=method))
