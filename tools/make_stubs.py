"""Writes the type stubs (python/cuprum/**/*.pyi) from the signatures of the built package.

    python tools/make_stubs.py            # after a public name was added or changed; a test fails until then

The operators, the ufunc class and the type names are written by hand in tools/stub_head.pyi; the tables that give a
parameter and a result their types are in tools/stub_types.py. A result that is in no table has the type that the
examples of the docstrings return.
"""

import contextlib
import doctest
import functools
import inspect
import io
import sys
from pathlib import Path

import numpy as np
from api_reference import submodules
from stub_types import (
    ATTRIBUTES,
    BY_DTYPE,
    BY_FUNCTION,
    BY_NAME,
    CLASS_TYPES,
    KINDS,
    METHOD_RESULTS,
    PAIRS,
    RESULTS,
    SEVERAL,
)

import cuprum as cp

ROOT = Path(__file__).resolve().parents[1]
MADE = "# Made by tools/make_stubs.py from the signatures of the package."


def parameter_type(function, p):
    """The type of a parameter: by the function, by its name, by its default."""
    named = BY_FUNCTION.get(function, {}).get(p.name) or BY_NAME.get(p.name)
    if named:
        takes_none = "None" in named or named in ("_DType", "_Axis", "Any")
        return f"{named} | None" if p.default is None and not takes_none else named
    if type(p.default) in (bool, int, float, str):
        return {bool: "_bool", int: "SupportsIndex | Any"}.get(type(p.default), type(p.default).__name__)
    return "Any"


class Recorder:
    """Stands for the module in an example, and writes down what its functions return."""

    def __init__(self, seen):
        self._seen = seen

    def __getattr__(self, name):
        value = getattr(cp, name)
        if not inspect.isroutine(value):
            return value

        def called(*args, **kwargs):
            result = value(*args, **kwargs)
            self._seen.append((name, result))
            return result

        return called


@functools.cache
def returned():
    """{function: what it returned}, over all examples of the package's functions."""
    seen = []
    for name in cp.__all__:
        value = getattr(cp, name)
        text = inspect.getdoc(value) or ""
        if inspect.isroutine(value) and ">>>" in text:
            example = doctest.DocTestParser().get_doctest(
                text, {"cp": Recorder(seen), "np": np}, name, None, 0
            )
            with contextlib.redirect_stdout(io.StringIO()):
                doctest.DocTestRunner().run(example)
    results = {}
    for name, result in seen:
        results.setdefault(name, []).append(result)
    return results


def result_type(name):
    """By the table, else by the examples: their one type, or Any."""
    if name in RESULTS:
        return RESULTS[name]
    results = returned().get(name, [])
    kinds = {next((text for kind, text in KINDS.items() if isinstance(r, kind)), "Any") for r in results}
    return kinds.pop() if len(kinds) == 1 else "Any" if kinds else "ndarray"


def call(function, signature):
    """The parameters of a function as a stub writes them."""
    kinds = inspect.Parameter
    parts, star, slash = [], False, False
    for p in signature.parameters.values():
        if slash and p.kind != kinds.POSITIONAL_ONLY:
            parts.append("/")
            slash = False
        if p.kind == kinds.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        if p.name == "self" and not parts:
            parts.append("self")
            slash = p.kind == kinds.POSITIONAL_ONLY
            continue
        stars = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}.get(p.kind, "")
        star = star or stars == "*"
        slash = p.kind == kinds.POSITIONAL_ONLY
        default = "" if stars or p.default is kinds.empty else " = ..."
        parts.append(f"{stars}{p.name}: {parameter_type(function, p)}{default}")
    if slash:
        parts.append("/")
    return ", ".join(parts)


def overloads(name, value):
    """Two declarations: with the argument that asks for several results, which is then given by name, and without."""
    parameter, kind, several = SEVERAL[name]
    signature = inspect.signature(value)
    plain = call(name, signature)
    declared = f"{parameter}: _bool = ..."
    head, tail = plain.split(declared)
    named = f"{head}{'' if '*' in head else '*, '}{parameter}: {kind}{tail.replace('*, ', '', 1)}"
    single = plain.replace(declared, f"{parameter}: Literal[False] = ...")
    return (
        f"@overload\ndef {name}({single}) -> ndarray: ...\n@overload\ndef {name}({named}) -> {several}: ..."
    )


