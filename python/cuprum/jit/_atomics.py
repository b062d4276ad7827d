"""Atomic operations on elements of arrays: one thread at a time, in no order. Each gives the element as it
was before.
"""

from ._arrays import Array
from ._arrays import index as element_at
from ._builtin import builtin
from ._casts import cast_to_store
from ._iterators import element as pointed_at
from ._types import Scalar
from ._values import Value, describe

_INTEGERS = ("int32", "uint32", "int64", "uint64")
_FLOATS = ("float16", "float32", "float64")


def _atomic(scope, name, dtypes, array, index, *values):
    if not isinstance(array, Value) or not hasattr(array.type, "element"):
        raise TypeError(f"atomic_{name}: the first argument must be an array, given {describe(array)}")
    at = element_at if isinstance(array.type, Array) else pointed_at
    place = at(array, index, scope.mode)
    if not isinstance(place.type, Scalar) or place.type.dtype.name not in dtypes:
        raise TypeError(
            f"atomic_{name}: `{place.code}` must be a number of type {', '.join(dtypes)}, given "
            f"{place.type.describe()}"
        )
    scope.program.include("atomics.h")
    codes = [cast_to_store(v, place.type, scope.mode, f"`{place.code}`").code for v in values]
    return Value(f"jit::atomic_{name}(&{place.code}, {', '.join(codes)})", place.type)


@builtin
def atomic_add(scope, array, index, value):
    """array[index] += value.

    >>> @cp.jit.rawkernel()
    ... def count(x, bins):
    ...     i = cp.jit.grid(1)
    ...     cp.jit.atomic_add(bins, x[i], 1)
    >>> bins = cp.zeros(3, dtype=cp.int32)
    >>> count[1, 5](cp.array([0, 2, 2, 1, 2]), bins)
    >>> bins
    array([1, 1, 3], dtype=int32)
    """
    return _atomic(scope, "add", _INTEGERS + _FLOATS, array, index, value)


@builtin
def atomic_sub(scope, array, index, value):
    """array[index] -= value."""
    return _atomic(scope, "sub", _INTEGERS + _FLOATS, array, index, value)


@builtin
def atomic_exch(scope, array, index, value):
    """array[index] = value."""
    return _atomic(scope, "exch", _INTEGERS + _FLOATS, array, index, value)


@builtin
def atomic_min(scope, array, index, value):
    """array[index] = min(array[index], value)."""
    return _atomic(scope, "min", _INTEGERS + _FLOATS, array, index, value)


@builtin
def atomic_max(scope, array, index, value):
    """array[index] = max(array[index], value)."""
    return _atomic(scope, "max", _INTEGERS + _FLOATS, array, index, value)


@builtin
def atomic_inc(scope, array, index, value):
    """array[index] = 0 if array[index] >= value else array[index] + 1, of uint32."""
    return _atomic(scope, "inc", ("uint32",), array, index, value)


@builtin
def atomic_dec(scope, array, index, value):
    """array[index] = value if array[index] == 0 or array[index] > value else array[index] - 1, of uint32."""
    return _atomic(scope, "dec", ("uint32",), array, index, value)


@builtin
def atomic_cas(scope, array, index, value, alt_value):
    """array[index] = alt_value if array[index] == value else array[index]: compare and swap."""
    return _atomic(scope, "cas", ("uint16", *_INTEGERS), array, index, value, alt_value)


@builtin
def atomic_and(scope, array, index, value):
    """array[index] &= value."""
    return _atomic(scope, "and", _INTEGERS, array, index, value)


@builtin
def atomic_or(scope, array, index, value):
    """array[index] |= value."""
    return _atomic(scope, "or", _INTEGERS, array, index, value)


@builtin
def atomic_xor(scope, array, index, value):
    """array[index] ^= value."""
    return _atomic(scope, "xor", _INTEGERS, array, index, value)
