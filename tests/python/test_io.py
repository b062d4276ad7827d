"""Files that NumPy writes are read, and NumPy reads what is written."""

import io
import pickle

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from devices import HOST_MEMORY
from strategies import DTYPES, arrays, assert_same, check


def written(function, *args, **kwargs):
    file = io.BytesIO()
    function(file, *args, **kwargs)
    return file.getvalue()


@given(arrays())
def test_save_writes_numpys_bytes_and_load_reads_them(pair):
    a, b = pair
    data = written(cp.save, b)
    assert np.load(io.BytesIO(data)).tobytes() == a.tobytes()
    assert_same(cp.load(io.BytesIO(data)), a)
    assert_same(cp.load(io.BytesIO(written(np.save, a))), a)


def test_fortran_order_is_kept():
    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    data = written(cp.save, cp.asfortranarray(cp.asarray(a)))
    assert data == written(np.save, a)
    assert cp.load(io.BytesIO(data)).flags.f_contiguous


def test_save_takes_lists_scalars_and_objects():
    for value, shape in (([1, 2], (2,)), (3.5, ()), ("text", ()), ([cp.arange(2), cp.ones(2)], (2, 2))):
        assert np.load(io.BytesIO(written(cp.save, value))).shape == shape
    with pytest.raises(ValueError, match="allow_pickle=False"):
        cp.save(io.BytesIO(), object(), allow_pickle=False)
    cp.save(io.BytesIO(), object())
    with pytest.raises(TypeError, match="asarray"):
        cp.save(io.BytesIO(), np.ones(2))
    with pytest.raises(TypeError, match="no dtype"):
        cp.load(io.BytesIO(written(np.save, np.array(["text"]))))


def test_bfloat16_is_kept():
    x = cp.array([1.5, -2, cp.inf], dtype=cp.bfloat16)
    assert_same(cp.load(io.BytesIO(written(cp.save, x))), cp.asnumpy(x))
    assert_same(cp.load(io.BytesIO(written(cp.savez, x)))["arr_0"], cp.asnumpy(x))


@pytest.mark.parametrize("dtype", [">f8", ">i2", ">c8"])
def test_other_byte_order(dtype):
    a = np.arange(5).astype(dtype)
    assert_same(cp.load(io.BytesIO(written(np.save, a))), a.astype(a.dtype.newbyteorder("=")))


def test_pickles_need_permission():
    x = cp.arange(4).reshape(2, 2)
    data = pickle.dumps(x, protocol=2)
    with pytest.raises(ValueError, match="pickle"):
        cp.load(io.BytesIO(data))
    assert_same(cp.load(io.BytesIO(data), allow_pickle=True), cp.asnumpy(x))


def test_paths_and_missing_files(tmp_path):
    cp.save(tmp_path / "x", cp.arange(3))
    assert cp.load(tmp_path / "x.npy").tolist() == [0, 1, 2]
    assert cp.load(str(tmp_path / "x.npy")).tolist() == [0, 1, 2]
    with pytest.raises(FileNotFoundError):
        cp.load(tmp_path / "y.npy")
    with pytest.raises(EOFError):
        cp.load(io.BytesIO())
    with pytest.raises(ValueError, match="max_header_size"):
        cp.load(tmp_path / "x.npy", max_header_size=10)


@pytest.mark.parametrize("mode", ["r", "r+", "c"])
def test_mapped_files(tmp_path, mode):
    path = tmp_path / "x.npy"
    a = np.arange(6.0).reshape(2, 3)
    np.save(path, a)
    if mode == "r+" and not HOST_MEMORY:
        with pytest.raises(ValueError, match="would be a copy: it lives on"):
            cp.load(path, mmap_mode=mode)
        return
    x = cp.load(path, mmap_mode=mode)
    assert_same(x * 2, a * 2)
    if mode == "r":
        with pytest.raises(ValueError, match="read-only"):
            x[0] = 1
        return
    x[0] = 9
    x += 1
    a[0] = 9
    a += 1
    assert_same(x, a)
    assert_same(cp.load(path), a if mode == "r+" else np.arange(6.0).reshape(2, 3))


