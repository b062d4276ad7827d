"""Python functions of numbers as operations of the device: `cp.vectorize` where `cp.jit` can translate the function.

A function is translated for the dtypes of its arguments. Then it is an `ElementwiseKernel`: recorded, and computed in
one pass with its neighbours. None stands for whatever a translation cannot say, or would not say the same: a text that
is not there, a result that is no number, a value from outside that may change unnoticed.
"""

import inspect
import types

import numpy as np

from ._core import CompileException, ndarray
from ._loop_kernels import ElementwiseKernel

# Complex numbers and halves have other names in texts of `cp.jit` than in those of ElementwiseKernel.
_DTYPES = {np.dtype(t) for t in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")}
_NUMBERS = {bool: np.dtype(bool), int: np.dtype(np.int64), float: np.dtype(np.float64)}
_FIXED = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)  # they mean what they mean


class Translated:
    """The translations of one function, by the dtypes of its arguments and of its result."""

    def __init__(self, function):
        self._function = function
        self._kernels = {}

    def __call__(self, args, otype):
        """The function of arrays and numbers, or None."""
        dtypes = tuple([_dtype(x) for x in args])
        if any(t is None for t in dtypes) or not any(isinstance(x, ndarray) for x in args):
            return None  # (NumPy's dtypes are equal to None)
        if any(isinstance(x, ndarray) and x.size == 0 for x in args):
            return None  # NumPy has a word to say
        outside = _values_from_outside(self._function)
        if outside is None:
            return None
        key = dtypes, otype, outside
        if key not in self._kernels:
            self._kernels[key] = _kernel(self._function, dtypes, otype)
        kernel = self._kernels[key]
        try:
            return None if kernel is None else kernel(*args)
        except CompileException:  # a machine without a compiler
            self._kernels[key] = None
            return None


def _dtype(x):
    """Of an argument; None: translations have no such numbers."""
    if isinstance(x, ndarray):
        return x.dtype if type(x) is ndarray and x.dtype in _DTYPES else None
    if isinstance(x, np.generic):
        return x.dtype if x.dtype in _DTYPES else None
    if type(x) is int and not -(2**63) <= x < 2**63:
        return None
    return _NUMBERS.get(type(x))


def _values_from_outside(function, seen=()):
    """What the function reads beside its arguments: numbers by their values. None: something may change unnoticed."""
    if not inspect.isfunction(function):
        return None
    try:
        read = inspect.getclosurevars(function)
    except (TypeError, ValueError):
        return None
    values = []
    for name, value in (*read.nonlocals.items(), *read.globals.items()):
        if isinstance(value, (bool, int, float, np.generic)):
            values.append((name, type(value), repr(value)))  # a NaN is not equal to itself
        elif isinstance(value, types.FunctionType) and value not in (function, *seen):
            values.append((name, id(value), _values_from_outside(value, (function, *seen))))
            if values[-1][-1] is None:
                return None
        elif isinstance(value, _FIXED) or callable(value):
            values.append((name, id(value)))
        else:
            return None
    return tuple(values)


def _kernel(function, dtypes, otype):
    from .jit._functions import device_function  # much to import for who calls no kernel
    from .jit._types import Scalar

    try:
        made = device_function(function, [Scalar(t) for t in dtypes])
    except Exception:  # whatever the function has that kernels have not: it is called on the host, as it is
        return None
    if not isinstance(made.result, Scalar) or made.result.dtype not in _DTYPES:
        return None
    names = [f"x{i}" for i in range(len(dtypes))]
    result = made.result.dtype if otype is None else otype
    if result not in _DTYPES:
        return None
    return ElementwiseKernel(
        ", ".join(f"{t.name} {name}" for t, name in zip(dtypes, names, strict=True)),
        f"{result.name} y",
        f"y = {made.name}({', '.join(names)})",
        made.name,
        preamble=made.text,
    )
