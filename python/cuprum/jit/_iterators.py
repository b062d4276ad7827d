"""Pointers and iterators: their steps, their distances, their elements."""

import ast

from ._arrays import Array, Iterator, iterator_at
from ._types import BOOL, INT64, Scalar
from ._values import Value, describe, scalar_of

_COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def pointer_to(element):
    return Iterator(f"{element}*", element)


def is_iterator(x):
    return isinstance(x, Value) and isinstance(x.type, (Array, Iterator))


def as_iterator(x):
    """An iterator; an array with one dimension stands for its first element."""
    if not is_iterator(x):
        raise TypeError(f"an iterator is needed here, such as x.begin(), given {describe(x)}")
    return iterator_at(x, end=False) if isinstance(x.type, Array) else x


def _step(x, mode):
    step = scalar_of(x, mode)
    if not step.type.is_integer:
        raise TypeError(f"iterators take steps of integers, given {describe(step)}")
    return step.code


def move_iterator(op, args, mode):
    """it + n, n + it, it - n, it - it and comparisons."""
    if op is ast.Add:
        at, by = args if is_iterator(args[0]) else args[::-1]
        at = as_iterator(at)
        return Value(f"({at.code} + {_step(by, mode)})", at.type)
    first = as_iterator(args[0])
    if op is ast.Sub and not is_iterator(args[1]):
        return Value(f"({first.code} - {_step(args[1], mode)})", first.type)
    second = as_iterator(args[1]) if len(args) == 2 else first
    if first.type != second.type or (op is not ast.Sub and op not in _COMPARISONS):
        raise TypeError(
            f"arrays and iterators have no such operation: {describe(first)}, and {describe(second)}"
        )
    if op is ast.Sub:
        return Value(f"(long long)({first.code} - {second.code})", INT64)
    return Value(f"({first.code} {_COMPARISONS[op]} {second.code})", BOOL)


def element(it, i, mode):
    """it[i], which can be assigned to."""
    return Value(f"{it.code}[{_step(i, mode)}]", it.type.element)


def is_over(it, type):
    """Whether the elements are of a type of numbers."""
    return isinstance(it.type.element, Scalar) and it.type.element == type
