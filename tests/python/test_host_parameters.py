"""Parameters beside the data may be NumPy arrays, on every device, whatever the transfer guard says; long ones
not.
"""

import numpy as np
import pytest

import cuprum as cp

X = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0])
N = np.array([0, 2, 1, 2, 0, 3])
M = np.arange(12.0).reshape(3, 4)

# `h` makes a parameter of the host, for Cuprum too.
PROGRAMS = {
    "percentile": lambda xp, h: xp.percentile(xp.asarray(X), h([10.0, 50.0])),
    "percentile of one": lambda xp, h: xp.percentile(xp.asarray(X), h(50.0)),
    "quantile": lambda xp, h: xp.quantile(xp.asarray(X), h([0.1, 0.5])),
    "nanquantile": lambda xp, h: xp.nanquantile(xp.asarray(X), h([0.1, 0.5])),
    "nanpercentile": lambda xp, h: xp.nanpercentile(xp.asarray(X), h([10.0, 20.0])),
    "quantile by weights": lambda xp, h: xp.quantile(xp.asarray(X), 0.5, weights=h(X), method="inverted_cdf"),
    "histogram": lambda xp, h: xp.histogram(xp.asarray(X), bins=h([0.0, 2.0, 4.0, 10.0])),
    "histogram of a number": lambda xp, h: xp.histogram(xp.asarray(X), bins=h(3)),
    "histogram by weights": lambda xp, h: xp.histogram(xp.asarray(X), bins=3, weights=h(X)),
    "histogram in a range": lambda xp, h: xp.histogram(xp.asarray(X), bins=3, range=h([0.0, 5.0])),
    "histogram_bin_edges": lambda xp, h: xp.histogram_bin_edges(xp.asarray(X), h([0.0, 2.0, 9.0])),
    "histogram2d": lambda xp, h: xp.histogram2d(xp.asarray(X), xp.asarray(X), h([0.0, 2.0, 9.0])),
    "histogramdd": lambda xp, h: xp.histogramdd(xp.asarray(M), [h([0.0, 5.0, 9.0])] * 4)[0],
    "digitize": lambda xp, h: xp.digitize(xp.asarray(X), h([0.0, 2.0, 4.0])),
    "searchsorted": lambda xp, h: xp.searchsorted(xp.asarray(np.sort(X)), h([2.0, 3.0])),
    "searchsorted in": lambda xp, h: xp.searchsorted(h(np.sort(X)), xp.asarray(X)),
    "searchsorted method": lambda xp, h: xp.asarray(np.sort(X)).searchsorted(h([2.0, 3.0])),
    "split": lambda xp, h: xp.split(xp.asarray(X), h([1, 4])),
    "split in so many": lambda xp, h: xp.split(xp.asarray(X), h(2)),
    "array_split": lambda xp, h: xp.array_split(xp.asarray(X), h([1, 4])),
    "hsplit": lambda xp, h: xp.hsplit(xp.asarray(M), h([1, 3])),
    "vsplit": lambda xp, h: xp.vsplit(xp.asarray(M), h([1])),
    "insert": lambda xp, h: xp.insert(xp.asarray(X), h([1, 3]), h([7.0, 8.0])),
    "delete": lambda xp, h: xp.delete(xp.asarray(X), h([1, 3])),
    "delete by mask": lambda xp, h: xp.delete(xp.asarray(X), h(X > 2)),
    "interp": lambda xp, h: xp.interp(xp.asarray(X), h([0.0, 5.0, 10.0]), h([1.0, 2.0, 4.0])),
    "interp at": lambda xp, h: xp.interp(h([1.0, 2.0]), xp.asarray([0.0, 5.0]), xp.asarray([1.0, 2.0])),
    "average": lambda xp, h: xp.average(xp.asarray(X), weights=h(X)),
    "average along": lambda xp, h: xp.average(xp.asarray(M), axis=1, weights=h([1.0, 2.0, 3.0, 4.0])),
    "cov": lambda xp, h: xp.cov(xp.asarray(M), aweights=h([1.0, 2.0, 3.0, 4.0])),
    "isin": lambda xp, h: xp.isin(xp.asarray(N), h([1, 2])),
    "isin of": lambda xp, h: xp.isin(h([1, 7]), xp.asarray(N)),
    "bincount": lambda xp, h: xp.bincount(xp.asarray(N), weights=h(X)),
    "polyval": lambda xp, h: xp.polyval(h([3.0, 0.0, 1.0]), xp.asarray(X)),
    "polyfit": lambda xp, h: xp.polyfit(xp.asarray(X), xp.asarray(2 * X + 1), 1, w=h(X)),
    "gradient": lambda xp, h: xp.gradient(xp.asarray(X), h([0.0, 1.0, 3.0, 6.0, 10.0, 11.0])),
    "trapezoid": lambda xp, h: xp.trapezoid(xp.asarray(X), h([0.0, 1.0, 3.0, 6.0, 10.0, 11.0])),
    "convolve": lambda xp, h: xp.convolve(xp.asarray(X), h([1.0, 2.0, 1.0])),
    "correlate": lambda xp, h: xp.correlate(xp.asarray(X), h([1.0, 2.0, 1.0])),
    "ediff1d": lambda xp, h: xp.ediff1d(xp.asarray(X), to_end=h([1.0, 2.0])),
    "repeat": lambda xp, h: xp.repeat(xp.asarray(X), h([1, 2, 0, 1, 1, 2])),
    "take": lambda xp, h: xp.take(xp.asarray(X), h([1, 3])),
    "pad": lambda xp, h: xp.pad(xp.asarray(X), h([1, 2])),
    "roll": lambda xp, h: xp.roll(xp.asarray(X), h(2)),
    "tile": lambda xp, h: xp.tile(xp.asarray(X), h([2, 1])),
    "reshape": lambda xp, h: xp.reshape(xp.asarray(X), tuple(h([2, 3]))),
    "clip": lambda xp, h: xp.clip(xp.asarray(X), h(1.5), h(4.0)),
    "where": lambda xp, h: xp.where(h(X > 2), xp.asarray(X), 0.0),
    "0-d operand": lambda xp, h: xp.asarray(X) * h(2.0),
    "0-d operand on the left": lambda xp, h: h(2.0) / xp.asarray(X),
    "0-d of another dtype": lambda xp, h: xp.asarray(X.astype("f4")) + np.array(1.0, "f8"),
    "index": lambda xp, h: xp.asarray(X)[h([0, 5])],
    "mask": lambda xp, h: xp.asarray(X)[h(X > 2)],
}


