"""Into the library and out of it: asarray, array, get, set, asnumpy, frombuffer, the buffer protocol."""

import array as array_module
import hashlib
import sys
import warnings

import numpy as np
import pytest

import cuprum as cp
from devices import HERE, HOST_MEMORY, needs_host_memory
from strategies import assert_same

DTYPES = "?bhilBHILefdFD"


LAYOUTS = {
    "plain": lambda x: x,
    "fortran": np.asfortranarray,
    "reversed": lambda x: x[::-1],
    "stepped": lambda x: x[:, ::2],
    "transposed": lambda x: x.transpose(2, 0, 1),
    "broadcast": lambda x: np.broadcast_to(x[:1], x.shape),
    "swapped": lambda x: x.astype(x.dtype.newbyteorder()),
    "unaligned": lambda x: unaligned(x),
    "empty": lambda x: x[:0],
    "scalar": lambda x: x[1, 1, 1, ...],
}


def unaligned(x):
    raw = np.zeros(x.nbytes + 1, np.uint8)
    view = raw[1:].view(x.dtype).reshape(x.shape)
    view[...] = x
    return view


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("char", DTYPES)
def test_from_numpy(layout, char):
    x = LAYOUTS[layout](np.arange(24).reshape(2, 3, 4).astype(char))
    native = x.dtype.newbyteorder("=")
    a = cp.asarray(x)
    assert_same(a, x.astype(native))
    for order in "CFAK":
        got, want = cp.array(x, order=order), np.array(x, dtype=native, order=order)
        assert_same(got, want)
        if x.size and layout != "broadcast":
            assert got.strides == want.strides, (order, x.strides)
    for dtype in ("f", "l", "D"):
        with np.errstate(all="ignore"):
            import warnings

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                want = x.astype(dtype)
        assert_same(cp.asarray(x, dtype=dtype), want)


def test_asarray_copies_numpy_arrays():
    x = np.arange(3.0)
    a = cp.asarray(x)
    x[0] = 7
    assert a.tolist() == [0.0, 1.0, 2.0]
    b = cp.asarray(x[::2])
    x[:] = -1
    assert b.tolist() == [7.0, 2.0]


@needs_host_memory
def test_sharing():
    x = np.arange(6.0).reshape(2, 3)
    a = cp.asarray(x, copy=False)
    x[0, 0] = 7
    assert float(a[0, 0]) == 7
    a += 1
    assert x[0, 0] == 8 and x[1, 2] == 6
    b = a * 2
    x[...] = 0
    assert float(b[0, 0]) == 16  # computed by the call that read shared memory
    v = cp.asarray(x[::-1, ::2], copy=False)
    v[0, 0] = 5
    assert x[1, 0] == 5
    frozen = np.arange(3)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        cp.asarray(frozen, copy=False)[0] = 1
    for bad in (unaligned(x), x.astype(">f8"), [1, 2], 3.0):
        with pytest.raises(ValueError, match="Unable to avoid copy"):
            cp.asarray(bad, copy=False)
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        cp.asarray(x, dtype=np.float32, copy=False)


@needs_host_memory
def test_memory_of_a_shared_array_outlives_it():
    x = np.arange(1000.0)
    count = sys.getrefcount(x)
    a = cp.asarray(x, copy=False)
    v = a[10:]
    del a
    assert sys.getrefcount(x) > count
    assert float(v[0]) == 10
    del v
    assert sys.getrefcount(x) == count


def test_asarray_of_arrays_is_itself():
    a = cp.arange(3.0)
    assert cp.asarray(a) is a
    assert cp.asarray(a, dtype=float) is a
    assert cp.asarray(a, order="C") is a
    assert cp.array(a) is not a
    assert cp.array(a, copy=False) is a and cp.array(a, copy=None) is a
    assert cp.asarray(a, copy=True) is not a
    assert cp.asarray(a, dtype=np.float32).dtype == np.float32
    f = cp.asarray(cp.ones((2, 3)), order="F")
    assert f.flags.f_contiguous
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        cp.asarray(a, dtype=np.float32, copy=False)


LISTS = [
    [], [[]], [1, 2], [1, 2.5], [True, False], [1, 2j], [[1, 2], [3, 4]], ((1, 2), (3, 4)), [2**63], [2**63, 1],
    [np.float32(1), np.float32(2)], [np.int8(1), 2.5], [[1], [2]], range(5),
    [True, 2], [1.5, None] and [1.5], [[[1]]], [np.uint64(3), 1],
]  # fmt: skip


@pytest.mark.parametrize("x", LISTS, ids=str)
def test_from_lists(x):
    assert_same(cp.asarray(x), np.asarray(x))
    if x != [1, 2j]:
        assert_same(cp.array(x, dtype=np.float32), np.array(x, dtype=np.float32))
    assert_same(cp.array(x, ndmin=3), np.array(x, ndmin=3))


