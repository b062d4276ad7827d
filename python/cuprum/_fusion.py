"""`cp.fuse`: CuPy's name for what the engine does by itself."""

import functools
import numbers

import numpy as np

from . import _core
from ._composite import methods_enter_by_device

__all__ = ["fuse"]


@methods_enter_by_device
class Fusion:
    """What `fuse` makes of a function."""

    def __init__(self, func, name=None):
        functools.update_wrapper(self, func)
        self.func = func
        self.name = name or func.__name__

    def __repr__(self):
        return f"<Fusion '{self.name}'>"

    def __call__(self, *args, **kwargs):
        """Calls the function. With arrays of Cuprum among the arguments all others are numbers or None."""
        if any(isinstance(x, _core.ndarray) for x in args):
            for position, x in enumerate(args, 1):
                if not (x is None or isinstance(x, (_core.ndarray, numbers.Number, np.generic))):
                    raise TypeError(
                        f"cuprum.fuse: Invalid argument type for '{self.name}': argument {position} is a "
                        f"{type(x).__name__}; give arrays, numbers or None"
                    )
        return self.func(*args, **kwargs)

    def clear_cache(self):
        """Does nothing: what is compiled belongs to no function."""


def fuse(*args, **kwargs):
    """A function whose elementwise operations and reductions run as one kernel. CuPy's `fuse`, a decorator.

    Everything is fused automatically, so that `fuse` adds nothing but CuPy's checks: the function is called as it
    stands, and its results are pending like any other. `kernel_name` is the name of the function in errors.

    >>> @cp.fuse(kernel_name="squared_diff")
    ... def squared_diff(x, y):
    ...     return (x - y) * (x - y)
    >>> squared_diff(cp.arange(4), 2)
    array([4, 1, 0, 1])
    """
    if len(args) == 1 and not kwargs and callable(args[0]):
        return Fusion(args[0])
    name = kwargs.pop("kernel_name", args[0] if args else None)
    if kwargs or len(args) > 1 or not (name is None or isinstance(name, str)):
        raise TypeError("cuprum.fuse: write @cp.fuse, @cp.fuse() or @cp.fuse(kernel_name='...')")
    return lambda func: Fusion(func, name)
