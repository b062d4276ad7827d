"""Covariance, correlation and the order of complex numbers, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import DTYPES, arrays, check, quiet, shapes

KINDS = st.sampled_from([np.dtype(c) for c in "?bHidfeFD"])


def check_close(function, host, device, **kwargs):
    """Sums in another order differ in the last bits."""
    want, want_error = quiet(getattr(np, function), *host, **kwargs)
    got, got_error = quiet(getattr(cp, function), *device, **kwargs)
    assert type(got_error) is type(want_error), f"expected {want_error!r}, got {got_error!r}"
    if want_error is None:
        assert got.dtype == want.dtype and got.shape == want.shape
        if want.dtype.kind == "c" and not np.isfinite(want).all():
            return  # infinity times what rounding left: a number or a NaN
        scale = np.nanmax(np.abs(want[np.isfinite(want)]), initial=1)
        tolerance = 1e-5 if want.dtype.char in "fF" else 1e-11
        np.testing.assert_allclose(cp.asnumpy(got), want, rtol=tolerance, atol=tolerance * scale)


@given(st.data())
def test_cov(data):
    shape = data.draw(shapes(2, 4).filter(lambda s: s != ()))
    a, b = data.draw(arrays(KINDS, shape, special=False))
    options = {
        "rowvar": data.draw(st.booleans()),
        "bias": data.draw(st.booleans()),
        "ddof": data.draw(st.sampled_from([None, 0, 1, 2])),
        "dtype": data.draw(st.sampled_from([None, None, "D"])),
    }
    check_close("cov", (a,), (b,), **options)
    c, d = data.draw(arrays(KINDS, shape, special=False))
    check_close("cov", (a, c), (b, d), **options)


@given(st.data())
def test_weights(data):
    a, b = data.draw(arrays(KINDS, (3, 5), special=False))
    f = data.draw(st.none() | st.just(np.array([1, 2, 0, 3, 1])))
    w = data.draw(st.none() | st.just(np.array([0.5, 1, 2, 0.25, 1])))
    ddof = data.draw(st.sampled_from([None, 0, 1, 2]))
    want, error = quiet(np.cov, a, ddof=ddof, fweights=f, aweights=w)
    got = cp.cov(
        b,
        ddof=ddof,
        fweights=None if f is None else cp.asarray(f),
        aweights=None if w is None else cp.asarray(w),
    )
    assert error is None and got.dtype == want.dtype
    np.testing.assert_allclose(cp.asnumpy(got), want, rtol=1e-10, atol=1e-10)


@given(st.data())
def test_corrcoef(data):
    kinds = st.sampled_from([np.dtype("d"), np.dtype("D")])
    a, b = data.draw(arrays(kinds, (3, 5), special=False))
    c, d = data.draw(arrays(kinds, (5,), special=False))
    rowvar = data.draw(st.booleans())
    check_close("corrcoef", (a,), (b,), rowvar=rowvar)
    check_close("corrcoef", (c,), (d,))
    check_close("corrcoef", (a, c), (b, d))


EXPRESSIONS = lines("""
xp.cov(x, ddof=1.5)
xp.cov(xp.ones((2, 2, 2)))
xp.cov(x, xp.ones((2, 2, 2)))
xp.cov(x, fweights=[1.5, 1, 1])
xp.cov(x, fweights=[[1, 1, 1]])
xp.cov(x, fweights=[1, 1])
xp.cov(x, fweights=[1, -1, 1])
xp.cov(x, aweights=[[1, 1, 1]])
xp.cov(x, aweights=[1, 1])
xp.cov(x, aweights=[1, -1, 1])
xp.cov(xp.zeros((0, 3))), xp.cov([]), xp.corrcoef(xp.zeros((0, 3))), xp.cov(xp.zeros((3, 0)), rowvar=False)
xp.cov([1, 2, 4]), xp.cov([1, 2], [3, 5]), xp.corrcoef([2, 2]), xp.cov(3.0)
xp.sort_complex(x), xp.sort_complex([3, 1, 2]), xp.sort_complex([]), xp.sort_complex([2j, 1, 1 - 1j, np.nan])
xp.sort_complex(3)
""")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    check_expression(source, x=np.array([[1.0, 5, 3], [2, 0, 7]]), ulps=4)


@given(arrays(st.sampled_from([d for d in DTYPES if d.kind != "c"]), shapes(3, 5).filter(lambda s: s != ())))
def test_sort_complex(pair):
    check(lambda xp: xp.sort_complex, pair[:1], pair[1:], zeros=False)


@given(arrays(st.sampled_from([np.dtype("F"), np.dtype("D")]), (7,), special=False))
def test_sort_complex_of_complex_numbers(pair):
    check(lambda xp: xp.sort_complex, pair[:1], pair[1:])


def test_too_few_observations():
    with pytest.warns(RuntimeWarning, match="Degrees of freedom <= 0"):
        assert cp.isnan(cp.cov(cp.array([[1.0], [2.0]]))).all()


def test_numpys_arrays_are_refused():
    for function in (cp.cov, cp.corrcoef, cp.sort_complex):
        with pytest.raises(TypeError, match="asarray"):
            function(np.ones(2))
