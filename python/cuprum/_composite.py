"""Functions that are written in Python compute where their arrays are, as those of the core do; those that only hand
their parameters on to the core are left out of a call.
"""

import opcode
import types

from . import _core

_JUMPS = frozenset(opcode.hasjrel) | frozenset(opcode.hasjabs)


def enter_by_device(namespace, names):
    """Puts `_core.composite` before the functions that `names` are in a module's namespace: while one of them runs, the
    device of its arrays is the current one. Within the package functions call each other as they are: whoever came
    from outside is there already."""
    made = {}  # a function with two names stays one
    for name in names:
        function = namespace[name]
        if isinstance(function, types.FunctionType):
            namespace[name] = made.setdefault(function, entered(function))


def entered(function):
    """What stands for the function where users find it."""
    handed_on = _handed_on(function)
    if handed_on:
        return _core.composite(function, *handed_on)
    if hasattr(function, "plainly"):
        return _core.composite(function, function.plainly)
    return function if _hands_on(function) else _core.composite(function)


def plainly(core):
    """A decorator: calls with two arrays and nothing else go to this function of the core, past the Python."""

    def marked(function):
        function.plainly = core
        return function

    return marked


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
    """Is a call of the core all that it does? Then the core finds the device, and 40 ns are saved."""
    names = set(function.__code__.co_names)
    return "_core" in names and len(names - {"_core", "given"}) == 1


class _Core:
    """Stands for the core in a function that is asked what it does: it notes one call."""

    def __init__(self):
        self.path, self.call = [], None

    def __getattr__(self, name):
        self.path.append(name)
        return self

    def __call__(self, *args, **kwargs):
        if self.call:
            raise TypeError
        self.call = args, kwargs
        return self


def _handed_on(function):
    """The function of the core that it calls with its parameters, where it does nothing else, which arguments those
    are, as places of parameters or constants in tuples, and the names of the last arguments; else None."""
    code = function.__code__
    by_star = code.co_flags & 0x0C
    if code.co_names[:1] != ("_core",) or by_star or code.co_freevars:
        return None
    if not _JUMPS.isdisjoint(code.co_code[::2]):
        return None
    stand_in, count = _Core(), code.co_argcount + code.co_kwonlyargcount
    marks = [object() for _ in range(count)]
    named = dict(zip(code.co_varnames[code.co_argcount : count], marks[code.co_argcount :]))
    try:
        result = types.FunctionType(code, {"_core": stand_in})(*marks[: code.co_argcount], **named)
    except Exception:  # it does more
        return None
    if result is not stand_in or not stand_in.call:
        return None
    args, kwargs = stand_in.call
    order = []
    for x in (*args, *kwargs.values()):
        if any(x is mark for mark in marks):
            order.append(next(i for i, mark in enumerate(marks) if x is mark))
        elif any(x is constant for constant in code.co_consts):
            order.append((x,))
        else:
            return None
    core = _core
    for name in stand_in.path:
        core = getattr(core, name)
    return core, tuple(order), tuple(kwargs)