@pytest.fixture(autouse=True, params=["error", "allow"])
def guard(request):
    with cp.transfer_guard(request.param):
        yield


@pytest.mark.parametrize("name", PROGRAMS)
def test_taken(name):
    want, got = PROGRAMS[name](np, np.asarray), PROGRAMS[name](cp, np.asarray)
    for mine, theirs in zip(*(x if isinstance(x, (list, tuple)) else [x] for x in (got, want))):
        assert isinstance(mine, cp.ndarray)
        assert mine.dtype == theirs.dtype
        np.testing.assert_allclose(mine.get(), theirs)


def test_choice_takes_probabilities():
    p = np.array([0.0, 0.25, 0.75])
    drawn = cp.random.default_rng(1).choice(cp.arange(3), size=50, p=p)
    np.testing.assert_array_equal(drawn.get(), np.random.default_rng(1).choice(3, size=50, p=p))


LONG = np.arange(10000.0)  # 80 KB


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x + LONG,
        lambda x: cp.average(x, weights=LONG),
        lambda x: cp.searchsorted(x, LONG),
        lambda x: cp.histogram(x, bins=LONG),
        lambda x: cp.interp(LONG, x, x),
        lambda x: cp.percentile(LONG, 50.0),
        lambda x: cp.convolve(x, LONG),
    ],
)
def test_long_ones_are_refused_with_advice(call, request):
    x = cp.arange(10000.0)
    if "allow" in request.node.name:
        call(x)
        return
    with pytest.raises(
        TypeError, match=r"cuprum\.\w+: argument \d is a numpy\.ndarray.*write cp\.asarray\(x\)"
    ):
        call(x)


def test_the_data_itself_is_not_a_parameter(request):
    if "allow" in request.node.name:
        return
    small = np.array([1.0, 2.0])
    for call in (lambda: cp.percentile(small, 50.0), lambda: cp.histogram(small), lambda: cp.sum(small),
                 lambda: cp.searchsorted(small, small), lambda: cp.isin(small, small)):  # fmt: skip
        with pytest.raises(TypeError, match=r"cp\.asarray\(x\)"):
            call()
