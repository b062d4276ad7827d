"""Pickling and resizing: arrays whose contents come from elsewhere.

Pickles have NumPy's forms. Protocol 5 hands the memory of contiguous arrays over as a buffer, which a pickler may keep
out of band; classes derived from ndarray add to the state of `__reduce__` and read it in `__setstate__`.
"""

import pickle
from math import prod

import numpy as np

from . import _core
from ._checks import as_dims

ndarray = _core.ndarray

_STATE_VERSION = 1


def _make(cls, shape, _):
    """An empty object of a class, for `__setstate__`."""
    return ndarray.__new__(cls, shape, np.int8)


def _from_buffer(buffer, dtype, shape, order):
    """An array over the memory of a buffer where the device can read it, else a copy."""
    host = np.frombuffer(buffer, np.uint8)
    flat = _core.asarray(host, copy=False if _is_host_memory(_core.device_name()) else None)
    return flat.view(dtype).reshape(shape, order=order)


def _is_host_memory(device):
    return _core.device_info(device)["host_accessible"]


def _order(a):
    """How the elements of a contiguous array lie."""
    return "F" if a.flags.fnc else "C"


def reduce(self):
    """`copyreg`'s form: a class, and the state for `__setstate__`."""
    state = (_STATE_VERSION, self.shape, self.dtype, _order(self) == "F", self.tobytes("A"))
    return _make, (type(self), (0,), b"b"), state


def reduce_ex(self, protocol, /):
    """The same for a protocol: from 5 on the memory goes as a `pickle.PickleBuffer`."""
    if protocol < 5 or type(self) is not ndarray or not self.flags.forc:
        return self.__reduce__()
    order = _order(self)
    flat = self.reshape(-1, order=order).view(np.uint8)
    host = flat if _is_host_memory(self.device.name) else flat.get()
    return _from_buffer, (pickle.PickleBuffer(host), self.dtype, self.shape, order)


def setstate(self, state, /):
    """Takes the state of `__reduce__`."""
    version, shape, dtype, fortran, data = state
    if version != _STATE_VERSION:
        raise ValueError(f"cuprum.ndarray.__setstate__: can't handle version {version} of a pickled array")
    _core.become(self, _from_buffer(data, dtype, shape, "F" if fortran else "C").copy(order="A"))


def resize(self, /, *new_shape, refcheck=True):
    """Changes shape and size in place: elements are kept in the order of memory, new ones are zero. Views that were
    taken before keep the memory of before, so that there is no reference to check for.

    >>> x = cp.array([[1, 2], [3, 4]])
    >>> x.resize(2, 3)
    >>> x
    array([[1, 2, 3],
           [4, 0, 0]])
    """
    if len(new_shape) == 1:
        new_shape = new_shape[0]
    elif not new_shape:
        return
    if new_shape is None:
        return
    shape = as_dims(new_shape, "ndarray.resize")
    if any(n < 0 for n in shape):
        raise ValueError("cuprum.ndarray.resize: negative dimensions not allowed")
    if not self.flags.forc:
        raise ValueError("cuprum.ndarray.resize: resize only works on single-segment arrays")
    order, size = _order(self), prod(shape)
    if size == self.size:
        _core.become(self, self.reshape(-1, order=order).reshape(shape, order=order))
        return
    if not self.flags.owndata:
        raise ValueError(
            "cuprum.ndarray.resize: cannot resize this array: it does not own its data; write cp.resize(a, shape)"
        )
    result = _core.zeros((size,), self.dtype, "C")
    kept = min(size, self.size)
    result[:kept] = self.reshape(-1, order=order)[:kept]
    _core.become(self, result.reshape(shape, order=order))


ndarray.__reduce__ = reduce
ndarray.__reduce_ex__ = reduce_ex
ndarray.__setstate__ = setstate
resize.__qualname__ = "ndarray.resize"
ndarray.resize = _core.composite(resize)
