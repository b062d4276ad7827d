"""The Python text of a function, as a tree."""

import ast
import inspect
import linecache
import textwrap


class Source:
    """`tree` is the function's ast.FunctionDef or ast.Lambda, whose lines count from `first_line` of `file`."""

    def __init__(self, function):
        if not inspect.isfunction(function):
            raise ValueError(f"cuprum.jit: a kernel is a function written in Python, given {function!r}")
        self.name = function.__name__
        self.file = inspect.getsourcefile(function) or function.__code__.co_filename
        self.lines, self.first_line, self.tree = (
            _lambda(function, self.file) if self.name == "<lambda>" else _def(function)
        )

    @property
    def parameters(self):
        """The names of the parameters: plain ones alone."""
        a = self.tree.args
        if a.vararg or a.kwarg or a.kwonlyargs or a.defaults:
            raise ValueError(
                f"cuprum.jit: {self.name} at {self.file}:{self.first_line}: kernels take positional "
                "parameters; "
                "*args, **kwargs, keyword-only parameters and defaults are not supported"
            )
        return [p.arg for p in (*a.posonlyargs, *a.args)]

    @property
    def body(self):
        if isinstance(self.tree, ast.Lambda):
            return [ast.copy_location(ast.Return(self.tree.body), self.tree.body)]
        return self.tree.body


def _no_text(function):
    return RuntimeError(
        f"cuprum.jit: the text of {function.__name__} cannot be found; kernels are translated from their "
        "text, so define "
        "them in a file or in a notebook, not at the prompt of the interpreter or by exec"
    )


def _def(function):
    try:
        lines, first_line = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise _no_text(function) from None
    lines = textwrap.dedent("".join(lines)).splitlines()
    return lines, first_line, ast.parse("\n".join(lines)).body[0]


def _lambda(function, file):
    """Lines around a lambda need not be a statement: its tree is found in that of the whole file."""
    lines = [line.rstrip("\n") for line in linecache.getlines(file)]
    if not lines:
        raise _no_text(function)
    code = function.__code__
    found = [
        n
        for n in ast.walk(ast.parse("\n".join(lines)))
        if isinstance(n, ast.Lambda) and n.lineno == code.co_firstlineno
    ]
    names = code.co_varnames[: code.co_argcount]
    found = [n for n in found if tuple(a.arg for a in n.args.args) == names]
    if len(found) != 1:
        raise ValueError(
            f"cuprum.jit: Multiple callables are found at line {code.co_firstlineno} of {file}, with the "
            "same parameters: "
            "write one lambda a line, or a function"
        )
    return lines, 1, found[0]
