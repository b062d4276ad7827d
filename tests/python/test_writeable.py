"""Who may write: memory that its owner has lent for reading is never written, whatever the flags are set to; and of a
view the array that it was taken from decides. NumPy is the oracle, on memory of the host."""

import pickle
import warnings

import numpy as np
import pytest

import cuprum as cp

BYTES = bytes(range(1, 17))


@pytest.fixture(autouse=True)
def on_the_host():
    with cp.Device("cpu"):
        yield


def frozen(array):
    array.flags.writeable = False
    return array


def of_buffers(xp, a):
    buffers = []
    data = pickle.dumps(a, 5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[bytes(b) for b in buffers])


def resized(view):
    view.resize((2, 2))
    return view


# With the module as `xp`; each makes an array that is not writeable.
READ_ONLY = {
    "a tensor": lambda xp: xp.from_dlpack(np.frombuffer(BYTES, "u1")),
    "a tensor of a tensor": lambda xp: xp.from_dlpack(xp.from_dlpack(np.frombuffer(BYTES, "u1"))),
    "a buffer": lambda xp: xp.frombuffer(BYTES, "u1"),
    "an array over a buffer": lambda xp: xp.ndarray(4, "u1", BYTES),
    "a view of a buffer": lambda xp: xp.frombuffer(BYTES, "u1")[1:].reshape(3, 5).T,
    "a dtype of a buffer": lambda xp: xp.frombuffer(BYTES, "u1").view("i4"),
    "a memoryview": lambda xp: xp.asarray(memoryview(BYTES), copy=False),
    "an array of NumPy": lambda xp: xp.asarray(memoryview(frozen(np.arange(4.0))), copy=False),
    "a pickle": lambda xp: pickle.loads(pickle.dumps(frozen(xp.arange(4.0)), 5)),
    "a pickle whose buffers are bytes": lambda xp: of_buffers(xp, xp.arange(4.0)),
    "a resized view": lambda xp: resized(frozen(xp.arange(4.0))[:]),
    "a view": lambda xp: frozen(xp.arange(4.0))[1:],
    "a view of a view": lambda xp: frozen(xp.arange(4.0))[1:][:2].reshape(2, 1),
    "a transpose": lambda xp: frozen(xp.ones((2, 3))).T,
    "a diagonal": lambda xp: xp.diagonal(frozen(xp.ones((3, 3)))),
    "a broadcast array": lambda xp: xp.broadcast_to(frozen(xp.arange(4.0)), (3, 4)),
    "one of several broadcast arrays": lambda xp: xp.broadcast_arrays(
        frozen(xp.arange(4.0)), xp.ones((3, 1))
    )[0],
    "a real part": lambda xp: frozen(xp.ones(3, complex)).real,
    # These may be made writeable again.
    "own memory": lambda xp: frozen(xp.arange(4.0)),
    "a frozen view": lambda xp: frozen(xp.arange(4.0)[1:])[1:],
    "a frozen view of NumPy": lambda xp: frozen(xp.asarray(memoryview(np.arange(4.0)), copy=False)),
    "a broadcast array of ordinary memory": lambda xp: xp.broadcast_to(xp.arange(4.0), (3, 4)),
    "a diagonal of ordinary memory": lambda xp: xp.diagonal(xp.ones((3, 3))),
}
WAYS = [
    lambda a: setattr(a.flags, "writeable", True),
    lambda a: a.setflags(write=True),
    lambda a: a.flags.__setitem__("W", True),
]


def answer(array, way):
    try:
        way(array)
    except ValueError as error:
        return str(error)
    return array.flags.writeable


@pytest.mark.parametrize("name", READ_ONLY)
def test_the_flag_obeys_the_owner_of_the_memory(name):
    for way in WAYS:
        x, a = READ_ONLY[name](np), READ_ONLY[name](cp)
        assert not x.flags.writeable and not a.flags.writeable
        assert a.flags.owndata == x.flags.owndata
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = answer(x, way)
        assert answer(a, way) == expected
        if expected is not True:
            for write in (lambda a: a.fill(0), lambda a: a.__setitem__(..., 0), lambda a: a.__iadd__(a)):
                with pytest.raises(ValueError, match="read-only"):
                    write(a)
    assert bytes(range(1, 17)) == BYTES


@pytest.mark.parametrize("mode, writeable", [("r", False), ("r+", True), ("c", True)])
def test_files_are_as_writeable_as_they_were_opened(tmp_path, mode, writeable):
    np.save(tmp_path / "a.npy", np.arange(4.0))
    a = cp.load(tmp_path / "a.npy", mmap_mode=mode)
    assert a.flags.writeable == writeable
    if not writeable:
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag to True of this array"):
            a.flags.writeable = True
        return
    a[0] = 7
    assert np.load(tmp_path / "a.npy")[0] == (7 if mode == "r+" else 0)


class OnDevice:
    """Memory by CUDA's interface."""

    def __init__(self, host, read_only):
        data = (host.__array_interface__["data"][0], read_only)
        self.__cuda_array_interface__ = {
            "shape": host.shape,
            "typestr": host.dtype.str,
            "data": data,
            "version": 3,
        }


def test_memory_by_its_address():
    host = np.arange(4.0)
    assert cp.asarray(OnDevice(host, False)).flags.writeable
    lent = cp.asarray(OnDevice(host, True))
    over_bytes = cp.cuda.UnownedMemory(np.frombuffer(BYTES, "u1").ctypes.data, 16, BYTES)
    own = frozen(cp.arange(4.0))
    for a in (
        lent,
        lent[1:],
        cp.ndarray(4, "f8", lent.data),
        cp.ndarray(16, "u1", cp.cuda.MemoryPointer(over_bytes, 0)),
        cp.ndarray(4, "f8", own.data),
        cp.ndarray(4, "f8", cp.cuda.MemoryPointer(cp.cuda.UnownedMemory(own.data.ptr, 32, own), 0)),
    ):
        assert not a.flags.writeable and not a.flags.owndata
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag to True of this array"):
            a.flags.writeable = True


def test_lent_memory_cannot_be_resized():
    for xp in (np, cp):
        with pytest.raises(ValueError, match="cannot resize this array: it does not own its data"):
            xp.from_dlpack(np.arange(4.0)).resize(8)
