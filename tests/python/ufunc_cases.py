"""Operands for every ufunc, and the comparison of what both libraries make of them."""

import numpy as np

import cuprum as cp
from oracle import outcome

DTYPES = "?bhilBHILefdFD"
NON_NEGATIVE = {"power", "left_shift", "right_shift", "ldexp", "float_power"}  # of the second operand


def sample(char, n=37, seed=0):
    rng = np.random.default_rng(seed + ord(char))
    dtype = np.dtype(char)
    if dtype.kind == "b":
        return rng.integers(0, 2, n).astype(bool)
    if dtype.kind in "iu":
        return rng.integers(0 if dtype.kind == "u" else -5, 10, n).astype(dtype)
    x = rng.normal(size=n) * 3
    x[:4] = [0, -0.0, np.inf, np.nan]
    if dtype.kind == "c":
        x = x + 1j * rng.normal(size=n)
    return x.astype(dtype)


def operands(name, chars):
    xs = [sample(c, seed=i) for i, c in enumerate(chars)]
    if name in NON_NEGATIVE and xs[1].dtype.kind == "i":
        xs[1] = np.abs(xs[1])
    return xs


def assert_same(got, want, tolerance=None):
    if isinstance(want, tuple):
        assert isinstance(got, tuple) and len(got) == len(want)
        for g, w in zip(got, want):
            assert_same(g, w, tolerance)
        return
    assert isinstance(got, cp.ndarray)
    want = np.asarray(want)
    host = got.get()
    assert host.dtype == want.dtype
    assert host.shape == want.shape
    if want.dtype.kind in "biu":
        np.testing.assert_array_equal(host, want)
    else:
        tolerance = tolerance or {2: 2e-3, 4: 2e-6, 8: 1e-13}[want.real.dtype.itemsize]
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(host, want, rtol=tolerance, atol=tolerance)


def assert_same_outcome(f, tolerance=None):
    """`f(xp)` gives the same with both modules: values, dtype, shape, or the kind of exception."""
    want, expected = outcome(lambda: f(np))
    got, raised = outcome(lambda: f(cp))
    if expected is None:
        assert raised is None, raised
        assert_same(got, want, tolerance)
    else:
        assert raised is not None, f"no {type(expected).__name__}: {expected}"
        base = next(t for t in (TypeError, OverflowError, ValueError) if isinstance(expected, t))
        assert isinstance(raised, base), (expected, raised)


def on(xp, x):
    return cp.asarray(x) if xp is cp and isinstance(x, np.ndarray) else x
