"""Searches, counts and order statistics of so many values that devices take other ways than for few."""

from contextlib import nullcontext
from itertools import product

import numpy as np
import pytest

import cuprum as cp
from strategies import assert_same

COUNT = 40_003
REAL = ["f4", "f8", "i4", "i8", "u4", "u8"]
OTHERS = ["?", "i1", "u2", "f2", "c8"]


def values_of(dtype, n, spread, seed=0):
    """Values that are spread evenly, or crowd and hold infinities and NaN, or use all bits of an integer."""
    rng = np.random.default_rng([seed, n])
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, n).astype(bool)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        low, high = (info.min, info.max) if spread == "uneven" else (0, min(info.max, 3000))
        return rng.integers(low, high, n, dtype, endpoint=True)
    if spread == "even":
        return rng.random(n).astype(dtype)
    x = (np.exp(rng.uniform(-9, 9, n)) * rng.choice([-1, 1], n)).astype(dtype)
    if n > 20:
        for special in (np.nan, np.inf, -np.inf, -0.0):
            x[rng.integers(0, n, 3)] = special
    return x


def row_and_values(dtype, n, spread):
    row = np.sort(values_of(dtype, n, spread, 1))
    values = values_of(dtype, COUNT, spread)
    if n:
        values[:9000] = np.resize(row, 9000)  # equal to elements
    return row, values


@pytest.mark.parametrize("spread", ["even", "uneven"])
@pytest.mark.parametrize("n", [0, 1, 2, 31, 1000, 12289, 39_000])
@pytest.mark.parametrize("dtype", REAL + OTHERS)
def test_searches(dtype, n, spread):
    row, values = row_and_values(dtype, n, spread)
    a, v = cp.asarray(row), cp.asarray(values)
    for side in ("left", "right"):
        assert_same(cp.searchsorted(a, v, side), np.searchsorted(row, values, side))
    assert_same(cp.isin(v, a), np.isin(values, row))


@pytest.mark.parametrize("spread", ["even", "uneven"])
@pytest.mark.parametrize("n", [2, 3, 100, 1000, 20_000])
@pytest.mark.parametrize("dtype", [*REAL, "i1", "f2"])
def test_counts_between_given_edges(dtype, n, spread):
    edges, values = row_and_values(dtype, n, spread)
    assert_same(cp.histogram(cp.asarray(values), cp.asarray(edges))[0], np.histogram(values, edges)[0])


BINS = [1, 10, 100, 5000]
FEWER_NUMBERS = ("f2", BINS[-1])  # in the range than bins


