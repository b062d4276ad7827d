"""Which arrays a kernel only reads.

What a kernel reads alone may be read-only, and need not be ordered behind other readers. An array counts as
written unless every mention of it is an element that is read, an attribute, or its length.
"""

import ast

from ._arrays import Array

_ATTRIBUTES = {"shape", "strides", "size", "ndim", "dtype", "itemsize", "nbytes"}


def _harmless(node, ndim):
    """The name in an expression that reads the array and lets it go no further; None in any other."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        count = len(node.slice.elts) if isinstance(node.slice, ast.Tuple) else 1
        return node.value if isinstance(node.value, ast.Name) and count == ndim.get(node.value.id) else None
    if isinstance(node, ast.Attribute) and node.attr in _ATTRIBUTES:
        return node.value
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "len"
        and len(node.args) == 1
    ):
        return node.args[0]
    return None


def written_parameters(source, types):
    """For every parameter whether the kernel may write it."""
    names = source.parameters
    ndim = {n: t.ndim for n, t in zip(names, types, strict=True) if isinstance(t, Array)}
    nodes = [node for statement in source.body for node in ast.walk(statement)]
    harmless = {id(_harmless(node, ndim)) for node in nodes}
    written = {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in harmless}
    return [n in ndim and n in written for n in names]