def typed_by_dtype(name, value):
    """Two declarations: with a scalar type as `dtype`, which the result then has, and without. Where the parameters
    before it have defaults, it is given by name."""
    plain = call(name, inspect.signature(value))
    declared = next(d for d in ("dtype: _DType = ...", "dtype: _DType") if d in plain)
    head, tail = plain.split(declared)
    by_name = "= ..." in head and "*, " not in head
    typed = f"{head}{'*, ' if by_name else ''}dtype: _DTypeOf[_S]{tail.replace('*, ', '', 1) if by_name else tail}"
    return (
        f"@overload\ndef {name}({typed}) -> ndarray[_S]: ...\n@overload\ndef {name}({plain}) -> ndarray: ..."
    )


def function_text(name, value):
    if name in SEVERAL:
        return overloads(name, value)
    if name in BY_DTYPE and getattr(cp, name) is value:
        return typed_by_dtype(name, value)
    return f"def {name}({call(name, inspect.signature(value))}) -> {result_type(name)}: ..."


def method_text(name, value):
    if name in BY_DTYPE:
        return "    " + typed_by_dtype(name, value).replace("\n", "\n    ")
    result = METHOD_RESULTS.get(name, RESULTS.get(name, "ndarray"))
    return f"    def {name}({call(name, inspect.signature(value))}) -> {result}: ..."


def ndarray_text():
    """Attributes and methods, to follow the operators of the head."""
    lines = []
    for name in sorted(n for n in dir(cp.ndarray) if not n.startswith("_")):
        value = inspect.getattr_static(cp.ndarray, name)
        if isinstance(value, property):
            kind = ATTRIBUTES.get(name, "Any")
            lines += ["    @property", f"    def {name}(self) -> {kind}: ..."]
            if value.fset:
                lines += [f"    @{name}.setter", f"    def {name}(self, value: Any, /) -> None: ..."]
        elif not inspect.isclass(value):
            lines.append(method_text(name, getattr(cp.ndarray, name)))
        else:
            lines.append(f"    {name}: ClassVar[type[Any]]")
    return "\n".join(lines)


def ufunc_text(name, value):
    return f"{name}: ufunc[{PAIRS}]" if value.nout == 2 else f"{name}: ufunc"


def class_text(name, cls):
    """A class of the package: what it has, with its parameters, typed loosely."""
    lines = []
    bases = [c for c in cls.__mro__ if c.__module__.startswith("cuprum")]
    members = {member: value for c in reversed(bases) for member, value in vars(c).items()}
    for member, value in sorted(members.items()):
        if member in (
            "__module__",
            "__doc__",
            "__dict__",
            "__weakref__",
            "__hash__",
            "__new__",
            "__firstlineno__",
            "__init_subclass__",
        ):
            continue
        if member.startswith("_") and not member.startswith("__"):  # the class's own affair
            continue
        if member in ("__eq__", "__ne__"):
            lines.append(f"def {member}(self, other: object) -> Any: ...")
        elif isinstance(value, property):
            lines += ["@property", f"def {member}(self) -> {CLASS_TYPES.get(member, 'Any')}: ..."]
        elif isinstance(value, (staticmethod, classmethod)):
            lines += [
                f"@{type(value).__name__}",
                f"def {member}({call(name, inspect.signature(value.__func__))}) -> Any: ...",
            ]
        elif inspect.isclass(value):
            lines.append(f"class {member}({value.__base__.__name__}): ...")
        elif inspect.isfunction(inspect.unwrap(value)):
            is_law = (
                value.__module__.startswith("cuprum.random") and member in RESULTS
            )  # as the function of its name
            result = RESULTS[member] if is_law else CLASS_TYPES.get(member, "Any")
            lines.append(
                f"def {member}({call(member if is_law else name, inspect.signature(value))}) -> {result}: ..."
            )
        elif callable(value) and not member.startswith("__"):  # of the C++ module
            lines.append(f"def {member}(self, *args: Any, **kwargs: Any) -> Any: ...")
        elif not member.startswith("__"):
            lines.append(f"{member}: Any")
    base = f"({cls.__base__.__name__})" if issubclass(cls, Exception) else ""
    return f"class {name}{base}:\n" + "\n".join(f"    {line}" for line in lines or ["..."])


