"""Calls of generalised ufuncs (matmul, vecdot, matvec, vecmat): core axes, dtypes, casting, out.

A core axis is one that the function works along; the others broadcast. `axes` names the core axes of both inputs and
of the result, `axis` the only one; here they are moved to the end and back, so that the functions know one layout.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import _core
from ._convert import as_array, no_value
from ._dispatch import call_override, is_asked

_CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")
_ORDERS = ("C", "F", "A", "K")
_DEFAULTS = {"out": None, "axes": no_value, "axis": no_value, "keepdims": False, "casting": "same_kind", "order": "K",
             "dtype": None, "signature": None}  # fmt: skip


class Gufunc(NamedTuple):
    name: str
    signature: str
    core: tuple  # the names of the core axes of the inputs and of the result
    compute: Callable  # of two arrays of one dtype, core axes last

    def __call__(self, x1, x2, out=None, axes=no_value, axis=no_value, keepdims=False, casting="same_kind",
                 order="K", dtype=None, signature=None):  # fmt: skip
        if is_asked(x1, x2, *(out if isinstance(out, tuple) else (out,))):
            given = {"out": out, "axes": axes, "axis": axis, "keepdims": keepdims, "casting": casting, "order": order,
                     "dtype": dtype, "signature": signature}  # fmt: skip
            given = {k: v for k, v in given.items() if v is not _DEFAULTS[k]}
            return call_override(getattr(np, self.name), "__call__", (x1, x2), given)
        self.check_choice("casting", casting, _CASTINGS)
        self.check_choice("order", order, _ORDERS)
        out = self.single_out(out)
        inputs = [as_array(x1, self.name), as_array(x2, self.name, 2)]
        inputs = self.in_one_dtype(inputs, self.asked_dtype(dtype, signature), casting)
        core = self.core_of(inputs)
        axes = self.axes_of(core, axes, axis, keepdims)
        inputs = [self.moved(x, axes[i], i) for i, x in enumerate(inputs)]
        result = self.compute(*inputs)
        if keepdims:
            result = _core.expand_dims(result, (result.ndim,))
        result = self.placed(result, axes[2])
        return self.delivered(result, out, casting, order)

    def fail(self, kind, text):
        raise kind(f"cuprum.{self.name}: {text}")

    def check_choice(self, name, value, choices):
        if value not in choices:
            listed = ", ".join(repr(x) for x in choices)
            self.fail(ValueError, f"{name} must be one of {listed} (got {value!r})")

    def single_out(self, out):
        if isinstance(out, tuple):
            if len(out) != 1:
                self.fail(
                    ValueError,
                    f"The 'out' tuple must have exactly one entry per ufunc output, given {len(out)}",
                )
            (out,) = out
        if out is not None and not isinstance(out, _core.ndarray):
            self.fail(TypeError, f"return arrays must be of ArrayType: out is a {type(out).__name__}")
        return out

    def core_of(self, inputs):
        """The core axes of this call: matmul does without those that vectors have not."""
        absent = set()
        for i, x in enumerate(inputs):
            if self.name == "matmul" and x.ndim == 1:
                absent.add("nm"[i])
            elif x.ndim < len(self.core[i]):
                self.fail(
                    ValueError,
                    f"Input operand {i} does not have enough dimensions (has {x.ndim}, gufunc core with signature "
                    f"{self.signature} requires {1 if self.name == 'matmul' else len(self.core[i])})",
                )
        return tuple(tuple(d for d in names if d not in absent) for names in self.core)

    def axes_of(self, core, axes, axis, keepdims):
        """For both inputs and the result the places of the core axes."""
        if keepdims and self.core[2]:
            self.fail(
                TypeError,
                f"does not support keepdims: its signature {self.signature} requires core dimensions in the result",
            )
        counts = [len(names) for names in core]
        if keepdims:
            counts[2] = 1
        if axis is not no_value:
            if axes is not no_value:
                self.fail(TypeError, "cannot specify both 'axis' and 'axes'")
            if self.core[2]:
                self.fail(
                    TypeError,
                    "axis can only be used with a single shared core dimension, not with the distinct ones implied "
                    f"by signature {self.signature}.",
                )
            axes = [axis, axis, axis if keepdims else ()]
        if axes is no_value:
            return [tuple(range(-n, 0)) for n in counts]
        return self.checked_axes(axes, counts)

    def checked_axes(self, axes, counts):
        if not isinstance(axes, list):
            self.fail(TypeError, "axes should be a list.")
        if len(axes) == 2 and not self.core[2]:
            axes = [*axes, tuple(range(-counts[2], 0))]
        if len(axes) != 3:
            self.fail(
                ValueError,
                "axes should be a list with an entry for all 3 inputs and outputs; entries for outputs can only be "
                "omitted if none of them has core axes.",
            )
        tuples = [entry if isinstance(entry, tuple) else (entry,) for entry in axes]
        for i, (entry, count) in enumerate(zip(tuples, counts)):
            if len(entry) != count:
                raise np.exceptions.AxisError(
                    f"cuprum.{self.name}: operand {i} has {count} core dimensions, but {len(entry)} dimensions are "
                    "specified by axes tuple."
                )
        return tuples

    def asked_dtype(self, dtype, signature):
        """Both operands and the result have one dtype, so a signature names just that."""
        if signature is None:
            return None if dtype is None else np.dtype(dtype)
        if dtype is not None:
            self.fail(TypeError, "cannot specify both 'signature' and 'dtype'")
        kinds = signature.replace("->", "") if isinstance(signature, str) else signature
        kinds = {np.dtype(kind) for kind in kinds if kind is not None}
        if len(kinds) != 1:
            self.fail(
                TypeError,
                "No loop matching the specified signature and casting was found: both operands and the result have "
                f"one dtype, given {signature!r}",
            )
        return kinds.pop()

    def in_one_dtype(self, inputs, kind, casting):
        if kind is None:
            kind = _core.result_type(*(x.dtype for x in inputs))
        for i, x in enumerate(inputs):
            self.check_cast(f"input {i}", x.dtype, kind, casting)
        return [x.astype(kind, copy=False) for x in inputs]

    def check_cast(self, what, source, target, casting):
        if not _core.can_cast(source, target, casting):
            raise _core.UFuncTypeError(
                f"cuprum.{self.name}: Cannot cast ufunc '{self.name}' {what} from {source!r} to {target!r} with "
                f"casting rule '{casting}'"
            )

    def moved(self, x, axes, operand):
        last = tuple(range(-len(axes), 0))
        return x if axes == last else _core.moveaxis(x, axes, last)

    def placed(self, x, axes):
        last = tuple(range(-len(axes), 0))
        return x if axes == last else _core.moveaxis(x, last, axes)

    def delivered(self, result, out, casting, order):
        if out is None:
            return result if order in "KA" else _core.asarray(result, None, order)
        self.check_cast("output", result.dtype, out.dtype, casting)
        if result.shape != out.shape:
            result = _core.broadcast_to(result, out.shape)
        _core.copyto(out, result, "unsafe")
        return out
