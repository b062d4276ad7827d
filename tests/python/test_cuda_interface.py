"""Arrays of other libraries by `__cuda_array_interface__` and `__cupy_get_ndarray__`; and Cuprum's own for others.

The address is one of the current device, so the same tests run on every device.
"""

import gc
import warnings
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from devices import HERE, needs_host_memory
from strategies import arrays, assert_same


class Exporter:
    """Another library's array over the memory of a Cuprum array."""

    def __init__(self, a, **changes):
        self.array = a
        self.interface = {
            "shape": a.shape,
            "typestr": a.dtype.str,
            "data": (a.data.ptr, False),
            "version": 3,
            "strides": a.strides,
            **changes,
        }

    @property
    def __cuda_array_interface__(self):
        return self.interface


class Stand:
    """An object that an array stands for."""

    def __init__(self, a):
        self.array = a

    def __cupy_get_ndarray__(self):
        return self.array


SOURCES = [Exporter, Stand]


@given(arrays(dtype=st.sampled_from(list(map(np.dtype, "?bHiLefdFD")))))
def test_interface_shares_memory(pair):
    x, a = pair
    got = cp.asarray(Exporter(a))
    assert_same(got, x)
    assert got.strides == a.strides
    np.testing.assert_array_equal(cp.asnumpy(Exporter(a)), x)
    if a.flags.writeable:
        a.fill(1)
        assert_same(got, np.ones_like(x))


@pytest.mark.parametrize("version", range(4))
def test_versions_and_defaults(version):
    a = cp.arange(6).reshape(2, 3)
    for strides in ({}, {"strides": None}, {"strides": a.strides}):
        source = Exporter(a, version=version)
        del source.interface["strides"]
        source.interface.update(strides)
        assert_same(cp.asarray(source), np.arange(6).reshape(2, 3))
    empty = Exporter(cp.zeros((0, 3)), data=(0, False), version=version)
    assert cp.asarray(empty).shape == (0, 3)


def test_order_dtype_copy_and_read_only():
    x = np.arange(6).reshape(2, 3)
    a = cp.asarray(x)
    assert cp.asarray(Exporter(a), order="F").flags.f_contiguous
    assert_same(cp.asarray(Exporter(a), dtype="f4"), x.astype("f4"))
    copied = cp.array(Exporter(a))
    frozen = cp.asarray(Exporter(a, data=(a.data.ptr, True)))
    a.fill(0)
    assert_same(copied, x)
    assert not frozen.flags.writeable and frozen.sum() == 0
    with pytest.raises(ValueError):
        frozen[0] = 1


def test_owner_is_kept_until_the_last_view_has_gone():
    source = Exporter(cp.arange(4))
    gone = weakref.ref(source)
    view = cp.asarray(source)[1:]
    del source
    gc.collect()
    assert gone() is not None and view.tolist() == [1, 2, 3]
    del view
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"mask": 1}, ValueError, "does not support"),
        ({"typestr": ">i8"}, ValueError, "byte-order"),
        ({"typestr": "<M8[s]"}, TypeError, "no dtype"),
        ({"strides": (8, 8)}, ValueError, "strides"),
        ({"data": 3}, ValueError, "data"),
        ({"stream": 0}, ValueError, "stream below 1"),
        ({"stream": -1}, ValueError, "stream below 1"),
        ({"shape": (-1,)}, ValueError, "negative"),
    ],
)
def test_bad_interfaces(changes, error, text):
    with pytest.raises(error, match=text):
        cp.asarray(Exporter(cp.arange(3), **changes))


@needs_host_memory
def test_memory_that_this_device_cannot_reach():
    with pytest.raises(ValueError, match=r"cannot reach the memory of a [\w.]*Exporter"):
        cp.asarray(Exporter(cp.arange(3), data=(4096, False)))
    with pytest.raises(ValueError, match="not aligned"):
        cp.asarray(Exporter(cp.arange(3), shape=(1,), strides=None, data=(cp.arange(3).data.ptr + 1, False)))