def constant_text(name, value):
    return f"{name}: {type(value).__name__.replace('NoneType', 'None')}"


def object_text(name, value):
    """A helper object such as mgrid, by the class that it has."""
    return class_text(f"_{name}", type(value)) + f"\n\n{name}: _{name}"


def member_text(name, value):
    """The line or the block that declares a public name."""
    if inspect.isclass(value):
        return class_text(name, value)
    if isinstance(value, cp.ufunc):
        return ufunc_text(name, value)
    if inspect.isroutine(value):
        return function_text(name, value)
    if value is None or isinstance(value, (float, int, str, cp.ndarray)):
        return constant_text(name, value)
    return object_text(name, value)


def imported_base(module, value):
    """The import of what an exception is derived from, where that is another module's."""
    base = value.__base__ if inspect.isclass(value) and issubclass(value, Exception) else None
    if base is None or base.__name__ in module.__all__:
        return []
    homes = [m for m in submodules() if base.__name__ in m.__all__ and getattr(m, base.__name__) is base]
    return [f"from {home.__name__} import {base.__name__}" for home in homes[:1]]


def members_of(module):
    """Imports of what is NumPy's or another module's, and declarations of the rest."""
    imports, declared = [], []
    parts = [m for m in submodules() if module is not cp and m.__name__.startswith(f"{module.__name__}.")]
    for name in module.__all__:
        value = getattr(module, name)
        origin = getattr(value, "__module__", None) or ""
        constant = value is None or isinstance(value, float)
        if name in ("ndarray", "ufunc"):
            continue
        if inspect.ismodule(value):
            imports.append(f"from {value.__name__.rpartition('.')[0]} import {name} as {name}")
        elif origin.startswith("numpy") or (getattr(np, name, None) is value and not constant):
            origin = "numpy" if getattr(np, name, None) is value else origin
            imports.append(f"from {origin} import {name} as {name}")
        elif module is not cp and inspect.isclass(value) and getattr(cp, name, None) is value:
            imports.append(f"from cuprum import {name} as {name}")
        elif below := [m for m in parts if getattr(m, name, None) is value and name in m.__all__]:
            imports.append(f"from {below[0].__name__} import {name} as {name}")
        else:
            declared.append(member_text(name, value))
            imports += imported_base(module, value)
    return sorted(imports), declared


def package_stub():
    """python/cuprum/__init__.pyi: the head, then everything public."""
    imports, declared = members_of(cp)
    modules = [module.__name__.removeprefix("cuprum.") for module in submodules()]
    imports += [f"from . import {name} as {name}" for name in modules if "." not in name]
    head = (ROOT / "tools/stub_head.pyi").read_text().partition("\n")[2]
    head = head.replace("\n_ArrayLike:", "\n" + "\n".join(imports) + "\n\n_ArrayLike:", 1).rstrip()
    return "\n".join([MADE, head, ndarray_text(), "", *declared, ""])


def module_stub(module):
    """The stub of a public module, as cuprum.cuda."""
    imports, declared = members_of(module)
    types = [
        "from builtins import bool as _bool",
        "from collections.abc import Callable, Sequence",
        "from typing import Any, SupportsIndex",
        "",
        "import numpy as np",
        "import numpy.typing as npt",
        "",
        "from cuprum import Device, _ArrayLike, _Axis, _DType, _Shape, ndarray, ufunc",
    ]
    if "Device" in module.__all__:
        types[-1] = types[-1].replace("Device, ", "")
    return "\n".join([MADE, *types, *imports, "", "__all__: list[str]", "", *declared, ""])


def stubs():
    """{path: text} of all stub files."""
    files = {ROOT / "python/cuprum/__init__.pyi": package_stub()}
    for module in submodules():
        source = Path(module.__file__)
        folders = module.__name__.split(".")[: None if source.name == "__init__.py" else -1]
        files[ROOT.joinpath("python", *folders, source.stem + ".pyi")] = module_stub(module)
    return files


def main():
    for path, text in stubs().items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
