"""Counts and histograms: values, dtypes, shapes and errors of NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import arrays, check

RNG = np.random.default_rng(8)
ARRAYS = {
    "a": RNG.normal(size=(10, 20)),
    "f": RNG.normal(size=100).astype("f4"),
    "h": RNG.normal(size=50).astype("e"),
    "i": RNG.integers(0, 9, 40),
    "s": np.array([-128, 127, 5, 5], "i1"),
    "u": np.array([3, 250, 7, 9], "u1"),
    "b": np.array([True, False, True]),
    "w": RNG.normal(size=40),
    "wi": RNG.integers(0, 5, 40).astype("i4"),
    "c": RNG.normal(size=40) + 1j * RNG.normal(size=40),
    "n": np.array([1.0, np.nan, 3.0]),
    "d": np.array([1.0, 2.0, 4.0, 8.0]),
    "e": np.zeros((0,)),
    "z": np.array(2.0),
}

EXPRESSIONS = lines("""
xp.digitize(a, d - 3)
xp.digitize(a, d - 3, right=True)
xp.digitize(d, d)
xp.digitize(d, d, True)
xp.digitize(d, d[::-1])
xp.digitize(d, d[::-1], True)
xp.digitize(z, d)
xp.digitize(3, d)
xp.digitize(i, [2, 2])
xp.digitize(i, [])
xp.digitize(n, d)
xp.digitize(c, d)
xp.digitize(d, c)
xp.digitize(d, a)
xp.digitize(d, z)
xp.digitize(d, [1, 2, 1])
xp.histogram(f, 5, (f.min(), f.max()))
xp.histogram(a, 5, (d[0], 3))
xp.bincount(i)
xp.bincount(u)
xp.bincount(b)
xp.bincount(i, w)
xp.bincount(i, wi, 20)
xp.bincount(i, minlength=3)
xp.bincount([], minlength=3)
xp.bincount([])
xp.bincount([3, 1])
xp.bincount(e)
xp.bincount(s)
xp.bincount(z)
xp.bincount(i.reshape(8, 5))
xp.bincount(i, d)
xp.bincount(i, c)
xp.bincount(i, minlength=-1)
xp.bincount(i, minlength=None)
xp.bincount(i, minlength=1.5)
xp.histogram(a)
xp.histogram(f, 7)
xp.histogram(h, 5)
xp.histogram(i)
xp.histogram(s, 3)
xp.histogram(u, 4, (0, 100))
xp.histogram(b)
xp.histogram(a, 5, (-1.0, 0.5))
xp.histogram(a, 5, density=True)
xp.histogram(a, [-1.0, 0.0, 0.5, 2.0])
xp.histogram(a, d - 3, density=True)
xp.histogram(i, [1, 3, 3, 5])
xp.histogram(i, 5, weights=w)
xp.histogram(i, 5, weights=wi)
xp.histogram(i, 5, weights=c)
xp.histogram(i, d, weights=w)
xp.histogram(i, d, weights=wi)
xp.histogram(i, d, weights=c)
xp.histogram(i, d, weights=w, density=True)
xp.histogram(e)
xp.histogram(e, d)
xp.histogram(z)
xp.histogram([1, 1, 1])
xp.histogram(n)
xp.histogram(n, 4, (0, 4))
xp.histogram(n, d)
xp.histogram(a, 0)
xp.histogram(a, 2.5)
xp.histogram(a, [[1, 2]])
xp.histogram(a, [2, 1])
xp.histogram(a, 3, (1, 0))
xp.histogram(a, 3, (0, np.inf))
xp.histogram(a, 'other')
xp.histogram(i, 'auto', weights=w)
xp.histogram(i, 3, weights=d)
xp.histogram(d, 3, (1e16, 1e16))
xp.digitize(d, [np.nan, np.nan])
xp.digitize(d, [1, 1, 3, 5])
xp.digitize(d, [5, 5, 3, 1])
xp.histogram2d(i, w)
xp.histogram2d(i, w, [4, 3])
xp.histogram2d(i, w, [d, 3], density=True)
xp.histogram2d(i, w, d)
xp.histogram2d(i, w, 4, [[0, 4], [-1, 1]])
xp.histogram2d(i, w, 4, weights=wi)
xp.histogram2d(i, w, 4, weights=c)
xp.histogram2d(f, f[::-1], 5)
xp.histogram2d(i, d)
xp.histogram2d(e, e)
xp.histogram2d(n, n, 2, [[0, 4], [0, 4]])
xp.histogram2d(n, n)
xp.histogramdd(a[:, :3], 4)
xp.histogramdd(a[:, :3], (2, 3, 4), density=True)
xp.histogramdd((i, w), 3)
xp.histogramdd(a[:, :2], [d - 3, [0, 1]])
xp.histogramdd(d, 3)
xp.histogramdd(a[:, :3], (2, 3))
xp.histogramdd(a[:, :3], (2, 3, 0))
xp.histogramdd(a[:, :2], (2, 1.5))
xp.histogramdd(a[:, :2], ([2, 1], 3))
xp.histogramdd(a[:, :2], ([[2, 1]], 3))
xp.histogramdd(a[:, :2], 3, range=[(0, 1)])
xp.histogramdd(a[:, :2], 3, range=[(0, 1), None])
xp.histogram_bin_edges(a, 4)
xp.histogram_bin_edges(i, d)
xp.histogram_bin_edges(i, 6, (0, 3))
""")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_against_numpy(source):
    check_expression(source, ulps=64, zeros=False, **ARRAYS)


@pytest.mark.parametrize("rule", ["stone", "auto", "doane", "fd", "rice", "scott", "sqrt", "sturges"])
def test_rules(rule):
    for x in ("a", "f", "i", "s", "d", "e", "[1, 1, 1]"):
        check_expression(f"xp.histogram({x}, {rule!r})", ulps=4, **ARRAYS)
    check_expression(f"xp.histogram_bin_edges(a, {rule!r}, (-1, 1))", ulps=4, **ARRAYS)


@given(arrays(st.sampled_from([np.dtype(c) for c in "bhiqBHIQfd"]), special=False), st.integers(1, 12))
def test_histogram(pair, bins):
    check(lambda xp: xp.histogram, (pair[0], bins), (pair[1], bins), 4)


@given(arrays(np.dtype("i8"), st.integers(0, 30).map(lambda n: (n,)), special=False), st.integers(0, 12))
def test_bincount(pair, minlength):
    a, b = pair
    check(lambda xp: xp.bincount, (abs(a),), (abs(b),), minlength=minlength)


def test_values_on_the_edges_are_counted_once():
    for bins in (3, 10, 49):
        edges = np.histogram_bin_edges([0.0, 1.0], bins)
        for x in (edges, np.nextafter(edges, 0), np.nextafter(edges, 1)):
            want, _ = np.histogram(x, bins, (0, 1))
            got, _ = cp.histogram(cp.asarray(x), bins, (0, 1))
            assert got.tolist() == want.tolist()


def test_numpy_arrays_are_refused():
    for call in (cp.bincount, cp.histogram):
        with pytest.raises(TypeError, match="host memory"):
            call(np.arange(3))
