"""Python functions of numbers, called for every element.

`vectorize` has `cp.jit` translate the function (_translated.py); then it is an operation of the device. What cannot be
translated runs on the host: arguments are copied there once, results come back once.
"""

import functools

import numpy as np

from . import _core
from ._composite import methods_enter_by_device
from ._convert import as_array, no_value
from ._translated import Translated

__all__ = ["frompyfunc", "vectorize"]


def _to_host(x, function, position):
    return as_array(x, function, position).get()


def _from_host(x, function):
    """Host results as arrays; objects become what their values are."""
    if isinstance(x, tuple):
        return tuple(_from_host(y, function) for y in x)
    x = np.asarray(x)
    if x.dtype == object:
        x = np.array(x.tolist())
    if x.dtype.kind not in "biufc":
        raise TypeError(
            f"cuprum.{function}: the function must return numbers of one shape, given what NumPy stores as {x.dtype}"
        )
    return _core.asarray(x)


@methods_enter_by_device
class vectorize:
    """A function of numbers made one of arrays: called for every element, arguments broadcast. NumPy's `vectorize`.

    A function that `cp.jit` can translate becomes an operation of the device, recorded like any other and computed in
    one pass with its neighbours. It computes with numbers of the arguments' dtypes, as NumPy's scalars do; a division
    by zero is an infinity. All others run on the host, called for each element: functions with several results or
    complex numbers, those that call what kernels cannot or read what may change (lists, objects), and all with
    `excluded`, `signature`, `cache` or arguments by keyword.

    `otypes` names the dtypes of the results, which else the function tells; `excluded` names arguments that are
    passed as they are; with a `signature` such as "(n)->()" the function takes and gives arrays.

    >>> step = cp.vectorize(lambda a, b: a - b if a > b else a + b)
    >>> step(cp.array([1, 2, 3, 4]), 2)
    array([3, 4, 1, 2])
    """

    def __init__(self, pyfunc=no_value, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        self._options = {
            "otypes": otypes,
            "doc": doc,
            "excluded": excluded,
            "cache": cache,
            "signature": signature,
        }
        self.__doc__ = doc
        if pyfunc is not no_value:
            self._set(pyfunc)

    def _set(self, pyfunc):
        called = _with_numbers(pyfunc) if self._options["signature"] is None else _with_arrays(pyfunc)
        self._host = np.vectorize(called, **self._options)
        self.pyfunc = pyfunc
        plain = not (self._options["excluded"] or self._options["signature"] or self._options["cache"])
        self._translated = Translated(pyfunc) if plain else None
        self.__name__ = getattr(pyfunc, "__name__", "vectorize")
        if self.__doc__ is None:
            self.__doc__ = pyfunc.__doc__

    def _change(self, **option):
        self._options |= option
        if hasattr(self, "pyfunc"):
            self._set(self.pyfunc)

    otypes = property(
        lambda self: self._host.otypes,
        lambda self, otypes: self._change(otypes=otypes),
        doc="The dtypes of the results, or None.",
    )
    excluded = property(lambda self: self._host.excluded, doc="Positions and names passed as they are.")
    signature = property(lambda self: self._options["signature"], doc="Core dimensions, or None.")
    cache = property(
        lambda self: self._options["cache"],
        lambda self, cache: self._change(cache=cache),
        doc="Is the first call's result used again?",
    )

    def __call__(self, *args, **kwargs):
        if not hasattr(self, "pyfunc"):  # the decorator with arguments
            self._set(*args, **kwargs)
            return self
        otypes = self._host.otypes
        if self._translated and not kwargs and (otypes is None or len(otypes) == 1):
            result = self._translated(args, None if otypes is None else np.dtype(otypes[0]))
            if result is not None:
                return result
        excluded = self._host.excluded
        args = [x if i in excluded else _to_host(x, "vectorize", i + 1) for i, x in enumerate(args)]
        kwargs = {k: x if k in excluded else _to_host(x, "vectorize", k) for k, x in kwargs.items()}
        return _from_host(self._host(*args, **kwargs), "vectorize")


def _result_to_host(x):
    """What a function returned: it may have computed with Cuprum's functions."""
    if isinstance(x, tuple):
        return tuple(map(_result_to_host, x))
    return x.get()[()] if isinstance(x, _core.ndarray) else x


def _with_numbers(pyfunc):
    """A function of numbers whose results are numbers of the host."""

    @functools.wraps(pyfunc)
    def called(*args, **kwargs):
        return _result_to_host(pyfunc(*args, **kwargs))

    return called


def _with_arrays(pyfunc):
    """A function of Cuprum's arrays as one of NumPy's: what a signature's dimensions are stays an array."""

    def to_device(x):
        return _core.asarray(x) if isinstance(x, np.ndarray) else x

    @functools.wraps(pyfunc)
    def called(*args, **kwargs):
        return _result_to_host(pyfunc(*map(to_device, args), **{k: to_device(x) for k, x in kwargs.items()}))

    return called


@methods_enter_by_device
class PythonUfunc:
    """What `frompyfunc` makes: a Python function of numbers with the methods of a ufunc."""

    def __init__(self, func, nin, nout, **kwargs):
        self._host = np.frompyfunc(_with_numbers(func), nin, nout, **kwargs)
        self.__name__ = getattr(func, "__name__", "?")

    nin = property(lambda self: self._host.nin, doc="The number of arguments.")
    nout = property(lambda self: self._host.nout, doc="The number of results.")
    nargs = property(lambda self: self._host.nargs, doc="The number of arguments and results.")
    identity = property(lambda self: self._host.identity, doc="What a reduction of nothing gives, or None.")

    def __repr__(self):
        return f"<ufunc '{self.__name__} (vectorized)'>"

    def __call__(self, *args):
        """The function of every element, arguments broadcast."""
        return self._called(self._host, args)

    def outer(self, A, B, /):
        """The function of all pairs of elements."""
        return self._called(self._host.outer, (A, B))

    def reduce(self, array, axis=0, keepdims=False):
        """The elements along an axis folded from the left."""
        return self._called(self._host.reduce, (array,), axis=axis, keepdims=keepdims)

    def accumulate(self, array, axis=0):
        """The results of folding ever more elements along an axis."""
        return self._called(self._host.accumulate, (array,), axis=axis)

    def _called(self, function, args, **kwargs):
        hosts = [_to_host(x, self.__name__, i + 1).astype(object) for i, x in enumerate(args)]
        return _from_host(function(*hosts, **kwargs), "frompyfunc")


def frompyfunc(func, /, nin, nout, **kwargs):
    """A Python function of `nin` numbers and `nout` results as a function of arrays with the methods of a ufunc.

    The results are arrays of numbers, of the dtype that holds them all: there are no arrays of objects. It runs on the
    host.

    >>> import math
    >>> cp.frompyfunc(math.gcd, 2, 1)(cp.array([12, 18]), 8)
    array([4, 2])
    """
    return PythonUfunc(func, nin, nout, **kwargs)
