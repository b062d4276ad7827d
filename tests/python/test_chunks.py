"""`cp.map_chunks`: the results of NumPy on the whole, in place, from files, for reductions, and after errors."""

import sys
import threading

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE, HOST_MEMORY


@pytest.fixture(autouse=True)
def on_this_device():
    with HERE:
        yield


def roots(x):
    return cp.sqrt(x) * 2 + 1


SHAPES = [((1000,), 0), ((37, 5), 0), ((5, 37), 1), ((4, 3, 50), -1), ((0, 3), 0), ((1,), 0)]


@pytest.mark.parametrize("shape, axis", SHAPES)
@pytest.mark.parametrize("chunk_bytes", [None, 1, 333, 1 << 20])
def test_a_map_is_what_numpy_computes(shape, axis, chunk_bytes):
    x = np.random.default_rng(1).random(shape)
    y = cp.map_chunks(roots, x, axis=axis, chunk_bytes=chunk_bytes)
    assert isinstance(y, np.ndarray) and y.shape == shape
    np.testing.assert_array_equal(y, cp.asnumpy(roots(cp.asarray(x))))


@pytest.mark.parametrize("dtype", ["f4", "i2", "?", "c8", ">f8", ">i4"])
def test_dtypes(dtype):
    x = (np.arange(100) % 7).astype(dtype)
    y = cp.map_chunks(lambda x: x + x, x, chunk_bytes=64)
    np.testing.assert_array_equal(y, x + x)
    assert y.dtype == (x + x).dtype.newbyteorder("=")


def test_several_arrays_and_results():
    a, b = np.arange(100.0), np.arange(200, dtype=np.float32).reshape(100, 2)
    s, p = cp.map_chunks(lambda a, b: (b.sum(axis=1) + a, a[:, None] * b), a, b, chunk_bytes=100)
    np.testing.assert_array_equal(s, b.sum(axis=1) + a)
    np.testing.assert_array_equal(p, a[:, None] * b)


def test_in_place():
    x = np.random.default_rng(2).random((300, 7)).astype("f4")
    wanted = cp.asnumpy(cp.sin(cp.asarray(x)))
    assert cp.map_chunks(cp.sin, x, out=x, chunk_bytes=500) is x
    np.testing.assert_array_equal(x, wanted)


@pytest.mark.parametrize("chunk_bytes", [None, 100])
def test_strided_memory(chunk_bytes):
    whole = np.arange(600.0).reshape(20, 30)
    x, out = whole[::2, ::-1], np.zeros((30, 10)).T
    cp.map_chunks(lambda x: x * 2, x, out=out, chunk_bytes=chunk_bytes)
    np.testing.assert_array_equal(out, x * 2)


def test_pinned_memory_is_used_as_it_lies():
    x, y = cp.cupyx.empty_pinned((200, 5)), cp.cupyx.zeros_pinned((200, 5))
    x[...] = np.arange(1000.0).reshape(200, 5)
    with cp.profiler.transfers(warn=False) as t:
        cp.map_chunks(roots, x, out=y, chunk_bytes=2000)
    np.testing.assert_array_equal(y, cp.asnumpy(roots(cp.asarray(x))))
    if not HOST_MEMORY:
        addresses = [copy.address for copy in t]
        ends = [(a.ctypes.data, a.ctypes.data + a.nbytes) for a in (x, y)]
        assert len(t) == 8 and all(copy.pinned for copy in t)
        assert all(any(low <= address < high for low, high in ends) for address in addresses)


def test_results_of_other_lengths_are_joined():
    x = np.arange(1000.0)
    y = cp.map_chunks(lambda x: x[x % 3 == 0], x, chunk_bytes=800)
    np.testing.assert_array_equal(y, x[x % 3 == 0])


def test_memmap(tmp_path):
    x = np.memmap(tmp_path / "x", "f4", "w+", shape=(500, 4))
    x[...] = np.arange(2000).reshape(500, 4)
    y = np.memmap(tmp_path / "y", "f8", "w+", shape=(500, 4))
    cp.map_chunks(lambda x: x.astype("f8") / 2, x, out=y, chunk_bytes=1000)
    np.testing.assert_array_equal(y, x.astype("f8") / 2)


class Dataset:
    """As zarr's and HDF5's: slices are read and written; nothing else."""

    def __init__(self, data, chunks):
        self.data, self.chunks, self.read, self.written = data, chunks, [], []
        self.shape, self.dtype = data.shape, data.dtype

    def __getitem__(self, index):
        self.read.append(index)
        return self.data[index].copy()

    def __setitem__(self, index, value):
        assert type(value) is np.ndarray
        self.written.append(index)
        self.data[index] = value


