"""The ndarray class: operators, attributes, flags, views, copies, text, weak references."""

import copy
import gc
import operator
import weakref

import numpy as np
import pytest

import cuprum as cp
from devices import needs_host_memory
from oracle import outcome

DTYPES = "?bhilBHILefdFD"


def pair(x):
    x = np.asarray(x)
    return x, cp.asarray(x)


def same(got, want):
    want = np.asarray(want)
    host = got.get()
    assert host.dtype == want.dtype and host.shape == want.shape
    np.testing.assert_array_equal(host, want)


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
    same(cp.asarray([True, False]) ** 2, np.array([True, False]) ** 2)


@pytest.mark.parametrize("exponent", range(3, 17))
def test_whole_powers_are_accurate(exponent):
    x = np.random.default_rng(exponent).normal(0, 2, 1000).astype(np.float32)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-30, -1e30], np.float32)
    with np.errstate(over="ignore"):
        same(cp.asarray(special) ** exponent, special**exponent)
        for got in (cp.asarray(x) ** exponent, cp.asarray(x) ** cp.full(1000, exponent, np.float32)):
            np.testing.assert_allclose(got.get(), x.astype(np.float64) ** exponent, rtol=1.3e-7, atol=2e-45)


def test_unary_operators():
    x, a = pair([-1.5, 0.0, 2.0])
    same(-a, -x)
    same(+a, +x)
    same(abs(a), abs(x))
    i, j = pair([1, -2, 3])
    same(~j, ~i)
    assert +a is not a
    with pytest.raises(TypeError):
        ~a
    with pytest.raises(TypeError, match="boolean negative"):
        -(a > 0)


def test_divmod_and_matmul():
    x, a = pair([7.5, -7.5])
    for got, want in zip(divmod(a, 2), divmod(x, 2)):
        same(got, want)
    for got, want in zip(divmod(7, a), divmod(7, x)):
        same(got, want)
    m, n = pair(np.arange(6.0).reshape(2, 3))
    same(n @ n.T, m @ m.T)
    b = cp.eye(2)
    b @= cp.asarray(np.array([[1.0, 2], [3, 4]]))
    same(b, np.array([[1.0, 2], [3, 4]]))
    with pytest.raises(ValueError):
        a @ 2
    with pytest.raises(ValueError):
        a @ cp.ones(3)
    with pytest.raises(TypeError):
        pow(a, 2, 3)


def test_comparison_with_what_is_never_equal():
    x, a = pair([1, 2])
    same(a == None, x == None)  # noqa: E711
    same(a != None, x != None)  # noqa: E711
    same(a == "x", x == "x")
    for other in (object(), Ellipsis, int):  # equal to themselves alone
        same(a == other, x == other)
        same(a != other, x != other)
        same(other == a, other == x)
        same(other != a, other != x)
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


