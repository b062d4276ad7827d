"""0-d results behave as NumPy's scalars: they are values, and Python's numbers come out of them."""

import math
import operator

import numpy as np
import pytest

import cuprum as cp
from strategies import assert_same


def test_items_are_values_not_windows():
    a = cp.arange(3.0)
    t = a[0]
    a[0] = a[1]
    a[1] = t
    assert a.tolist() == [1.0, 0.0, 2.0]


def test_augmented_assignment_makes_a_new_value():
    a = cp.arange(3.0)
    for make in (
        lambda: a.sum(),
        lambda: a[1],
        lambda: a.max(),
        lambda: a.sum() + 1,
        lambda: cp.sin(a[0]),
        lambda: -a[2],
    ):
        s = make()
        best = s
        before = float(best)
        s += 1
        assert float(best) == before
        assert float(s) == before + 1
        assert s is not best
        s *= 2
        s /= 4
        s **= 2
        assert float(best) == before
    n = cp.arange(3).sum()
    n /= 2  # as for NumPy's scalars: a new float
    assert n.dtype == np.float64 and float(n) == 1.5


VALUES = [
    "xp.median(x)", "xp.nanmedian(x)", "xp.percentile(x, 50)", "xp.quantile(x, 0.5)", "xp.nanpercentile(x, 50)",
    "xp.nanquantile(x, 0.5)", "xp.interp(1.5, x, x)", "xp.nan_to_num(x[0])", "xp.nan_to_num(1.0)",
    "xp.nan_to_num(2)", "xp.nan_to_num(1j)", "xp.kron(2, 3)", "xp.average(x)", "xp.trapezoid(x)", "xp.dot(x, x)",
    "xp.vecdot(x, x)", "xp.sinc(0.0)", "xp.angle(1j)", "xp.clip(5, 1, 2)", "xp.round(2.5)", "xp.ptp(x)",
    "xp.flip(x[1])", "xp.flip(z)", "xp.flip(z, ())", "xp.lexsort([z, z])", "xp.einsum(z, ())", "xp.einsum('->', z)",
]  # fmt: skip


@pytest.mark.parametrize("source", VALUES)
def test_scalars_of_numpy_are_values(source):
    """What NumPy gives as a scalar can be augmented by an array."""
    results = []
    for module in (cp, np):
        result = eval(source, {"xp": module, "x": module.array([1.0, 2.0, 4.0]), "z": module.array(2.0)})
        kept = result
        result += module.ones(2)
        assert kept.shape == ()
        results.append(result)
    assert_same(*results)


def test_flipping_no_dimensions_gives_no_view():
    a = cp.array(3.0)
    flipped = cp.flip(a)
    a[...] = 4
    assert flipped.item() == 3
    with pytest.raises(np.exceptions.AxisError):
        cp.flip(a, 0)


def test_arrays_that_the_user_made_stay_arrays():
    for a in (
        cp.array(3.0),
        cp.arange(3.0)[0, ...],
        cp.ones(1).reshape(()),
        cp.isin(cp.array(1), 1).astype(float),
    ):
        alias = a
        value = float(a)
        a += 1
        assert a is alias and float(alias) == value + 1


def test_ellipsis_is_a_window():
    a = cp.zeros(3)
    w = a[0, ...]
    w += 5
    assert a.tolist() == [5.0, 0.0, 0.0]


@pytest.mark.parametrize("char", "?bhilBHILefdFD")
def test_conversions(char):
    x = np.array([3], char)
    s, v = cp.asarray(x)[0], x[0]
    assert s.shape == () and s.dtype == x.dtype
    for convert in (bool, int, float, complex):
        if char in "FD" and convert in (int, float):
            with pytest.raises(TypeError):
                convert(s)
            continue
        assert convert(s) == convert(v) and type(convert(s)) is convert
    assert s.item() == v.item() and type(s.item()) is type(v.item())
    if x.dtype.kind in "iu":
        assert operator.index(s) == 3
        assert list(range(10))[s] == 3 and "abcdef"[:s] == "abc" and cp.arange(9)[s:].shape == (6,)
    else:
        with pytest.raises(TypeError, match="only integer scalar arrays"):
            operator.index(s)


