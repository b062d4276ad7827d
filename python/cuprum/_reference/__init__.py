"""Docstrings as users read them: a function's sentence and example come from its source, its Parameters,
Returns and Differences from NumPy from the tables beside this file.

The tables are keyed by the name that a user writes (`sum`, `linalg.norm`, `ndarray.sort`). What a function
has no entry for, it takes from its module (`linalg.*`), a method from the function of its name, and all of
them from `*`. The texts of ufuncs and of composites (_composite.py) are made when somebody asks for them;
those of plain functions and of methods, for which Python has no such hook, by the import.
tests/python/test_reference.py fails for a public function whose text is not complete.
"""

import functools
import inspect
import sys
import types

from . import differences, parameters, returns

_UNDERLINE = "\n-------"  # of the shortest title, Returns


def _sections(text):
    """{name: body}; what several sections say of a name follows one another. Without regular expressions, as below:
    compiling one takes as long as reading the tables."""
    table = {}
    for section in text.split("\n[")[1:]:
        names, _, body = section.partition("]\n")
        body = body.rstrip()
        for name in names.split():
            table[name] = f"{table[name]}\n{body}" if name in table else body
    return table


_PARAMETERS = _sections(parameters.TEXT)
_RETURNS = _sections(returns.TEXT)
_DIFFERENCES = _sections(differences.TEXT)


@functools.cache
def _entries(place):
    """{parameter: its type and sentence} in a section."""
    entries, names, words = {}, (), ""
    for line in f"{_PARAMETERS[place]}\n".split("\n"):
        if line[:1] == " ":
            words += f"\n{line}"
        else:
            entries.update(dict.fromkeys(names, words))
            names, _, words = line.partition(" : ")
            names = names.split(", ")
    return entries


def _places(key):
    """Where the tables may speak of a function, the most specific place first."""
    if "." not in key:
        return key, "*"
    package, name = key.partition(".")[0], key.rpartition(".")[2]
    if package == "ndarray":
        return key, name, "*"
    return key, f"{package}.{name}", f"{package}.*", "*"  # random.Generator.choice is as random.choice


def _parameter_section(places, names):
    """The entries of parameters, those with the same words together."""
    tables = [_entries(place) for place in places if place in _PARAMETERS]
    heads, texts = [], []
    for name in names:
        plain = name.lstrip("*")
        for table in tables:
            if plain in table:
                words = table[plain]
                if texts and texts[-1] is words:
                    heads[-1] += f", {name}"
                else:
                    heads.append(name)
                    texts.append(words)
                break
    return "\n".join([f"{head} : {words}" for head, words in zip(heads, texts)])


def _found(table, places):
    for place in places:
        if place in table:
            return table[place]
    return ""


def text(key, doc, names):
    """The docstring of a function: `doc`, its sentence and example, with what the tables say of it. A function that
    they do not know, or whose author has written all of it, keeps its own."""
    places = _places(key)
    returned = _found(_RETURNS, places)
    if not returned or _UNDERLINE in doc:
        return doc
    head, mark, example = doc.strip().partition("\n\n>>> ")
    parts = [head]
    if described := _parameter_section(places, names):
        parts.append(f"Parameters\n----------\n{described}")
    parts.append(f"Returns\n-------\n{returned}")
    if differs := _found(_DIFFERENCES, places):
        parts.append(f"Differences from NumPy\n----------------------\n{differs}")
    if mark:
        parts.append(f"Examples\n--------\n>>> {example}")
    return "\n\n".join(parts)


def _names(function):
    """The parameters of a Python function, as its signature has them, without self."""
    if (signature := getattr(function, "__signature__", None)) is not None:
        marks = {2: "*", 4: "**"}  # inspect's kinds of parameters
        names = [marks.get(p.kind, "") + p.name for p in signature.parameters.values()]
    else:
        while hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        code = function.__code__
        first, last = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
        names = list(code.co_varnames[:last])
        if code.co_flags & 4:
            names.insert(first, f"*{code.co_varnames[last]}")
            last += 1
        if code.co_flags & 8:
            names.append(f"**{code.co_varnames[last]}")
    return names[1:] if names[:1] == ["self"] else names


def _names_in(signature):
    """The same from a text such as "($self, /, axis=None)"; what is left of a default is no name."""
    names = [part.partition("=")[0] for part in signature[1:-1].split(", ")]
    return [name for name in names if name.lstrip("*").isidentifier()]


def describe(function, key):
    """Gives a Python function its docstring."""
    doc = function.__doc__
    if doc and _UNDERLINE not in doc:  # python -OO has none
        if sys.version_info < (3, 13):  # later compilers take the indentation of the source away
            doc = doc.replace("\n    ", "\n")
        function.__doc__ = text(key, doc, _names(function))


def describe_all(namespace, names):
    """The same for the plain functions that `names` are in a module's namespace, each under its own name."""
    prefix = f"{namespace['__name__']}.".partition(".")[2]
    for name in names:
        function = namespace[name]
        if isinstance(function, types.FunctionType):
            describe(function, prefix + function.__name__)


def described(function):
    """The docstring of the function behind a composite; `_core.composite` asks for it."""
    doc = inspect.getdoc(function)
    if not doc:  # python -OO
        return doc
    module = ".".join(part for part in function.__module__.split(".")[1:] if part[0] != "_")
    key = f"{module}.{function.__qualname__}" if module else function.__qualname__
    return text(key, doc, _names(function))


def describe_methods(cls, set_text):
    """Gives the methods of ndarray their docstrings; `set_text(name, text)` does it for those of the C++ module."""
    for name, member in vars(cls).items():
        if name[0] == "_":
            continue
        if isinstance(member, types.FunctionType):
            describe(member, f"ndarray.{name}")
        elif isinstance(member, types.MethodDescriptorType):
            names = _names_in(member.__text_signature__ or "()")
            set_text(name, text(f"ndarray.{name}", member.__doc__, names))


def ufunc_text(call, sentence, name):
    """The docstring of a ufunc, whose call and sentence are in the table of operations."""
    from .ufunc_examples import example

    names = _names_in(call.removeprefix(name))
    return f"{call}\n\n" + text(f"ufunc.{name}", sentence + example(name), names)
