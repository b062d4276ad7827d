"""mean, var and std: NumPy's steps where a mean, a mask or a dtype is given, exact variances, lost imaginary parts."""

import contextlib
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import arrays, assert_same

A = np.array([[1.0, 2, 4], [3, 5, 9]])
N = np.array([[1.0, np.nan, 4], [3, 5, np.nan]])
SCOPE = {
    "a": A, "n": N, "f": A.astype("f4"), "h": A.astype("e"), "i": A.astype("i1"), "u": A.astype("u1"), "b": A > 2,
    "z": A + 1j * A[::-1], "big": np.array([100, 100, 100], "i1"), "halves": np.full(2000, 100, "e"),
    "w": np.array([True, False, True]), "whole": np.array([1, 0, 1]),
}  # fmt: skip
MEANS = [
    "2", "2.5", "-1", "1j", "True", "[1, 2, 3]", "xp.asarray([2.0])", "xp.zeros(3)", "xp.asarray([[1], [2]])",
    "xp.zeros((4, 1, 3))", "np.float32(1.5)", "xp.zeros((2, 2))", "'abc'",
]  # fmt: skip
FORMS = [
    "", ", axis=1", ", axis=0, keepdims=True", ", axis=1, ddof=1", ", axis=1, correction=1.5", ", axis=1, where=w",
    ", axis=(0, 1)", ", axis=()", ", axis=1, dtype='f4'", ", axis=1, ddof=3", ", axis=1, out=xp.zeros(2)",
    ", axis=1, out=xp.zeros(2, 'i4')",
]  # fmt: skip


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd"])
def test_a_mean_that_is_given(name, mean):
    for array in "afhiuzb" + "n" * name.startswith("nan"):
        for form in FORMS:
            source = f"xp.{name}({array}, mean={mean}{form})"
            check_expression(source, texts=False, ulps=4, zeros=False, **SCOPE)


def test_a_mean_that_is_given_to_the_method():
    assert cp.asarray(A).var(mean=2.0).item() == A.var(mean=2.0)
    assert cp.asarray(A).std(mean=cp.asarray(2.0), ddof=1).item() == A.std(mean=2.0, ddof=1)
    with pytest.raises(TypeError, match="str"):
        cp.asarray(A).var(mean="abc")


DTYPES = lines("""
xp.mean(a, dtype=int)
xp.mean(xp.asarray([1.5, 1.5, 1.6]), dtype=int)
xp.mean(xp.asarray([1.5, -2.5, 7.9]), dtype='i1', keepdims=True)
xp.mean(big, dtype='i1')
xp.mean(big, dtype='i1', axis=0, where=w)
xp.mean(b, dtype=bool)
xp.mean(a, dtype=bool, axis=1)
xp.mean(big, out=xp.zeros((), 'i1'))
xp.mean(a, axis=1, dtype=int, out=xp.zeros(2))
xp.mean(i, axis=1, out=xp.zeros(2, 'i4'))
xp.nanmean(i, dtype=int)
xp.var(a, dtype=int)
xp.var(a, dtype=int, axis=1)
xp.var(a, dtype=bool)
xp.var(b, dtype=bool)
xp.var(b, dtype=int)
xp.var(a, axis=1, out=xp.zeros(2, int))
xp.var(a, axis=1, dtype='i1', where=w)
xp.std(a, dtype=int)
xp.std(a, dtype=int, axis=1)
xp.std(a, axis=1, out=xp.zeros(2, int))
xp.std(b, axis=1, dtype=bool)
xp.nanvar(n, dtype=int)
xp.nanvar(i, dtype=int, axis=1)
xp.mean(halves)
xp.mean(halves, where=xp.ones(2000, bool))
xp.mean(halves, where=xp.ones(2000, bool), dtype='e')
xp.nanmean(halves)
xp.mean(a, where=whole)
xp.var(a, where=whole)
xp.sum(a, where=whole)
xp.max(a, where=whole, initial=0)
xp.any(a, where=whole)
xp.add.reduce(a, 1, where=whole)
xp.mean(a, where=[1, 0, 1])
""")


@pytest.mark.parametrize("source", DTYPES)
def test_dtypes_of_the_steps(source):
    check_expression(source, ulps=2, zeros=False, **SCOPE)