def test_from_lists_of_arrays():
    a = cp.arange(3.0)
    assert_same(cp.array([a, a + 1]), np.array([np.arange(3.0), np.arange(3.0) + 1]))
    assert_same(cp.array([a[0], a[1], 5]), np.array([0.0, 1.0, 5.0]))
    assert_same(cp.array([[a[0], a.sum()], [1, 2]]), np.array([[0.0, 3.0], [1.0, 2.0]]))
    assert_same(cp.array([cp.array(1), cp.array(2)]), np.array([1, 2]))
    assert_same(cp.array([np.arange(2), cp.arange(2)]), np.array([[0, 1], [0, 1]]))


@pytest.mark.parametrize(
    "x", [3, 2.5, 1j, True, 2**63, np.float32(2), np.int8(-3), np.True_, np.complex64(1j), -0.0], ids=repr
)
def test_from_scalars(x):
    assert_same(cp.asarray(x), np.asarray(x))
    assert_same(cp.array(x, ndmin=2), np.array(x, ndmin=2))
    if not isinstance(x, (complex, np.complexfloating)):
        assert_same(cp.asarray(x, dtype=np.float32), np.asarray(x, dtype=np.float32))


@pytest.mark.parametrize(
    "bad",
    [None, object(), "text", b"text", [None], ["a"], [object()], {1: 2}, {1, 2}, [1, [2, 3]], 2**70, [2**70],
     np.array(["a"]), np.array([None]), np.array([1], "M8[s]"), np.zeros(2, [("x", int)]), np.array([1], "g")],
)  # fmt: skip
def test_what_is_no_number_is_refused(bad):
    for f in (cp.asarray, cp.array):
        with pytest.raises((TypeError, ValueError)):
            f(bad)


@pytest.mark.parametrize(
    "dtype", ["O", "S3", "U2", "M8[s]", "m8", "g", [("x", int)], "nope", 3.5, object, str]
)
def test_dtypes_that_do_not_exist(dtype):
    with pytest.raises(TypeError):
        cp.asarray([1, 2], dtype=dtype)


@pytest.mark.parametrize(
    "dtype",
    ["f4", np.float32, np.dtype("f"), float, int, bool, complex, "<i4", "int8", np.int64, None, "d"],
    ids=str,
)
def test_dtypes_that_do(dtype):
    want = np.asarray([1, 0], dtype=dtype)
    assert_same(cp.asarray([1, 0], dtype=dtype), want.astype(want.dtype.newbyteorder("=")))


def test_overflow_and_casts():
    for value, dtype in ((300, np.int8), (-1, np.uint8), (2**64, np.uint64)):
        for x in (value, [value]):
            with pytest.raises(OverflowError):
                cp.asarray(x, dtype=dtype)
    with pytest.raises(TypeError):
        cp.asarray(1j, dtype=float)
    assert_same(cp.asarray(2.7, dtype=int), np.asarray(2.7, dtype=int))
    with pytest.raises(ValueError):
        cp.array([1], ndmin=100)
    with pytest.raises(ValueError):
        cp.array([1], order="X")
    with pytest.raises(TypeError):
        cp.array([1], nonsense=1)


def test_deep_lists():
    x = 1
    for _ in range(70):
        x = [x]
    with pytest.raises((ValueError, TypeError)):
        cp.asarray(x)
    loop = []
    loop.append(loop)
    with pytest.raises((ValueError, TypeError, RecursionError)):
        cp.asarray(loop)


class Interface:
    def __init__(self, x):
        self.x = x

    @property
    def __array_interface__(self):
        return self.x.__array_interface__


class ArrayMethod:
    def __array__(self, dtype=None, copy=None):
        return np.arange(3, dtype=dtype)


class Broken:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no")


def test_protocols():
    x = np.arange(3.0)
    assert_same(cp.asarray(Interface(x)), x)
    assert_same(cp.asarray(ArrayMethod()), np.arange(3))
    assert_same(cp.asarray(memoryview(x)), x)
    assert_same(cp.asarray(array_module.array("i", [1, 2])), np.array([1, 2], "i"))
    assert_same(cp.asarray(bytearray(b"abc")), np.asarray(bytearray(b"abc")))
    assert_same(cp.asarray(x.view(np.matrix) if hasattr(np, "matrix") else x), np.atleast_2d(x))
    with pytest.raises(RuntimeError):
        cp.asarray(Broken())


