"""Arguments that several functions check in the same way: NumPy's exceptions and texts, behind the name of the call."""

import operator

import numpy as np
from numpy.exceptions import AxisError

from . import _core

_normalize_axis_index = np.lib.array_utils.normalize_axis_index
_normalize_axis_tuple = np.lib.array_utils.normalize_axis_tuple


_NAMED = (TypeError, ValueError, OverflowError, AxisError)


def named(error, function, parameter=None):
    """The error with the name of the call before its text, unless it has one, or is of a class with more to say."""
    if type(error) not in _NAMED or str(error).startswith("cuprum."):
        return error
    where = f"cuprum.{function}: " if parameter is None else f"cuprum.{function}: {parameter}: "
    return type(error)(where + str(error))


class naming:
    """`with naming("hanning", "M"):` names the call in the errors of a block."""

    def __init__(self, function, parameter=None):
        self.names = function, parameter

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        if kind in _NAMED:
            raise named(error, *self.names) from None


def as_integer(x, function, parameter):
    """A plain int from whatever is one."""
    try:
        return operator.index(x)
    except TypeError as error:
        raise named(error, function, parameter) from None


def as_axis(axis, ndim, function, parameter=None):
    """An axis counted from the front."""
    try:
        return _normalize_axis_index(operator.index(axis), ndim, parameter)
    except _NAMED as error:
        raise named(error, function) from None


def as_dims(x, function, parameter="shape"):
    """A tuple of ints from one or several: no more than an array has dimensions, counted before they are read."""
    return _core.dims(x, function, parameter)


def _few(axis, ndim):
    """Not much more of a long sequence than `ndim` axes: among these one is repeated already, or none of the array."""
    try:
        return axis[: ndim + 1] if len(axis) > ndim else axis
    except TypeError:
        return axis


def as_axes(axis, ndim, function, parameter=None, allow_duplicate=False):
    """A tuple of axes counted from the front, from one or several."""
    try:
        axis = axis if allow_duplicate else _few(axis, ndim)
        return _normalize_axis_tuple(axis, ndim, parameter, allow_duplicate)
    except _NAMED as error:
        raise named(error, function) from None
