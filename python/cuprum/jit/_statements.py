"""Statements of Python: each kind of node and its lines of CUDA C++."""

import ast
import functools

from ._arrays import Array
from ._casts import cast_to_store
from ._errors import Located, unsupported
from ._expressions import condition, expression
from ._operators import apply
from ._ranges import Range
from ._scope import cpp_name, is_storable
from ._types import VOID, Scalar
from ._values import Constant, Items, Value, describe, item, length, value_of


def statements(nodes, scope):
    for node in nodes:
        try:
            _statement(node, scope)
        except Located:
            raise
        except Exception as error:
            raise Located(error, node) from error


def _block(head, nodes, scope, first=None):
    """A statement with a body."""
    scope.emit(f"{head} {{")
    scope.depth += 1
    if first is not None:
        scope.emit(first)
    statements(nodes, scope)
    scope.depth -= 1
    scope.emit("}")


@functools.singledispatch
def _statement(node, scope):
    raise unsupported(f"`{_WORDS.get(type(node), type(node).__name__)}` is")


_WORDS = {
    ast.FunctionDef: "def", ast.AsyncFunctionDef: "async def", ast.ClassDef: "class", ast.Delete: "del",
    ast.AsyncFor: "async for", ast.With: "with", ast.AsyncWith: "async with", ast.Raise: "raise", ast.Try: "try",
    ast.Import: "import", ast.ImportFrom: "import", ast.Global: "global", ast.Nonlocal: "nonlocal", ast.Match: "match",
}  # fmt: skip


@_statement.register
def _(node: ast.Pass, scope):
    pass


@_statement.register
def _(node: ast.Break, scope):
    scope.emit("break;")


@_statement.register
def _(node: ast.Continue, scope):
    scope.emit("continue;")


@_statement.register
def _(node: ast.Expr, scope):
    value = expression(node.value, scope)
    if isinstance(value, Value):
        scope.emit(f"{value.code};")


@_statement.register
def _(node: ast.Return, scope):
    value = Constant(None) if node.value is None else expression(node.value, scope)
    if isinstance(value, Constant) and value.obj is None:
        scope.returns(VOID)
        scope.emit("return;")
        return
    value = value_of(value, scope.mode)
    scope.returns(value.type)
    scope.emit(f"return {value.code};")


@_statement.register
def _(node: ast.Assert, scope):
    test = condition(node.test, scope)
    if not isinstance(test, Constant):
        scope.emit(f"assert({test.code});")
    elif not test.obj:
        raise AssertionError("" if node.msg is None else expression(node.msg, scope).obj)


@_statement.register
def _(node: ast.Assign, scope):
    value = expression(node.value, scope)
    if len(node.targets) > 1:  # a = b = value: the value is made once
        value = _temporary(value, scope)
    for target in node.targets:
        _assign(target, value, scope)


@_statement.register
def _(node: ast.AnnAssign, scope):
    if node.value is not None:
        _assign(node.target, expression(node.value, scope), scope)


@_statement.register
def _(node: ast.AugAssign, scope):
    target = expression(node.target, scope)
    value = expression(node.value, scope)
    if not isinstance(target, Value):
        raise TypeError(f"augmented assignment changes variables and elements, given {describe(target)}")
    if isinstance(node.target, ast.Name):
        _assign_name(node.target.id, apply(type(node.op), [target, value], scope.mode), scope)
        return
    # What an index needs is computed once.
    place = Value(scope.fresh("place"), target.type)
    changed = apply(type(node.op), [place, value], scope.mode)
    result = cast_to_store(changed, target.type, scope.mode, f"`{ast.unparse(node.target)}`")
    scope.emit(f"{{ {target.type}& {place.code} = {target.code}; {place.code} = {_bare(result.code)}; }}")


def _bare(code):
    """Without the brackets around the whole of an expression."""
    depth = 0
    for i, c in enumerate(code):
        depth += (c == "(") - (c == ")")
        if (depth == 0 and i < len(code) - 1) or (depth == 1 and c == ","):
            return code
    return code[1:-1] if code.startswith("(") else code


def _temporary(value, scope):
    """A value made now, once; constants are what they are."""
    if isinstance(value, Constant):
        return value
    name = scope.fresh("value")
    scope.emit(f"const auto {name} = {value.code};")
    return Value(name, value.type)


