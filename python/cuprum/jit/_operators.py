"""Operators and ufuncs of numbers: which loop a call means, and its text.

The meaning of every ufunc is the function of its name in the headers of scalar meanings (src/kernels), which
a kernel's text knows as namespace `np`. Where a C++ operator has the same meaning, the text has the operator.

`mode="numpy"`: NumPy promotes, Python's numbers are weak. `mode="cuda"`: operands take the later of their
types as in CUDA C++, Python's ints are int32 and its floats float32; then NumPy says which loop that type
means.
"""

import ast
import operator

import numpy as np

from ._casts import cast, later
from ._iterators import is_iterator, move_iterator
from ._types import INT64, Scalar
from ._values import Constant, Value, scalar_of

UFUNC_OF = {
    ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.FloorDiv: "floor_divide",
    ast.Mod: "remainder", ast.Pow: "power", ast.LShift: "left_shift", ast.RShift: "right_shift",
    ast.BitOr: "bitwise_or", ast.BitAnd: "bitwise_and", ast.BitXor: "bitwise_xor", ast.Invert: "invert",
    ast.USub: "negative", ast.UAdd: "positive", ast.Eq: "equal", ast.NotEq: "not_equal", ast.Lt: "less",
    ast.LtE: "less_equal", ast.Gt: "greater", ast.GtE: "greater_equal",
}  # fmt: skip
PYTHON = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitOr: operator.or_, ast.BitAnd: operator.and_, ast.BitXor: operator.xor,
    ast.Invert: operator.invert, ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda x, y: x in y, ast.NotIn: lambda x, y: x not in y,
}  # fmt: skip

# C++ operators that mean what NumPy means, and for the operands of which dtypes.
_WIDE = {"int32", "int64", "uint32", "uint64"}
_FLOATS = {"float32", "float64"}
_REALS = {"bool", "int8", "int16", "uint8", "uint16"} | _WIDE | _FLOATS
_CPP = {
    "add": ("+", _WIDE | _FLOATS), "subtract": ("-", _WIDE | _FLOATS), "multiply": ("*", _WIDE | _FLOATS),
    "divide": ("/", _FLOATS), "bitwise_and": ("&", _WIDE), "bitwise_or": ("|", _WIDE), "bitwise_xor": ("^", _WIDE),
    "equal": ("==", _REALS), "not_equal": ("!=", _REALS), "less": ("<", _REALS), "less_equal": ("<=", _REALS),
    "greater": (">", _REALS), "greater_equal": (">=", _REALS),
}  # fmt: skip
_COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}
_SEPARATE = {"ldexp"}  # operands of different types are meant


def _weak_or_dtype(x):
    if isinstance(x, Constant) and x.is_weak:
        return np.dtype(bool) if isinstance(x.obj, bool) else type(x.obj)
    return scalar_of(x, "numpy").type.dtype


def _resolve(name, args, dtype, mode):
    """The dtypes of inputs and result of the loop that a call means."""
    ufunc = getattr(np, name)
    if mode == "cuda":
        types = [scalar_of(x, mode).type for x in args]
        if name not in _SEPARATE:
            types = [later(types)] * len(types)
        operands = [t.dtype for t in types]
    else:
        operands = [_weak_or_dtype(x) for x in args]
        if all(isinstance(t, type) for t in operands):
            operands = [scalar_of(x, mode).type.dtype for x in args]
    chosen = {} if dtype is None else {"signature": (None,) * ufunc.nin + (np.dtype(dtype),)}
    try:
        return ufunc.resolve_dtypes((*operands, None), **chosen)
    except TypeError as error:
        given = ", ".join(t.__name__ if isinstance(t, type) else t.name for t in operands)
        raise TypeError(f"{name} has no loop for operands of the types {given}") from error


def _is_mixed(args, name, mode):
    """int64 beside uint64, which NumPy compares exactly."""
    if mode != "numpy" or name not in _COMPARISONS or any(isinstance(x, Constant) for x in args):
        return False
    return {x.type.dtype.name for x in args if isinstance(x.type, Scalar)} == {"int64", "uint64"}


def call_ufunc(name, args, mode, dtype=None):
    """The value of a ufunc with one result."""
    ufunc = getattr(np, name, None)
    if len(args) != ufunc.nin:
        raise TypeError(f"{name} takes {ufunc.nin} arguments, given {len(args)}")
    if _is_mixed(args, name, mode):
        a, b = (f"(np::{x.type.dtype.name})({x.code})" for x in args)
        return Value(f"np::{name}_mixed({a}, {b})", Scalar("?"))
    *inputs, result = (Scalar(t) for t in _resolve(name, args, dtype, mode))
    operands = [cast(x, t, mode) for x, t in zip(args, inputs, strict=True)]
    sign, dtypes = _CPP.get(name, ("", ()))
    if inputs[0].dtype.name in dtypes and len(operands) == 2:
        return Value(f"({operands[0].code} {sign} {operands[1].code})", result)
    if name == "ldexp":
        operands[1] = cast(operands[1], INT64, mode)
    return Value(f"np::{name}({', '.join(x.code for x in operands)})", result)


def apply(op, args, mode):
    """An operator of Python on constants or values; `op` is its class in `ast`."""
    if all(isinstance(x, Constant) for x in args):
        return Constant(PYTHON[op](*(x.obj for x in args)))
    if op not in UFUNC_OF:
        raise TypeError(f"`{_name(op)}` compares what is known while the kernel is translated alone")
    if any(is_iterator(x) for x in args):
        return move_iterator(op, args, mode)
    if op is ast.Pow and isinstance(args[1], Constant) and args[1].is_weak and args[1].obj == 2:
        return (
            call_ufunc("square", args[:1], mode)
            if _has_square(args[0], mode)
            else call_ufunc("power", args, mode)
        )
    return call_ufunc(UFUNC_OF[op], args, mode)


def _has_square(x, mode):
    """A square has the type of its operand: that of the power, unless the operand is a small integer in CUDA
    C++.
    """
    return scalar_of(x, mode).type.dtype.kind in "fc"


def _name(op):
    return {ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}.get(op, op.__name__)
