"""Grids, positions and conversions, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import DTYPES, arrays, assert_same, check, shapes

EXPRESSIONS = lines(
    """
xp.mgrid[0:3]
xp.mgrid[0:3, 1:5]
xp.mgrid[0:3, 1:5, -1:1]
xp.mgrid[-1:1:5j]
xp.mgrid[-1:1:5j, 0:3]
xp.mgrid[-1:1:1j, 0:3:2]
xp.mgrid[0:1:0.25, 3:0:-1]
xp.mgrid[0:0, 0:3]
xp.mgrid[:4, :2]
xp.mgrid[()]
xp.mgrid[np.float32(0):np.float32(2):np.float32(0.5), :np.float32(2)]
xp.mgrid[3:0, 0:2]
xp.mgrid[1, 2]
xp.mgrid[1:3:0, 0:2]
xp.ogrid[0:3]
xp.ogrid[0:3, 1:5]
xp.ogrid[-1:1:5j, 0:3, 2:0:-1]
xp.ogrid[3:0, 0:2]
xp.ogrid[()]
xp.mgrid[m[:, :1]:m[:, 1:2]:2j]
xp.mgrid[m[:, :1]:m[:, 1:2]:2j, m[:, :1]:m[:, 1:2]:2j]
xp.ogrid[m[:, :1]:m[:, 1:2]:2j, m[:, :1]:m[:, 1:2]:2j]
xp.r_[1, 2, 3]
xp.r_[1:4, 0, [4, 5]]
xp.r_[a, 0, 0, a]
xp.r_[a, 1.5]
xp.r_[b, 2]
xp.r_[b, 2.5, b]
xp.r_[0:1:5j, 2]
xp.r_[-1:1:3j, [0] * 3, 5, 6]
xp.r_['0,2', [1, 2], [3, 4]]
xp.r_['-1', m, m]
xp.r_['1', m, m]
xp.r_['0,2,0', [1, 2, 3], [4, 5, 6]]
xp.r_['1,2,0', [1, 2, 3], [4, 5, 6]]
xp.r_['0,3,1', a, a]
xp.r_['0,2', 0:3, 1:4]
xp.r_[m, m]
xp.r_[m, a]
xp.r_[True, False]
xp.r_[np.float32(1), 2]
xp.r_[()]
xp.r_['q', 1]
xp.r_['1,x', 1]
xp.r_[1:3, 'r']
xp.c_[a, a]
xp.c_[a, m.T]
xp.c_[[1, 2, 3]]
xp.c_[[[1, 2]], 0, 0, [[4, 5]]]
xp.c_[1:4, 2:5]
xp.c_['0,2', [1, 2], [3, 4]]
xp.s_[1:3]
xp.s_[1:3, ..., None]
xp.index_exp[1:3]
xp.index_exp[1:3, 0]
len(xp.r_)
xp.ix_([0, 2], [1, 3])
xp.ix_([True, False, True], [1])
xp.ix_([], [1])
xp.ix_()
xp.ix_(a > 1, a)
xp.ix_(m)
m[xp.ix_([1, 0], [2, 0])]
xp.indices((2, 3))
xp.indices((2, 3), dtype=xp.float32)
xp.indices((2, 3), sparse=True)
xp.indices((2, 0, 3))
xp.indices(())
xp.indices((), sparse=True)
xp.indices((2, 2), dtype=xp.complex64)
xp.indices((2, -3))
xp.indices(3)
xp.fromfunction(lambda i, j: i + j, (3, 2))
xp.fromfunction(lambda i, j: i == j, (3, 3), dtype=int)
xp.fromfunction(lambda i, *, k: i * k, (3,), k=2)
list(xp.ndindex(2, 3))
list(xp.ndindex((2, 3)))
list(xp.ndindex(()))
list(xp.ndindex())
list(xp.ndindex(2, 0))
xp.ndindex(-1)
xp.vander(a, 4)
xp.vander(a, increasing=True)
xp.vander([1.5, -2.0], 3)
xp.vander(b, 3)
xp.vander([True, False], 3)
xp.vander(a, 0)
xp.vander(a, 1)
xp.vander([], 3)
xp.vander(m)
xp.vander([1j, 2], 3)
xp.vander(a, -1)
xp.diag_indices(3)
xp.diag_indices(3, 3)
xp.diag_indices(0)
xp.diag_indices(-2)
xp.diag_indices(2, 0)
xp.diag_indices_from(xp.ones((3, 3, 3)))
xp.diag_indices_from(a)
xp.diag_indices_from(m)
xp.mask_indices(3, xp.triu)
xp.mask_indices(3, xp.tril, -1)
xp.tril_indices_from(m)
xp.tril_indices_from(m, 1)
xp.triu_indices_from(m, -1)
xp.tril_indices_from(a)
xp.tril_indices_from(4)
xp.triu_indices_from(a)
xp.fromiter([1, 2, 3], float)
xp.fromiter((i * 1.5 for i in range(5)), xp.float32, 3)
xp.fromiter(iter([1]), int, 2)
xp.fromiter(iter([]), int)
xp.asarray_chkfinite([1, 2, 3])
xp.asarray_chkfinite([1.0, 2], dtype=xp.float32)
xp.asarray_chkfinite([1.0, np.nan])
xp.asarray_chkfinite(xp.asarray([1.0, np.inf]))
xp.asarray_chkfinite([1j, complex(0, np.nan)])
xp.asarray_chkfinite([])
"""
)


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    a, b, m = np.arange(1, 4), np.array([1, 2, 3], np.int8), np.arange(6.0).reshape(2, 3)
    texts = not any(
        x in source for x in ("negative", "-3))", "ndindex(-1", "a, -1)", "np.array([1.0", "0:2]")
    )
    check_expression(source, texts=texts and "'1,x'" not in source, a=a, b=b, m=m)


def test_matrix_directives_give_two_dimensions():
    for kind in "rc":
        for item in (np.arange(3), np.ones((2, 3))):
            assert_same(cp.r_[kind, cp.asarray(item)], np.asarray(np.r_[kind, item]))
    with pytest.raises(TypeError, match="matrix"):
        cp.r_["a, b"]
    with pytest.raises(ValueError, match="2-dimensional"):
        cp.r_["r", cp.ones((2, 2, 2))]


def test_numpy_arrays_are_refused():
    x = np.arange(3)
    for call in (
        cp.ix_,
        cp.vander,
        cp.broadcast,
        cp.require,
        lambda x: cp.r_[x],
        lambda x: cp.unravel_index(x, 5),
    ):
        with pytest.raises(TypeError, match="asarray"):
            call(x)


@given(st.integers(-1, 5), st.integers(-6, 6), st.sampled_from([None, 0, 1, 4, 7]))
def test_triangles(n, k, m):
    for name in ("tril_indices", "triu_indices"):
        if n >= 0:
            check(lambda xp, name=name: getattr(xp, name), (n, k, m), (n, k, m))


# -- Positions ------------------------------------------------------------------------------------------


@given(st.data())
def test_unravel_index_and_back(data):
    shape = data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple))
    order = data.draw(st.sampled_from("CF"))
    kind = data.draw(st.sampled_from([np.dtype(c) for c in "bBhiqQ"]))
    size = int(np.prod(shape))
    numbers = np.array(data.draw(st.lists(st.integers(-1, min(size, 127)), max_size=6)), int)
    if kind.kind == "u":
        numbers = np.abs(numbers)
    numbers = numbers.astype(kind)
    check(lambda xp: xp.unravel_index, (numbers, shape, order), (cp.asarray(numbers), shape, order))
    if ((numbers >= 0) & (numbers < size)).all():
        there = cp.unravel_index(cp.asarray(numbers), shape, order)
        assert_same(cp.ravel_multi_index(there, shape, order=order), numbers.astype(np.intp))


@given(st.data())
def test_ravel_multi_index(data):
    dims = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple))
    shape = data.draw(shapes(2, 3))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    low, high = data.draw(st.sampled_from([(0, 1), (0, 3), (-9, 9)]))
    index = tuple(rng.integers(low, high, shape) for _ in dims)
    modes = st.sampled_from(["raise", "wrap", "clip"])
    mode = data.draw(st.one_of(modes, st.tuples(*[modes] * len(dims))))
    order = data.draw(st.sampled_from("CF"))
    check(
        lambda xp: xp.ravel_multi_index,
        (index, dims, mode, order),
        (tuple(map(cp.asarray, index)), dims, mode, order),
    )


POSITIONS = lines(
    """