@pytest.mark.parametrize(
    ("dtype", "bins"), [pair for pair in product([*REAL, "i2", "f2"], BINS) if pair != FEWER_NUMBERS]
)
def test_histogram(dtype, bins):
    values = values_of(dtype, COUNT, "even")
    for limits in (None, (values.min(), np.sort(values)[COUNT // 2])):
        got, want = cp.histogram(cp.asarray(values), bins, limits), np.histogram(values, bins, limits)
        assert_same(got[0], want[0])
        assert_same(got[1], want[1])


@pytest.mark.parametrize("xp", [cp, np])
def test_more_bins_than_numbers_are_refused(xp):
    dtype, bins = FEWER_NUMBERS
    with pytest.raises(
        ValueError, match=f"Too many bins for data range. Cannot create {bins} finite-sized bins"
    ):
        xp.histogram(xp.asarray(values_of(dtype, COUNT, "even")), bins)


def test_layouts():
    row, values = np.sort(values_of("f8", 500, "even", 1)), values_of("f8", 4 * COUNT, "even")
    a, v = cp.asarray(row), cp.asarray(values)
    for view in (slice(None, None, -3), slice(1, None), slice(7, -7)):
        assert_same(cp.searchsorted(a, v[view]), np.searchsorted(row, values[view]))
        assert_same(cp.searchsorted(a[::2], v[view]), np.searchsorted(row[::2], values[view]))
        assert_same(cp.isin(v[view], a), np.isin(values[view], row))
        assert_same(cp.histogram(v[view], a[::-1][::-1])[0], np.histogram(values[view], row)[0])
    assert_same(cp.searchsorted(a, v.reshape(4, -1).T), np.searchsorted(row, values.reshape(4, -1).T))
    assert_same(cp.isin(v.reshape(4, -1).T, a), np.isin(values.reshape(4, -1).T, row))


@pytest.mark.parametrize(
    "bins",
    [
        [-np.inf, 0.1, 0.5, np.inf],
        [-np.inf, np.inf],
        [0.5, 0.5, 0.5],
        [0.9, 0.5, 0.5, 0.1],
        [0.1, 0.5, np.nan],
        [np.nan, np.nan],
        [np.nan, 0.5, 0.1],
        [np.nan, 0.1, 0.5],
        [0.1, 0.5, 0.2],
        [0.5, np.nan, 0.1, 0.2],
    ],
)
def test_digitize_of_odd_bins(bins):
    bins, values = np.array(bins), values_of("f8", COUNT, "even")
    try:
        want = np.digitize(values, bins)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)):
            cp.digitize(cp.asarray(values), cp.asarray(bins))
    else:
        assert_same(cp.digitize(cp.asarray(values), cp.asarray(bins)), want)


@pytest.mark.parametrize("dtype", [*REAL, "f2", "i1"])
@pytest.mark.parametrize("n", [66_000, 70_001])
def test_order_statistics(dtype, n):
    values = values_of(dtype, n, "even" if np.dtype(dtype).kind == "f" else "uneven")
    a = cp.asarray(values)
    assert_same(cp.median(a), np.median(values))
    assert_same(cp.median(a[::-2], keepdims=True), np.median(values[::-2], keepdims=True))
    for q in (0.9, 0, 1, [0.0, 0.25, 0.5, 1.0], [[0.1], [0.7]], [0.1, 0.2, 0.3, 0.4, 0.5]):
        assert_same(cp.quantile(a, q), np.quantile(values, q))
    for method in ("lower", "nearest", "midpoint", "median_unbiased", "averaged_inverted_cdf"):
        assert_same(cp.percentile(a, 33, method=method), np.percentile(values, 33, method=method))
    if np.dtype(dtype).kind == "f":
        values[n // 3] = np.nan
        assert_same(cp.median(cp.asarray(values)), np.median(values))
        assert_same(cp.quantile(cp.asarray(values), 0.1), np.quantile(values, 0.1))


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2"])
@pytest.mark.parametrize("missing", [0, 1, 1001, 65_990, 66_001])
def test_order_statistics_of_what_is_a_number(dtype, missing):
    values = values_of(dtype, 66_001, "even")
    values[np.random.default_rng(3).permutation(66_001)[:missing]] = np.nan
    a = cp.asarray(values)
    with np.errstate(all="ignore"), pytest.warns() if missing == 66_001 else nullcontext():
        assert_same(cp.nanmedian(a), np.nanmedian(values))
        lists = ([0.0, 0.25, 0.5, 1.0], [0.1, 0.2, 0.3, 0.4, 0.5])
        for q in (0.9, 0, *(lists if missing < 66_001 else ())):  # NumPy gives no numbers another dtype
            assert_same(cp.nanquantile(a, q), np.nanquantile(values, q))
        assert_same(cp.nanpercentile(a, 33, method="nearest"), np.nanpercentile(values, 33, method="nearest"))
        assert_same(cp.nanpercentile(a, 33, keepdims=True), np.nanpercentile(values, 33, keepdims=True))


@pytest.mark.parametrize("value", [0.0, np.inf, -2.5])
def test_order_statistics_of_equals(value):
    values = np.full(66_000, value)
    values[::7] = 1.0
    assert_same(cp.median(cp.asarray(values)), np.median(values))
    assert_same(cp.quantile(cp.asarray(values), 0.99), np.quantile(values, 0.99))
