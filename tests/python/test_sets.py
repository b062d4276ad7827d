"""Arrays as sets, against NumPy."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import DTYPES, INTEGERS, arrays, assert_same, check, shapes

# NumPy orders complex numbers with a NaN in one part by the other; zeros of either sign may stand for both.
KINDS = st.sampled_from([d for d in DTYPES if d.kind != "c"])


@st.composite
def pairs(draw):
    """Not signed beside uint64: NumPy compares them in float64, or exactly, as their number and range may be."""
    a, b = draw(arrays(KINDS, shapes(2, 6))), draw(arrays(KINDS, shapes(2, 6)))
    integers = a[0].dtype.kind in "iu" and b[0].dtype.kind in "iu"
    assume(not integers or np.promote_types(a[0].dtype, b[0].dtype).kind != "f")
    return a, b


@given(pairs())
def test_functions(pair):
    a, b = pair
    for name in ("union1d", "intersect1d", "setxor1d", "setdiff1d"):
        check(lambda xp, name=name: getattr(xp, name), (a[0], b[0]), (a[1], b[1]), zeros=False)
    check(lambda xp: xp.intersect1d, (a[0], b[0]), (a[1], b[1]), zeros=False, return_indices=True)


@given(pairs(), st.booleans())
def test_isin(pair, invert):
    a, b = pair
    check(lambda xp: xp.isin, (a[0], b[0]), (a[1], b[1]), invert=invert)


@given(st.data())
def test_complex_numbers(data):
    kinds = st.sampled_from([np.dtype("F"), np.dtype("D"), np.dtype("f")])
    a = data.draw(arrays(kinds, (6,), special=False))
    b = data.draw(arrays(kinds, (4,), special=False))
    a[0][:2], a[1][:2] = b[0][:2].real, b[1][:2].real
    b[0][:2], b[1][:2] = b[0][:2].real, b[1][:2].real
    for name in ("union1d", "intersect1d", "setxor1d", "setdiff1d"):
        check(lambda xp, name=name: getattr(xp, name), (a[0], b[0]), (a[1], b[1]), zeros=False)


@given(st.data())
def test_distinct_by_assumption(data):
    dtype = data.draw(st.sampled_from(INTEGERS))
    host = [np.unique(data.draw(arrays(dtype, (9,)))[0])[::-1].copy() for _ in range(2)]
    device = [cp.asarray(x) for x in host]
    for name in ("intersect1d", "setxor1d", "setdiff1d", "isin"):
        check(lambda xp, name=name: getattr(xp, name), host, device, assume_unique=True)
    check(lambda xp: xp.intersect1d, host, device, assume_unique=True, return_indices=True)


EXPRESSIONS = lines("""
xp.union1d([3, 1], [1.5, 2]), xp.union1d(2, 3), xp.union1d([], [])
xp.intersect1d([3, 1, 1], [1, 1, 4]), xp.intersect1d(i, 2), xp.intersect1d([], i)
xp.setxor1d([3, 1, 1], [1, 4]), xp.setxor1d([], []), xp.setxor1d([], [1.5]), xp.setxor1d(i, i)
xp.setdiff1d([3, 1, 1, 2], [2]), xp.setdiff1d(i, []), xp.setdiff1d([], i)
xp.setdiff1d(xp.array([5, 3, 3, 4]), [4], assume_unique=True)
xp.isin(i, [1, 9]), xp.isin(i, []), xp.isin(3, i), xp.isin([], i), xp.isin(i, 2), xp.isin(i, [], invert=True)
xp.isin(n, n), xp.isin(n, n, invert=True), xp.isin(n, i), xp.isin(i, n), xp.isin(i, [True])
xp.union1d(s, 3), xp.union1d(3, s), xp.union1d(s, 300), xp.union1d(s, 1.5), xp.union1d(s, 2j), xp.union1d(True, s)
xp.setxor1d(s, 3), xp.setxor1d(s, 1.5), xp.setxor1d(2, s)
xp.setxor1d(s, 3, assume_unique=True), xp.setxor1d(2, s, assume_unique=True), xp.setxor1d(s, 1.5, assume_unique=True)
xp.setdiff1d(s, 2), xp.setdiff1d(2, s), xp.intersect1d(s, 2), xp.intersect1d(2.0, s, assume_unique=True)
xp.isin(i, [1], kind='sort'), xp.isin(i, [1], kind='table')
xp.isin(i, [1], kind='other')
xp.isin(n, [1], kind='table')
""")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    arrays = {
        "i": np.arange(6).reshape(2, 3),
        "n": np.array([np.nan, 1, np.inf, -0.0]),
        "s": np.array([1, 2], "i1"),
    }
    check_expression(source, **arrays)


def test_large_arrays():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 5000, 20000), rng.integers(0, 5000, 3000)
    for name in ("union1d", "intersect1d", "setxor1d", "setdiff1d", "isin"):
        got = getattr(cp, name)(cp.asarray(a), cp.asarray(b))
        assert_same(got, getattr(np, name)(a, b))


def test_signed_and_unsigned_are_compared_exactly():
    signed, unsigned = cp.array([2**62, -1, 5]), cp.array([2**62 + 1, 2**64 - 1, 5], dtype="u8")
    assert cp.isin(signed, unsigned).tolist() == [False, False, True]
    assert cp.isin(unsigned, signed).tolist() == [False, False, True]
    assert cp.isin(signed, unsigned[:2]).tolist() == [False] * 3
    assert cp.isin(unsigned, signed[1:2]).tolist() == [False] * 3


def test_numpys_arrays_are_refused():
    for name in ("union1d", "intersect1d", "setxor1d", "setdiff1d"):
        with pytest.raises(TypeError, match="argument 2 is a numpy"):
            getattr(cp, name)(cp.ones(2), np.ones(2))
