"""The methods of ndarray that are natural in Python: files, pickles, bytes, `flat`."""

import pickle
import types

import numpy as np

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


def getfield(self, /, dtype, offset=0):
    """A view of some bytes of each element, `offset` bytes from its start, as elements of another dtype.

    >>> cp.array([1 + 2j, 3 + 4j]).getfield(cp.float64, offset=8)
    array([2., 4.])
    """
    size = np.dtype(dtype).itemsize
    if not 0 <= offset <= self.itemsize - size:
        raise ValueError(
            f"cuprum.ndarray.getfield: new type is larger than original type: {size} bytes from offset {offset} of "
            f"elements of {self.itemsize} bytes"
        )
    return self[..., None].view("u1")[..., offset : offset + size].view(dtype)[..., 0]


def setfield(self, val, /, dtype, offset=0):
    """Writes some bytes of each element, `offset` bytes from its start, with a value of another dtype.

    >>> z = cp.array([1 + 2j, 3 + 4j])
    >>> z.setfield(0, cp.float64, offset=8)
    >>> z
    array([1.+0.j, 3.+0.j])
    """
    self.getfield(dtype, offset)[...] = val


def resolve_dtypes(self, /, dtypes, *, signature=None, casting=None, reduction=False):
    """The dtypes of operands and results for operands of these dtypes; `int`, `float` and `complex` are weak.

    >>> cp.add.resolve_dtypes((cp.dtype("i4"), cp.dtype("f4"), None))
    (dtype('float64'), dtype('float64'), dtype('float64'))
    """
    options = {"signature": signature, "casting": casting}
    options = {name: value for name, value in options.items() if value is not None}
    return getattr(np, self.__name__).resolve_dtypes(dtypes, reduction=reduction, **options)


ndarray.flat = property(flat, _set_flat, doc=flat.__doc__)
ndarray.__class_getitem__ = classmethod(types.GenericAlias)  # for annotations: cp.ndarray[cp.float32]
_core.ufunc.resolve_dtypes = resolve_dtypes
resolve_dtypes.__qualname__ = "ufunc.resolve_dtypes"
for _method in (byteswap, tofile, dump, dumps, getfield, setfield, __bytes__):
    _method.__qualname__ = f"ndarray.{_method.__name__}"
    setattr(ndarray, _method.__name__, _method)
