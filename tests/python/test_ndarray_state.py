"""What can be asked of an array and set on it as on NumPy's: membership, dtype, flags."""

import operator

import numpy as np
import pytest

import cuprum as cp
from strategies import assert_same


@pytest.mark.parametrize(
    "value", [2.0, 7, np.nan, 1 + 0j, [0.0, 1.0, 2.0], (1,), "a", b"a", None, np.float32(3), [[5.0]]], ids=str
)
def test_contains_is_numpys(value):
    x = np.arange(6.0).reshape(2, 3)
    a = cp.asarray(x)
    assert (value in a) is bool(value in x)
    for array in (x, a):
        with pytest.raises(ValueError, match="broadcast"):
            operator.contains(array, [1, 2])


@pytest.mark.parametrize("char", ["i8", "f4", "u1", "c16"])
def test_dtype_can_be_set(char):
    x = np.arange(8.0).reshape(2, 4)
    a = cp.asarray(x)
    view = a[:]
    x.dtype = a.dtype = char
    assert_same(a, x)
    assert view.dtype == np.float64
    x = np.arange(6.0).reshape(2, 3).T
    a = cp.asarray(x)
    for array in (x, a):
        with pytest.raises(ValueError, match="last axis must be contiguous"):
            array.dtype = "f4"


def test_flags_as_a_number_and_by_name():
    for make in (
        lambda xp: xp.ones((2, 3)),
        lambda xp: xp.ones((2, 3)).T,
        lambda xp: xp.ones((4, 4))[::2, ::2],
    ):
        x, a = make(np), make(cp)
        assert a.flags.num == x.flags.num
        for flags in (x.flags, a.flags):
            flags["WRITEABLE"] = False
            flags.aligned = True
            flags["X"] = False
            with pytest.raises(ValueError, match="WRITEBACKIFCOPY"):
                flags.writebackifcopy = True
            with pytest.raises(KeyError, match="Unknown flag"):
                flags["OWNDATA"] = True
            with pytest.raises(AttributeError):
                flags.owndata = True
        assert a.flags.num == x.flags.num
