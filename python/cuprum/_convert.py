"""How the functions of the package take their array arguments.

Lists, tuples and scalars are converted as NumPy converts them. NumPy arrays are taken where they are parameters beside
the data (edges, weights, probabilities) and small; as the data itself the transfer guard decides (`_core.as_array`): a
program that mixed them in by accident would copy them to the device at every call without a word.
"""

import functools

import numpy as np

from . import _core
from ._checks import naming

ndarray = _core.ndarray


def as_array(x, function, position=1):
    """`x` as an ndarray; `function` and `position` name it in the error."""
    return x if isinstance(x, ndarray) else _core.as_array(x, function, position)


def as_parameter(x, function, position):
    """The same for what stands beside the data: a small NumPy array is taken."""
    return x if isinstance(x, ndarray) else _core.as_array(x, function, position, True)


def as_company(function, *xs):
    """The same for arguments each of which may be the data: the others are parameters then."""
    beside_data = any(isinstance(x, ndarray) for x in xs)
    return [
        x if isinstance(x, ndarray) else _core.as_array(x, function, i, beside_data)
        for i, x in enumerate(xs, 1)
    ]


def as_arrays(xs, function):
    """A list of ndarrays from a sequence of array-likes; what can be read only once is none."""
    if not hasattr(xs, "__getitem__"):
        raise TypeError(
            f'cuprum.{function}: arrays to stack must be passed as a "sequence" type such as list or tuple, given a '
            f"{type(xs).__name__}"
        )
    with naming(function):
        if isinstance(xs, ndarray):
            return list(xs)
        return [as_array(x, function, i + 1) for i, x in enumerate(xs)]


def plain(x):
    """`x` itself, or a view of it as an ndarray where its class is derived from ndarray."""
    return x if type(x) is ndarray else x.view(ndarray)


def keeps_class(function):
    """A function of many steps whose results are of the class of its first argument, where that is a derived one."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        result = function(*args, **kwargs)
        like = args[0] if args else next(iter(kwargs.values()), None)
        if type(like) is ndarray or not isinstance(like, ndarray) or type(result) is not ndarray:
            return result
        written = result.ndim == 0 or any(result is x for x in (*args, *kwargs.values()))  # out=
        return result if written else result.view(type(like))

    return call


def gives_plain(function):
    """A function of many steps whose results are plain arrays, whatever the classes of its arguments."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        result = function(*args, **kwargs)
        if type(result) is ndarray or not isinstance(result, ndarray):
            return result
        return result if any(result is x for x in (*args, *kwargs.values())) else result.view(ndarray)

    return call


def dtype_of(x):
    """The dtype of an array-like, None for Python scalars, which are weak."""
    if isinstance(x, (bool, int, float, complex)) and not isinstance(x, np.generic):
        return None
    return x.dtype if hasattr(x, "dtype") else _core.asarray(x).dtype


def is_complex(x):
    return x.dtype.kind == "c"


def is_inexact(x):
    """Floating or complex. bfloat16's dtype has kind 'V' in NumPy, so its name is asked."""
    return x.dtype.kind in "fc" or x.dtype.name == "bfloat16"


def as_value(x):
    """A result without dimensions as a value, which NumPy gives as a scalar: `x += y` then makes a new one."""
    return x if x.ndim else x[()]


class NoValue:
    """The default of a parameter for which None means something."""

    def __repr__(self):
        return "<no value>"


no_value = NoValue()


def given(x):
    """None for a parameter that was left out: the C++ functions take None so."""
    return None if x is no_value else x
