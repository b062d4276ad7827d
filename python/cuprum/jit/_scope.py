"""What a translation knows: the program that grows, and the function that is being read."""

import builtins
import re

from ._types import VOID, Tuple
from ._values import Constant, Value

# Words that a variable of Python may have and one of C++ may not; names in capitals are macros there.
_CPP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        alignas alignof and_eq asm auto bitand bitor bool case catch char compl concept const const_cast consteval
        constexpr constinit co_await co_return co_yield decltype default delete do double dynamic_cast enum
        explicit export extern float friend goto half inline int jit long mutable namespace new noexcept not_eq np
        nullptr operator or_eq private protected public register reinterpret_cast requires short signed sizeof
        static static_assert static_cast struct switch template this thread_local throw true false typedef typeid
        typename union unsigned using virtual void volatile wchar_t xor xor_eq threadIdx blockIdx blockDim gridDim
        warpSize assert linux unix
        """,
    )
)


def ascii_name(name):
    """A name in the characters that names of C++ have; a lambda's too."""
    return re.sub(r"[^0-9A-Za-z_]", lambda m: "" if m[0] in "<>" else f"_u{ord(m[0]):x}_", name)


def cpp_name(name):
    """A variable's name in C++."""
    name = ascii_name(name)
    reserved = name in _CPP_WORDS or name.isupper() or name.startswith(("_", "jit_"))
    return f"v_{name}" if reserved else name


class Program:
    """The text of a kernel and of the functions that it calls."""

    MOST_FUNCTIONS = 100  # functions that make functions can go on for ever

    def __init__(self, mode):
        self.mode = mode
        self.headers = {"array.h": None}  # in order
        self.cooperative = False
        self.dynamic_shared = False
        self.texts = []
        self.functions = {}  # (function, types of arguments): its name and type, None while it is translated

    def include(self, header):
        self.headers.setdefault(header)

    @property
    def text(self):
        includes = "".join(f'#include "kernels/jit/{header}"\n' for header in self.headers)
        return includes + "\n" + "\n".join(self.texts)


class Scope:
    """One function: its variables and the lines of its text."""

    def __init__(self, program, function, parameters):
        self.program = program
        self.mode = program.mode
        self.function = function
        self.variables = dict(parameters)  # of Python: Value, or Constant where it is known now
        self.result = None
        self.declarations = []  # at the top of the text: what is assigned in branches and loops, and memory
        self.lines = []
        self.depth = 0
        self.count = 0

    def emit(self, line):
        self.lines.append("  " * (self.depth + 1) + line)

    def declare(self, line):
        self.declarations.append("  " + line)

    def fresh(self, prefix):
        self.count += 1
        return f"_{prefix}_{self.count}"  # a variable of Python never begins so: cpp_name

    def lookup(self, name):
        """A variable, or what Python finds outside of the function."""
        if name in self.variables:
            return self.variables[name]
        code = self.function.__code__
        if name in code.co_freevars:
            try:
                found = self.function.__closure__[code.co_freevars.index(name)].cell_contents
            except ValueError:
                raise NameError(f"Unbound name: {name}") from None
        elif name in self.function.__globals__:
            found = self.function.__globals__[name]
        elif hasattr(builtins, name):
            found = getattr(builtins, name)
        else:
            raise NameError(f"Unbound name: {name}")
        return found if isinstance(found, Value) else Constant(found)

    def returns(self, type):
        """Notes the type of a `return`."""
        if self.result is None:
            self.result = type
        elif self.result != type:
            raise ValueError(
                f"Failed to infer the return type: {self.result.describe()} or {type.describe()}"
            )


def is_storable(type):
    """Whether a variable can have the type."""
    return type != VOID and not (isinstance(type, Tuple) and any(not is_storable(t) for t in type.types))
