"""Arrays and numbers as text: NumPy's, letter for letter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import arrays

SCOPE = {
    "x": np.linspace(-1, 1, 12).reshape(3, 4),
    "c": np.array([1 + 2j, np.nan]),
    "i": np.arange(2000),
    "z": np.array(-0.0),
    "e": np.zeros((0, 3), "f4"),
    "n": np.array(-5, dtype="i1"),
}

EXPRESSIONS = lines("""
xp.array2string(x)
xp.array2string(x, 30)
xp.array2string(x, precision=2, suppress_small=True, separator=', ', prefix='abc')
xp.array2string(x, formatter={'float': lambda v: f'<{v:.1f}>'})
xp.array2string(x, threshold=3, edgeitems=1, sign='+', floatmode='fixed', suffix=')')
xp.array2string(x, legacy='1.13')
xp.array2string(x, floatmode='wrong')
xp.array2string(c), xp.array2string(i), xp.array2string(z), xp.array2string(e)
xp.array_repr(x, 40, 2, True), xp.array_repr(c), xp.array_repr(i), xp.array_repr(z), xp.array_repr(e)
xp.array_str(x, 40, 2, True), xp.array_str(c), xp.array_str(i), xp.array_str(z), xp.array_str(e)
xp.format_float_positional(z), xp.format_float_positional(1e20), xp.format_float_positional(x[0, 1], 3, trim='-')
xp.format_float_positional(np.float16(0.1), unique=False, precision=9, pad_left=3, sign=True)
xp.format_float_positional(2.5, precision=-1)
xp.format_float_positional(x)
xp.format_float_scientific(z), xp.format_float_scientific(x[0, 1], 3, exp_digits=4), xp.format_float_scientific(1e20)
xp.format_float_scientific(x)
xp.base_repr(n), xp.base_repr(n, 3, 2), xp.base_repr(10, 36), xp.base_repr(0, padding=3)
xp.base_repr(5, 37)
xp.base_repr(5, 1)
xp.binary_repr(n), xp.binary_repr(n, 8), xp.binary_repr(5, 8), xp.binary_repr(0)
xp.binary_repr(5, 2)
xp.binary_repr(1.5)
""")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    check_expression(source, **SCOPE)


@given(arrays())
def test_text_is_numpys(pair):
    a, b = pair
    a = a.astype(a.dtype.str)  # one name for the two 64-bit integers of C
    assert cp.array_repr(b) == repr(b) == np.array_repr(a)
    assert cp.array_str(b) == str(b) == np.array_str(a)
    assert cp.array2string(b, separator=",") == np.array2string(a, separator=",")


@given(st.floats(allow_nan=True), st.sampled_from("fd"), st.integers(0, 12))
def test_numbers(value, dtype, precision):
    with np.errstate(over="ignore"):
        a = np.array(value).astype(dtype)
    a, b = a[()], cp.asarray(a)  # an array without dimensions is a scalar
    assert cp.format_float_positional(b, precision) == np.format_float_positional(a, precision)
    assert cp.format_float_scientific(b, precision) == np.format_float_scientific(a, precision)


def test_options_are_shared_with_numpy():
    before = np.get_printoptions()
    try:
        cp.set_printoptions(precision=2, threshold=5, edgeitems=1, linewidth=30, suppress=True, nanstr="no")
        assert np.get_printoptions() == cp.get_printoptions() != before
        for x in (np.linspace(0, 1, 4), np.arange(10), np.array([np.nan, 1e-9])):
            assert repr(cp.asarray(x)) == repr(x)
        with cp.printoptions(precision=5, sign="+") as options:
            assert options["precision"] == 5 and cp.array_str(cp.array([1 / 3])) == "[+0.33333]"
        assert cp.array_str(cp.array([1 / 3])) == "[0.33]"
        with pytest.raises(ValueError, match="sign"):
            cp.set_printoptions(sign="x")
    finally:
        cp.set_printoptions(**before)
    assert np.get_printoptions() == before


def test_lists_are_taken_and_numpys_arrays_refused():
    assert cp.array_repr([1, 2]) == "array([1, 2])"
    for function in (cp.array2string, cp.array_repr, cp.array_str):
        with pytest.raises(TypeError, match="asarray"):
            function(np.ones(2))
