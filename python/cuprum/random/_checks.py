"""Arguments that several functions of this package check alike."""

import operator

import numpy as np

from .. import _core


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
        raise ValueError(
            "Providing a dtype with a non-native byteorder is not supported. If you require platform-independent "
            "byteorder, call byteswap when required."
        )
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
