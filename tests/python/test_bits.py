"""Bits to bytes and back, against NumPy."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import BOOLS, INTEGERS, arrays, check, shapes

ORDERS = st.sampled_from(["big", "little"])
AXES = st.sampled_from([None, 0, 1, -1, 2])


@given(arrays(st.sampled_from(BOOLS + INTEGERS), shapes(3, 18)), AXES, ORDERS)
def test_packbits(pair, axis, bitorder):
    check(lambda xp: xp.packbits, pair[:1], pair[1:], axis=axis, bitorder=bitorder)


@given(arrays(np.dtype("B"), shapes(3, 4)), AXES, st.none() | st.integers(-40, 40), ORDERS)
def test_unpackbits(pair, axis, count, bitorder):
    assume(pair[0].size or not (count and count > 0))  # NumPy does not write the zeros then
    check(lambda xp: xp.unpackbits, pair[:1], pair[1:], axis=axis, count=count, bitorder=bitorder)


EXPRESSIONS = lines("""
xp.packbits([0, 1, 1]), xp.packbits([[True], [False]], 0), xp.packbits(7), xp.packbits(xp.zeros((0, 3), bool))
xp.packbits(xp.array(3), axis=0), xp.packbits(xp.zeros((0, 3), bool), 0), xp.packbits(xp.zeros((0, 3), bool), 1)
xp.unpackbits(b), xp.unpackbits(b, 1), xp.unpackbits(b[0, 0]), xp.unpackbits(b, 0, 5), xp.unpackbits(b, 1, -3)
xp.unpackbits(b, 1, 0), xp.unpackbits(b, count=100), xp.unpackbits(b, 1, -24)
xp.unpackbits(b, 1, -25)
xp.unpackbits(xp.packbits(m, 0), 0, 9), xp.unpackbits(xp.packbits(m, 1, 'little'), 1, 2, 'little')
xp.packbits([1.5])
xp.packbits([])
xp.packbits(m, 2)
xp.packbits(m, 1.0)
xp.packbits(m, 0, 'middle')
xp.unpackbits([1, 2])
xp.unpackbits(xp.array([True]))
xp.unpackbits(b, 2)
xp.unpackbits(b, 0, 1.5)
xp.unpackbits(b, 0, None, 'middle')
xp.unpackbits(b, 0, None, 'l'), xp.unpackbits(b, 0, None, 'b')
xp.packbits(m, 0, 'l')
""")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    m = np.arange(18).reshape(9, 2) % 3 > 0
    check_expression(source, b=np.array([[1, 2, 255], [0, 128, 77]], "B"), m=m)


def test_arguments():
    with pytest.raises(TypeError, match="must be str, not int"):
        cp.packbits([1], bitorder=3)
    for function in (cp.packbits, cp.unpackbits):
        with pytest.raises(TypeError, match="asarray"):
            function(np.ones(2, "B"))