def test_mapped_files_of_every_kind(tmp_path):
    path = tmp_path / "x.npy"
    for a in (np.array(2.5), np.asfortranarray(np.arange(6).reshape(2, 3)), np.arange(3).astype(">i4")):
        np.save(path, a)
        read, copied = cp.load(path, mmap_mode="r"), cp.load(path, mmap_mode="c")
        assert_same(read, a.astype(a.dtype.newbyteorder("=")))
        assert not read.flags.writeable and copied.flags.writeable
        copied[...] = 0
        assert_same(cp.load(path), a.astype(a.dtype.newbyteorder("=")))
    for a in (np.array(["text"]), np.array([object()]), np.ones(2, "g")):
        np.save(path, a)
        for mode in ("r", "r+", "c"):
            with pytest.raises((TypeError, ValueError)):
                cp.load(path, mmap_mode=mode)
    np.save(path, np.arange(3))
    with pytest.raises(ValueError, match="mode must be one of"):
        cp.load(path, mmap_mode="x")


def unaligned(path):
    """A file whose header has an odd length, as other programs may write it."""
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }  "
    path.write_bytes(
        b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + np.arange(3.0).tobytes()
    )


@pytest.mark.parametrize("why, make", [
    ("the other byte order", lambda path: np.save(path, np.arange(3.0).astype(">f8"))),
    ("not aligned", unaligned),
])  # fmt: skip
def test_a_map_whose_writes_would_not_reach_the_file_is_refused(tmp_path, why, make):
    path = tmp_path / "x.npy"
    make(path)
    with pytest.raises(
        ValueError, match=rf"cuprum\.load: mmap_mode='r\+'.*{why}.*; write mmap_mode='c' for a copy"
    ):
        cp.load(path, mmap_mode="r+")
    for mode in ("r", "c"):
        x = cp.load(path, mmap_mode=mode)
        assert x.tolist() == [0, 1, 2] and x.flags.writeable == (mode == "c")


@pytest.mark.parametrize("function", ["savez", "savez_compressed"])
@pytest.mark.parametrize("dtype", [d.name for d in DTYPES])
def test_archives(function, dtype):
    a = np.arange(6).reshape(2, 3).astype(dtype)
    data = written(getattr(cp, function), cp.asarray(a), a.tolist(), name=cp.asarray(a)[0])
    host, arrays = np.load(io.BytesIO(data)), cp.load(io.BytesIO(data))
    assert arrays.files == host.files == list(arrays) and len(arrays) == 3
    assert "name" in arrays and "name.npy" in arrays and "other" not in arrays
    for key in host.files:
        assert_same(arrays[key], host[key])
    assert_same(arrays.f.name, a[0])
    assert set(dict(arrays)) == set(host.files) and repr(arrays) == repr(host)
    assert "name" in dir(arrays.f) and arrays.zip is not None
    with pytest.raises(KeyError, match="other"):
        arrays["other"]
    with pytest.raises(AttributeError):
        arrays.f.other


def test_archives_close(tmp_path):
    path = tmp_path / "x.npz"
    cp.savez(path, cp.arange(3))
    with cp.load(path) as arrays:
        assert arrays.fid is not None and arrays["arr_0"].tolist() == [0, 1, 2]
    assert arrays.fid is None and arrays.zip is None
    with pytest.raises(ValueError, match="arr_0"):
        cp.savez(path, 1, arr_0=2)
    with pytest.raises(TypeError, match="asarray"):
        cp.savez(path, x=np.ones(2))


@given(arrays(shape=st.sampled_from([(), (3,), (2, 3), (0,), (2, 2, 2)]), special=False))
def test_savetxt(pair):
    def text(xp):
        def write(x):
            file = io.StringIO()
            xp.savetxt(file, x, header="head", footer="foot", delimiter=",", fmt="%s")
            return xp.asarray([ord(c) for c in file.getvalue()])

        return write

    check(text, pair[:1], pair[1:])


def test_savetxt_of_several_columns(tmp_path):
    a = np.arange(3.0)
    cp.savetxt(tmp_path / "x.txt", (cp.asarray(a), cp.asarray(a)))
    np.savetxt(tmp_path / "y.txt", (a, a))
    assert (tmp_path / "x.txt").read_text() == (tmp_path / "y.txt").read_text()


