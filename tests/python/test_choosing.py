"""select, piecewise, apply_along_axis and apply_over_axes against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import arrays, broadcastable, check, dtypes

SELECT = lines(
    """
xp.select([a < 2, a > 3], [a, a * 10])
xp.select([a < 2, a > 3], [a, a * 10], -1)
xp.select([a < 4, a < 2], [1, 2], 3)
xp.select([a < 4, a < 2], [1, 2.5], 3)
xp.select([a < 4], [b], 3)
xp.select([a < 4], [b], 3.5)
xp.select([a < 4], [b], 2j)
xp.select([a < 4, a > 4], [b, a])
xp.select([a < 4], [b], np.nan)
xp.select([a[:, None] < a], [a])
xp.select([a[:0] < 1], [a[:0]])
xp.select([xp.asarray(True)], [xp.asarray(1)])
xp.select([[True, False]], [[1, 2]])
xp.select([True, a < 2], [1, a])
xp.select([a < 4], [m])
xp.select((a < 4, a > 4), (a, b), default=b)
xp.select([], [])
xp.select([a < 4], [a, a])
xp.select([a], [a])
xp.select([a < 4, a], [a, a])
xp.select([a < 4], [a[:2]])
xp.select([a < 4, a[:2] < 2], [a, a])
"""
)


@pytest.mark.parametrize("source", SELECT)
def test_select(source):
    a, b = np.arange(6), np.arange(6, dtype=np.int8)
    check_expression(source, texts="a[:2]" not in source, a=a, b=b, m=np.arange(12.0).reshape(2, 6))


@given(st.data())
def test_select_property(data):
    shapes = data.draw(broadcastable(4))
    full = np.broadcast_shapes(*shapes)
    conditions = [data.draw(arrays(np.dtype("?"), s)) for s in shapes[:2]]
    choices = [data.draw(arrays(dtypes, s)) for s in (full, shapes[3])]
    default = data.draw(arrays(dtypes, ()))
    check(
        lambda xp: xp.select,
        ([x[0] for x in conditions], [x[0] for x in choices], default[0]),
        ([x[1] for x in conditions], [x[1] for x in choices], default[1]),
    )


PIECEWISE = lines(
    """
xp.piecewise(a, [a < 0, a >= 0], [-1, 1])
xp.piecewise(a, [a < 0, a >= 2], [lambda x: -x, lambda x: x * 2, 7])
xp.piecewise(a, [a < 0, a >= 2], [-1, lambda x, k: x * k], 5)
xp.piecewise(a, [a < 0, a >= 2], [-1, lambda x, k: x * k], k=5)
xp.piecewise(a, [a < 99, a > 1], [1, 2])
xp.piecewise(a, a < 0, [1, 2])
xp.piecewise(a, a < 0, [1])
xp.piecewise(a, [a > 99], [lambda x: 1 / 0])
xp.piecewise(b, [b < 0], [2.75, -1.5])
xp.piecewise(m, [m < 2, m > 3], [lambda x: x ** 2, 0, lambda x: -x])
xp.piecewise(m, m < 2, [1, 0])
xp.piecewise(a[:0], [a[:0] > 1], [1, 2])
xp.piecewise(xp.asarray(3), xp.asarray(3) > 2, [4, 0])
xp.piecewise(xp.asarray(3), [True, False], [4, 0])
xp.piecewise(xp.asarray(3), [False], [4, 9])
xp.piecewise(xp.asarray(3), True, [lambda x: x + 1, 9])
xp.piecewise([1, 2, 3], [[True, False, True]], [5, 6])
xp.piecewise([1, 2, 3], [True, False, True], [5, 6])
xp.piecewise([1, 2, 3], [1, 0, 0], [5, 6])
xp.piecewise(a, [a < 0], [1, 2, 3])
xp.piecewise(a, [a < 0, a > 1], [1])
xp.piecewise(a, [a[:2] < 0], [1])
"""
)


@pytest.mark.parametrize("source", PIECEWISE)
def test_piecewise(source):
    a = np.arange(-3, 4)
    texts = "a[:2]" not in source
    check_expression(source, texts, a=a, b=a.astype(np.int16), m=np.arange(6.0).reshape(2, 3))


@given(st.data())
def test_piecewise_property(data):
    a, b = data.draw(arrays(dtypes))
    conditions = [data.draw(arrays(np.dtype("?"), a.shape)) for _ in range(2)]
    check(
        lambda xp: lambda x, c: xp.piecewise(x, c, [lambda v: v[::-1], 1, 2]),
        (a, [x[0] for x in conditions]),
        (b, [x[1] for x in conditions]),
    )


APPLY = lines(
    """
xp.apply_along_axis(lambda v: v.sum(), 0, m)
xp.apply_along_axis(lambda v: v.sum(), -1, m)
xp.apply_along_axis(lambda v: v[::-1], 1, m)
xp.apply_along_axis(lambda v: v[::-1], 0, m)
xp.apply_along_axis(lambda v: v[:, None] * v, 0, m)
xp.apply_along_axis(lambda v: v[:, None] * v[:2], 1, t)
xp.apply_along_axis(lambda v, k, j=0: v * k + j, 1, t, 3, j=2)
xp.apply_along_axis(lambda v: 1, 1, t)
xp.apply_along_axis(lambda v: [1, 2.5], 2, t)
xp.apply_along_axis(xp.sort, 0, t)
xp.apply_along_axis(xp.sum, 0, xp.arange(4))
xp.apply_along_axis(lambda v: v[:0], 0, m)
xp.apply_along_axis(xp.sum, 0, [[1, 2], [3, 4]])
xp.apply_along_axis(xp.sum, 0, m[:0])
xp.apply_along_axis(xp.sum, 1, m[:0])
xp.apply_along_axis(xp.sum, 2, m)
xp.apply_along_axis(xp.sum, 0, xp.asarray(1))
xp.apply_over_axes(xp.sum, t, [0, 2])
xp.apply_over_axes(xp.sum, t, (0, -1))
xp.apply_over_axes(xp.sum, t, 1)
xp.apply_over_axes(xp.cumsum, t, [0, 1])
xp.apply_over_axes(lambda x, axis: x.sum(axis, keepdims=True), t, [0, 2])
xp.apply_over_axes(lambda x, axis: x.sum(), t, [0, 2])
xp.apply_over_axes(xp.max, t, [5])
xp.apply_over_axes(xp.sum, t, [])
"""
)


@pytest.mark.parametrize("source", APPLY)
def test_apply(source):
    check_expression(source, m=np.arange(6.0).reshape(2, 3), t=np.arange(24).reshape(2, 3, 4))


def test_later_results_become_what_the_first_is():
    def mixed(xp):
        return lambda x: xp.apply_along_axis(lambda v: 1 if int(v[0]) == 0 else 2.75, 1, x)

    a = np.arange(6).reshape(3, 2)
    check(mixed, (a,), (cp.asarray(a),))


def test_numpy_arrays_are_refused():
    x, y = np.arange(3), cp.arange(3)
    calls = [
        lambda: cp.select([x < 2], [y]),
        lambda: cp.select([y < 2], [x]),
        lambda: cp.piecewise(x, [y < 2], [1]),
        lambda: cp.piecewise(y, [x < 2], [1]),
        lambda: cp.apply_along_axis(cp.sum, 0, x),
        lambda: cp.apply_over_axes(cp.sum, x, [0]),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="asarray"):
            call()