NAMES = [
    "sum", "prod", "mean", "var", "std", "nansum", "nanprod", "nanmean", "nanvar", "nanstd", "cumsum", "cumprod",
    "nancumsum", "nancumprod", "trace",
]  # fmt: skip
REAL = [f"xp.{name}(z, dtype={kind})" for name in NAMES for kind in ("float", "'f4'", "bool", "complex")]
REAL += lines("""
xp.sum(z, dtype=int)
xp.mean(z, dtype=int)
xp.var(z, dtype=int)
z.sum(0, out=xp.zeros(3))
z.max(out=xp.zeros(()))
z.mean(1, out=xp.zeros(2))
z.var(1, out=xp.zeros(2))
z.cumsum(1, out=xp.zeros((2, 3)))
xp.any(z, 0, out=xp.zeros(3))
xp.cumulative_sum(z, axis=0, dtype=float)
xp.add.reduce(z, dtype=float)
xp.subtract.reduce(z, dtype=float)
xp.add.accumulate(z, dtype=float)
xp.add.reduceat(z, [0], dtype=float)
xp.logical_and.reduce(z, dtype=bool)
xp.logical_and.accumulate(z, dtype=float)
xp.add.at(xp.zeros(3), [0, 1], z[0, :2])
xp.add.at(xp.zeros(3, complex), [0, 1], z[0, :2])
xp.equal.at(xp.zeros(3), [0, 1], z[0, :2])
xp.sin(z, dtype=float, casting='unsafe')
xp.absolute(z, dtype=float, casting='unsafe')
xp.add(z, 1, out=xp.zeros((2, 3)), casting='unsafe')
xp.sin(1j, dtype='f4', casting='unsafe')
xp.nanmean(z, dtype=int)
""")


@pytest.mark.parametrize("source", REAL)
def test_lost_imaginary_parts_are_told(source):
    """By NumPy's ComplexWarning, which it may give twice."""
    told = []
    for xp in (np, cp):
        with warnings.catch_warnings(record=True) as found, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            with contextlib.suppress(TypeError):
                eval(source, {"xp": xp, "z": xp.asarray(SCOPE["z"])})
        told.append(
            {(w.category, str(w.message)) for w in found if w.category is np.exceptions.ComplexWarning}
        )
    assert told[1] == told[0]
    check_expression(source, ulps=16, zeros=False, **SCOPE)


def test_results_live_where_the_operand_does():
    with cp.Device("far"):
        a, mask, mean = cp.asarray(A), cp.asarray(SCOPE["w"]), cp.asarray([[2.0], [3.0]])
    for kwargs in (
        {"where": mask},
        {"mean": mean},
        {"mean": 2.0},
        {"dtype": int},
        {"mean": mean, "where": mask},
    ):
        assert cp.var(a, axis=1, **kwargs).device == "far"
    assert cp.mean(a, dtype=int).device == "far"
    with pytest.raises(TypeError, match="far"):
        cp.var(cp.asarray(A, device="cpu"), mean=mean)


def true_variance(x):
    """Deviations from an element are exact where all are close to each other."""
    d = x.astype("f8") - float(x[0])
    return (math.fsum(d * d) - math.fsum(d) ** 2 / len(d)) / len(d)


@pytest.mark.parametrize("centre", [0, 1e6, 1e9])
@pytest.mark.parametrize("deviation", [1, 1e-3])
def test_variance_far_from_zero(centre, deviation):
    """However large the numbers are beside their deviation: 6e-10 around 1e9 once."""
    x = centre + deviation * np.random.default_rng(5).standard_normal(120_000)
    for shape in ((120_000,), (6_000, 20), (1_200, 100), (30_000, 4)):
        host = x.reshape(shape)
        want = [true_variance(column) for column in host.reshape(len(host), -1).T]
        got = cp.asarray(host).var(axis=0).get().reshape(-1)
        np.testing.assert_allclose(got, want, rtol=1e-14)
        complex_got = (cp.asarray(host) * (1 + 1j)).var(axis=0).get().reshape(-1)
        np.testing.assert_allclose(complex_got, np.multiply(2, want), rtol=1e-13)
    np.testing.assert_allclose(cp.asarray(x.reshape(600, 200)).var().get(), true_variance(x), rtol=1e-14)


def test_variance_of_float32_far_from_zero():
    x = (1e6 + np.random.default_rng(6).standard_normal(100_000)).astype("f4")
    np.testing.assert_allclose(cp.asarray(x).var().get(), true_variance(x), rtol=1e-6)
    assert cp.full(10_000, 1e9, "f4").var().item() == 0


@given(data=st.data())
def test_variance_does_not_depend_on_fusion(data):
    _, b = data.draw(arrays(np.dtype("f8"), st.tuples(st.integers(1, 40), st.integers(1, 90)), special=False))
    alone = b + 1e9
    cp.evaluate(alone)
    for axis in (None, 0, 1):
        assert_same((b + 1e9).var(axis=axis), cp.asnumpy(alone.var(axis=axis)))
