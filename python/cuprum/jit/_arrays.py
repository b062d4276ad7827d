"""Arrays of a kernel: their type, their attributes, their elements and parts.

An array in a kernel is `jit::array` (headers/array.h): an address, extents and strides in bytes. `x(i, j)` is
an element, `x.part(i)` what an incomplete index leaves, and `begin()` the first element of an array with one
dimension. Shared and local memory are arrays too, over memory of the block or thread.

As in CUDA C++, indices are not checked and do not count from the end, but for negative constants: `x[-1]` is
the last element.
"""

import numbers
from dataclasses import dataclass

from ._types import INT32, INT64, Scalar, Type
from ._values import Constant, Items, Value, describe, item, length, scalar_of


@dataclass(frozen=True)
class Array(Type):
    """`dense`: C-contiguous. `index`: the type of extents and strides, int32 where all offsets fit."""

    element: Type
    ndim: int
    dense: bool
    index: Scalar = INT32

    def __str__(self):
        return f"jit::array<{self.element}, {self.ndim}, {str(self.dense).lower()}, {self.index}>"

    def describe(self):
        dimensions = "1 dimension" if self.ndim == 1 else f"{self.ndim} dimensions"
        return f"an array of {self.element.describe()} with {dimensions}"

    @property
    def iterator(self):
        return Iterator(f"{self.element}*" if self.dense else f"jit::strided<{self.element}>", self.element)


@dataclass(frozen=True)
class Iterator(Type):
    """What walks over elements: a pointer, or a class with a pointer's operators. `cpp` is its type."""

    cpp: str
    element: Type

    def __str__(self):
        return self.cpp

    def describe(self):
        return f"an iterator over {self.element.describe()}"


def layout(a):
    """What the type of an array depends on: cheap to find, and a key."""
    dense = a.flags.c_contiguous
    reach = a.nbytes if dense else sum(abs(s) * n for n, s in zip(a.shape, a.strides))
    return a.dtype, a.ndim, dense, max(reach, a.size) < 2**31


def type_of_layout(dtype, ndim, dense, is_small):
    return Array(Scalar(dtype), ndim, dense, INT32 if is_small else INT64)


def extent(x, axis):
    return Value(f"(long long){x.code}.shape[{axis}]", INT64)


def size(x):
    return Value(f"(long long){x.code}.size()", INT64)


def iterator_at(x, end):
    """begin() and end() of an array with one dimension."""
    if x.type.ndim != 1:
        raise TypeError(
            f"begin and end need an array with one dimension, given {describe(x)}; index it first, as in "
            "x[i].begin()"
        )
    return Value(f"{x.code}.{'end' if end else 'begin'}()", x.type.iterator)


def _shape(x):
    return Items([extent(x, axis) for axis in range(x.type.ndim)])


def _strides(x):
    strides = [Value(f"(long long){x.code}.strides[{axis}]", INT64) for axis in range(x.type.ndim)]
    return Items(strides)


_ATTRIBUTES = {
    "shape": _shape,
    "strides": _strides,
    "size": size,
    "ndim": lambda x: Constant(x.type.ndim),
    "dtype": lambda x: Constant(x.type.element.dtype),
    "itemsize": lambda x: Constant(x.type.element.dtype.itemsize),
    "nbytes": lambda x: Value(f"({size(x).code} * {x.type.element.dtype.itemsize})", INT64),
}
_METHODS = {"begin": False, "end": True}


def attribute(x, name):
    """`x.name` of an array."""
    if name in _ATTRIBUTES:
        return _ATTRIBUTES[name](x)
    if name in _METHODS:
        return Constant(Method(lambda: iterator_at(x, _METHODS[name])))
    known = ", ".join([*_ATTRIBUTES, *_METHODS])
    raise AttributeError(
        f"Unknown attribute: arrays have no attribute {name!r} in a kernel; there are {known}"
    )


class Method:
    """A method of a value, found by the translation: called at once."""

    def __init__(self, call):
        self.call = call


def _index(x, i, axis, mode):
    if isinstance(i, Constant) and isinstance(i.obj, numbers.Integral):
        return str(int(i.obj)) if i.obj >= 0 else f"{x.code}.shape[{axis}] - {-int(i.obj)}"
    value = scalar_of(i, mode)
    if not value.type.is_integer:
        raise TypeError(f"Array indices must be integers, given {describe(value)}")
    return value.code


def _indices(i):
    """The parts of an index."""
    count = length(i)
    return [i] if count is None else [item(i, n) for n in range(count)]


def _refuse_views(parts):
    for part in parts:
        if isinstance(part, Constant) and (
            part.obj is None or part.obj is Ellipsis or isinstance(part.obj, slice)
        ):
            raise TypeError("kernels index arrays by integers: slices, None and ... make views on the host")
        if isinstance(part, Value) and isinstance(part.type, Array):
            raise TypeError(
                "Advanced indexing is not supported: kernels index arrays by integers, one element a thread"
            )


def index(x, i, mode):
    """`x[i]` of an array: an element that can be assigned to, or an array with fewer dimensions."""
    parts = _indices(i)
    _refuse_views(parts)
    if len(parts) > x.type.ndim:
        raise IndexError(f"The number of indices is beyond array dim: {x.type.ndim}, given {len(parts)}")
    codes = ", ".join(_index(x, part, axis, mode) for axis, part in enumerate(parts))
    if len(parts) == x.type.ndim:
        return Value(f"{x.code}({codes})", x.type.element)
    rest = Array(x.type.element, x.type.ndim - len(parts), x.type.dense, x.type.index)
    return Value(f"{x.code}.part({codes})", rest)
