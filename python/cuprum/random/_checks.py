"""Arguments that several functions of this package check alike."""

import operator
import sys
import warnings

import numpy as np

from .. import _core
from .._interop import asnumpy as to_host

FOREIGN_BYTES = (
    "Providing a dtype with a non-native byteorder is not supported. If you require platform-independent byteorder, "
    "call byteswap when required."
)


def tell(text, category):
    """Warns where the program calls this package, through however many functions of it."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("cuprum.random"):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def checked_dtype(dtype, function):
    """float64 or float32."""
    kind = np.dtype(dtype)
    if kind == np.float64 or kind == np.float32:
        return kind
    raise TypeError(
        f"cuprum.random.{function}: Unsupported dtype {kind!r} for {function}; write float64 or float32"
    )


def dtype_name(dtype, function):
    """A dtype of integers or bools."""
    kind = np.dtype(dtype)
    if not kind.isnative:
        raise ValueError(FOREIGN_BYTES)
    if kind.kind not in "biu":
        raise TypeError(
            f"cuprum.random.{function}: Unsupported dtype {kind!r} for {function}; write one of integers"
        )
    return kind


def as_shape(size):
    """A size as a tuple; None is the shape of one number."""
    if size is None:
        return ()
    try:
        return (operator.index(size),)
    except TypeError:
        return tuple(operator.index(n) for n in size)


def whole(n):
    """An integer; a float loses its fraction, as in NumPy's older functions."""
    if isinstance(n, (str, bytes)):
        raise TypeError(f"cuprum.random: an integer is required, given {n!r}")
    return int(n)


def on_device(x, dtype=None):
    """Array-likes, and NumPy's arrays too, as an array of Cuprum."""
    return _core.asarray(x, dtype)


def kahan_sum(values):
    """NumPy's compensated sum, of few numbers on the host."""
    total = lost = 0.0
    for value in values.tolist():
        y = value - lost
        t = total + y
        lost = (t - total) - y
        total = t
    return total


def closed_bounds(low, high, dtype, endpoint):
    """Bounds of integers. Lists with numbers that no dtype has (2**64 is one behind the largest uint64) are made exact
    here: the upper bound is included then."""
    lists = [x for x in (low, high) if not isinstance(x, _core.ndarray) and np.ndim(x) > 0]
    if not any(np.asarray(x).dtype == object for x in lists):
        return low, high, endpoint
    info = np.iinfo(dtype) if dtype.kind in "iu" else None
    least, most = (info.min, info.max) if info else (0, 1)
    wide = np.uint64 if dtype == np.uint64 else np.int64
    exact = []
    for name, bound in (("low", low), ("high", high)):
        numbers = np.asarray(to_host(bound)).astype(object)
        if name == "high" and not endpoint:
            numbers = numbers - 1
        if any(not least <= int(number) <= most for number in numbers.ravel()):
            raise ValueError(f"cuprum.random.integers: {name} is out of bounds for {dtype}")
        exact.append(on_device(numbers.astype(wide)))
    return *exact, True
