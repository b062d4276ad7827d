"""Which dtype holds a value, or the values of several arrays; and what the package was built with."""

import sys

import numpy as np

from . import _core
from ._convert import as_array

__all__ = ["common_type", "min_scalar_type", "mintypecode", "show_config", "show_runtime", "typename"]


def min_scalar_type(a, /):
    """The smallest dtype that holds a scalar's value; of an array with dimensions its dtype.

    >>> cp.min_scalar_type(10), cp.min_scalar_type(cp.arange(3))
    (dtype('uint8'), dtype('int64'))
    """
    if not isinstance(a, (_core.ndarray, np.ndarray)):
        return np.min_scalar_type(a)
    a = as_array(a, "min_scalar_type")
    if a.ndim or a.dtype.name == "bfloat16":
        return a.dtype
    return np.min_scalar_type(a.get())


def mintypecode(typechars, typeset="GDFgdf", default="d"):
    """The character of the smallest type of `typeset` to which all given types, or arrays, can be cast.

    >>> cp.mintypecode(["d", "f", "D"]), cp.mintypecode([cp.ones(2, cp.float32)])
    ('D', 'f')
    """
    characters = [t if isinstance(t, str) else as_array(t, "mintypecode").dtype.char for t in typechars]
    return np.mintypecode(characters, typeset, default)


def typename(char):
    """What a type character means, in words.

    >>> cp.typename("d")
    'double precision'
    """
    return np.typename(char)


def common_type(*arrays):
    """The inexact scalar type that all arrays have in common; integers count as float64.

    >>> cp.common_type(cp.ones(2, cp.float32), cp.arange(2))
    <class 'numpy.float64'>
    """
    arrays = [as_array(a, "common_type", i + 1) for i, a in enumerate(arrays)]
    return _core.common_type(*(a.dtype for a in arrays)).type


def show_config(mode="stdout"):
    """Prints what this process runs on and what the package was built with; mode="dicts" returns it.

    >>> "threads" in cp.show_config(mode="dicts")["device"]
    True
    """
    from . import _info  # asks for devices, which importing the package should not

    if mode == "stdout":
        _info.show(sys.stdout)
        return None
    if mode == "dicts":
        topics = {}
        for topic, text in _info.describe():
            topics[topic] = f"{topics[topic]}; {text}" if topic in topics else text
        return topics
    raise AttributeError("Invalid `mode`, use one of: stdout, dicts")


def show_runtime():
    """Prints what this process runs on: device, threads, instruction set, libraries.

    >>> import contextlib, io
    >>> with contextlib.redirect_stdout(io.StringIO()) as text:
    ...     cp.show_runtime()
    >>> "threads" in text.getvalue()
    True
    """
    show_config()
