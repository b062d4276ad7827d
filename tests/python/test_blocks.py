"""block and geomspace: what they put together, and what they refuse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import assert_same

SCOPE = {"a": np.arange(6.0).reshape(2, 3), "b": np.ones((2, 2)), "v": np.arange(3), "z": np.array(5),
         "t": np.ones((2, 3, 4)), "c": np.ones((2, 3)) * 1j, "e": np.zeros((0, 3))}  # fmt: skip

BLOCKS = lines("""
xp.block(a)
xp.block(3)
xp.block(z)
xp.block([a])
xp.block([[a]])
xp.block([[[a]]])
xp.block([a, b])
xp.block([[a, b], [b, a]])
xp.block([[a], [v]])
xp.block([[a, z * xp.ones((2, 1))], [v, 7]])
xp.block([v, v])
xp.block([v, 4])
xp.block([[v, v], [v, v]])
xp.block([1, 2.5])
xp.block([[1, 2], [3, 4]])
xp.block([[t, t], [t, t]])
xp.block([[t], [t]])
xp.block([t, a])
xp.block([[a, c]])
xp.block([[a], [e]])
xp.block([[[a, a]], [[a, a]]])
xp.block([a.T, b.T.repeat(2, 0)[:3]])
xp.block([])
xp.block([[]])
xp.block([[1], []])
xp.block(((1, 2), (3, 4)))
xp.block([(1, 2)])
xp.block([[a, b], a])
xp.block([a, [b]])
xp.block([[a], [b]])
xp.block([a, v])
""")
OWN_TEXTS = ("(((1", "[t, a]", "[a, [b]]", "[(1", "[[a], [b]]", "[a, v]", "b.T")


@pytest.mark.parametrize("source", BLOCKS)
def test_block(source):
    check_expression(source, texts=not any(t in source for t in OWN_TEXTS), **SCOPE)


@given(data=st.data())
def test_block_of_a_grid(data):
    """A matrix cut at random is put together again."""
    rows, columns = (sorted(data.draw(st.lists(st.integers(0, 5), max_size=3))) for _ in range(2))
    whole = np.arange(25).reshape(5, 5)
    parts = [np.split(row, columns, 1) for row in np.split(whole, rows, 0)]
    assert_same(cp.block([[cp.asarray(part) for part in row] for row in parts]), whole)


def test_layout():
    a = cp.asfortranarray(cp.ones((3, 4)))
    assert cp.block([[a, a]]).flags.f_contiguous
    assert cp.block([[a, cp.ones((3, 4))]]).flags.c_contiguous


def test_numpy_arrays_are_refused():
    with pytest.raises(TypeError, match="asarray"):
        cp.block([[np.ones(2)]])


GEOMSPACES = lines("""
xp.geomspace(1, 1000, 4)
xp.geomspace(1, 1000, 4, endpoint=False)
xp.geomspace(1000, 1, 7)
xp.geomspace(-1000, -1, 7)
xp.geomspace(-1, -1000, num=4)
xp.geomspace(1.5, 200, num=5, dtype=int)
xp.geomspace(1, 10, 5, dtype='f4')
xp.geomspace(1, 10, 5, dtype='c8')
xp.geomspace(1j, 1000j, num=4)
xp.geomspace(-1 + 0j, 1 + 0j, num=5)
xp.geomspace(1, 2, 1)
xp.geomspace(1, 2, 0)
xp.geomspace(1, 2)
xp.geomspace(xp.array([1, 10.0]), xp.array([100, 10.0]), 3)
xp.geomspace(xp.array([1, 10.0]), 1000, 3, axis=1)
xp.geomspace(xp.array([1, 10.0], dtype='f4'), 1000, 3)
xp.geomspace(xp.array([[1, 2.0]]), xp.array([[4.0], [8.0]]), 3, axis=-1)
xp.geomspace(0, 10)
xp.geomspace(1, xp.array([0.0, 2.0]))
xp.geomspace(1, 2, -1)
xp.geomspace([1, 2], [10, 20], 3)
""")


@pytest.mark.parametrize("source", GEOMSPACES)
def test_geomspace(source):
    check_expression(source, texts=False, ulps=16, zeros=False)
