"""The types that values of a kernel have, and how CUDA C++ writes them."""

from dataclasses import dataclass

import numpy as np

_CPP = {
    "bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long long",
    "float16": "np::float16", "bfloat16": "np::bfloat16", "float32": "float", "float64": "double",
    "complex64": "np::complex64", "complex128": "np::complex128",
}  # fmt: skip


class Type:
    """What all types have; `str` gives the type in CUDA C++."""

    def attribute(self, value, name, scope):
        """A value or constant for `value.name`; AttributeError without one."""
        raise AttributeError(f"{self.describe()} has no attribute {name!r} in a kernel")

    def describe(self):
        return str(self)


@dataclass(frozen=True)
class Scalar(Type):
    """A number. The dtype is NumPy's."""

    dtype: np.dtype

    def __post_init__(self):
        dtype = np.dtype(self.dtype)
        if dtype.name not in _CPP:
            raise TypeError(f"kernels have no numbers of dtype {dtype}; there are {', '.join(_CPP)}")
        object.__setattr__(self, "dtype", np.dtype(dtype.name))

    def __str__(self):
        return _CPP[self.dtype.name]

    def describe(self):
        return self.dtype.name

    @property
    def is_integer(self):
        return self.dtype.kind in "iu"


@dataclass(frozen=True)
class Tuple(Type):
    types: tuple

    def __str__(self):
        return f"jit::tuple<{', '.join(map(str, self.types))}>"

    def describe(self):
        return f"a tuple ({', '.join(t.describe() for t in self.types)})"


@dataclass(frozen=True)
class Dim3(Type):
    """CUDA's uint3 and dim3."""

    def __str__(self):
        return "dim3"

    def describe(self):
        return "a dim3"


@dataclass(frozen=True)
class Storage(Type):
    """A class of the headers that a kernel only hands on, such as the shared memory of a collective."""

    cpp: str

    def __str__(self):
        return self.cpp


@dataclass(frozen=True)
class Void(Type):
    def __str__(self):
        return "void"


BOOL, INT32, UINT32, INT64, UINT64 = (Scalar(t) for t in ("?", "i4", "u4", "i8", "u8"))
DIM3, VOID = Dim3(), Void()
