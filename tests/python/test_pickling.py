"""Pickles of every protocol, out-of-band buffers, copies, and resizing in place."""

import copy
import pickle

import numpy as np
import pytest

import cuprum as cp
from devices import needs_host_memory

DTYPES = "?bhilBHILefdFD"
LAYOUTS = {
    "C": lambda x: x,
    "F": lambda x: x.T,
    "strided": lambda x: x[::2, 1:],
    "reversed": lambda x: x[:, ::-1],
    "empty": lambda x: x[:0],
    "0-d": lambda x: x[1, 1, ...],
    "broadcast": lambda x: x[:1, :1],
}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("char", DTYPES)
def test_pickle(protocol, layout, char):
    host = np.arange(12).reshape(3, 4).astype(char)
    want, a = LAYOUTS[layout](host), LAYOUTS[layout](cp.asarray(host))
    got = pickle.loads(pickle.dumps(a, protocol))
    assert type(got) is cp.ndarray and got.dtype == want.dtype and got.shape == want.shape
    assert got.get().tolist() == want.tolist()
    loaded = pickle.loads(pickle.dumps(want, protocol))
    assert got.flags.f_contiguous == loaded.flags.f_contiguous
    assert got.flags.writeable
    for copied in (copy.copy(a), copy.deepcopy(a), copy.deepcopy([a])[0]):
        assert copied.get().tolist() == want.tolist()


def test_pending_arrays_and_values_are_pickled():
    x = cp.arange(3.0)
    assert pickle.loads(pickle.dumps(x * 2 + 1)).get().tolist() == [1, 3, 5]
    assert float(pickle.loads(pickle.dumps(x.sum()))) == 3
    assert pickle.loads(pickle.dumps(cp.ones(2, cp.bfloat16), 5)).dtype == cp.bfloat16


@pytest.mark.parametrize("layout", ["C", "F"])
def test_out_of_band(layout):
    a = LAYOUTS[layout](cp.arange(12.0).reshape(3, 4))
    buffers = []
    text = pickle.dumps(a, 5, buffer_callback=buffers.append)
    assert len(buffers) == 1 and buffers[0].raw().nbytes == a.nbytes and len(text) < 300
    got = pickle.loads(text, buffers=buffers)
    assert got.get().tolist() == a.get().tolist() and got.strides == a.strides
    strided = pickle.dumps(a[:, ::2], 5, buffer_callback=buffers.append)
    assert len(buffers) == 1 and pickle.loads(strided).get().tolist() == a[:, ::2].get().tolist()


@needs_host_memory
def test_out_of_band_copies_nothing():
    a = cp.arange(12.0)
    buffers = []
    text = pickle.dumps(a, 5, buffer_callback=buffers.append)
    got = pickle.loads(text, buffers=buffers)
    a[3] = 99
    assert float(got[3]) == 99
    frozen = pickle.loads(text, buffers=[bytes(buffers[0].raw())])
    assert not frozen.flags.writeable and float(frozen[3]) == 99


def test_state_of_another_version():
    with pytest.raises(ValueError, match="version 7"):
        cp.ones(2).__setstate__((7, (2,), np.dtype("f8"), False, b""))


def test_arrays_pickled_are_numpys_size():
    a = cp.arange(1000.0)
    for protocol in (2, 5):
        assert len(pickle.dumps(a, protocol)) < len(pickle.dumps(a.get(), protocol)) + 100


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("shape", [(3, 2), (6,), (3, 3), (2, 2), (0,), (1, 2, 3), 4, (2, 0)])
def test_resize(order, shape):
    host = np.arange(6).reshape(2, 3).copy(order)
    a = cp.asarray(host).copy(order)
    host.resize(shape, refcheck=False)
    assert a.resize(shape) is None
    assert a.shape == host.shape and a.get().tolist() == host.tolist()
    assert a.flags.f_contiguous == host.flags.f_contiguous


def test_resize_by_separate_numbers_and_none():
    a = cp.arange(4)
    view = a[:2]
    a.resize(2, 3)
    assert a.get().tolist() == [[0, 1, 2], [3, 0, 0]]
    assert view.get().tolist() == [0, 1]
    a.resize()
    a.resize(None)
    assert a.shape == (2, 3)
    a += 1
    assert a.get().tolist() == [[1, 2, 3], [4, 1, 1]] and view.get().tolist() == [0, 1]


def test_resize_errors_are_numpys():
    for xp in (np, cp):
        a = xp.arange(6)
        with pytest.raises(ValueError, match="negative dimensions"):
            a.resize(-1, 2)
        with pytest.raises(ValueError, match="does not own its data"):
            a[:4].resize(8)
        with pytest.raises(ValueError, match="single-segment"):
            a[::2].resize(8)
        with pytest.raises(TypeError):
            a.resize(2.5)
