"""Operators of ndarray against NumPy's: every dtype; numbers, lists and objects of other classes on either side."""

import operator

import numpy as np
import pytest

import cuprum as cp
from oracle import outcome, pair
from strategies import assert_same

DTYPES = "?bhilBHILefdFD"
BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift"]
INPLACE = [
    "iadd",
    "isub",
    "imul",
    "itruediv",
    "ifloordiv",
    "imod",
    "ipow",
    "iand",
    "ior",
    "ixor",
    "ilshift",
    "irshift",
]
COMPARE = ["lt", "le", "eq", "ne", "gt", "ge"]


@pytest.mark.parametrize("name", BINARY + COMPARE)
@pytest.mark.parametrize("other", [2, 3.0, True, np.int8(2), np.float32(0.5), 2 + 1j, "array"], ids=str)
def test_binary_operators(name, other):
    op = getattr(operator, name)
    for c in DTYPES:
        x = np.array([1, 2, 5]).astype(c)
        y = np.array([3, 1, 2]).astype(c) if isinstance(other, str) else other
        a, b = cp.asarray(x), (cp.asarray(y) if isinstance(other, str) else y)
        for want, got in (
            (outcome(lambda: op(x, y)), outcome(lambda: op(a, b))),
            (outcome(lambda: op(y, x)), outcome(lambda: op(b, a))),
        ):
            assert (want[1] is None) == (got[1] is None), (c, want, got)
            if want[1] is None:
                host = got[0].get()
                assert host.dtype == want[0].dtype, c
                np.testing.assert_allclose(host, want[0], rtol=2e-3 if c == "e" else 1e-6, atol=1e-6)
            else:
                assert isinstance(got[1], TypeError) == isinstance(want[1], TypeError)


@pytest.mark.parametrize("name", INPLACE)
@pytest.mark.parametrize("other", [2, 2.0, 1j, "array"], ids=str)
def test_inplace_operators(name, other):
    op = getattr(operator, name)
    for c in DTYPES:
        x = np.array([1, 2, 5]).astype(c)
        y = np.array([3, 1, 2]).astype(c) if isinstance(other, str) else other
        a, b = cp.asarray(x), (cp.asarray(y) if isinstance(other, str) else y)
        alias = a
        want, got = outcome(lambda: op(x, y)), outcome(lambda: op(a, b))
        assert (want[1] is None) == (got[1] is None), (c, want, got)
        if want[1] is None:
            assert got[0] is alias
            np.testing.assert_allclose(got[0].get(), want[0], rtol=2e-3 if c == "e" else 1e-6)
            assert got[0].dtype == want[0].dtype


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, -1, 0.5, 2.0, -1.0, 1.5, 0.0])
def test_powers(exponent):
    for c in "bilBLefdFD":
        x = np.array([1, 2, 3]).astype(c)
        want, got = outcome(lambda: x**exponent), outcome(lambda: cp.asarray(x) ** exponent)
        assert (want[1] is None) == (got[1] is None), (c, want, got)
        if want[1] is None:
            assert got[0].dtype == want[0].dtype
            np.testing.assert_allclose(got[0].get(), want[0], rtol=2e-3 if c == "e" else 2e-7)
    assert_same(cp.asarray([True, False]) ** 2, np.array([True, False]) ** 2)


@pytest.mark.parametrize("exponent", range(3, 17))
def test_whole_powers_are_accurate(exponent):
    x = np.random.default_rng(exponent).normal(0, 2, 1000).astype(np.float32)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-30, -1e30], np.float32)
    with np.errstate(over="ignore"):
        assert_same(cp.asarray(special) ** exponent, special**exponent)
        for got in (cp.asarray(x) ** exponent, cp.asarray(x) ** cp.full(1000, exponent, np.float32)):
            np.testing.assert_allclose(got.get(), x.astype(np.float64) ** exponent, rtol=1.3e-7, atol=2e-45)


def test_unary_operators():
    x, a = pair([-1.5, 0.0, 2.0])
    assert_same(-a, -x)
    assert_same(+a, +x)
    assert_same(abs(a), abs(x))
    i, j = pair([1, -2, 3])
    assert_same(~j, ~i)
    assert +a is not a
    with pytest.raises(TypeError):
        ~a
    with pytest.raises(TypeError, match="boolean negative"):
        -(a > 0)


def test_divmod_and_matmul():
    x, a = pair([7.5, -7.5])
    for got, want in zip(divmod(a, 2), divmod(x, 2)):
        assert_same(got, want)
    for got, want in zip(divmod(7, a), divmod(7, x)):
        assert_same(got, want)
    m, n = pair(np.arange(6.0).reshape(2, 3))
    assert_same(n @ n.T, m @ m.T)
    b = cp.eye(2)
    b @= cp.asarray(np.array([[1.0, 2], [3, 4]]))
    assert_same(b, np.array([[1.0, 2], [3, 4]]))
    with pytest.raises(ValueError):
        a @ 2
    with pytest.raises(ValueError):
        a @ cp.ones(3)
    with pytest.raises(TypeError):
        pow(a, 2, 3)


def test_comparison_with_what_is_never_equal():
    x, a = pair([1, 2])
    assert_same(a == None, x == None)  # noqa: E711
    assert_same(a != None, x != None)  # noqa: E711
    assert_same(a == "x", x == "x")
    for other in (object(), Ellipsis, int):  # equal to themselves alone
        assert_same(a == other, x == other)
        assert_same(a != other, x != other)
        assert_same(other == a, other == x)
        assert_same(other != a, other != x)
    with pytest.raises(TypeError):
        a < None  # noqa: B015


class Reflects:
    def __radd__(self, other):
        return "radd"

    def __eq__(self, other):
        return "eq"

    __hash__ = None


