"""A Python function as a function of CUDA C++."""

from ._errors import Located, located
from ._scope import Program, Scope, ascii_name, cpp_name
from ._source import Source
from ._statements import statements
from ._types import VOID
from ._values import Value


def translate(program, function, types, head):
    """Adds a function for arguments of these types to the program; its name in the text and the type of its
    result.
    """
    key = function, types
    if key in program.functions:
        if program.functions[key] is None:
            raise ValueError(f"Recursive function is not supported: {function.__name__} calls itself")
        return program.functions[key]
    if len(program.functions) >= program.MOST_FUNCTIONS:
        raise ValueError(
            f"Number of functions exceeds upper limit: a kernel has {program.MOST_FUNCTIONS} device "
            "functions at most"
        )
    source = Source(function)
    names = source.parameters
    if len(names) != len(types):
        raise TypeError(
            f"cuprum.jit: {source.name}() takes {len(names)} positional arguments but {len(types)} were "
            "given."
        )
    suffix = f"_{len(program.functions)}" if program.functions else ""
    name = f"jit_{ascii_name(source.name)}{suffix}"
    program.functions[key] = None
    scope = Scope(program, function, {n: Value(cpp_name(n), t) for n, t in zip(names, types, strict=True)})
    try:
        statements(source.body, scope)
    except Located as error:
        failed = located(error, source)
        failed.__cause__ = error.error.__cause__
        raise failed from None
    result = VOID if scope.result is None else scope.result
    parameters = ", ".join(f"{t} {cpp_name(n)}" for n, t in zip(names, types, strict=True))
    lines = [f"{head} {result} {name}({parameters}) {{", *scope.declarations, *scope.lines, "}\n"]
    program.texts.append("\n".join(lines))
    program.functions[key] = name, result
    return program.functions[key]


class Translation:
    """A whole program: its text, the name and the result type of its function, what its launch needs."""

    def __init__(self, function, types, mode, head):
        program = Program(mode)
        self.name, self.result = translate(program, function, tuple(types), head)
        self.text = program.text
        self.headers = tuple(program.headers)
        self.functions = "\n".join(program.texts)
        self.cooperative = program.cooperative


def kernel(function, types, mode):
    """The translation of a kernel, which returns nothing."""
    translation = Translation(function, types, mode, 'extern "C" __global__')
    if translation.result != VOID:
        source = Source(function)
        raise TypeError(
            f"cuprum.jit: the kernel {source.name} returns {translation.result.describe()}; kernels return "
            "None and write their results "
            f'into arrays\n  File "{source.file}", line {source.first_line}, in {source.name}'
        )
    return translation


def device_function(function, types, mode="numpy"):
    """The translation of a scalar function, for arguments of these types (`Scalar(dtype)`): for programs that
    call it from their own text.
    """
    return Translation(function, types, mode, "__device__ inline")
