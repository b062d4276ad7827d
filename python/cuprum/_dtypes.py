"""dtypes: NumPy's own scalar types and dtype objects, and the questions that programs ask about them."""

import numpy as np
from numpy import (
    False_,
    ScalarType,
    True_,
    bool_,
    byte,
    cdouble,
    character,
    complex64,
    complex128,
    complexfloating,
    csingle,
    double,
    dtype,
    dtypes,
    flexible,
    float16,
    float32,
    float64,
    floating,
    generic,
    half,
    iinfo,
    inexact,
    int8,
    int16,
    int32,
    int64,
    int_,
    intc,
    integer,
    intp,
    isdtype,
    issubdtype,
    little_endian,
    long,
    longlong,
    number,
    sctypeDict,
    short,
    signedinteger,
    single,
    typecodes,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uintc,
    uintp,
    ulong,
    ulonglong,
    unsignedinteger,
    ushort,
)

from . import _core

bool = np.bool

__all__ = [
    "False_", "ScalarType", "True_", "astype", "bool", "bool_", "byte", "can_cast", "cdouble", "character",
    "complex64", "complex128", "complexfloating", "csingle", "double", "dtype", "dtypes", "finfo", "flexible",
    "float16", "float32", "float64", "floating", "generic", "half", "iinfo", "inexact", "int8", "int16", "int32",
    "int64", "int_", "intc", "integer", "intp", "isdtype", "issubdtype", "little_endian", "long", "longlong",
    "number", "promote_types", "result_type", "sctypeDict", "short", "signedinteger", "single", "typecodes",
    "ubyte", "uint", "uint8", "uint16", "uint32", "uint64", "uintc", "uintp", "ulong", "ulonglong",
    "unsignedinteger", "ushort",
]  # fmt: skip


def finfo(dtype):
    """Machine limits of a floating-point dtype.

    >>> float(cp.finfo(cp.float32).eps)
    1.1920928955078125e-07
    """
    if isinstance(dtype, (_core.ndarray, np.generic)):
        dtype = dtype.dtype
    elif isinstance(dtype, (float, complex)):
        dtype = type(dtype)
    if np.dtype(dtype).name == "bfloat16":
        import ml_dtypes

        return ml_dtypes.finfo(dtype)
    return np.finfo(dtype)


def promote_types(type1, type2, /):
    """The smallest dtype to which both can be cast safely.

    >>> cp.promote_types(cp.int32, cp.float32)
    dtype('float64')
    """
    return _core.promote_types(type1, type2)


def result_type(*arrays_and_dtypes):
    """The dtype that NumPy's promotion gives to these arrays, scalars and dtypes; Python scalars are weak.

    >>> cp.result_type(cp.ones(2, cp.float32), 3)
    dtype('float32')
    """
    return _core.result_type(*arrays_and_dtypes)


def can_cast(from_, to, casting="safe"):
    """Whether a cast between dtypes is allowed under a casting rule. `from_` may be an array.

    >>> cp.can_cast(cp.int32, cp.int64), cp.can_cast(cp.float64, cp.int32)
    (True, False)
    """
    return _core.can_cast(from_, to, casting)


def astype(x, dtype, /, *, copy=True, device=None):
    """`x` converted to `dtype`.

    >>> cp.astype(cp.array([1.7, 2.2]), int)
    array([1, 2])
    """
    if isinstance(x, np.generic):
        x = _core.asarray(x)
    elif isinstance(x, np.ndarray):
        x = _core.as_array(x, "astype", 1)
    if not isinstance(x, _core.ndarray):
        raise TypeError(f"cuprum.astype: Input should be a cuprum array. It is a {type(x).__name__} instead.")
    return x.astype(dtype, copy=copy, device=device)
