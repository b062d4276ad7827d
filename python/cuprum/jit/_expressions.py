"""Expressions of Python: each kind of node and its text in CUDA C++."""

import ast
import functools

from . import _calls
from ._arrays import Array, Iterator
from ._arrays import attribute as array_attribute
from ._arrays import index as array_index
from ._casts import agree, truth
from ._errors import Located, unsupported
from ._iterators import element
from ._operators import PYTHON, apply
from ._types import BOOL, UINT32, Dim3, Scalar
from ._values import Constant, Items, Value, constant_of, describe, item, length, value_of


def expression(node, scope):
    """A Constant or a Value."""
    try:
        return _expression(node, scope)
    except Located:
        raise
    except Exception as error:
        raise Located(error, node) from error


def condition(node, scope):
    """The truth of an expression: a Constant, or a Value of bool."""
    if isinstance(node, ast.BoolOp):
        tests = [condition(part, scope) for part in node.values]
        return functools.reduce(lambda a, b: _decide(a, b, isinstance(node.op, ast.Or), scope), tests)
    x = expression(node, scope)
    if isinstance(x, Constant):
        return Constant(bool(x.obj))
    try:
        return truth(x, scope.mode)
    except TypeError as error:
        raise Located(error, node) from error


@functools.singledispatch
def _expression(node, scope):
    raise unsupported(f"{_KINDS.get(type(node), type(node).__name__)} are")


_KINDS = {
    ast.Lambda: "lambdas", ast.JoinedStr: "f-strings", ast.ListComp: "comprehensions", ast.List: "lists",
    ast.Dict: "dicts", ast.Set: "sets", ast.GeneratorExp: "generators", ast.Yield: "generators",
    ast.NamedExpr: "assignments within expressions", ast.Starred: "starred expressions", ast.Slice: "slices",
    ast.Await: "coroutines", ast.DictComp: "comprehensions", ast.SetComp: "comprehensions",
}  # fmt: skip


@_expression.register
def _(node: ast.Constant, scope):
    return Constant(node.value)


@_expression.register
def _(node: ast.Name, scope):
    return scope.lookup(node.id)


@_expression.register
def _(node: ast.Tuple, scope):
    items = [expression(part, scope) for part in node.elts]
    if all(isinstance(x, Constant) for x in items):
        return Constant(tuple(x.obj for x in items))
    return Items(items, scope.mode)


@_expression.register
def _(node: ast.BinOp, scope):
    return apply(type(node.op), [expression(node.left, scope), expression(node.right, scope)], scope.mode)


@_expression.register
def _(node: ast.UnaryOp, scope):
    if isinstance(node.op, ast.Not):
        test = condition(node.operand, scope)
        return Constant(not test.obj) if isinstance(test, Constant) else Value(f"(!{test.code})", BOOL)
    return apply(type(node.op), [expression(node.operand, scope)], scope.mode)


@_expression.register
def _(node: ast.Compare, scope):
    """`a < b < c` asks for b once."""
    values = [expression(part, scope) for part in (node.left, *node.comparators)]
    kinds = [type(op) for op in node.ops]
    if len(kinds) == 1:
        return apply(kinds[0], values, scope.mode)
    if all(isinstance(x, Constant) for x in values):
        return Constant(
            all(PYTHON[op](a.obj, b.obj) for op, a, b in zip(kinds, values, values[1:], strict=False))
        )
    names, steps = [], []
    for x in values:
        value = value_of(x, scope.mode)
        names.append(Value(scope.fresh("link"), value.type) if isinstance(x, Value) else x)
        steps.append(f"const auto {names[-1].code} = {value.code};" if isinstance(x, Value) else "")
    text = steps[0]
    for i, op in enumerate(kinds):
        test = truth(apply(op, names[i : i + 2], scope.mode), scope.mode).code
        text += f" {steps[i + 1]} " + (
            f"if (!{test}) return false;" if i + 1 < len(kinds) else f"return {test};"
        )
    return Value(f"[&]() -> bool {{ {' '.join(text.split())} }}()", BOOL)


@_expression.register
def _(node: ast.BoolOp, scope):
    """Python's: the operand that decides, and no operand behind it is looked at."""
    values = [expression(part, scope) for part in node.values]
    is_or = isinstance(node.op, ast.Or)
    result = values.pop()
    while values:
        result = _decide(values.pop(), result, is_or, scope)
    return result


def _decide(x, y, is_or, scope):
    if isinstance(x, Constant):
        return x if bool(x.obj) == is_or else y
    if x.type == BOOL and value_of(y, scope.mode).type == BOOL:
        return Value(f"({x.code} {'||' if is_or else '&&'} {value_of(y, scope.mode).code})", BOOL)
    name = scope.fresh("first")
    first = Value(name, x.type)
    a, b = agree(*((first, y) if is_or else (y, first)), scope.mode)
    return Value(
        f"[&]() -> {a.type} "
        f"{{ const auto {name} = {x.code}; return {truth(first, scope.mode).code} ? {a.code} : {b.code}; }}()",
        a.type,
    )


@_expression.register
def _(node: ast.IfExp, scope):
    test = condition(node.test, scope)
    if isinstance(test, Constant):
        return expression(node.body if test.obj else node.orelse, scope)
    a, b = agree(expression(node.body, scope), expression(node.orelse, scope), scope.mode)
    return Value(f"({test.code} ? {a.code} : {b.code})", a.type)


@_expression.register
def _(node: ast.Subscript, scope):
    x = expression(node.value, scope)
    i = expression(node.slice, scope)
    if isinstance(x, Constant):
        if isinstance(i, Constant):
            return Constant(x.obj[i.obj])
        raise TypeError(
            f"{type(x.obj).__name__} is known while the kernel is translated; its index must be too, given "
            f"{describe(i)}"
        )
    if length(x) is not None:
        return item(x, constant_of(i, "the index of a tuple"))
    if isinstance(x.type, Array):
        return array_index(x, i, scope.mode)
    if isinstance(x.type, Iterator):
        return element(x, i, scope.mode)
    raise TypeError(f"{describe(x)}, cannot be indexed")


@_expression.register
def _(node: ast.Attribute, scope):
    x = expression(node.value, scope)
    if isinstance(x, Constant):
        found = getattr(x.obj, node.attr)
        return found if isinstance(found, Value) else Constant(found)
    if isinstance(x.type, Array):
        return array_attribute(x, node.attr)
    if isinstance(x.type, Dim3) and node.attr in ("x", "y", "z"):
        return Value(f"{x.code}.{node.attr}", UINT32)
    if isinstance(x.type, Scalar) and node.attr in ("real", "imag"):
        return _calls.part(node.attr, x, scope.mode)
    raise AttributeError(f"Unknown attribute: {describe(x)}, has no attribute {node.attr!r} in a kernel")


@_expression.register
def _(node: ast.Call, scope):
    function = expression(node.func, scope)
    if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        raise unsupported("*args and **kwargs in calls are")
    args = [expression(a, scope) for a in node.args]
    keywords = {k.arg: expression(k.value, scope) for k in node.keywords}
    if not isinstance(function, Constant):
        raise TypeError(f"{describe(function)}, is not callable")
    return _calls.call(function.obj, args, keywords, scope)
