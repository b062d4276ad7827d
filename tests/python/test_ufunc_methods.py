"""reduce, accumulate, reduceat, outer and at of ufuncs, against NumPy's."""

import numpy as np
import pytest

import cuprum as cp
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
