"""Reductions: arguments, dtypes, empty cases, errors, texts; layouts are in test_properties_reductions."""

import inspect
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, check_statement, lines
from strategies import arrays

X = np.arange(12.0).reshape(3, 4) - 5
WHOLE = np.arange(6).reshape(2, 3)
N = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, np.nan], [0.0, -1.0, 2.0]])
SCOPE = {"x": X, "i": WHOLE, "n": N, "e": np.zeros((0, 3)), "z": np.array(5.0), "b": WHOLE > 2}

EXPRESSIONS = lines("""
x.sum()
x.sum(axis=0)
x.sum(axis=-1, keepdims=True)
x.sum(axis=(0, 1), keepdims=True)
x.sum(axis=())
x.sum(0, 'f4')
x.max(axis=1)
x.min()
x.prod(axis=0)
x.argmax()
x.argmin(axis=1)
x.argmax(axis=0, keepdims=True)
x.argmax(keepdims=True)
x.T.argmax()
x.mean(axis=0)
x.var(axis=1, ddof=1)
x.std()
x.any(axis=0)
x.all()
x.any(where=[True, False, False, False])
xp.ptp(x, axis=0)
xp.ptp(i)
xp.ptp(b)
e.max()
e.max(axis=0)
e.max(axis=1)
e.T.max(axis=0)
e.max(initial=3)
e.sum()
e.sum(axis=0)
e.prod(axis=0)
e.any()
e.all()
e.argmax()
e.argmax(axis=0)
e.argmax(axis=1)
e[:, :0].argmax(axis=1)
e[:, :0].max(axis=0)
e.mean()
e.mean(axis=0)
e.mean(axis=1)
e.var(axis=0)
xp.ptp(e)
x.sum(axis=5)
x.sum(axis=-3)
x.sum(axis=(0, 0))
x.sum(axis=(0, 5))
z.sum(axis=0)
z.sum(axis=-1)
z.sum(axis=1)
z.mean(axis=0)
z.argmax(axis=0)
x.argmax(axis=7)
x.sum(out=xp.zeros(2))
x.sum(axis=0, out=xp.zeros((1, 4)))
x.sum(axis=0, out=xp.zeros(4, int))
i.sum(axis=0, out=xp.zeros(3, 'i1'))
i.sum(axis=0, out=xp.zeros(3, 'f4'))
x.max(where=x > 0)
x.max(where=x > 0, initial=0)
x.min(axis=0, where=x > 0, initial=99)
x.sum(where=x > 0)
x.sum(axis=0, where=[True, False, True, True])
x.prod(axis=1, where=x > 0)
x.sum(initial=3)
x.sum(axis=0, initial=3)
i.sum(initial=3.5)
i.max(initial=3.5)
i.max(initial=30)
i.astype('u1').max(initial=300)
i.astype('u1').sum(initial=-1)
i.mean(dtype=int)
i.mean(dtype='f2')
i.var(dtype='f4')
i.std(ddof=10)
i.var(ddof=6)
xp.ones(2).var(ddof=2)
i.mean(where=i > 2)
i.var(where=i > 2)
i.std(axis=0, where=i > 2)
i.mean(where=i > 20)
i.sum(dtype=bool)
i.any(axis=0)
xp.any(i, out=xp.zeros((), 'i1'))
xp.all(i, axis=(0, 1))
xp.prod(i.astype('i1'))
xp.prod(i.astype('u2'), axis=0)
i.astype('f2').sum()
i.astype('c8').mean()
i.astype('c8').var()
i.astype('c8').max()
i.astype('c8').argmin()
b.max()
b.min(axis=0)
b.sum()
b.sum(axis=0)
b.prod()
b.mean()
b.argmax()
xp.nanargmin(n[1])
xp.nanargmin(n)
xp.nanargmin(n, axis=1)
xp.nanargmax(n[::2], axis=1)
xp.nanargmin(xp.zeros(0))
xp.nanmin(xp.zeros(0))
xp.nanmin(n, axis=1)
xp.nanmax(n, axis=0)
xp.nansum(i)
xp.nansum(n, axis=1)
xp.nanprod(n, axis=1)
xp.nanmean(n, axis=1)
xp.nanmean(n)
xp.nanvar(n, axis=0)
xp.nanvar(n, axis=1, ddof=1)
xp.nanstd(n, axis=0, keepdims=True)
xp.nanmean(i)
xp.nanvar(i.astype('c8') * 1j)
xp.count_nonzero(i, axis=0)
xp.count_nonzero(i, axis=0, keepdims=True)
xp.count_nonzero(i)
xp.count_nonzero(n)
xp.trace(i)
i.trace(1)
i.trace(offset=-1)
xp.trace(i.astype('i1'), dtype='f4')
xp.trace(x[0])
i.argmax(axis=0, out=xp.zeros(2, 'i8'))
xp.logical_and.reduce(x)
xp.logical_or.reduce(x, axis=0)
xp.logical_xor.reduce(x > 0, axis=None)
xp.subtract.reduce(i, axis=0)
xp.subtract.reduce(i, axis=1, initial=100)
xp.subtract.reduce(i, axis=None)
xp.subtract.reduce(i, axis=(0, 1))
xp.equal.reduce(i)
xp.less.reduce(i > 1)
xp.bitwise_and.reduce(i)
xp.bitwise_or.reduce(i, axis=None)
xp.bitwise_xor.reduce(i, axis=1)
xp.divide.reduce(i)
xp.gcd.reduce(i)
xp.lcm.reduce(i)
xp.fmax.reduce(xp.zeros(0))
xp.subtract.reduce(xp.zeros((0, 2)))
xp.maximum.reduce(i, where=i > 1, initial=-1, axis=1)
xp.add.reduce(i)
xp.add.reduce(i, axis=None)
xp.sin.reduce(i)
""")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    # Which of its two texts NumPy gives for a missing loop depends on the calls before.
    check_expression(source, texts=source != "xp.equal.reduce(i)", ulps=4, **SCOPE)


