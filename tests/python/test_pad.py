"""pad with every mode, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import DTYPES, REALS, arrays, check, shapes

widths = st.one_of(
    st.integers(0, 7),
    st.tuples(st.integers(0, 7), st.integers(0, 7)),
    st.just("each"),
)


def pad_width(data, ndim):
    width = data.draw(widths)
    if width == "each":
        width = [data.draw(st.tuples(st.integers(0, 5), st.integers(0, 5))) for _ in range(max(ndim, 1))]
    return width


@pytest.mark.parametrize("mode", ["constant", "edge", "wrap", "reflect", "symmetric", "maximum", "minimum"])
@given(st.data())
def test_modes(mode, data):
    # Of zeros of both signs, or of several NaN of a complex kind, which one is the largest is a matter of order.
    extreme = mode in ("maximum", "minimum")
    a, b = data.draw(arrays(st.sampled_from(REALS if extreme else DTYPES), shapes(3, 4)))
    width = pad_width(data, a.ndim)
    check(lambda xp: xp.pad, (a, width, mode), (b, width, mode), zeros=not extreme)


@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
@given(st.data())
def test_odd_reflection(mode, data):
    a, b = data.draw(arrays(st.sampled_from(DTYPES[1:]), shapes(2, 4), special=False))
    width = pad_width(data, a.ndim)
    check(lambda xp: xp.pad, (a, width, mode), (b, width, mode), 4, reflect_type="odd", zeros=False)


@pytest.mark.parametrize("mode", ["mean", "median", "maximum", "minimum"])
@given(st.data())
def test_statistics(mode, data):
    kinds = ["b", "i", "q", "d"] + (["e", "f"] if mode != "mean" else [])
    a, b = data.draw(
        arrays(st.sampled_from([np.dtype(c) for c in kinds]), shapes(2, 5), special=mode != "mean")
    )
    width = pad_width(data, a.ndim)
    length = data.draw(
        st.one_of(st.none(), st.integers(1, 6), st.tuples(st.integers(1, 6), st.integers(1, 6)))
    )
    if mode == "mean" and a.dtype.kind == "f" and a.size:  # sums that cancel keep few digits
        got, want = cp.pad(b, width, mode, stat_length=length), np.pad(a, width, mode, stat_length=length)
        np.testing.assert_allclose(cp.asnumpy(got), want, 1e-12, 1e-12)
        return
    check(lambda xp: xp.pad, (a, width, mode), (b, width, mode), 16, stat_length=length, zeros=False)


@given(st.data())
def test_linear_ramp(data):
    a, b = data.draw(arrays(st.sampled_from([np.dtype(c) for c in "iqfd"]), shapes(2, 4), special=False))
    width = pad_width(data, a.ndim)
    ends = data.draw(st.one_of(st.integers(-5, 5), st.tuples(st.integers(-5, 5), st.integers(-5, 5))))
    check(
        lambda xp: xp.pad,
        (a, width, "linear_ramp"),
        (b, width, "linear_ramp"),
        8,
        end_values=ends,
        zeros=False,
    )


EXPRESSIONS = lines(
    """
xp.pad(a, 2, constant_values=7)
xp.pad(a, (1, 2), constant_values=(7, 8))
xp.pad(m, ((1, 2), (0, 3)), constant_values=((1, 2), (3, 4)))
xp.pad(m, ((1, 2), (0, 3)), constant_values=[[1], [2]])
xp.pad(m, [[1], [2]])
xp.pad(m, 1, constant_values=np.nan)
xp.pad(a, 1, constant_values=2.75)
xp.pad(m, {0: 1, -1: (2, 3)})
xp.pad(m, {1: 1}, 'edge')
xp.pad([1, 2, 3], 1)
xp.pad(5, 1)
xp.pad(xp.asarray(5), ())
xp.pad(m[:0], 1)
xp.pad(m[:0], 1, 'edge')
xp.pad(m[:0], ((0, 0), (1, 1)), 'edge')
xp.pad(m[:0], ((0, 0), (1, 1)), 'mean')
xp.pad(m, 3, 'reflect')
xp.pad(m[:1], 3, 'reflect')
xp.pad(m[:1], 3, 'symmetric')
xp.pad(a, 11, 'wrap')
xp.pad(a, 11, 'reflect')
xp.pad(a, 11, 'symmetric', reflect_type='odd')
xp.pad(a, 2, 'maximum', stat_length=0)
xp.pad(a, 2, 'minimum', stat_length=(1, 0))
xp.pad(a, 2, 'mean', stat_length=-1)
xp.pad(a, -1)
xp.pad(a, 1.5)
xp.pad(a, ((1, 2), (3, 4)))
xp.pad(a, 1, 'nothing')
xp.pad(a, 1, 'edge', constant_values=1)
xp.pad(a, 1, 'mean', end_values=1)
xp.pad(m.T, 1, 'edge').flags.f_contiguous
xp.pad(m, 1, 'edge').flags.c_contiguous
xp.pad(a, 2, 'empty')[2:-2]
xp.pad(m, 2, 'empty').shape
"""
)


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    check_expression(
        source, "((1, 2), (3, 4)))" not in source, a=np.arange(1, 5), m=np.arange(6.0).reshape(2, 3)
    )


def test_a_function_as_mode():
    def fill(vector, width, axis, kwargs):
        value = kwargs.get("padder", 10) + axis
        vector[: width[0]] = value
        if width[1]:
            vector[-width[1] :] = -value

    a = np.arange(6).reshape(2, 3)
    for keywords in ({}, {"padder": 100}):
        for width in (2, ((1, 0), (0, 2))):
            check(lambda xp: xp.pad, (a, width, fill), (cp.asarray(a), width, fill), **keywords)


def test_parameters_may_be_arrays():
    x = cp.arange(3)
    assert cp.pad(x, cp.array([1, 2]), constant_values=cp.array([7, 8])).tolist() == [7, 0, 1, 2, 8, 8]
    with pytest.raises(TypeError, match="asarray"):
        cp.pad(np.arange(3), 1)