# -- Out --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("char", DTYPES)
def test_to_numpy(char):
    x = np.arange(24).reshape(2, 3, 4).astype(char)
    a = cp.asarray(x)
    for host, device in (
        (x, a),
        (x.T, a.T),
        (x[::-1, 1:], a[::-1, 1:]),
        (x[0, 0, 0], a[0, 0, 0]),
        (x[:0], a[:0]),
    ):
        for order in "CFA":
            got = device.get(order=order)
            want = np.array(host, order=order)
            assert type(got) is np.ndarray and got.dtype == want.dtype
            np.testing.assert_array_equal(got, want)
            if want.size and order != "A":
                assert got.strides == want.strides
        np.testing.assert_array_equal(cp.asnumpy(device), host)
    got = a.get()
    got[...] = 0
    np.testing.assert_array_equal(a.get(), x)
    out = np.zeros_like(x)
    assert a.get(out=out) is out
    np.testing.assert_array_equal(out, x)
    assert cp.asnumpy([1, 2]).tolist() == [1, 2]
    with pytest.raises(ValueError):
        a.get(out=np.zeros(5, char))


def test_set():
    a = cp.zeros((2, 3))
    a.set(np.arange(6).reshape(2, 3))
    assert_same(a, np.arange(6.0).reshape(2, 3))
    a[:, 1].set(np.array([7.0, 8.0]))
    assert a[:, 1].tolist() == [7.0, 8.0]
    with pytest.raises(ValueError):
        a.set(np.zeros(5))


@pytest.mark.skipif(HOST_MEMORY, reason="NumPy gets a view")
def test_implicit_conversion_is_refused():
    with pytest.raises(TypeError, match=r"a\.get\(\)"):
        cp.arange(3).__array__()


@needs_host_memory
def test_frombuffer():
    raw = bytearray(np.arange(4.0).tobytes())
    a = cp.frombuffer(raw)
    assert_same(a, np.arange(4.0))
    a += 1
    assert np.frombuffer(raw)[0] == 1
    assert_same(cp.frombuffer(raw, dtype=np.int32, count=2, offset=8), np.frombuffer(raw, np.int32, 2, 8))
    frozen = cp.frombuffer(bytes(16), dtype="f8")
    assert not frozen.flags.writeable
    with pytest.raises(ValueError):
        frozen[0] = 1
    with pytest.raises(ValueError):
        cp.frombuffer(b"123", dtype="f8")
    with pytest.raises(TypeError):
        cp.frombuffer(3)


# -- The buffer protocol ----------------------------------------------------------------------------------


@needs_host_memory
@pytest.mark.parametrize("char", "?bhilBHILefdFD")
def test_buffer(char):
    x = np.arange(24).reshape(2, 3, 4).astype(char)
    a = cp.asarray(x)
    for host, device in ((x, a), (x.T, a.T), (x[::-1, 1:], a[::-1, 1:]), (x[:, 0], a[:, 0])):
        theirs, ours = memoryview(host), memoryview(device)
        for name in (
            "format",
            "itemsize",
            "ndim",
            "shape",
            "strides",
            "nbytes",
            "readonly",
            "c_contiguous",
            "f_contiguous",
        ):
            assert getattr(ours, name) == getattr(theirs, name), name
        np.testing.assert_array_equal(np.asarray(ours), host)


@needs_host_memory
def test_buffer_is_the_memory_itself():
    a = cp.arange(3.0) * 2
    m = memoryview(a)
    m[0] = 9.0
    assert float(a[0]) == 9
    a += 1
    assert m[0] == 10.0
    a[...] = cp.arange(3.0)
    assert m.tolist() == [0.0, 1.0, 2.0]
    del a
    assert m.tolist() == [0.0, 1.0, 2.0]
    b = cp.arange(3)
    b.flags.writeable = False
    assert memoryview(b).readonly
    with pytest.raises(BufferError):
        np.frombuffer(cp.arange(6)[::2])
    with pytest.raises((BufferError, TypeError)):
        open("/dev/null", "rb").readinto(b)  # noqa: SIM115


@needs_host_memory
def test_bytes_of_several_dimensions():
    """Whoever asks for no shape sees bytes in a row."""
    x = np.arange(6).reshape(2, 3)
    assert hashlib.sha256(cp.asarray(x)).digest() == hashlib.sha256(x).digest()


class Tensor:
    """Another library's array: DLPack, which may refuse, and an __array__."""

    def __init__(self, host, refuses=False):
        self.host, self.refuses = host, refuses

    def __dlpack__(self, **kwargs):
        if self.refuses:
            raise BufferError("not now")
        return self.host.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.host.__dlpack_device__()

    def __array__(self, dtype=None, copy=None):
        assert self.refuses, "DLPack comes first"
        return self.host