@pytest.mark.parametrize(
    "source",
    [
        "x.sum(axis=0, out=o)",
        "x.mean(axis=0, out=o)",
        "xp.std(x, axis=0, out=o)",
        "x.max(axis=0, out=o)",
        "x[:2].sum(axis=0, out=x[2])",
        "xp.ptp(x, axis=0, out=o)",
        "x.sum(axis=0, out=o[:3])",
    ],
)
def test_out(source):
    check_statement(source, texts=False, ulps=2, x=X, o=np.zeros(4))


def test_out_is_returned():
    out = cp.zeros(4)
    x = cp.asarray(X)
    assert x.sum(axis=0, out=out) is out
    assert cp.mean(x, axis=0, out=out) is out
    assert x.cumsum(axis=1, out=cp.zeros((3, 4))).shape == (3, 4)


def test_results_are_values():
    x = cp.asarray(X)
    for make in (
        x.sum,
        x.max,
        x.mean,
        x.std,
        x.argmax,
        x.any,
        lambda: x[0] @ x[0],
        lambda: cp.count_nonzero(x),
    ):
        s = t = make()
        before = s.item()
        t += 1
        assert s.item() == before and t is not s


def test_reductions_fuse_with_their_operand():
    """One pass, no temporary: the engine runs a single kernel."""
    x = cp.asarray(np.random.default_rng(0).normal(size=1000))
    cp.evaluate(x)
    before = cp.engine_stats()["kernels"] if hasattr(cp, "engine_stats") else None
    got = ((x - 1.0) ** 2).mean()
    assert float(got) == pytest.approx(float(((cp.asnumpy(x) - 1) ** 2).mean()))
    if before is not None:
        assert cp.engine_stats()["kernels"] == before + 1