def test_datasets():
    x = Dataset(np.arange(120.0).reshape(60, 2), (8, 2))
    y = Dataset(np.zeros((60, 2), "f4"), (8, 2))
    assert cp.map_chunks(lambda x: x + 1, x, out=y, chunk_bytes=20 * 16) is y
    np.testing.assert_array_equal(y.data, np.arange(120.0).reshape(60, 2) + 1)
    parts = [slice(0, 16), slice(16, 32), slice(32, 48), slice(48, 60)]  # whole chunks of the file
    assert [index[0] for index in x.read] == parts and [index[0] for index in y.written] == parts


def test_iterators():
    blocks = [np.arange(n, dtype=float) for n in (3, 1, 5)]
    whole = np.concatenate(blocks)
    np.testing.assert_array_equal(cp.map_chunks(roots, iter(blocks)), cp.asnumpy(roots(cp.asarray(whole))))
    beside = np.arange(9)
    got = cp.map_chunks(lambda a, b: a * b, (block for block in blocks), beside)
    np.testing.assert_array_equal(got, whole * beside)
    out = np.zeros(9)
    cp.map_chunks(lambda a: a + 1, iter(blocks), out=out)
    np.testing.assert_array_equal(out, whole + 1)
    with pytest.raises(ValueError, match="gave no block"):
        cp.map_chunks(roots, iter([]))
    with pytest.raises(ValueError, match="block 2 has lengths"):
        cp.map_chunks(lambda a, b: a + b, iter(blocks), np.arange(8))


def test_reductions():
    x = np.random.default_rng(3).random((1000, 3))
    total = cp.map_chunks(lambda x: x.sum(axis=0), x, combine=cp.add, chunk_bytes=999)
    assert isinstance(total, cp.ndarray) and total.device == HERE
    np.testing.assert_allclose(cp.asnumpy(total), x.sum(axis=0))
    mean = cp.map_chunks(
        lambda x: (x.sum(), x.size),
        x,
        combine=lambda t, p: (t[0] + p[0], t[1] + p[1]),
        finish=lambda t: float(t[0]) / t[1],
        chunk_bytes=500,
    )
    assert mean == pytest.approx(x.mean())
    order = cp.map_chunks(lambda x: [float(x[0, 0])], x, combine=lambda t, p: t + p, chunk_bytes=240)
    assert order == list(x[::10, 0])


def test_the_arrays_cannot_be_written():
    x = np.arange(10.0)

    def spoil(x):
        x *= 2
        return x

    with pytest.raises(cp.ChunkError, match="read-only"):
        cp.map_chunks(spoil, x)
    np.testing.assert_array_equal(x, np.arange(10.0))


def failing_at(value):
    def function(x):
        if value in x.tolist():
            raise ZeroDivisionError("seven ate nine")
        return x + 100

    return function


def test_an_error_names_its_chunk_and_writes_nothing_of_it():
    x = np.arange(100.0)
    out = np.full(100, -1.0)
    with pytest.raises(
        cp.ChunkError, match=r"chunk 5, \[50:60\] along axis 0: ZeroDivisionError: seven"
    ) as e:
        cp.map_chunks(failing_at(57), x, out=out, chunk_bytes=80)
    assert (e.value.index, e.value.slice) == (5, slice(50, 60))
    assert isinstance(e.value.__cause__, ZeroDivisionError)
    np.testing.assert_array_equal(out, np.where(x < 50, x + 100, -1))
    np.testing.assert_array_equal(cp.map_chunks(failing_at(-1), x, chunk_bytes=80), x + 100)


class Faulty(Dataset):
    def __getitem__(self, index):
        if index[0].start == 30:
            raise OSError("cannot read")
        return super().__getitem__(index)

    def __setitem__(self, index, value):
        if index[0].start == 40:
            raise OSError("disk full")
        super().__setitem__(index, value)


@pytest.mark.parametrize("end", ["reading", "writing", "both"])
def test_errors_of_files(end):
    x = (Dataset if end == "writing" else Faulty)(np.arange(100.0), (10,))
    y = (Dataset if end == "reading" else Faulty)(np.zeros(100), (10,))
    number, text = (4, "disk full") if end == "writing" else (3, "cannot read")
    with pytest.raises(cp.ChunkError, match=rf"chunk {number}, .*OSError: {text}"):
        cp.map_chunks(lambda x: x + 1, x, out=y, chunk_bytes=80)
    np.testing.assert_array_equal(y.data, np.where(np.arange(100) < 10 * number, np.arange(100.0) + 1, 0))


def test_an_interrupt_ends_it():
    def function(x):
        if float(x[0]) == 30:
            raise KeyboardInterrupt
        return x

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        cp.map_chunks(function, np.arange(100.0), chunk_bytes=80)
    assert threading.active_count() == before


