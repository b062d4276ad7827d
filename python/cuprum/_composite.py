"""Functions that are written in Python compute where their arrays are, as those of the core do."""

import types

from . import _core


def enter_by_device(namespace, names):
    """Puts `_core.composite` before the functions that `names` are in a module's namespace: while one of them runs, the
    device of its arrays is the current one. Within the package functions call each other as they are: whoever came
    from outside is there already."""
    made = {}  # a function with two names stays one
    for name in names:
        function = namespace[name]
        if isinstance(function, types.FunctionType) and not _hands_on(function):
            namespace[name] = made.setdefault(function, _core.composite(function))


def methods_enter_by_device(cls):
    """The same for the methods, class methods and properties of a class. `_array_behind` is the array that an object
    is about."""
    for name, member in list(vars(cls).items()):
        if isinstance(member, types.FunctionType):
            setattr(cls, name, _core.composite(member))
        elif isinstance(member, property) and name != "_array_behind":
            parts = (f and _core.composite(f) for f in (member.fget, member.fset, member.fdel))
            setattr(cls, name, property(*parts, doc=member.__doc__))
        elif isinstance(member, classmethod) and isinstance(member.__func__, types.FunctionType):
            setattr(cls, name, classmethod(_core.composite(member.__func__)))
    return cls


def _hands_on(function):
    """Is `return _core.f(...)` all that it does? Then the core finds the device, and 40 ns are saved."""
    names = set(function.__code__.co_names)
    return "_core" in names and len(names - {"_core", "given"}) == 1