@pytest.mark.parametrize("other", [np.ones(3), np.array(2.0)], ids=["array", "0-d"])
def test_host_arrays_are_refused(other):
    a = cp.arange(3.0)
    if other.ndim:  # on the left NumPy does not tell a 0-d array from its scalars
        with pytest.raises(TypeError, match=r"cuprum\.\w+: argument \d is a .*cp\.asarray\(x\)"):
            other + a
    for f in (
        lambda: a + other, lambda: a * other, lambda: a == other, lambda: a.__iadd__(other),
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
        same(f(a, other), f(n, other))
        same(f(other, a), f(other, n))
    if np.ndim(other) == 1:
        wide, expected = a + 0j, n + 0j
        wide += other
        expected += other
        same(wide, expected)
    if np.ndim(other) == 1 and len(other) == 3:
        same(a @ other, n @ np.array(other))
        same(other @ a, np.array(other) @ n)


def test_lists_of_arrays_are_operands():
    a = cp.arange(3.0)
    same(a + [a[0], a[1], 5], np.array([0.0, 2.0, 7.0]))
    same(divmod(cp.arange(4), [1, 2, 3, 4])[1], np.array([0, 1, 2, 3]))
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
    same(a, np.arange(3.0))


def test_inplace_cannot_change_shape_or_dtype():
    a = cp.arange(3)
    with pytest.raises(ValueError, match="non-broadcastable output operand"):
        a += cp.ones((2, 3), dtype=int)
    with pytest.raises(TypeError, match="Cannot cast ufunc 'add' output"):
        a += 1.5
    with pytest.raises(TypeError, match="Cannot cast ufunc 'divide' output"):
        a /= 2
    same(a, np.arange(3))


# -- Attributes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3), (1, 2, 3, 4), (1,) * 10])
@pytest.mark.parametrize("char", DTYPES)
def test_attributes(shape, char):
    x, a = pair(np.zeros(shape, char))
    for name in ("shape", "dtype", "ndim", "size", "itemsize", "nbytes"):
        assert getattr(a, name) == getattr(x, name)
    if x.size:  # NumPy's versions differ about the strides of nothing
        assert a.strides == x.strides and a.T.strides == x.T.strides
    same(a.T, x.T)
    same(a.real, x.real)
    same(a.imag, x.imag)
    if x.ndim >= 2:
        same(a.mT, x.mT)
    else:
        with pytest.raises(ValueError):
            a.mT
    assert a.device == cp.zeros(1).device


def test_shape_can_be_set():
    a = cp.arange(6)
    a.shape = (2, 3)
    assert a.shape == (2, 3) and a.strides == (24, 8)
    a.shape = -1
    assert a.shape == (6,)
    with pytest.raises(ValueError):
        a.shape = (4, 2)
    b = cp.arange(6).reshape(2, 3).T
    with pytest.raises(AttributeError, match="in-place modification"):
        b.shape = (6,)
    for bad in ("x", 2.5, None):
        with pytest.raises(TypeError):
            a.shape = bad


def test_parts_can_be_set():
    x, a = pair(np.zeros(3, complex))
    x.real, a.real = [1, 2, 3], [1, 2, 3]
    x.imag, a.imag = 5, 5
    same(a, x)
    a.imag = cp.arange(3.0)
    x.imag = np.arange(3.0)
    same(a, x)
    b = cp.zeros(3)
    b.real = 4
    same(b, np.full(3, 4.0))
    with pytest.raises(TypeError):
        b.imag = 1


def test_base():
    a = cp.arange(6)
    assert a.base is None
    v = a[1:]
    assert v.base is a
    assert v[1:].base is a
    assert v.T.base is a
    assert (a + 1).base is None
    assert v.copy().base is None
    assert a.view().base is a
    host = np.arange(3)
    assert cp.asarray(host, copy=False, device="cpu").base is host


def test_views_share_memory():
    x, a = pair(np.arange(6.0))
    v, w = x.view(np.int64), a.view(np.int64)
    same(w, v)
    v += 1
    w += 1
    same(a, x)
    assert cp.asarray(np.ones(4, np.float32)).view(np.float64).shape == (2,)
    with pytest.raises(ValueError):
        cp.ones(3, dtype=np.float32).view(np.float64)


def test_flags():
    x, a = pair(np.arange(6.0).reshape(2, 3))
    for views in ((x, a), (x.T, a.T), (x[:, 1], a[:, 1]), (x[:1], a[:1]), (x[:0], a[:0])):
        theirs, ours = views[0].flags, views[1].flags
        for key in (
            "C_CONTIGUOUS",
            "F_CONTIGUOUS",
            "WRITEABLE",
            "ALIGNED",
            "C",
            "F",
            "W",
            "FNC",
            "FORC",
            "CARRAY",
            "BEHAVED",
        ):
            assert ours[key] == theirs[key], key
        for name in ("c_contiguous", "f_contiguous", "writeable", "aligned", "fnc", "forc"):
            assert getattr(ours, name) == getattr(theirs, name), name
    assert a.flags.owndata and not a[1:].flags.owndata
    assert repr(a.flags) == repr(x.copy().flags)
    with pytest.raises(KeyError):
        a.flags["NOPE"]
    a.setflags(write=False)
    assert not a.flags.writeable
    assert not a[0:1].flags.writeable
    with pytest.raises(ValueError):
        a[0:1].flags.writeable = True
    a.flags["WRITEABLE"] = True
    assert a.flags.writeable
    b = cp.broadcast_to(cp.arange(3), (2, 3))
    assert not b.flags.writeable


@needs_host_memory
def test_data_is_an_address():
    a = cp.arange(3.0)
    assert a.data.ptr == np.asarray(memoryview(a)).ctypes.data
    assert a[1:].data.ptr == a.data.ptr + 8
    assert int(a.data) == a.data.ptr


def test_len_iter_contains():
    x, a = pair(np.arange(6).reshape(2, 3))
    assert len(a) == 2
    for row, want in zip(a, x):
        same(row, want)
    assert 3 in a and 7 not in a
    assert [int(v) for v in a[0]] == [0, 1, 2]
    with pytest.raises(TypeError, match="len"):
        len(cp.array(1))
    with pytest.raises(TypeError, match="0-d"):
        iter(cp.array(1))


# -- Copies and text --------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", "CFAK")
def test_copy_orders(order):
    for x in (
        np.arange(24.0).reshape(2, 3, 4),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(24.0).reshape(2, 3, 4).transpose(1, 0, 2),
    ):
        a = cp.asarray(x)
        assert a.strides == x.copy("K").strides
        got, want = a.copy(order), x.copy(order)
        same(got, want)
        assert got.strides == want.strides
        got, want = a.astype(np.float32, order=order), x.astype(np.float32, order=order)
        same(got, want)
        assert got.strides == want.strides


def test_copies_are_snapshots():
    a = cp.arange(3.0)
    b, c, d, e = a.copy(), copy.copy(a), copy.deepcopy(a), a.astype(float)
    a += 10
    for kept in (b, c, d, e):
        same(kept, np.arange(3.0))
    assert a.astype(float, copy=False) is a


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
def test_astype(casting):
    for c in DTYPES:
        for d in DTYPES:
            x = np.array([1, 0, 3]).astype(c)
            want, got = (
                outcome(lambda: x.astype(d, casting=casting)),
                outcome(lambda: cp.asarray(x).astype(d, casting=casting)),
            )
            assert (want[1] is None) == (got[1] is None), (c, d)
            if want[1] is None:
                same(got[0], want[0])
            else:
                assert type(want[1]) is type(got[1])


def test_fill():
    a = cp.arange(3)
    a.fill(7)
    same(a, np.full(3, 7))
    a.fill(cp.array(2))
    same(a, np.full(3, 2))
    with pytest.raises(OverflowError):
        cp.zeros(2, dtype=np.int8).fill(1000)
    for bad, error in (([1, 2], ValueError), (None, TypeError), ("x", ValueError)):
        with pytest.raises(error):
            a.fill(bad)


@pytest.mark.parametrize(
    "x",
    [
        np.arange(3), np.arange(6.0).reshape(2, 3), np.array(2.5), np.zeros(0), np.array([1, 2], np.int8),
        np.array([True]), np.array([1 + 2j]), np.arange(2000), np.ones((50, 50)), np.array([np.nan, np.inf]),
        np.zeros((2, 0)), np.arange(3, dtype=np.float16),
    ],
    ids=lambda x: f"{x.dtype}{x.shape}",
)  # fmt: skip
def test_text_is_numpys(x):
    a = cp.asarray(x)
    assert repr(a) == repr(x)
    assert str(a) == str(x)
    assert f"{a}" == f"{x}"


def test_item_tolist_tobytes():
    x, a = pair(np.arange(6.0).reshape(2, 3))
    assert a.item(4) == x.item(4) and a.item(-1) == x.item(-1)
    assert a.item(1, 2) == x.item(1, 2) and a.item((0, 1)) == x.item((0, 1))
    assert a.tolist() == x.tolist()
    for order in "CFA":
        assert a.T.tobytes(order) == x.T.tobytes(order)
    for b, y in ((a, x), (a.T, x.T), (a[:0], x[:0]), (a[0, 0], x[0, 0])):
        assert bytes(b) == bytes(y)
    for index in ((6,), (2, 0), (0, 0, 0), ("x",)):
        with pytest.raises((IndexError, ValueError, TypeError)) as want:
            x.item(*index)
        with pytest.raises(want.type):
            a.item(*index)
    with pytest.raises(ValueError, match="size 1"):
        a.item()
    for c in DTYPES:
        value = np.array([1], c)
        assert type(cp.asarray(value).item()) is type(value.item())


def test_hash_and_weakref():
    a = cp.arange(3)
    with pytest.raises(TypeError, match="unhashable"):
        hash(a)
    ref = weakref.ref(a)
    assert ref() is a
    del a
    gc.collect()
    assert ref() is None


@needs_host_memory
def test_constructor():
    a = cp.ndarray((2, 3), dtype=np.int16, order="F")
    assert a.shape == (2, 3) and a.dtype == np.int16 and a.flags.f_contiguous
    b = bytearray(8)
    c = cp.ndarray(4, np.int16, buffer=b)
    c[...] = 1
    assert bytes(b) == b"\1\0" * 4
    for bad in ((), ("x",), ((-1,),), (None,), ((2,), "nope")):
        with pytest.raises((TypeError, ValueError)):
            cp.ndarray(*bad)
    with pytest.raises(TypeError):
        cp.ndarray.__new__(cp.ndarray)
    with pytest.raises(TypeError):
        object.__new__(cp.ndarray)


def test_class_is_named_for_users():
    assert cp.ndarray.__module__ == "cuprum" and cp.ndarray.__name__ == "ndarray"
    assert cp.arange(3).__array_priority__ > 0
    assert cp.arange(3).__array_namespace__() is cp
