"""`ndarray.flat` and the methods that handle bytes and files, against NumPy's."""

import io
import pickle

import numpy as np
import pytest

import cuprum as cp

LAYOUTS = {
    "contiguous": lambda a: a,
    "transposed": lambda a: a.T,
    "stepped": lambda a: a[::-1, ::2],
    "flat": lambda a: a.reshape(-1),
    "empty": lambda a: a[:0],
    "0-d": lambda a: a[1:2, 1:2].reshape(()),
}


def pair(layout, dtype="int32"):
    n = np.arange(20).astype(dtype).reshape(4, 5)
    return LAYOUTS[layout](n), LAYOUTS[layout](cp.asarray(n))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "key",
    [
        0,
        -1,
        3,
        slice(None),
        slice(1, 7, 2),
        slice(None, None, -1),
        [0, 2, 2],
        ...,
        100,
        -100,
        None,
        (1, 2),
        (1,),
    ],
)
def test_reading(layout, key):
    n, c = pair(layout)
    try:
        expected = n.flat[key]
    except IndexError:
        with pytest.raises(IndexError):
            c.flat[key]
        return
    got = c.flat[key]
    assert got.shape == np.shape(expected) and got.dtype == expected.dtype
    assert np.array_equal(cp.asnumpy(got), expected)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("key", [0, -2, slice(None), slice(1, 7, 2), [3, 0, 3], ...])
@pytest.mark.parametrize("value", [7, [1, 2], list(range(50)), []])
def test_writing(layout, key, value):
    n, c = pair(layout)
    c = c.copy() if layout == "empty" else c
    try:
        n.flat[key] = value
    except (IndexError, ValueError) as error:
        with pytest.raises(type(error)):
            c.flat[key] = value
        return
    c.flat[key] = value
    assert np.array_equal(cp.asnumpy(c), n)


def test_by_a_mask_and_whole():
    n, c = pair("transposed", "float32")
    mask = np.arange(20) % 3 == 0
    assert np.array_equal(cp.asnumpy(c.flat[cp.asarray(mask)]), n.flat[mask])
    n.flat, c.flat = [1, 2, 3], [1, 2, 3]
    assert np.array_equal(cp.asnumpy(c), n)


def test_stepping():
    n, c = pair("stepped")
    ours, theirs = c.flat, n.flat
    assert len(ours) == len(theirs)
    for expected in n.flat:
        assert (ours.index, ours.coords) == (theirs.index, theirs.coords)
        assert next(ours) == expected == next(theirs)
    with pytest.raises(StopIteration):
        next(ours)
    assert [int(x) for x in cp.arange(10000).flat] == list(range(10000))
    assert isinstance(c.flat, cp.flatiter) and c.flat.base is c
    assert np.array_equal(cp.asnumpy(c.flat == c.flat.copy()), np.ones(n.size, bool))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_byteswap(dtype, layout):
    n, c = pair(layout, dtype)
    assert cp.asnumpy(c.byteswap()).tobytes() == n.byteswap().tobytes()
    assert c.byteswap(inplace=True) is c
    assert cp.asnumpy(c).tobytes() == n.byteswap(inplace=True).tobytes()


def test_files(tmp_path):
    n, c = pair("transposed", "float64")
    c.tofile(tmp_path / "ours")
    n.tofile(tmp_path / "theirs")
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()
    c.tofile(tmp_path / "ours", sep=",")
    n.tofile(tmp_path / "theirs", sep=",")
    assert (tmp_path / "ours").read_text() == (tmp_path / "theirs").read_text()
    c.dump(tmp_path / "pickle")
    stream = io.BytesIO()
    c.dump(stream)
    for data in ((tmp_path / "pickle").read_bytes(), stream.getvalue(), c.dumps()):
        assert np.array_equal(cp.asnumpy(pickle.loads(data)), n)