def test_signatures():
    assert str(inspect.signature(cp.ndarray.sum)).startswith("(self, /, axis=None, dtype=None, out=None")
    for name in ("sum", "mean", "var", "reshape", "sort", "take"):
        assert getattr(cp.ndarray, name).__doc__


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda x: x.sum(1, 2, 3, 4, 5, 6, 7), "positional arguments"),
        (lambda x: x.sum(nothing=1), "unexpected keyword argument 'nothing'"),
        (lambda x: x.sum(0, axis=0), "multiple values for argument 'axis'"),
        (lambda x: x.take(), "missing required argument 'indices'"),
        (lambda x: x.sum(axis="a"), "axis must be an integer"),
        (lambda x: x.sum(out=3), "it must be a cuprum.ndarray"),
        (lambda x: x.sum(dtype="nothing"), "nothing"),
    ],
)
def test_wrong_calls(call, text):
    with pytest.raises(TypeError, match=text):
        call(cp.asarray(X))


def test_numpy_arrays_are_refused():
    with pytest.raises(TypeError, match=r"cp\.asarray"):
        cp.sum(np.ones(3))


@given(data=st.data())
def test_reduceat(data):
    a, b = data.draw(arrays(np.dtype("i8"), st.tuples(st.integers(1, 5), st.integers(1, 6))))
    n = a.shape[1]
    index = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=5))
    name = data.draw(st.sampled_from(["add", "maximum", "multiply", "bitwise_xor"]))
    want = getattr(np, name).reduceat(a, index, axis=1)
    assert np.array_equal(cp.asnumpy(getattr(cp, name).reduceat(b, index, axis=1)), want)


def hard_to_sum(kind, shape):
    """Float32 numbers whose variance is lost where squares are summed carelessly."""
    x = np.random.default_rng(11).normal(0, 1, shape)
    if kind == "far from zero":
        x += 1e4
    elif kind == "outlier first":
        x[..., 0] = 1e4
    elif kind == "drifting":
        x += np.linspace(0, 1e4, x.size).reshape(shape)
    return x.astype(np.float32)


@pytest.mark.parametrize("kind", ["plain", "far from zero", "outlier first", "drifting"])
@pytest.mark.parametrize("shape", [(5, 7), (3, 64), (2, 4097), (300, 20), (1, 70001)], ids=str)
def test_variance_is_exact(kind, shape):
    x = hard_to_sum(kind, shape)
    for view in (slice(None), slice(1, None), slice(None, None, -1)):
        a, host = cp.asarray(x)[:, view], x[:, view].astype(np.float64)
        for axis in (None, 0, 1):
            np.testing.assert_allclose(a.var(axis=axis).get(), host.var(axis=axis), rtol=5e-6, atol=1e-9)
        np.testing.assert_allclose((a + 1j * a).var(axis=1).get(), 2 * host.var(axis=1), rtol=5e-6, atol=1e-9)


FEW = """
xp.mean(e)
e.mean()
xp.mean(xp.zeros((0, 2)), 0)
xp.mean(xp.zeros((0, 2)), 1)
xp.nanmean(e)
xp.median(e)
xp.average(e)
xp.var(e)
xp.std(xp.ones(1), ddof=1)
xp.var(xp.ones((2, 3)), 0, ddof=2)
xp.var(xp.ones((2, 3)), 0, ddof=1)
xp.nanvar(xp.arange(1), ddof=1)
xp.nanstd(xp.ones((1, 2)), 0, correction=1)
"""


@pytest.mark.parametrize("source", lines(FEW))
def test_warnings_that_the_shape_tells(source):
    """What floating-point errors NumPy tells besides is asked for by `errstate` here."""
    told = []
    for xp in (np, cp):
        with warnings.catch_warnings(record=True) as found, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            eval(source, {"xp": xp, "e": xp.zeros(0)})
        told.append([(w.category, str(w.message).rstrip(".")) for w in found])
    assert told[1] == told[0]
