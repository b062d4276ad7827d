"""Values that no caller should pass, for tools/fuzz_binding.py: objects whose protocols raise, lie, change what is
being used or call back into the library; lists that contain themselves; closed buffers; DLPack capsules that cannot
be true.

Everything here is called from generated source, so that a call can be printed and run again. Nothing lies about memory
in a way that nobody could find out: an address is that of a real buffer, or one that no process has.
"""

import collections
import contextlib
import ctypes
import functools
import gc
import mmap

import numpy as np

import cuprum as cp

SURROGATE = "\ud800"

# The scope of the call at hand: its array A, its list L and its bytearray B are what `mutate` changes.
scope = {}


class Stop(BaseException):
    """What code that catches Exception does not catch."""


ERRORS = [KeyError, TypeError, ValueError, OverflowError, IndexError, AttributeError, MemoryError, Stop]


def _change_shape(n):
    scope["A"].shape = [(-1,), (1, -1), (-1, 1, 1)][n % 3]


def _change_dtype(n):
    scope["A"].dtype = ["u1", "i2", "f4", "f8", "D"][n % 5]


MUTATIONS = [
    lambda n: scope["L"].clear(),
    lambda n: scope["L"].extend([n] * 100),
    lambda n: scope["L"].insert(0, scope["L"]),
    _change_shape,
    _change_dtype,
    lambda n: scope["A"].resize([0, 1, 1000][n % 3], refcheck=False),
    lambda n: setattr(scope["A"].flags, "writeable", False),
    lambda n: scope["A"].fill(n),
    lambda n: scope["A"].__iadd__(1),
    lambda n: scope["B"].clear(),
    lambda n: scope.clear(),
    lambda n: gc.collect(),
    lambda n: cp.get_default_memory_pool().free_all_blocks(),
    lambda n: cp.evaluate(scope["A"]),
]


