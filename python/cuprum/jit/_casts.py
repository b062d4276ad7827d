"""From one type of number to another, and the type that two numbers have in common."""

import numpy as np

from ._types import BOOL, Scalar
from ._values import Constant, Value, describe, literal, scalar_of

# CUDA C++ gives two operands the type that comes later here: an int64 and a float32 make a float32.
_RANKS = "?bBhHiIqQEefdFD"
_CHARS = {"bfloat16": "E", "int64": "q", "uint64": "Q"}


def _rank(dtype):
    return _RANKS.index(_CHARS.get(dtype.name, dtype.char))


def later(types):
    """The common type of numbers in CUDA C++."""
    return max(types, key=lambda t: _rank(t.dtype))


def _is_plain(source, target):
    """C++ converts these as NumPy does."""
    if target.dtype.kind not in "iuf" or source.dtype.kind not in "biuf":
        return False
    if "float16" in source.dtype.name or "float16" in target.dtype.name:
        return False
    return not (source.dtype.kind == "f" and target.dtype.kind in "iu")


def _fitting(number, target, mode):
    """A Python int that does not fit wraps around in CUDA C++; in NumPy it is an error."""
    if not isinstance(number, int) or not target.is_integer:
        return number
    limits = np.iinfo(target.dtype)
    if limits.min <= number <= limits.max:
        return number
    if mode == "numpy":
        raise OverflowError(f"Python integer {number} out of bounds for {target.describe()}")
    return (number - int(limits.min)) % 2 ** (8 * target.dtype.itemsize) + int(limits.min)


def cast(x, target, mode):
    """NumPy's astype."""
    if isinstance(x, Constant) and x.is_number:
        return literal(_fitting(x.obj, target, mode) if x.is_weak else x.obj, target)
    x = scalar_of(x, mode)
    if x.type == target:
        return x
    if _is_plain(x.type, target):
        return Value(f"({target})({x.code})", target)
    return Value(f"np::cast<{target}>({x.code})", target)


def truth(x, mode):
    """bool(x), for conditions."""
    if isinstance(x, Value) and isinstance(x.type, Scalar) and x.type != BOOL and _is_plain(x.type, x.type):
        return Value(f"({x.code} != 0)", BOOL)
    return cast(x, BOOL, mode)


def _same_kind(source, target):
    """NumPy's casting="same_kind"; signed and unsigned integers convert into each other, as in C++."""
    if source.kind in "iu" and target.kind in "iu":
        return True
    return np.can_cast(source, target, "same_kind")


def cast_to_store(x, target, mode, where):
    """A number made one of the type of the variable or element that it is stored to."""
    if isinstance(x, Constant) and x.is_weak:
        kind = np.result_type(type(x.obj)) if not isinstance(x.obj, bool) else np.dtype(bool)
        source = Scalar(kind)
    else:
        x = scalar_of(x, mode)
        source = x.type
    if not _same_kind(source.dtype, target.dtype):
        raise TypeError(
            f"Cannot cast from {source.describe()!r} to {target.describe()!r}, the type of {where}, with "
            "casting rule "
            f"same_kind; write a cast such as cp.{target.describe()}({_text(x)})"
        )
    return cast(x, target, mode)


def _text(x):
    return x.code if isinstance(x, Value) else repr(x.obj)


def agree(x, y, mode):
    """Two alternatives as values of one type: a Python number takes the type of the other, other types must
    be equal.
    """
    if isinstance(x, Constant) and x.is_weak and not (isinstance(y, Constant) and y.is_weak):
        y = scalar_of(y, mode)
        return cast_to_store(x, y.type, mode, "the other alternative"), y
    if isinstance(y, Constant) and y.is_weak and not isinstance(x, Constant):
        return agree(y, x, mode)[::-1]
    x, y = scalar_of(x, mode), scalar_of(y, mode)
    if x.type != y.type:
        raise TypeError(
            f"Type mismatch in conditional expression: {describe(x)}, and {describe(y)}; cast one of them "
            "to the type of the other"
        )
    return x, y
