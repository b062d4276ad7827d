"""trim_zeros, delete and insert against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import arrays, check, dtypes, shapes

EXPRESSIONS = lines(
    """
xp.trim_zeros(z)
xp.trim_zeros(z, 'f')
xp.trim_zeros(z, 'B')
xp.trim_zeros(z * 0)
xp.trim_zeros(z[:0])
xp.trim_zeros([0, 0, 1, 2, 0])
xp.trim_zeros((0, 0, 1, 2, 0), 'f')
xp.trim_zeros(p)
xp.trim_zeros(p, axis=0)
xp.trim_zeros(p, 'b', axis=-1)
xp.trim_zeros(p, axis=(0, 1))
xp.trim_zeros(p, axis=())
xp.trim_zeros(p * 0)
xp.trim_zeros(p * 0, axis=1)
xp.trim_zeros(p, axis=2)
xp.trim_zeros(z, 'x')
xp.trim_zeros(xp.asarray([np.nan, 0.0, -0.0]))
xp.delete(a, 1)
xp.delete(a, -1)
xp.delete(a, 9)
xp.delete(a, -9)
xp.delete(a, [1, 3])
xp.delete(a, [1, 1, -1])
xp.delete(a, [])
xp.delete(a, [2])
xp.delete(a, [1, 9])
xp.delete(a, [True, False, False, True, False, True])
xp.delete(a, [True, False])
xp.delete(a, a > 2)
xp.delete(a, xp.asarray(2))
xp.delete(a, xp.asarray([[0, 1], [2, 2]]))
xp.delete(a, slice(1, 3))
xp.delete(a, slice(None, None, 2))
xp.delete(a, slice(4, None, -2))
xp.delete(a, slice(3, 1))
xp.delete(a, slice(None))
xp.delete(m, 1, 0)
xp.delete(m, 1, 1)
xp.delete(m, [0, 2], -1)
xp.delete(m, 4)
xp.delete(m, slice(0, 2), 1)
xp.delete(m, 1, 2)
xp.delete(m.T, [0, 1], 0)
xp.delete([1, 2, 3], 1)
xp.delete(a, [1.5, 2.5])
xp.delete(xp.asarray(3), 0)
xp.delete(a[:0], [])
xp.insert(a, 1, 9)
xp.insert(a, -1, 9)
xp.insert(a, 6, 9)
xp.insert(a, 7, 9)
xp.insert(a, 1, [7, 8, 9])
xp.insert(a, [1], [7, 8, 9])
xp.insert(a, [1, 3], [7, 8])
xp.insert(a, [3, 1], [7, 8])
xp.insert(a, [1, 1, 1], [7, 8, 9])
xp.insert(a, [1, -1], 9)
xp.insert(a, [], [])
xp.insert(a, [], 5)
xp.insert(a, slice(1, 4), 9)
xp.insert(a, slice(1, 4, 2), [8, 9])
xp.insert(a, slice(4, None, -2), 9)
xp.insert(a, slice(None, None, -2**63 - 1), 9)
xp.insert(a, slice(3, 1), 9)
xp.insert(a, a > 3, 9)
xp.insert(a, [1, 3], [1.75, 2.25])
xp.insert(a, 1, 2.75)
xp.insert(m, 1, 5)
xp.insert(m, 1, 5, axis=0)
xp.insert(m, 1, 5, axis=1)
xp.insert(m, 1, [1, 2], axis=1)
xp.insert(m, [1], [[1], [2]], axis=1)
xp.insert(m, [1], [1, 2], axis=1)
xp.insert(m, 1, [1, 2, 3], axis=0)
xp.insert(m, [0, 2], [[1, 2], [3, 4]], axis=1)
xp.insert(m, [0, 2], 9, axis=-1)
xp.insert(m, [0, 1, 2], m[0], axis=0)
xp.insert(m.T, [0, 1], [5, 6], axis=0)
xp.insert(m, [[1, 2]], 5)
xp.insert(m, 1, 5, axis=2)
xp.insert(m, 3, 5, axis=0)
xp.insert(a, [1, 2], [1, 2, 3])
xp.insert([1, 2, 3], 1, 9)
xp.insert(xp.asarray(3), 0, 1)
xp.insert(a, xp.asarray(2), 9)
xp.insert(a, [1, 77], 9)
"""
)


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    loose = ("1.5, 2.5", "[1, 2, 3])", "[1, 2], axis=1", "77", "[1, 9]", "axis=2", ", 1, 2)", "m[0]")
    check_expression(
        source,
        texts=not any(x in source for x in loose),
        a=np.arange(10, 16),
        z=np.array([0, 0, 1, 0, 2, 0]),
        m=np.arange(6.0).reshape(2, 3),
        p=np.pad(np.arange(1.0, 7).reshape(2, 3), ((1, 2), (0, 1))),
    )


@given(st.data())
def test_delete(data):
    a, b = data.draw(arrays(dtypes, shapes(3, 5)))
    axis = data.draw(st.sampled_from([None, 0, -1, 1]))
    if axis is None or -a.ndim <= axis < a.ndim:
        n = a.size if axis is None else a.shape[axis]
        inside = st.integers(-n, max(n - 1, 0))
        where = data.draw(st.one_of(st.lists(inside, max_size=5), st.slices(n), st.integers(-n - 1, n)))
        check(lambda xp: xp.delete, (a, where, axis), (b, where, axis))
    else:
        check(lambda xp: xp.delete, (a, 0, axis), (b, 0, axis))


@given(st.data())
def test_insert(data):
    a, b = data.draw(arrays(dtypes, shapes(3, 5)))
    axis = data.draw(st.sampled_from([None, *range(-a.ndim, a.ndim)]))
    n = a.size if axis is None else a.shape[axis]
    inside = st.integers(-n, n)
    where = data.draw(st.one_of(st.lists(inside, max_size=5), st.slices(n), inside))
    values = data.draw(arrays(a.dtype, ()))
    check(lambda xp: xp.insert, (a, where, values[0], axis), (b, where, values[1], axis))


@given(arrays(dtypes, shapes(2, 6)), st.sampled_from(["f", "b", "fb"]))
def test_trim_zeros(pair, trim):
    a, b = pair
    if a.ndim:
        zero = np.arange(a.shape[-1]) % 3 != 1
        a, b = np.where(zero, a.dtype.type(0), a), cp.where(cp.asarray(zero), cp.zeros((), a.dtype), b)
        check(lambda xp: xp.trim_zeros, (a, trim), (b, trim))


def test_fortran_order_is_kept():
    def results(xp):
        x = xp.asarray(np.arange(24.0).reshape(4, 6)).T
        deleted = [xp.delete(x, where, 0) for where in (1, slice(0, 4, 2), slice(0, 0))]
        return [*deleted, xp.insert(x, 1, 5, 0), xp.insert(x, [1, 2], 5, 0)]

    for got, want in zip(results(cp), results(np)):
        assert (got.flags.f_contiguous, got.flags.c_contiguous) == (True, False)
        assert want.flags.f_contiguous and got.tolist() == want.tolist()


def test_numpy_arrays_are_refused():
    x = np.arange(3)
    calls = [
        lambda: cp.delete(x, 0),
        lambda: cp.insert(x, 0, 1),
        lambda: cp.trim_zeros(x),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="asarray"):
            call()
