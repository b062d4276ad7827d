"""DLPack in both directions, versioned and legacy."""

import gc
import sys
from pathlib import Path

import numpy as np
import pytest

import cuprum as cp
from devices import needs_host_memory

pytestmark = needs_host_memory

DTYPES = "?bhilBHILefdFD"


class Legacy:
    """A producer of the protocol before 1.0."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, stream=None):
        return self.x.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


class Versioned(Legacy):
    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self.x.__dlpack__(max_version=max_version)


@pytest.mark.parametrize("char", DTYPES)
@pytest.mark.parametrize("wrapper", [Legacy, Versioned])
def test_import(char, wrapper):
    x = np.arange(24).reshape(2, 3, 4).astype(char)
    for host in (x, x.T, x[:, 1:, ::2], x[::-1], x[0, 0, 0, ...], x[:0]):
        a = cp.from_dlpack(wrapper(host))
        assert a.dtype == x.dtype and a.shape == host.shape
        np.testing.assert_array_equal(a.get(), host)
    a = cp.from_dlpack(wrapper(x))
    x[0, 0, 1] = 1
    assert a.get()[0, 0, 1] == x[0, 0, 1]


@pytest.mark.parametrize("char", DTYPES)
@pytest.mark.parametrize("wrapper", [lambda a: a, Legacy, Versioned])
def test_export(char, wrapper):
    x = np.arange(24).reshape(2, 3, 4).astype(char)
    a = cp.asarray(x)
    for device, host in (
        (a, x),
        (a.T, x.T),
        (a[:, 1:, ::2], x[:, 1:, ::2]),
        (a[::-1], x[::-1]),
        (a[:0], x[:0]),
    ):
        got = np.from_dlpack(wrapper(device))
        assert got.dtype == host.dtype
        np.testing.assert_array_equal(got, host)


def test_both_ways_share_memory():
    a = cp.arange(3.0) + 1  # pending until it is exported
    h = np.from_dlpack(a)
    a += 1
    assert h.tolist() == [2.0, 3.0, 4.0]
    b = cp.from_dlpack(a)
    b[0] = 9
    assert h[0] == 9 and float(a[0]) == 9
    del a, b
    gc.collect()
    assert h.tolist() == [9.0, 3.0, 4.0]


def test_read_only():
    a = cp.arange(3)
    a.flags.writeable = False
    assert not np.from_dlpack(a).flags.writeable
    with pytest.raises(BufferError):
        a.__dlpack__()
    x = np.arange(3)
    x.flags.writeable = False
    b = cp.from_dlpack(x)
    with pytest.raises(ValueError, match="read-only"):
        b[0] = 1


def test_copies():
    a = cp.arange(3)
    h = np.from_dlpack(a, copy=True)
    a += 1
    assert h.tolist() == [0, 1, 2]
    x = np.arange(3)
    b = cp.from_dlpack(x, copy=True)
    x += 1
    assert b.tolist() == [0, 1, 2]


def test_device_and_versions():
    a = cp.arange(3)
    assert a.__dlpack_device__() == (1, 0)
    assert "versioned" in repr(a.__dlpack__(max_version=(1, 0)))
    assert "versioned" not in repr(a.__dlpack__(max_version=(0, 8)))
    assert "versioned" not in repr(a.toDlpack())
    with pytest.raises(BufferError):
        a.__dlpack__(dl_device=(2, 0))
    with pytest.raises(ValueError):
        a.__dlpack__(stream=1)


def test_capsules_are_used_once_and_freed():
    capsule = cp.arange(3).__dlpack__()

    class Once:
        def __dlpack__(self, **kwargs):
            return capsule

    assert cp.from_dlpack(Once()).tolist() == [0, 1, 2]
    with pytest.raises(BufferError):
        cp.from_dlpack(Once())
    for _ in range(100):
        cp.arange(1000).__dlpack__()
        cp.arange(1000).__dlpack__(max_version=(1, 0))


@pytest.mark.parametrize("bad", [3, None, [1], "x", np.ndarray])
def test_no_producers(bad):
    with pytest.raises((TypeError, BufferError)):
        cp.from_dlpack(bad)


def test_broken_producers():
    class Returns:
        def __init__(self, value):
            self.value = value

        def __dlpack__(self, **kwargs):
            if isinstance(self.value, Exception):
                raise self.value
            return self.value

    for value in (None, 3, "x", object()):
        with pytest.raises(BufferError):
            cp.from_dlpack(Returns(value))
    with pytest.raises(KeyError):
        cp.from_dlpack(Returns(KeyError("x")))


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a = cp.asarray([1.5, 2.0], dtype="bfloat16")
    assert a.dtype == np.dtype(ml_dtypes.bfloat16)
    b = cp.from_dlpack(Versioned(a))
    assert b.dtype == a.dtype and b.get().astype(float).tolist() == [1.5, 2.0]
    with pytest.raises(BufferError):
        memoryview(a)


def test_capsule_by_itself_is_used_once():
    a = cp.arange(3)
    for capsule in (a.toDlpack(), a.__dlpack__(max_version=(1, 0))):
        b = cp.fromDlpack(capsule)
        b[0] = 7
        assert a[0] == 7 and b.data.ptr == a.data.ptr
        with pytest.raises(ValueError, match="consumed multiple times"):
            cp.fromDlpack(capsule)
        a[0] = 0


sys.path.append(str(Path(__file__).parents[2] / "tools"))


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"shape": (2**62, 4)}, ValueError),
        ({"shape": (2**40, 2**40)}, ValueError),
        ({"shape": (3,), "strides": (2**61,)}, ValueError),
        ({"shape": (3,), "strides": (2**61,), "dtype": (0, 8, 1)}, ValueError),
        ({"shape": (2, 2), "strides": (-(2**63), 1)}, ValueError),
        ({"shape": (-1,)}, ValueError),
        ({"shape": (0, -1)}, ValueError),
        ({"data": False}, BufferError),
        ({"shape": (), "data": False}, BufferError),
        ({"offset": 2**64 - 1}, BufferError),
        ({"offset": 2**63}, BufferError),
        ({"offset": 3}, BufferError),
        ({"shape": None, "ndim": 2}, BufferError),
        ({"ndim": 65}, BufferError),
        ({"ndim": 2**31 - 1}, BufferError),
        ({"ndim": -1}, BufferError),
        ({"dtype": (2, 64, 4)}, BufferError),
        ({"dtype": (9, 9, 9)}, BufferError),
        ({"device": (10, 0)}, BufferError),
        ({"device": (-7, -7)}, BufferError),
        ({"name": "used_dltensor"}, ValueError),
        ({"name": "another"}, ValueError),
    ],
)
def test_tensors_that_cannot_be(given, error, versioned):
    from fuzz_values import Producer, capsule

    with pytest.raises(error):
        cp.from_dlpack(capsule(**given, versioned=versioned))
    with pytest.raises((error, BufferError)):
        cp.from_dlpack(Producer(capsule(**given, versioned=versioned)))


def test_tensors_that_can_be():
    from fuzz_values import capsule

    once = capsule((2, 3), offset=8)
    assert cp.from_dlpack(once).tolist() == np.zeros((2, 3)).tolist()
    with pytest.raises(ValueError, match="cannot be consumed multiple times"):
        cp.from_dlpack(once)
    assert cp.from_dlpack(capsule((0, 2**40), data=False)).shape == (0, 2**40)


@pytest.mark.parametrize("given", [None, 3, "text", object(), [], np.ones(3)])
def test_producers_that_give_no_tensor(given):
    from fuzz_values import Producer

    with pytest.raises(BufferError, match="did not return an unused DLPack capsule"):
        cp.from_dlpack(Producer(given))
