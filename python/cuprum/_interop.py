"""To and from other libraries."""

import numpy as np

from . import _core

__all__ = ["asnumpy", "fromDlpack", "from_dlpack", "frombuffer", "get_array_module"]


def asnumpy(a, stream=None, order="C", out=None, *, blocking=True):
    """`a` as a NumPy array in host memory; waits for its value. Anything else goes through numpy.asarray.

    >>> cp.asnumpy(cp.arange(3) * 2)
    array([0, 2, 4])
    """
    return _core.asnumpy(a, stream, order, out, blocking=blocking)


def from_dlpack(x, /, *, device=None, copy=None):
    """An array that shares the memory of an object with `__dlpack__`.

    >>> cp.from_dlpack(np.arange(3))
    array([0, 1, 2])
    """
    return _core.from_dlpack(x, device=device, copy=copy)


def fromDlpack(dltensor):
    """An array that shares the memory of a DLPack capsule; `from_dlpack` takes the object that makes one.

    >>> with cp.Device("cpu"):
    ...     x = cp.fromDlpack(cp.arange(3).toDlpack())
    >>> x
    array([0, 1, 2])
    """
    return _core.from_dlpack(dltensor)


def frombuffer(buffer, dtype=None, count=-1, offset=0, *, like=None):
    """A 1-d array over the bytes of a buffer, which it shares; in the other byte order, a copy.

    >>> cp.frombuffer(b"\\1\\2\\3", dtype=cp.uint8)
    array([1, 2, 3], dtype=uint8)
    """
    if getattr(dtype, "name", dtype) != "bfloat16" and not np.dtype(dtype).isnative:
        # Files and networks have the other byte order; the array gets the machine's.
        return _core.asarray(np.frombuffer(buffer, dtype, count, offset))
    return _core.frombuffer(buffer, dtype, count, offset)


def get_array_module(*args):
    """cuprum if any argument is a cuprum array, else numpy: for code that takes both.

    >>> cp.get_array_module(cp.ones(2)).__name__, cp.get_array_module(np.ones(2)).__name__
    ('cuprum', 'numpy')
    """
    import cuprum

    return cuprum if any(isinstance(a, _core.ndarray) for a in args) else np
