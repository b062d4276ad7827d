"""reduce, accumulate, reduceat, outer and at of ufuncs, against NumPy's."""

import numpy as np
import pytest

import cuprum as cp
from oracle import check_expression, lines
from ufunc_cases import DTYPES, assert_same, assert_same_outcome, on, sample

REDUCIBLE = [
    "add", "multiply", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", "logical_xor",
    "bitwise_and", "bitwise_or", "bitwise_xor", "subtract", "divide", "hypot", "logaddexp", "gcd", "copysign",
]  # fmt: skip


def reducible_sample(name, c):
    x = np.resize(sample(c, 24), (2, 3, 4))
    if x.dtype.kind in "fc":
        x = (
            np.where(np.isfinite(x), x, 2).astype(c)
            if name in ("add", "multiply", "subtract", "divide")
            else x
        )
    return x


@pytest.mark.parametrize("name", REDUCIBLE)
@pytest.mark.parametrize("char", DTYPES)
def test_reduce(name, char):
    x = reducible_sample(name, char)
    if name in ("maximum", "minimum", "fmax", "fmin") and x.dtype.kind == "c":
        x = np.where(np.isnan(x), 0, x)
    if char in "efF" and name in ("multiply", "divide", "add", "subtract"):
        x = np.sign(x.real).astype(char) + x.dtype.type(2)
    for kwargs in (
        {},
        {"axis": 1},
        {"axis": -1, "keepdims": True},
        {"axis": (0, 2)},
        {"axis": None},
        {"axis": ()},
    ):
        assert_same_outcome(lambda xp: getattr(xp, name).reduce(on(xp, x), **kwargs))


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "logical_and", "bitwise_or"])
def test_reduce_options(name):
    x = np.arange(1, 13).reshape(3, 4)
    mask = x % 3 != 0
    for kwargs in (
        {"initial": 5},
        {"initial": 5, "where": mask},
        {"dtype": np.int32},
        {"axis": 1, "initial": 0},
    ):

        def call(xp, kwargs=kwargs):
            return getattr(xp, name).reduce(on(xp, x), **{k: on(xp, v) for k, v in kwargs.items()})

        assert_same_outcome(call)
    out = cp.zeros(4, dtype=np.int64)
    assert cp.add.reduce(cp.asarray(x), axis=0, out=out) is out
    assert_same(out, np.add.reduce(x))
    assert cp.add.reduce(cp.asarray(x), axis=0, out=(out,)) is out


def test_reduce_of_numbers_and_nothing():
    assert cp.add.reduce(3.0) == 3.0
    assert cp.add.reduce(cp.zeros(0)) == 0
    assert cp.multiply.reduce(cp.zeros((0, 2)), axis=0).tolist() == [1.0, 1.0]
    assert cp.logical_and.reduce(cp.zeros(0)).item() is True


@pytest.mark.parametrize(
    "name", ["add", "multiply", "maximum", "minimum", "subtract", "divide", "logical_or", "bitwise_xor"]
)
@pytest.mark.parametrize("char", DTYPES)
def test_accumulate(name, char):
    x = np.resize(sample(char, 24), (2, 3, 4))
    x = np.where(np.isfinite(x), x, 1).astype(char)
    if char in "efF":
        x = np.sign(x.real).astype(char) + x.dtype.type(2)
    for axis in (0, 1, -1):
        assert_same_outcome(lambda xp: getattr(xp, name).accumulate(on(xp, x), axis=axis))


@pytest.mark.parametrize("name", ["add", "maximum", "multiply", "subtract"])
def test_reduceat(name):
    x = np.arange(1.0, 25.0).reshape(4, 6)
    for indices, axis in (([0, 2, 1], 0), ([0, 3, 1, 5], 1), ([5], 1), ([], 1), ([1, 1, 0], 0)):
        index = np.array(indices, dtype=int)
        assert_same_outcome(lambda xp: getattr(xp, name).reduceat(on(xp, x), on(xp, index), axis=axis))
    assert_same(cp.add.reduceat(cp.asarray(x), [0, 2]), np.add.reduceat(x, [0, 2]))


def test_outer():
    x, y = np.arange(3.0), np.arange(1, 5).reshape(2, 2)
    assert_same(cp.subtract.outer(cp.asarray(x), cp.asarray(y)), np.subtract.outer(x, y))
    assert_same(cp.add.outer(cp.asarray(y), 2.5), np.add.outer(y, 2.5))
    assert_same(cp.add.outer(2, cp.asarray(x)), np.add.outer(2, x))
    for number in (1, 1.5, 300, 1j, True):  # not weak here
        for char in "bBf":
            assert_same_outcome(lambda xp: xp.add.outer(on(xp, np.ones(2, char)), number))
            assert_same_outcome(lambda xp: xp.add.outer(number, on(xp, np.ones((), char))))
    assert_same(cp.divmod.outer(cp.asarray(x), cp.asarray(y)), np.divmod.outer(x, y))
    assert cp.multiply.outer(cp.asarray(x), cp.asarray(x), dtype=np.float32).dtype == np.float32