@pytest.mark.parametrize("refuses", [False, True])
def test_tensors_are_read_by_dlpack_or_else_by_array(refuses):
    host = np.arange(6.0).reshape(2, 3)
    for convert in (cp.asarray, cp.array):
        a = convert(Tensor(host, refuses))
        assert a.device == HERE and a.get().tolist() == host.tolist()
        a += 1
        assert host[0, 0] == 0  # a copy
    assert cp.asarray(Tensor(host, refuses), dtype="f4").dtype == np.float32


LISTS = [
    lambda x, y: [x, x],
    lambda x, y: [[x], [y]],
    lambda x, y: ((x, y), [y, x]),
    lambda x, y: [x.sum(), y.max()],
    lambda x, y: [[x[0, 0], y[0, 0]], [x[0, 1], y[0, 1]]],
    lambda x, y: [x.T, y.T],
    lambda x, y: [[x.T[:, ::-1], x.T], [y.T, y.T]],
    lambda x, y: [x[:0], y[:0]],
    lambda x, y: [x[0, 0], 2.5],
    lambda x, y: [x.tolist(), y],
    lambda x, y: [x, y[:1]],
    lambda x, y: [],
]


@pytest.mark.parametrize("dtype", [None, "f4", "c16"])
@pytest.mark.parametrize("make", LISTS)
@pytest.mark.parametrize("types", ["ii", "if", "?B", "dF"])
def test_lists_of_arrays(make, types, dtype):
    x, y = np.arange(6).reshape(2, 3).astype(types[0]), np.arange(6, 12).reshape(2, 3).astype(types[1])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            want = np.array(make(x, y), dtype=dtype)
    except (TypeError, ValueError) as error:
        with pytest.raises(type(error)):
            cp.array(make(cp.asarray(x), cp.asarray(y)), dtype=dtype)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = cp.array(make(cp.asarray(x), cp.asarray(y)), dtype=dtype)
        assert_same(got, want)
        assert got.flags.c_contiguous and (got.strides == want.strides or want.size == 0)
        assert cp.asarray(make(cp.asarray(x), cp.asarray(y)), order="F").flags.f_contiguous


def test_a_list_of_results_is_joined_without_the_host():
    x = cp.arange(10.0)
    before = cp._core.engine_stats()["by_reason"]["host_access"]
    made = cp.array([x.sum(), x.mean()])
    assert cp._core.engine_stats()["by_reason"]["host_access"] == before
    assert_same(made, np.array([45.0, 4.5]))


ROWS = [
    [1, 2, 3],
    (1.5, -0.0, float("inf")),
    [[1, 2], [3, 4]],
    ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)),
    [[[1], [2]], [[3], [4]]],
    [[1, 2], (3, 4)],
    [[], []],
    [[1.0], [2]],
    [[True, 2], [3, 4]],
    [[1, 2**63], [3, 4]],
    [[1, -(2**63)], [3, 2**63 - 1]],
    [[1j, 2], [3, 4]],
    [[[1.0]]],
]


@pytest.mark.parametrize("rows", ROWS, ids=repr)
@pytest.mark.parametrize("order", ["K", "C", "F"])
def test_rows_of_numbers(rows, order):
    got, want = cp.array(rows, order=order), np.array(rows, order=order)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    assert got.strides == want.strides or want.size == 0
    assert cp.asnumpy(got).tobytes() == want.tobytes()
    if want.dtype.kind != "c":
        assert_same(cp.asarray(rows, dtype="f4"), np.asarray(rows, dtype="f4"))


@pytest.mark.parametrize("rows", [[[1, 2], [3]], [1, [2]], [[1], 2], [[[1]], [2]], [[1, 2], []]], ids=repr)
def test_rows_that_make_no_rectangle(rows):
    with pytest.raises(ValueError, match="inhomogeneous"):
        cp.array(rows)


def test_rows_within_themselves():
    rows = [1]
    rows[0] = rows
    with pytest.raises(ValueError, match="number of dimension"):
        cp.array(rows)


@pytest.mark.parametrize(
    "dtype", ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "e", "f", "d", "F", "D"]
)
def test_lists_of_elements(dtype):
    host = (np.arange(24) * 10 - 30).astype(dtype).reshape(2, 3, 4)
    for view in (
        lambda a: a,
        lambda a: a.T,
        lambda a: a[:, ::-2, 1:],
        lambda a: a[0, 0],
        lambda a: a[:0],
        lambda a: a[:, :0],
        lambda a: a[1, 2, 3],
    ):
        got, want = view(cp.array(host)).tolist(), view(host).tolist()
        assert repr(got) == repr(want)


def test_list_of_bfloat16():
    assert cp.array([1.5, -2.0]).astype("bfloat16").tolist() == [1.5, -2.0]