BAD = [
    (lambda x: cp.map_chunks(3, x), TypeError, "cannot be called"),
    (lambda x: cp.map_chunks(roots), TypeError, "no host array"),
    (lambda x: cp.map_chunks(roots, cp.ones(3)), TypeError, "needs no chunks"),
    (lambda x: cp.map_chunks(roots, [1, 2]), TypeError, "is a list"),
    (lambda x: cp.map_chunks(roots, x, x[:5]), ValueError, "different lengths"),
    (lambda x: cp.map_chunks(roots, x, axis=1), np.exceptions.AxisError, "axis"),
    (lambda x: cp.map_chunks(roots, x, chunk_bytes=0), ValueError, "must be positive"),
    (lambda x: cp.map_chunks(roots, x, chunk_bytes="a"), TypeError, "chunk_bytes"),
    (lambda x: cp.map_chunks(roots, x, out=[cp.ones(3)]), TypeError, "out"),
    (lambda x: cp.map_chunks(roots, x, out=x, combine=cp.add), TypeError, "exclude each other"),
    (lambda x: cp.map_chunks(roots, x, finish=float), TypeError, "needs combine"),
    (lambda x: cp.map_chunks(roots, x[1:], out=x[:-1]), ValueError, "overlaps an input"),
    (lambda x: cp.map_chunks(roots, x.astype("O")), TypeError, "map_chunks|dtype"),
    (lambda x: cp.map_chunks(lambda x: x.sum(), x), cp.ChunkError, "without dimensions"),
    (lambda x: cp.map_chunks(lambda x: 3.0, x), cp.ChunkError, "returned a float"),
    (lambda x: cp.map_chunks(roots, x, out=np.zeros(9)), cp.ChunkError, "shape"),
    (lambda x: cp.map_chunks(roots, x, out=np.zeros(10, "i4")), cp.ChunkError, "cannot take"),
    (lambda x: cp.map_chunks(lambda x: (x, x), x, out=x), cp.ChunkError, "2 arrays"),
]


@pytest.mark.parametrize("call, error, text", BAD)
def test_bad_calls_are_refused(call, error, text):
    x = np.arange(10.0)
    with pytest.raises(error, match=text) as caught:
        call(x)
    assert "cuprum" in str(caught.value)
    np.testing.assert_array_equal(x, np.arange(10.0))


def test_progress(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # not installed
    cp.map_chunks(roots, np.arange(100.0), chunk_bytes=200, progress=True)
    assert "4 of 4 chunks" in capsys.readouterr().err

    class Bar:
        def __init__(self, total, **_):
            self.total, self.bytes, bars[:] = total, 0, [self]

        __enter__ = lambda self: self
        __exit__ = lambda self, *_: None

        def update(self, n):
            self.bytes += n

    bars = []
    monkeypatch.setitem(sys.modules, "tqdm.auto", type(sys)("tqdm.auto"))
    sys.modules["tqdm.auto"].tqdm = Bar
    cp.map_chunks(roots, np.arange(100.0), chunk_bytes=200, progress=True)
    cp.map_chunks(lambda x: x.sum(), np.arange(100.0), chunk_bytes=200, progress=True, combine=cp.add)
    assert bars[0].bytes == bars[0].total == 800


def test_chunks_follow_from_free_memory():
    pool = cp.get_default_memory_pool()
    assert _core.chunk_bytes(1 << 40) <= 64 << 20
    pool.set_limit(pool.used_bytes() + (32 << 20))
    try:
        assert _core.chunk_bytes(1 << 40) <= 2 << 20
        x = np.ones(4 << 20)  # as large as the limit
        assert float(cp.map_chunks(lambda x: x.sum(), x, combine=cp.add)) == x.size
        np.testing.assert_array_equal(cp.map_chunks(lambda x: x + 1, x), 2.0)
    finally:
        pool.set_limit(0)


@pytest.mark.skipif(HOST_MEMORY, reason="chunks are views of the host's memory")
def test_three_streams_carry_the_chunks():
    x = np.arange(4000.0)
    recording = cp.profiler._recording.Recording()
    cp.map_chunks(roots, x, chunk_bytes=4000)
    spans = recording.stop().spans
    lanes = {kind: {s.lane for s in spans if s.kind == kind} for kind in ("upload", "kernel", "download")}
    assert all(len(lane) == 1 for lane in lanes.values()) and len(set.union(*lanes.values())) == 3
    assert {s.place.rpartition(":")[0] for s in spans if s.kind in lanes} == {__file__}


@pytest.mark.skipif(not HOST_MEMORY, reason="chunks are copied to the device")
def test_chunks_are_views_on_the_cpu():
    x = np.arange(1000.0)
    seen = []
    cp.map_chunks(lambda x: seen.append(x.data.ptr) or x[:0], x, chunk_bytes=800)
    assert seen == [x.ctypes.data + 800 * i for i in range(10)]
