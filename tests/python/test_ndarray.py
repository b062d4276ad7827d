"""The ndarray class: attributes, flags, views, copies, text, weak references."""

import copy
import gc
import weakref

import numpy as np
import pytest

import cuprum as cp
from devices import needs_host_memory
from oracle import outcome, pair
from strategies import assert_same

DTYPES = "?bhilBHILefdFD"


# -- Attributes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3), (1, 2, 3, 4), (1,) * 10])
@pytest.mark.parametrize("char", DTYPES)
def test_attributes(shape, char):
    x, a = pair(np.zeros(shape, char))
    for name in ("shape", "dtype", "ndim", "size", "itemsize", "nbytes"):
        assert getattr(a, name) == getattr(x, name)
    if x.size:  # NumPy's versions differ about the strides of nothing
        assert a.strides == x.strides and a.T.strides == x.T.strides
    assert_same(a.T, x.T)
    assert_same(a.real, x.real)
    assert_same(a.imag, x.imag)
    if x.ndim >= 2:
        assert_same(a.mT, x.mT)
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
    assert_same(a, x)
    a.imag = cp.arange(3.0)
    x.imag = np.arange(3.0)
    assert_same(a, x)
    b = cp.zeros(3)
    b.real = 4
    assert_same(b, np.full(3, 4.0))
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
    assert_same(w, v)
    v += 1
    w += 1
    assert_same(a, x)
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
        assert_same(row, want)
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
        assert_same(got, want)
        assert got.strides == want.strides
        got, want = a.astype(np.float32, order=order), x.astype(np.float32, order=order)
        assert_same(got, want)
        assert got.strides == want.strides


def test_copies_are_snapshots():
    a = cp.arange(3.0)
    b, c, d, e = a.copy(), copy.copy(a), copy.deepcopy(a), a.astype(float)
    a += 10
    for kept in (b, c, d, e):
        assert_same(kept, np.arange(3.0))
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
                assert_same(got[0], want[0])
            else:
                assert type(want[1]) is type(got[1])


def test_fill():
    a = cp.arange(3)
    a.fill(7)
    assert_same(a, np.full(3, 7))
    a.fill(cp.array(2))
    assert_same(a, np.full(3, 2))
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