def test_other_classes_have_their_say():
    a = cp.arange(3)
    assert a + Reflects() == "radd"
    assert (a == Reflects()) == "eq"
    for other in (None, object(), "x", {}):
        with pytest.raises(TypeError):
            a + other
        with pytest.raises(TypeError):
            other + a
        with pytest.raises(TypeError):
            a += other


def test_host_arrays_are_refused():
    a, other = cp.arange(3.0), np.ones(3)
    for f in (
        lambda: other + a, lambda: a + other, lambda: a * other, lambda: a == other, lambda: a.__iadd__(other),
        lambda: a @ other, lambda: a**other, lambda: divmod(a, other),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=r"cuprum\.\w+: argument \d is a .*cp\.asarray\(x\)"):
            f()


@pytest.mark.parametrize(
    "other", [[1, 2, 3], (1, 2, 3), [True, False, True], [1.5, 2, 3], [[1], [2]], [1j, 0, 2], [2]], ids=str
)
@pytest.mark.parametrize("dtype", ["int16", "float32", "complex64"])
def test_lists_are_operands(other, dtype):
    n = np.array([3, 0, 2], dtype)
    a = cp.asarray(n)
    for f in (operator.add, operator.mul, operator.sub, operator.eq, operator.ne):
        assert_same(f(a, other), f(n, other))
        assert_same(f(other, a), f(other, n))
    if np.ndim(other) == 1:
        wide, expected = a + 0j, n + 0j
        wide += other
        expected += other
        assert_same(wide, expected)
    if np.ndim(other) == 1 and len(other) == 3:
        assert_same(a @ other, n @ np.array(other))
        assert_same(other @ a, np.array(other) @ n)


def test_lists_of_arrays_are_operands():
    a = cp.arange(3.0)
    assert_same(a + [a[0], a[1], 5], np.array([0.0, 2.0, 7.0]))
    assert_same(divmod(cp.arange(4), [1, 2, 3, 4])[1], np.array([0, 1, 2, 3]))
    for bad in (["x", "y", "z"], [None, 1, 2], [1, [2, 3]]):
        with pytest.raises((TypeError, ValueError), match=r"cuprum|inhomogeneous"):
            a + bad
    with pytest.raises(ValueError, match="broadcast"):
        a + [1, 2]


def test_inplace_on_read_only():
    a = cp.arange(3.0)
    a.flags.writeable = False
    for f in (lambda: a.__iadd__(1), lambda: a.fill(2), lambda: a.__setitem__(0, 1)):
        with pytest.raises(ValueError, match="read-only"):
            f()
    assert_same(a, np.arange(3.0))


def test_inplace_cannot_change_shape_or_dtype():
    a = cp.arange(3)
    with pytest.raises(ValueError, match="non-broadcastable output operand"):
        a += cp.ones((2, 3), dtype=int)
    with pytest.raises(TypeError, match="Cannot cast ufunc 'add' output"):
        a += 1.5
    with pytest.raises(TypeError, match="Cannot cast ufunc 'divide' output"):
        a /= 2
    assert_same(a, np.arange(3))


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%", "**", "@", "+=", "-=", "*=", "@="])
@pytest.mark.parametrize("other", [None, "text", {}, object()])
def test_operands_that_are_none_are_named_by_their_class(sign, other):
    with pytest.raises(TypeError) as raised:
        exec(f"b {sign} other", {"b": cp.arange(3), "other": other})
    assert str(raised.value).startswith(f"unsupported operand type(s) for {sign.rstrip('=')}")
    assert f"and '{type(other).__name__}'" in str(raised.value)
    assert "concatenate" not in str(raised.value)


def test_concatenation_of_arrays_is_told_what_to_write():
    for join in (operator.concat, operator.iconcat):
        for other in (cp.arange(3), [1, 2]):
            with pytest.raises(TypeError, match=r"write cp\.concatenate\(\[a, b\]\)"):
                join(cp.arange(3), other)


@pytest.mark.parametrize("statement, advice", [
    ("b /= 2", "a = a / b for a new one of dtype float64, or a //= b for whole numbers"),
    ("b /= 2.5", "a = a / b for a new one of dtype float64"),
    ("b += 0.5", "a = a + b for a new one of dtype float64"),
    ("b **= 0.5", "a = a ** b for a new one of dtype float64"),
    ("b *= f", "a = a * b for a new one of dtype float32"),
    ("f -= 1j", "a = a - b for a new one of dtype complex64"),
    ("m += 1", "a = a + b for a new one of dtype int64"),
])  # fmt: skip
def test_results_that_an_array_cannot_hold_are_told_what_to_write(statement, advice):
    errors = []
    for xp in (np, cp):
        names = {"b": xp.arange(3, dtype="i1"), "f": xp.ones(3, "f4"), "m": xp.ones(3, bool)}
        if statement != "b *= f":
            names["b"] = xp.arange(3)
        with pytest.raises(np._core._exceptions.UFuncTypeError) as raised:
            exec(statement, names)
        errors.append(str(raised.value))
    assert errors[1] == f"{errors[0]}; an array keeps its dtype: write {advice}"


def test_text_is_repeated_by_numbers_alone():
    for xp in (np, cp):
        assert "ab" * xp.arange(3)[2] == xp.arange(3)[2] * "ab" == "abab" and b"a" * xp.arange(3)[2] == b"aa"
        for count in (xp.array(2), xp.arange(3), xp.ones(2)):
            for text in ("ab", b"ab", bytearray(b"ab")):
                if text == b"ab" and xp is np:
                    continue  # bytes are an array of NumPy's
                for multiply in (lambda: text * count, lambda: count * text):
                    with pytest.raises(TypeError):
                        multiply()