@pytest.mark.parametrize("source", SOURCES)
def test_wherever_an_array_is_taken(source):
    x = np.arange(3)
    a = cp.asarray(x)
    assert_same(cp.asarray([source(a), source(a)]), np.array([x, x]))
    target = cp.zeros(3, int)
    target[...] = source(a)
    assert_same(target, x)
    assert_same(cp.arange(10, 20)[source(a)], np.arange(10, 20)[x])
    target.fill(source(a[2, ...]))
    assert_same(target, np.array([2, 2, 2]))


def test_stand_gives_the_array_itself():
    a = cp.arange(3)
    assert cp.asarray(Stand(a)) is a
    with pytest.raises(TypeError, match="__cupy_get_ndarray__ gave a list"):
        cp.asarray(Stand([1]))


def test_errors_of_the_producer_are_not_hidden():
    class Broken:
        @property
        def __cuda_array_interface__(self):
            raise RuntimeError("no memory")

    with pytest.raises(RuntimeError, match="no memory"):
        cp.asarray(Broken())


def test_own_interface_is_for_cuda_alone():
    a = cp.arange(6.0).reshape(2, 3).T
    if not HERE.name.startswith("cuda"):
        assert not hasattr(a, "__cuda_array_interface__")
        return
    interface = a.__cuda_array_interface__
    assert interface["shape"] == (3, 2) and interface["strides"] == a.strides
    assert interface["data"] == (a.data.ptr, False) and interface["typestr"] == "<f8"
    assert_same(cp.asarray(Exporter(a)), np.arange(6.0).reshape(2, 3).T)


# -- What the conversions of an array say -----------------------------------------------------------------