def test_formatting():
    s, v = cp.array([3.14159])[0], np.float64(3.14159)
    for spec in ("", ".2f", "10.3e", "g", "+.1f", "%"):
        assert format(s, spec) == format(float(v), spec)
    assert f"{cp.arange(5).sum():05d}" == "00010"
    assert f"{cp.array([1 + 2j])[0]:.1f}" == "1.0+2.0j"
    with pytest.raises(TypeError, match="unsupported format string"):
        format(cp.arange(3), ".2f")
    with pytest.raises(ValueError):
        format(s, "nope")


def test_round_and_math():
    s = cp.array([2.567])[0]
    assert round(s) == 3 and isinstance(round(s), int)
    assert round(s, 1) == 2.6
    assert math.floor(s) == 2 and math.ceil(s) == 3 and math.trunc(s) == 2
    assert math.sqrt(s) == math.sqrt(2.567) and math.isclose(math.sin(s), math.sin(2.567))
    assert math.gcd(cp.array([12])[0], 8) == 4
    with pytest.raises(TypeError):
        round(cp.arange(3))


@pytest.mark.parametrize("convert", [int, float, complex, math.sqrt])
def test_only_zero_dimensions_convert(convert):
    for a in (cp.arange(3.0), cp.ones(1), cp.ones((1, 1))):
        with pytest.raises(TypeError, match="0-dimensional"):
            convert(a)


def test_truth():
    assert bool(cp.ones(1)) and not bool(cp.zeros((1, 1))) and bool(cp.array(2))
    assert bool(cp.array(float("nan")))
    with pytest.raises(ValueError, match="more than one element is ambiguous"):
        bool(cp.arange(2))
    with pytest.raises(ValueError, match="empty array is ambiguous"):
        bool(cp.zeros(0))
    if cp.arange(3).sum() > 2:
        return
    raise AssertionError


def test_scalars_are_strong_like_numpys():
    a = cp.arange(3, dtype=np.float32)
    s = cp.array([2.0])[0]
    assert (a * s).dtype == np.float64
    assert (a * 2.0).dtype == np.float32
    assert (a * np.float64(2)).dtype == np.float64
    assert (np.float64(2) * a).dtype == np.float64
    assert (np.int8(2) + cp.arange(3, dtype=np.uint8)).dtype == np.int16


def test_use_as_python_numbers():
    n = cp.arange(4).sum()
    assert list(range(n)) == [0, 1, 2, 3, 4, 5]
    assert [0] * n == [0] * 6
    assert cp.zeros(n).shape == (6,)
    assert max(cp.arange(3)) == 2
    assert sum(cp.arange(4.0)) == 6.0
    assert sorted(cp.array([3, 1, 2])) == [1, 2, 3]
    assert {1: "one"}[int(cp.array([1])[0])] == "one"


def test_int_of_nan_and_infinity():
    with pytest.raises(ValueError):
        int(cp.array(float("nan")))
    with pytest.raises(OverflowError):
        int(cp.array(float("inf")))
    assert int(cp.array(2**64 - 1, dtype=np.uint64)) == 2**64 - 1


def test_root_of_a_value_is_a_power():
    a = np.array([-np.inf, -0.0, 2.0])
    c = cp.asarray(a)
    with np.errstate(invalid="ignore"):
        for i in range(3):
            assert np.allclose(float(c[i] ** 0.5), a[i] ** 0.5, rtol=1e-15, atol=0)
            assert np.signbit(float(c[i] ** 0.5)) == np.signbit(a[i] ** 0.5)
        assert np.array_equal(cp.asnumpy(c**0.5), a**0.5, equal_nan=True)
