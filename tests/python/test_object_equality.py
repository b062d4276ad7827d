"""`a == o`, `a != o` and `o in a` for objects that are neither arrays nor Python's numbers."""

import datetime
import operator
import re
from array import array
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import cuprum as cp
from strategies import assert_same


class Ordered:
    def __lt__(self, other):
        return True


class Differs:
    def __ne__(self, other):
        return other == 0.5


class HasArray:
    def __array__(self, dtype=None, copy=None):
        return np.arange(2)


def test_comparison_with_objects_that_have_an_equality_of_their_own():
    """One that says nothing of numbers equals no element; numbers of other classes are compared by their value."""
    x = np.array([1.0, 0.5, np.inf])
    a = cp.asarray(x)
    others = [{}, {1}, datetime.date(2020, 1, 1), slice(1), len, [].append, Ordered(), re.compile("a")]
    others += [Decimal(1), Fraction(1, 2), Fraction(1, 3), Decimal("inf"), Decimal("nan"), Decimal(10) ** 40]
    for other in others:
        assert_same(a == other, x == other)
        assert_same(a != other, x != other)
        assert_same(other == a, other == x)
        assert (other in a) is (other in x)
    assert_same(a != Differs(), x != Differs())  # asked about the array at once
    assert_same(a == Differs(), x == Differs())
    for other in (None, object(), "x", b"x", [1.0, 2.0, 3.0], range(3), array("d", [0, 0.5, 0])):
        assert (other in a) is (other in x)


@pytest.mark.parametrize("other", [bytearray(2), array("d", [1, 2]), HasArray()])
def test_memory_of_the_host_must_be_made_an_array(other):
    """An implicit copy from the host is not made, and False would not be true."""
    for compare in (operator.eq, operator.ne):
        with pytest.raises(TypeError, match="argument 2 is a"):
            compare(cp.arange(2), other)


@pytest.mark.parametrize("other", [b"ab", bytearray(b"ab")])
def test_bytes_do_not_append_the_memory(other):
    with pytest.raises(TypeError):
        other + cp.arange(2)


def test_ranges_are_operands_as_lists_are():
    x = np.arange(3)
    for f in (operator.add, operator.eq, operator.lt):
        assert_same(f(cp.asarray(x), range(3)), f(x, range(3)))
        assert_same(f(range(1, 4), cp.asarray(x)), f(range(1, 4), x))