def warned(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function()
    return [w.category for w in caught]


@pytest.mark.parametrize("target", ["?", "i4", "f4", "c8"])
@pytest.mark.parametrize(
    "store",
    [
        lambda xp, c, r: c.astype(r.dtype),
        lambda xp, c, r: c[:0].astype(r.dtype),
        lambda xp, c, r: xp.asarray(c, dtype=r.dtype),
        lambda xp, c, r: r.__setitem__(slice(None), c),
        lambda xp, c, r: r.__setitem__(slice(None), np.complex64(1j)),
        lambda xp, c, r: r.__setitem__([0, 1], c),
        lambda xp, c, r: r.__setitem__(r == r, c),
        lambda xp, c, r: r.fill(c[0, ...]),
    ],
)
def test_lost_imaginary_parts_are_warned_of(store, target):
    want = warned(lambda: store(np, np.ones(2, "c16"), np.zeros(2, target)))
    assert warned(lambda: store(cp, cp.ones(2, "c16"), cp.zeros(2, target))) == want


@pytest.mark.parametrize("dtype", ["?", "i4", "f4", "c8"])
def test_filling_warns_of_lost_imaginary_parts(dtype):
    value = np.complex64(1j)
    want = warned(lambda: np.full(2, value, dtype)) + warned(lambda: np.full_like(np.zeros(2), value, dtype))
    got = warned(lambda: cp.full(2, value, dtype)) + warned(lambda: cp.full_like(cp.zeros(2), value, dtype))
    assert got == want


@pytest.mark.parametrize("value", [np.array(3), np.array(2.5), 4, np.float32(1.5)])
def test_fill_takes_values_from_the_host(value):
    x, a = np.zeros(3), cp.zeros(3)
    x.fill(value)
    a.fill(value)
    assert_same(a, x)


@pytest.mark.parametrize("value", [np.ones(1), [1], (1, 2)])
def test_fill_refuses_sequences(value):
    for xp in (np, cp):
        with pytest.raises(ValueError):
            xp.zeros(3).fill(value)


def test_byte_order():
    raw = np.arange(4, dtype=">i4").tobytes()
    assert_same(cp.frombuffer(raw, ">i4"), np.arange(4, dtype="i4"))
    assert_same(cp.frombuffer(raw, dtype=np.dtype(">i4"), count=2, offset=4), np.array([1, 2], "i4"))
    for make in (lambda: cp.zeros(3, ">i4"), lambda: cp.ndarray(3, ">f8"), lambda: cp.ones(2).astype(">f4")):
        with pytest.raises(ValueError, match="byte-order"):
            make()


@pytest.mark.parametrize(
    "index", [np.array([0], object), np.array(["0"]), np.array([(0, 1)], "i,i"), np.array([0.0])]
)
def test_index_arrays_of_other_dtypes(index):
    for xp in (np, cp):
        with pytest.raises(IndexError):
            xp.arange(3)[index]


def test_shape_none_and_shape_that_needs_a_copy():
    for xp in (np, cp):
        with pytest.raises(TypeError, match=r"Use \(\) not None"):
            xp.zeros(None)
        with pytest.raises(AttributeError, match="in-place"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            xp.zeros((2, 3), order="F").shape = (3, 2)


@pytest.mark.parametrize("k", [-(2**70), -5, 3, 4, 2**63, 2**70])
def test_eye_with_diagonals_beyond_the_edge(k):
    want = np.eye(5, 4, int(np.clip(k, -9, 9)))
    assert_same(cp.eye(5, 4, k), want)


@pytest.mark.parametrize("x", [None, "abc", {1: 2}, {1, 2}, [[1], [2]], 3])
def test_ndim_of_anything(x):
    assert cp.ndim(x) == np.ndim(x)


@pytest.mark.parametrize("function", ["putmask", "place"])
@pytest.mark.parametrize(
    "values", [[5], 5, 1.5, np.float32(2), np.array([1.5]), np.array([3]), np.array([3], "i1")]
)
@pytest.mark.parametrize("dtype", ["?", "i1", "i4", "f4", "c8"])
def test_masked_writes_keep_values_of_arrays(function, values, dtype):
    mask = np.array([True, False, True])
    x, a = np.zeros(3, dtype), cp.zeros(3, dtype)
    mine = cp.asarray(values) if isinstance(values, np.ndarray) else values
    try:
        getattr(np, function)(x, mask, values)
    except TypeError as error:
        with pytest.raises(TypeError, match=str(error).split(" from")[0]):
            getattr(cp, function)(a, cp.asarray(mask), mine)
    else:
        getattr(cp, function)(a, cp.asarray(mask), mine)
    assert_same(a, x)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"data": (2**64, False)}, OverflowError),
        ({"data": (-1, False)}, OverflowError),
        ({"data": ("a", False)}, TypeError),
        ({"data": (1.5, False)}, TypeError),
        ({"data": (8, False)}, ValueError),
        ({"data": (None, False)}, ValueError),
        ({"data": 5}, ValueError),
        ({"shape": (-1,)}, ValueError),
        ({"shape": (2**62, 8), "strides": None}, ValueError),
        ({"shape": (2**40, 2**40), "strides": None}, ValueError),
        ({"shape": (1,) * 65, "strides": None}, ValueError),
        ({"shape": "a", "strides": None}, TypeError),
        ({"strides": (2**62,)}, ValueError),
        ({"strides": (-(2**63),)}, ValueError),
        ({"strides": (3,)}, ValueError),
        ({"strides": (8, 8)}, ValueError),
        ({"typestr": "\ud800"}, (TypeError, UnicodeEncodeError)),
        ({"typestr": "|O"}, TypeError),
        ({"version": 3, "stream": 0}, ValueError),
        ({"version": 3, "stream": 2**64}, OverflowError),
        ({"version": "a"}, TypeError),
    ],
)
def test_interfaces_that_cannot_be(changes, error):
    with pytest.raises(error):
        cp.asarray(Exporter(cp.arange(3.0), **changes))


def test_an_interface_that_changes_while_it_is_read():
    class Fickle:
        count = 0

        @property
        def __cuda_array_interface__(self):
            Fickle.count += 1
            return {} if Fickle.count % 2 else None

    for _ in range(4):
        with pytest.raises((TypeError, ValueError)):
            cp.asarray([Fickle(), cp.ones(())])
        Fickle.count += 1