def test_at():
    for name, value in (("add", 1.0), ("multiply", 3.0), ("maximum", 2.5), ("subtract", 2.0)):
        x = np.arange(5.0)
        y = cp.asarray(x)
        index = [0, 3, 0, -1, 0]
        getattr(np, name).at(x, index, value)
        getattr(cp, name).at(y, index, value)
        assert_same(y, x)
    x = np.arange(5)
    y = cp.asarray(x)
    np.negative.at(x, [1, 2, 2])
    cp.negative.at(y, [1, 2, 2])
    assert_same(y, x)


def test_what_a_mask_leaves_out_takes_no_part():
    x, mask = cp.array([100.0, 2, 5]), cp.array([True, False, True])
    assert cp.subtract.reduce(x, where=mask, initial=1000).item() == 895
    assert cp.subtract.reduce(x, axis=(), initial=1000).tolist() == [900, 998, 995]
    assert cp.subtract.reduce(x, axis=(), where=mask, initial=1000).tolist() == [900, 1000, 995]
    assert cp.divide.reduce(x, where=~mask, initial=3).item() == 1.5
    assert cp.left_shift.reduce(cp.array([1, 40, 2]), where=mask, initial=1).item() == 8
    assert cp.power.reduce(cp.array([2, -1, 3]), where=mask, initial=2).item() == 64  # -1 is not looked at


POWERS = """
xp.power.reduce(x)
xp.power.reduce(x[::-1])
xp.power.reduce(x, initial=2)
xp.power.reduce(x[::-1], initial=2)
xp.power.reduce(x, axis=())
xp.power.reduce(x, axis=(), initial=2)
xp.power.reduce(x, initial=2, where=x > 0)
xp.power.accumulate(x)
xp.power.accumulate(x[::-1])
xp.power.accumulate(x[:1])
xp.power.reduceat(x, [0])
xp.power.reduceat(x, [0, 1, 2])
xp.power.reduceat(x, [1, 2])
xp.power.outer(x, x)
xp.power.outer(x, x[x > 0])
xp.power.at(y, [0, 1], -1)
xp.power.at(y, [0, 1], x[1:])
xp.power.at(y, [0, 1], x[::2])
xp.power.at(y, slice(0, 2), -1)
xp.power.at(y, [], -1)
xp.power.at(y.astype(float), [0, 1], -1)
"""


@pytest.mark.parametrize("source", lines(POWERS))
@pytest.mark.parametrize("char", "bhilB")
def test_integers_to_negative_powers(source, char):
    """Refused by every method, as by the call; a base may be negative."""
    x = np.array([3, -1 if char != "B" else 1, 2], char)
    check_expression(source, x=x, y=np.array([2, 3, 4], char))


def test_floating_point_powers_may_be_negative():
    x = cp.array([3, -1, 2])
    assert cp.power.reduce(x, dtype=float).item() == pytest.approx(1 / 9)
    assert cp.power.accumulate(x.astype(float)).tolist() == pytest.approx([3, 1 / 3, 1 / 9])
    assert cp.power.outer(x, cp.array([-1.0])).ravel().tolist() == pytest.approx([1 / 3, -1, 1 / 2])


SINGLE = """
xp.gcd.reduceat(i, [0, 1, 2])
xp.gcd.reduceat(i, [0, 2])
xp.hypot.reduceat(f, [0, 1, 2])
xp.logaddexp.reduceat(f, [2, 1, 0])
xp.lcm.reduceat(i, [0, 0, 1])
xp.gcd.reduce(i[:1])
xp.gcd.reduce(i[:1], initial=None)
xp.hypot.reduce(f[:1])
xp.hypot.reduce(f[:1], initial=None)
xp.add.reduce(f, initial=None, where=f > 0)
xp.add.reduce(f[:0], initial=None)
xp.add.reduce(xp.zeros((3, 0)), initial=None)
xp.add.reduce(xp.zeros((0, 3)), initial=None)
xp.logical_and.accumulate(f, dtype=float)
xp.logical_or.reduceat(f, [0], dtype=float)
"""


@pytest.mark.parametrize("source", lines(SINGLE))
def test_single_elements_meet_no_identity(source):
    check_expression(source, i=np.array([-4, -6, -8]), f=np.array([-3.0, 4.0, -5.0]))