xp.ravel_multi_index(([], []), (2, 2))
xp.ravel_multi_index(([1.0], [1]), (2, 2))
xp.ravel_multi_index(([1], [1]), (2, 2, 2))
xp.ravel_multi_index(([1], [1]), 2)
xp.ravel_multi_index(([True], [1]), (2, 2))
xp.ravel_multi_index(([1, 0], 1), (2, 2))
xp.ravel_multi_index((1, 1), (2, 2))
xp.ravel_multi_index((), ())
xp.ravel_multi_index(xp.asarray([[0, 1], [1, 3]]), (2, 4))
xp.ravel_multi_index(([1], [1]), (2, 2), mode='foo')
xp.ravel_multi_index(([1], [1]), (2, 2), mode=('clip',))
xp.ravel_multi_index(([1], [1]), (2, 2), order='K')
xp.ravel_multi_index(([1], [1]), (2**40, 2**40))
xp.ravel_multi_index(([1], [5]), (2, 2))
xp.unravel_index(3, (2, 2))
xp.unravel_index(0, ())
xp.unravel_index(1, ())
xp.unravel_index([0], ())
xp.unravel_index([1.5], (2, 2))
xp.unravel_index(xp.asarray([], dtype=int), (2, 0))
xp.unravel_index([7, 9], (2, 2))
xp.unravel_index([-1], (2, 2))
xp.unravel_index([1], 5)
xp.unravel_index([3], (2, 2), None)
xp.ravel_multi_index(([1], [0]), (2, 2), order=None)
xp.unravel_index([[1, 2], [3, 0]], (2, 2))
xp.unravel_index([1], (2**40, 2**40))
xp.unravel_index([1], 5, order='X')
"""
)


@pytest.mark.parametrize("source", POSITIONS)
def test_positions(source):
    check_expression(source, texts="[])" not in source and "'X'" not in source)


# -- Iterating together, requirements -------------------------------------------------------------------


def test_broadcast():
    a, b = np.arange(3).reshape(3, 1), np.arange(2.0)
    got, want = cp.broadcast(cp.asarray(a), cp.asarray(b), 7), np.broadcast(a, b, 7)
    for name in ("shape", "size", "nd", "ndim", "numiter", "index"):
        assert getattr(got, name) == getattr(want, name), name
    for _ in range(2):
        assert [tuple(map(float, x)) for x in got] == [tuple(map(float, x)) for x in want]
        assert got.index == want.index == 6
        got.reset()
        want.reset()
    assert [len(list(x)) for x in got.iters] == [6, 6, 6]
    assert [x.shape for x in got.values] == [(3, 2)] * 3
    assert cp.broadcast().shape == ()
    assert cp.broadcast(got, cp.ones((4, 1, 1))).shape == (4, 3, 2)
    with pytest.raises(ValueError, match=r"cuprum.broadcast: shape mismatch"):
        cp.broadcast(cp.ones(2), cp.ones(3))


@given(
    arrays(st.sampled_from(DTYPES), shape=shapes(2)), st.sampled_from(["C", "F", "CW", "FAO", "E", "", "A"])
)
def test_require(pair, requirements):
    a, b = pair
    want, got = np.require(a, None, list(requirements)), cp.require(b, None, list(requirements))
    assert_same(got, want)
    for flag in requirements.replace("E", ""):
        assert got.flags[flag]


def test_require_forms():
    x = cp.ones((2, 3))
    assert cp.require(x) is x and cp.require(x, requirements="CW") is x
    assert cp.require([1, 2], cp.float32, ["fortran"]).dtype == cp.float32
    with pytest.raises(ValueError, match="both"):
        cp.require(x, requirements=["C", "F"])
    with pytest.raises(KeyError):
        cp.require(x, requirements=["Q"])


def test_fromiter_of_an_array():
    x = cp.arange(5)
    assert_same(cp.fromiter(x, float, 3), np.fromiter(range(5), float, 3))
    with pytest.raises(ValueError, match="too short"):
        cp.fromiter(x, int, 9)
    with pytest.raises(ValueError, match="sequence"):
        cp.fromiter(cp.ones((2, 2)), int)
