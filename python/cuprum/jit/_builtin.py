"""Functions that exist inside kernels alone."""

import functools
import inspect

from ._values import Constant


def builtin(translation):
    """Makes a function of kernels of its translation.

    A translation takes the scope before the arguments (behind `self`, in a method). What users see has its
    docstring and its other parameters; called outside of a kernel, it says so. Defaults are what users would
    write.
    """
    parameters = list(inspect.signature(translation).parameters.values())
    is_method = parameters[0].name == "self"

    @functools.wraps(translation)
    def function(*args, **keywords):
        name = f"{function.__module__}.{function.__qualname__}"
        raise RuntimeError(
            f"{name}: called outside of a kernel; functions under @cuprum.jit.rawkernel() call it"
        )

    del function.__wrapped__
    function.__signature__ = inspect.Signature(
        parameters[:1] + parameters[2:] if is_method else parameters[1:]
    )
    function.translate = translation
    return function


def translate_builtin(function, args, keywords, scope):
    """Calls the translation behind a function, a bound method or an object."""
    signature = inspect.signature(function)
    given = signature.bind(*args, **keywords)
    missing = {n: Constant(p.default) for n, p in signature.parameters.items() if p.default is not p.empty}
    keywords = {n: value for n, value in missing.items() if n not in given.arguments} | given.kwargs
    owner = (function.__self__,) if inspect.ismethod(function) else ()
    return function.translate(*owner, scope, *given.args, **keywords)