def mutate(n):
    """Changes what the call is using, as far as it can be changed."""
    with contextlib.suppress(Exception):  # it may be gone, or refuse
        MUTATIONS[n % len(MUTATIONS)](n // len(MUTATIONS))


def wrong(self, n):
    """An answer of the wrong type or size."""
    answers = [
        None, "text", SURROGATE, b"", 2.5, -1, 2**70, -(2**70), object(), [], (), {}, NotImplemented, self, True,
        float("nan"), 1j, "C", np.float32(1), cp.ones(3), loop(), np.array([None]), int, slice(None),
    ]  # fmt: skip
    return answers[n % len(answers)]


def answer(self, good):
    """What a protocol of `self` says instead of `good`."""
    mode, n = type(self).mode, type(self).number
    if mode == "raise":
        raise ERRORS[n % len(ERRORS)](f"odd {SURROGATE}")
    if mode == "wrong":
        return wrong(self, n)
    if mode == "mutate":
        mutate(n)
    elif mode == "library":
        float((cp.arange(5.0) * 2).sum())
    elif mode == "again":
        cp.asarray(self)
    elif mode == "fickle":
        type(self).number += 1
        return good if n % 2 else wrong(self, n // 2)
    return good


def _iterate(self):
    return iter(answer(self, [1, 2]))


def _item(self, i):
    if isinstance(i, int) and i > 3:
        raise IndexError(i)
    return answer(self, 1)


def _ufunc(self, ufunc, method, *args, **kwargs):
    return answer(self, 3.0)


def _function(self, function, types, args, kwargs):
    return answer(self, 4.0)


def _whatever(good):
    return lambda self, *args, **kwargs: answer(self, good)


def _property(good):
    return property(lambda self: answer(self, good() if callable(good) else good))


MEMORY = (ctypes.c_byte * 65536)()
DEVICE_MEMORY = cp.zeros(65536, "u1")


def host_address():
    """Of memory of the host that is really there."""
    return ctypes.addressof(MEMORY)


def address():
    """Of memory of the device that is really there."""
    return DEVICE_MEMORY.data.ptr


INTERFACE = {"shape": (3,), "typestr": "<f8", "data": (0, False), "version": 3}

PROTOCOLS = {
    "index": {"__index__": _whatever(1)},
    "int": {"__int__": _whatever(1)},
    "float": {"__float__": _whatever(1.5)},
    "complex": {"__complex__": _whatever(1j)},
    "bool": {"__bool__": _whatever(True)},
    "len": {"__len__": _whatever(2)},
    "iter": {"__iter__": _iterate},
    "next": {"__next__": _whatever(1), "__iter__": lambda self: iter([answer(self, 1)])},
    "item": {"__getitem__": _item},
    "setitem": {"__setitem__": _whatever(None)},
    "contains": {"__contains__": _whatever(True)},
    "array": {"__array__": _whatever(np.arange(3))},
    "interface": {"__array_interface__": _property(dict(INTERFACE))},
    "struct": {"__array_struct__": _property(None)},
    "cuda": {"__cuda_array_interface__": _property(lambda: dict(INTERFACE, data=(address(), False)))},
    "cupy": {"__cupy_get_ndarray__": _whatever(None)},
    "dlpack": {"__dlpack__": lambda self, **k: answer(self, None) or capsule(), "__dlpack_device__": _whatever((1, 0))},
    "device": {"__dlpack__": lambda self, **k: capsule(), "__dlpack_device__": _whatever((1, 0))},
    "ufunc": {"__array_ufunc__": _ufunc},
    "function": {"__array_function__": _function},
    "priority": {"__array_priority__": _property(10.0)},
    "equal": {"__eq__": _whatever(True), "__ne__": _whatever(False), "__hash__": _whatever(1)},
    "order": {"__lt__": _whatever(True), "__gt__": _whatever(True), "__le__": _whatever(True)},
    "arithmetic": {f"__{r}{name}__": _whatever(2) for r in ("", "r") for name in ("add", "mul", "sub", "truediv")},
    "str": {"__str__": _whatever("odd"), "__format__": _whatever("odd")},
    "repr": {"__repr__": _whatever("odd")},
    "path": {"__fspath__": _whatever("odd")},
    "file": {name: _whatever(0) for name in ("read", "write", "seek", "tell", "readline", "fileno", "flush")},
    "call": {"__call__": _whatever(1.0)},
    "dtype": {"dtype": _property(np.dtype("f8"))},
    "shape": {"shape": _property((3,)), "ndim": _property(1), "size": _property(3)},
    "memory": {"ptr": _property(host_address), "size": _property(64)},
    "block": {"_block": _property(None), "_offset": _property(0)},
    "context": {"__enter__": _whatever(None), "__exit__": _whatever(None)},
    "copy": {"__copy__": _whatever(1), "__deepcopy__": _whatever(1), "__reduce_ex__": _whatever("odd")},
    "buffer": {"__buffer__": _whatever(memoryview(b"12345678"))},
    "finalize": {"__array_finalize__": _whatever(None), "__array_wrap__": _whatever(None)},
    "hash": {"__hash__": _whatever(0)},
    "keys": {"keys": _whatever(["a"]), "items": _whatever([("a", 1)]), "get": _whatever(None)},
    "missing": {"__getattr__": _whatever(None)},
    "class": {"__class__": _property(lambda: cp.ndarray)},
    "numpy": {"__class__": _property(lambda: np.ndarray)},
    "del": {"__del__": _whatever(None)},
}  # fmt: skip
MODES = [
    "good",
    "raise",
    "wrong",
    "wrong",
    "mutate",
    "mutate",
    "mutate",
    "library",
    "again",
    "fickle",
    "fickle",
]
BASES = ["object", "int", "float", "str", "list", "tuple", "dict", "bytes", "np.ndarray", "cp.ndarray"]
_MADE = {
    "object": lambda c: c(), "int": lambda c: c(1), "float": lambda c: c(1.5), "str": lambda c: c("C"),
    "list": lambda c: c([1, 2]), "tuple": lambda c: c((1, 2)), "dict": lambda c: c(a=1), "bytes": lambda c: c(b"ab"),
    "np.ndarray": lambda c: np.arange(3.0).view(c), "cp.ndarray": lambda c: cp.arange(3.0).view(c),
}  # fmt: skip
_CLASSES = {
    "object": object, "int": int, "float": float, "str": str, "list": list, "tuple": tuple, "dict": dict,
    "bytes": bytes, "np.ndarray": np.ndarray, "cp.ndarray": cp.ndarray,
}  # fmt: skip


def odd(base, protocols, mode, number=0):
    """An object derived from `base` with protocols, given as words, that misbehave as `mode` says."""
    members = {"mode": "good", "number": number}
    for name in protocols.split():
        members.update(PROTOCOLS[name])
    made = _MADE[base](type("Odd", (_CLASSES[base],), members))
    type(made).mode = mode
    return made


# -- Lists ------------------------------------------------------------------------------------------------


def loop():
    """A list that contains itself."""
    items = []
    items.append(items)
    return items


def deep(n, value=0.0):
    """A list in a list in a list."""
    return functools.reduce(lambda inner, _: [inner], range(n), value)


# -- Buffers ----------------------------------------------------------------------------------------------


def closed_mmap():
    """A mapping that has been closed."""
    m = mmap.mmap(-1, 4096)
    m.close()
    return m


def released():
    """A memoryview that has been released."""
    m = memoryview(bytearray(64))
    m.release()
    return m


# -- DLPack -----------------------------------------------------------------------------------------------


class DlTensor(ctypes.Structure):
    """DLTensor of the standard."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Legacy(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", DlTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("version", ctypes.c_uint32 * 2),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", DlTensor),
    ]


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_kept = collections.deque(maxlen=10000)  # what capsules point to


def _numbers(values):
    array = (ctypes.c_int64 * max(1, len(values)))(*values)
    _kept.append(array)
    return array


def capsule(
    shape=(3,), strides=None, *, versioned=False, ndim=None, data=True, dtype=(2, 64, 1), device=(1, 0), offset=0,
    name=None, version=(1, 0), flags=0,
):  # fmt: skip
    """A DLPack capsule over real memory, or, without `data`, over none."""
    managed = Versioned() if versioned else Legacy()
    t = managed.tensor
    t.data = host_address() if data else None
    t.device[0], t.device[1] = device
    t.ndim = len(shape or ()) if ndim is None else ndim
    t.code, t.bits, t.lanes = dtype
    t.byte_offset = offset
    if shape is not None:
        t.shape = _numbers(shape)
    if strides is not None:
        t.strides = _numbers(strides)
    if versioned:
        managed.version[0], managed.version[1] = version
        managed.flags = flags
    text = (name or ("dltensor_versioned" if versioned else "dltensor")).encode()
    _kept.extend([managed, text])
    return _new_capsule(ctypes.addressof(managed), text, None)


class Producer:
    """Gives what it is told by __dlpack__ and __dlpack_device__."""

    def __init__(self, given, device=(1, 0)):
        self.given, self.device = given, device

    def __dlpack__(self, **kwargs):
        return self.given

    def __dlpack_device__(self):
        return self.device


class Interface:
    """Has an array interface of CUDA's or NumPy's, with entries changed."""

    def __init__(self, cuda=True, **changes):
        entries = dict(INTERFACE, data=(address() if cuda else host_address(), False))
        entries.update(changes)
        setattr(self, "__cuda_array_interface__" if cuda else "__array_interface__", entries)
