"""What an expression of a kernel is to its translation: known now, or known to the running kernel.

A `Constant` is a Python object: numbers of the enclosing scope, dtypes, functions, groups of threads.
Whatever is made of constants alone is computed by Python while the kernel is translated. A `Value` is an
expression in CUDA C++ and its type.
"""

import math
import numbers

import numpy as np

from ._types import BOOL, INT32, INT64, UINT64, Scalar, Tuple

_KERNELS = "np"  # the namespace of the scalar meanings in a kernel's text


class Constant:
    """An object of Python that is known while the kernel is translated."""

    def __init__(self, obj):
        self.obj = obj

    @property
    def is_number(self):
        return isinstance(self.obj, (numbers.Number, np.generic))

    @property
    def is_weak(self):
        """Python's numbers take the type of their neighbours, NumPy's keep their own."""
        return self.is_number and not isinstance(self.obj, np.generic)


class Value:
    """An expression in CUDA C++, and its type."""

    def __init__(self, code, type):
        self.code = code
        self.type = type


class Items(Value):
    """A tuple whose items, constants or values, are known one by one: taking one out of it needs no tuple in the
    running kernel.
    """

    def __init__(self, items, mode=None):
        self.items = tuple(items)
        self.mode = mode

    @property
    def _values(self):
        return [value_of(x, self.mode) for x in self.items]

    @property
    def code(self):
        return f"jit::make_tuple({', '.join(v.code for v in self._values)})"

    @property
    def type(self):
        return Tuple(tuple(v.type for v in self._values))


class DeviceVariable(Value):
    """threadIdx and its kin. Outside of kernels they have no attributes."""

    def __getattr__(self, name):
        raise AttributeError(f"cuprum.jit.{self.code}.{name}: known inside a kernel alone")


def length(value):
    """How many items a tuple has; None for what is no tuple."""
    if isinstance(value, Items):
        return len(value.items)
    if isinstance(value, Constant):
        return len(value.obj) if isinstance(value.obj, tuple) else None
    return len(value.type.types) if isinstance(value.type, Tuple) else None


def item(value, i):
    """The i-th item of a tuple."""
    count = length(value)
    if not -count <= i < count:
        raise IndexError(f"tuple index {i} is out of range for {count} items")
    if isinstance(value, Items):
        return value.items[i]
    if isinstance(value, Constant):
        return Constant(value.obj[i])
    return Value(f"jit::get<{i % count}>({value.code})", value.type.types[i])


_SCALARS = {dtype: Scalar(dtype) for dtype in map(np.dtype, "?bBhHiIqQefdFD")}
_FLOAT = {"cuda": Scalar("f4"), "numpy": Scalar("f8")}
_COMPLEX = {"cuda": Scalar("c8"), "numpy": Scalar("c16")}


def type_of_number(x, mode):
    """The type of a Python or NumPy number on its own: CUDA's int and float, or NumPy's int64 and float64."""
    if isinstance(x, np.generic):
        return _SCALARS.get(x.dtype) or Scalar(x.dtype)
    if isinstance(x, bool):
        return BOOL
    if isinstance(x, int):
        if mode == "cuda" and -(2**31) <= x < 2**31:
            return INT32
        if -(2**63) <= x < 2**64:
            return INT64 if x < 2**63 else UINT64
        raise OverflowError(f"{x} has more than 64 bits")
    if isinstance(x, float):
        return _FLOAT[mode]
    if isinstance(x, complex):
        return _COMPLEX[mode]
    raise TypeError(f"{x!r} of type {type(x).__name__} is not a number")


def _real_literal(x, type):
    name = type.dtype.name
    if name in ("float16", "bfloat16"):
        return f"{type}{{{int(np.asarray(x, type.dtype).view(np.uint16)):#06x}}}"
    if not math.isfinite(x):
        number = f"{_KERNELS}::quiet_nan<{type}>()" if math.isnan(x) else f"{_KERNELS}::infinity<{type}>()"
        return f"(-{number})" if x < 0 else number
    text = repr(float(x)) if name == "float64" else str(np.float32(x))
    text += "" if set(text) & set(".en") else ".0"
    text += "" if name == "float64" else "f"
    return f"({text})" if text[0] == "-" else text


_SUFFIX = {"int32": "", "uint32": "u", "int64": "LL", "uint64": "ULL"}


def literal(x, type):
    """A number as CUDA C++ writes it, as a Value of the type."""
    with np.errstate(over="ignore"):
        x = np.asarray(x).astype(type.dtype)[()]
    if type == BOOL:
        return Value("true" if x else "false", type)
    if type.is_integer:
        name, number = type.dtype.name, int(x)
        if name not in _SUFFIX:
            code = f"({type})({number})"
        elif number == np.iinfo(type.dtype).min and number < 0:
            code = f"({number + 1}{_SUFFIX[name]} - 1)"  # C++ has no negative literals
        else:
            code = f"({number}{_SUFFIX[name]})" if number < 0 else f"{number}{_SUFFIX[name]}"
        return Value(code, type)
    if type.dtype.kind == "c":
        part = Scalar("f4" if type.dtype.itemsize == 8 else "f8")
        return Value(f"{type}{{{_real_literal(x.real, part)}, {_real_literal(x.imag, part)}}}", type)
    return Value(_real_literal(x, type), type)


def value_of(x, mode):
    """A Value of anything that a running kernel can have."""
    if isinstance(x, Value):
        return x
    if x.is_number:
        return literal(x.obj, type_of_number(x.obj, mode))
    if isinstance(x.obj, tuple):
        return Items([Constant(y) for y in x.obj], mode)
    raise TypeError(
        f"{describe(x)} is known while the kernel is translated alone: it cannot be stored or computed with"
    )


def scalar_of(x, mode):
    """A Value that is a number."""
    value = value_of(x, mode)
    if not isinstance(value.type, Scalar):
        raise TypeError(f"a number is needed here, given {describe(value)}")
    return value


def constant_of(x, what):
    """The object behind a constant."""
    if not isinstance(x, Constant):
        raise TypeError(f"{what} must be known while the kernel is translated, given {describe(x)}")
    return x.obj


def describe(x):
    """For errors."""
    if isinstance(x, Value):
        return f"`{x.code}`, which is {x.type.describe()}"
    return f"{x.obj!r}"
