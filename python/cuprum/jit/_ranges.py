"""`for` over a range: the type that it counts in, and its head in C++."""

import builtins
import numbers

from ._casts import cast, later
from ._types import INT64, Scalar
from ._values import Constant, describe, scalar_of


class Range:
    """start, stop and step are Constants or Values; `unroll`: None, True, False or how many times."""

    def __init__(self, start, stop, step, mode, unroll=None):
        for part in (start, stop, step):
            if not scalar_of(part, mode).type.is_integer:
                raise TypeError(f"range counts in integers, given {describe(part)}")
        self.is_up = _is_up(step, mode)
        self.type = _counting_type([start, stop, step], mode)
        self.start, self.stop, self.step = (cast(part, self.type, mode) for part in (start, stop, step))
        self.pragma = _pragma(unroll)

    @classmethod
    def of_python(cls, r, mode):
        return cls(Constant(r.start), Constant(r.stop), Constant(r.step), mode)

    def head(self, counter, scope):
        """`for (...)`: stop and step are computed once, before the loop."""
        stop, step = f"{counter}_stop", f"{counter}_step"
        test = {True: f"{counter} < {stop}", False: f"{counter} > {stop}"}.get(
            self.is_up, f"({step} > 0 ? {counter} < {stop} : {counter} > {stop})"
        )
        parts = f"{counter} = {self.start.code}, {stop} = {self.stop.code}, {step} = {self.step.code}"
        return f"for ({self.type} {parts}; {test}; {counter} += {step})"


def _is_up(step, mode):
    """Whether a range ascends; None where only the running kernel knows."""
    if isinstance(step, Constant):
        if step.obj == 0:
            raise ValueError("range() arg 3 must not be zero")
        return step.obj > 0
    return True if scalar_of(step, mode).type.dtype.kind == "u" else None


def _counting_type(parts, mode):
    """NumPy counts in Python's ints; CUDA C++ in the common type, but never in an unsigned one where a part
    may be negative.
    """
    if mode == "numpy":
        return INT64
    types = [scalar_of(part, mode).type for part in parts]
    common = later(types)
    if common.dtype.kind == "u" and any(_may_be_negative(part, mode) for part in parts):
        return INT64
    return Scalar("i4") if common.dtype.itemsize < 4 else common


def _may_be_negative(part, mode):
    if isinstance(part, Constant):
        return part.obj < 0
    return scalar_of(part, mode).type.dtype.kind == "i"


def _pragma(unroll):
    if unroll is None:
        return None
    if unroll is True:
        return "#pragma unroll"
    return f"#pragma unroll({int(unroll) or 1})"


def make(args, mode, unroll=None):
    """range(stop), range(start, stop) or range(start, stop, step)."""
    if unroll is not None and not isinstance(unroll, (bool, numbers.Integral)):
        raise TypeError(f"unroll must be None, a bool or an int, given {unroll!r}")
    if len(args) == 1:
        args = [Constant(0), *args]
    if len(args) == 2:
        args = [*args, Constant(1)]
    if len(args) != 3:
        raise TypeError(f"range takes one to three arguments, given {builtins.len(args)}")
    return Range(*args, mode, unroll)