def _assign(target, value, scope):
    if isinstance(target, ast.Name):
        _assign_name(target.id, value, scope)
    elif isinstance(target, ast.Subscript):
        place = expression(target, scope)
        if not isinstance(place, Value) or isinstance(place.type, Array):
            raise TypeError(f"kernels assign to elements, one number at a time, given {describe(place)}")
        scope.emit(
            f"{place.code} = "
            f"{_bare(cast_to_store(value, place.type, scope.mode, f'`{ast.unparse(target)}`').code)};"
        )
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(target.elts, value, scope)
    else:
        raise unsupported(f"assignments to `{ast.unparse(target)}` are")


def _unpack(targets, value, scope):
    count = length(value)
    if count is None:
        raise ValueError(f"cannot unpack {describe(value)}")
    if count != len(targets):
        few = "not enough" if count < len(targets) else "too many"
        raise ValueError(f"{few} values to unpack (expected {len(targets)}, got {count})")
    if isinstance(value, Items):  # all are made before the first is stored: x, y = y, x
        parts = [_temporary(part, scope) for part in value.items]
    else:
        whole = _temporary(value, scope)
        parts = [item(whole, i) for i in range(count)]
    for target, part in zip(targets, parts):
        _assign(target, part, scope)


def _assign_name(name, value, scope):
    known = scope.variables.get(name)
    if isinstance(value, Constant) and not value.is_number and not isinstance(value.obj, tuple):
        _bind(name, value, known, scope)
        return
    if isinstance(known, Constant):
        raise TypeError(
            f"Data type mismatch of variable: `{name}` was {describe(known)}, which is known while the "
            "kernel is translated alone"
        )
    if known is None:
        value = value_of(value, scope.mode)
        if not is_storable(value.type):
            raise TypeError(f"`{name}` would have no value: {value.code} returns None")
        known = scope.variables[name] = Value(cpp_name(name), value.type)
        if scope.depth == 0:
            scope.emit(f"{known.type} {known.code} = {_bare(value.code)};")
            return
        scope.declare(f"{known.type} {known.code}{{}};")
    scope.emit(f"{known.code} = {_bare(_converted(value, known, name, scope).code)};")


def _converted(value, known, name, scope):
    if isinstance(known.type, Scalar):
        given = value_of(value, scope.mode)
        if isinstance(given.type, Scalar):
            return cast_to_store(value, known.type, scope.mode, f"`{name}`")
    value = value_of(value, scope.mode)
    if value.type != known.type:
        raise TypeError(
            f"Data type mismatch of variable: `{name}` is {known.type.describe()} and cannot become "
            f"{value.type.describe()}; use another name"
        )
    return value


def _bind(name, value, known, scope):
    """A name for something that only the translation knows: a type, a function, a group of threads."""
    if isinstance(known, Value):
        raise TypeError(
            f"Data type mismatch of variable: `{name}` is {known.type.describe()} and cannot become "
            f"{describe(value)}"
        )
    if scope.depth > 0 and not (known is not None and known.obj is value.obj):
        raise TypeError(
            f"`{name}`: what is known while the kernel is translated is assigned outside of branches and "
            f"loops, given {describe(value)}"
        )
    scope.variables[name] = value


@_statement.register
def _(node: ast.If, scope):
    test = condition(node.test, scope)
    if isinstance(test, Constant):  # decided now: the other branch is not even translated
        statements(node.body if test.obj else node.orelse, scope)
        return
    _block(f"if ({_bare(test.code)})", node.body, scope)
    if node.orelse:
        _block("else", node.orelse, scope)


@_statement.register
def _(node: ast.While, scope):
    if node.orelse:
        raise unsupported("`else` of a loop is")
    test = value_of(condition(node.test, scope), scope.mode)
    _block(f"while ({_bare(test.code)})", node.body, scope)


@_statement.register
def _(node: ast.For, scope):
    if node.orelse:
        raise unsupported("`else` of a loop is")
    counted = expression(node.iter, scope)
    counted = counted.obj if isinstance(counted, Constant) else counted
    if isinstance(counted, range):
        counted = Range.of_python(counted, scope.mode)
    if not isinstance(counted, Range):
        raise unsupported("`for` over anything but range and jit.range is")
    if not isinstance(node.target, ast.Name):
        raise unsupported("a loop over several names is")
    name = node.target.id
    known = scope.variables.get(name)
    if known is None:
        known = scope.variables[name] = Value(cpp_name(name), counted.type)
        scope.declare(f"{known.type} {known.code}{{}};")
    elif not isinstance(known, Value) or known.type != counted.type:
        raise TypeError(
            f"Data type mismatch of variable: the loop counts `{name}` in {counted.type.describe()}, but "
            f"it was {describe(known)}"
        )
    if counted.pragma:
        scope.emit(counted.pragma)
    counter = scope.fresh("at")
    _block(counted.head(counter, scope), node.body, scope, first=f"{known.code} = {counter};")
