"""Windows and the Bessel function against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression
from strategies import arrays, check


@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning"])
@pytest.mark.parametrize("m", [-1, 0, 1, 2, 3, 10, 51, 7.5, True])
def test_window(name, m):
    got, want = getattr(cp, name)(m), getattr(np, name)(m)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(cp.asnumpy(got), want, 1e-13, 1e-15)


@pytest.mark.parametrize("m", [0, 1, 2, 3, 12, 40])
@pytest.mark.parametrize("beta", [0, 0.5, 5, 14.0, 300])
def test_kaiser(m, beta):
    got, want = cp.kaiser(m, beta), np.kaiser(m, beta)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(cp.asnumpy(got), want, 1e-12, 1e-15)


@given(arrays(st.sampled_from([np.dtype(c) for c in "?bHqfd"])))
def test_i0(pair):
    check(lambda xp: xp.i0, pair[:1], pair[1:], 32)


@pytest.mark.parametrize("source", ["xp.i0(z)", "xp.i0(h)", "xp.i0([1, 9])", "xp.i0(c)", "xp.i0(2.5)"])
def test_i0_forms(source):
    check_expression(
        source, ulps=8, z=np.array(-3.5), h=np.array([1, 7.5, 10], "e"), c=np.array([1j]),
    )  # fmt: skip