TEXTS = [
    ("loadtxt", "1 2\n3 4", {}),
    ("loadtxt", "1 2\n3 4", {"dtype": "i4", "unpack": True}),
    ("loadtxt", "1,2\n# no\n3,4", {"delimiter": ",", "usecols": 1, "ndmin": 2}),
    ("loadtxt", "head\n1 2\n3 4", {"skiprows": 1, "max_rows": 1, "converters": {0: lambda s: -float(s)}}),
    ("loadtxt", "'1' 2", {"quotechar": "'"}),
    ("loadtxt", "1+2j", {"dtype": complex}),
    ("loadtxt", "1 2\n3", {}),
    ("loadtxt", "1 x", {}),
    ("loadtxt", "", {}),
    ("genfromtxt", "1,2\n3,", {"delimiter": ","}),
    (
        "genfromtxt",
        "1,2\n3,NA",
        {"delimiter": ",", "missing_values": "NA", "filling_values": -1, "dtype": int},
    ),
    ("genfromtxt", "1 2\n3 4", {"dtype": None, "unpack": True}),
    ("genfromtxt", "h\n1 2\n3 4\nf", {"skip_header": 1, "skip_footer": 1, "usecols": (1, 0)}),
    ("genfromtxt", "1 2\n3", {}),
    ("genfromtxt", "5", {"ndmin": 2}),
]


@pytest.mark.parametrize("function, text, options", TEXTS)
@pytest.mark.filterwarnings("ignore")
def test_reading_text(function, text, options):
    check(lambda xp: lambda: getattr(xp, function)(io.StringIO(text), **options), (), ())


def test_reading_text_of_columns_and_bfloat16():
    columns = cp.loadtxt(io.StringIO("1 2\n3 4"), dtype="i4,f8", unpack=True)
    assert_same(columns[0], np.array([1, 3], "i4"))
    assert_same(columns[1], np.array([2.0, 4.0]))
    want = np.array([1.5, 2], ml_dtypes.bfloat16)
    assert_same(cp.loadtxt(io.StringIO("1.5 2"), dtype=cp.bfloat16), want)
    assert_same(cp.genfromtxt(io.StringIO("1.5 2"), dtype=cp.bfloat16), want)
    assert_same(cp.fromstring("1.5 2", dtype=cp.bfloat16, sep=" "), want)
    with pytest.raises(TypeError, match="no dtype"):
        cp.loadtxt(io.StringIO("1 2"), dtype="i4,f8")
    with pytest.raises(TypeError, match="masked"):
        cp.genfromtxt(io.StringIO("1 2"), usemask=True)


@given(arrays(special=False))
def test_fromfile(pair):
    import tempfile

    a, b = pair
    with tempfile.TemporaryDirectory() as folder:
        b.tofile(f"{folder}/raw")
        assert_same(cp.fromfile(f"{folder}/raw", a.dtype), a.ravel())
        for count, offset in ((2, 0), (-1, a.itemsize), (0, 0)):
            check(
                lambda xp, count=count, offset=offset: (
                    lambda: xp.fromfile(f"{folder}/raw", a.dtype, count, offset=offset)
                ),
                (),
                (),
            )


def test_fromfile_of_text(tmp_path):
    (tmp_path / "x").write_text("1, 2, 3")
    assert_same(cp.fromfile(tmp_path / "x", sep=","), np.array([1.0, 2, 3]))
    assert_same(cp.fromfile(tmp_path / "x", int, 2, ","), np.array([1, 2]))
    assert_same(cp.fromfile(tmp_path / "x", cp.bfloat16, 2, ","), np.array([1, 2], ml_dtypes.bfloat16))


@pytest.mark.parametrize(
    "args, options",
    [
        (("1 2 3",), {"sep": " "}),
        (("1, 2, 3", int, 2), {"sep": ","}),
        (("1;2", np.float32), {"sep": ";"}),
        (("",), {"sep": ","}),
        (("1 2",), {"sep": ""}),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_fromstring(args, options):
    check(lambda xp: xp.fromstring, args, args, **options)
