"""The methods of ndarray that are natural in Python: files, pickles, bytes, `flat`."""

import pickle

from . import _core
from ._flat import flatiter

ndarray = _core.ndarray


def flat(self):
    """A 1-d iterator over the array; assigning to it writes the elements in C order.

    >>> cp.arange(6).reshape(2, 3).flat[4]
    array(4)
    """
    return flatiter(self)


def _set_flat(self, values):
    flatiter(self)[:] = values


def byteswap(self, /, inplace=False):
    """The array with the bytes of each element reversed, in place if asked; of complex numbers each part by itself.

    >>> cp.array([1, 256], dtype='int16').byteswap()
    array([256,   1], dtype=int16)
    """
    size = self.itemsize // 2 if self.dtype.kind == "c" else self.itemsize
    swapped = self.copy()
    if size > 1 and self.size:
        parts = swapped.reshape(-1).view(f"u{size}")
        swapped = (
            parts.view("u1")
            .reshape(-1, size)[:, ::-1]
            .copy()
            .reshape(-1)
            .view(self.dtype)
            .reshape(self.shape)
        )
    if not inplace:
        return swapped
    self[...] = swapped
    return self


def tofile(self, fid, /, sep="", format="%s"):
    """Writes the elements in C order to a file: raw, or as text between separators.

    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     cp.arange(3).tofile(file)
    ...     file.tell()
    24
    """
    self.get().tofile(fid, sep, format)


def dump(self, /, file):
    """Pickles the array into a file, given by name or open.

    >>> import io
    >>> file = io.BytesIO()
    >>> cp.arange(3).dump(file)
    """
    if hasattr(file, "write"):
        pickle.dump(self, file, protocol=2)
        return
    with open(file, "wb") as f:
        pickle.dump(self, f, protocol=2)


def dumps(self, /):
    """The array pickled, as bytes.

    >>> import pickle
    >>> pickle.loads(cp.arange(3).dumps())
    array([0, 1, 2])
    """
    return pickle.dumps(self, protocol=2)


def __bytes__(self):
    """The elements in C order, from any device: bytes(x) asks for them outright, unlike memoryview(x)."""
    return self.tobytes()


ndarray.flat = property(flat, _set_flat, doc=flat.__doc__)
for _method in (byteswap, tofile, dump, dumps, __bytes__):
    _method.__qualname__ = f"ndarray.{_method.__name__}"
    setattr(ndarray, _method.__name__, _method)
