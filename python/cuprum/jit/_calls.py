"""Calls: what a function of Python, of `math`, of NumPy and Cuprum, or a device function means in a kernel."""

import inspect
import math
import numbers

import numpy as np

from .. import _core
from ._arrays import Array, Method, extent
from ._builtin import translate_builtin
from ._casts import agree, cast, later, truth
from ._operators import call_ufunc
from ._ranges import make as make_range
from ._types import Scalar
from ._values import Constant, Items, Value, constant_of, describe, length, scalar_of, value_of


def part(name, x, mode):
    """z.real and z.imag; of a real number itself and zero."""
    x = scalar_of(x, mode)
    if x.type.dtype.kind != "c":
        return x if name == "real" else cast(Constant(0), x.type, mode)
    return Value(f"np::{name}({x.code})", Scalar("f4" if x.type.dtype.itemsize == 8 else "f8"))


def _length(scope, x):
    if length(x) is not None:
        return Constant(length(x))
    if isinstance(x, Value) and isinstance(x.type, Array) and x.type.ndim:
        return extent(x, 0)
    raise TypeError(f"len() of what has no length: {describe(x)}")


def _extreme(ufunc):
    def call(scope, *args):
        args = args[0].items if len(args) == 1 and isinstance(args[0], Items) else args
        if len(args) < 2:
            raise TypeError(f"{ufunc} needs two numbers or more")
        result = args[0]
        for x in args[1:]:
            result = call_ufunc(ufunc, [result, x], scope.mode)
        return result

    return call


def _ufunc(name):
    return lambda scope, *args: call_ufunc(name, args, scope.mode)


def _divmod(scope, a, b):
    return Items(
        [call_ufunc("floor_divide", [a, b], scope.mode), call_ufunc("remainder", [a, b], scope.mode)]
    )


def _range(scope, *args):
    return Constant(make_range(args, scope.mode))


_PYTHON = {
    range: _range, len: _length, min: _extreme("minimum"), max: _extreme("maximum"), abs: _ufunc("absolute"),
    pow: _ufunc("power"), divmod: _divmod,
}  # fmt: skip
# Functions of `math` under the names that ufuncs have.
_MATH = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2",
    "atanh": "arctanh", "pow": "power", "fmod": "fmod", "gcd": "gcd", "lcm": "lcm",
} | {
    name: name
    for name in (
        "cbrt", "ceil", "copysign", "cos", "cosh", "degrees", "exp", "exp2", "expm1", "fabs", "floor", "hypot",
        "isfinite", "isinf", "isnan", "ldexp", "log", "log10", "log1p", "log2", "nextafter", "radians", "sin",
        "sinh", "sqrt", "tan", "tanh", "trunc",
    )
}  # fmt: skip
_MATH_FUNCTIONS = {getattr(math, name): ufunc for name, ufunc in _MATH.items() if hasattr(math, name)}


def _where(scope, condition, x, y):
    if scope.mode == "cuda":
        x, y = scalar_of(x, scope.mode), scalar_of(y, scope.mode)
        common = later([x.type, y.type])
    else:
        common = _common(x, y)
    x, y = cast(x, common, scope.mode), cast(y, common, scope.mode)
    return Value(f"np::where({truth(condition, scope.mode).code}, {x.code}, {y.code})", common)


def _common(x, y):
    """NumPy's common type of two alternatives."""
    constants = [v for v in (x, y) if isinstance(v, Constant)]
    if len(constants) == 1 and constants[0].is_weak:
        return agree(x, y, "numpy")[0].type
    return Scalar(np.result_type(*(value_of(v, "numpy").type.dtype for v in (x, y))))


def _clip(scope, a, a_min, a_max):
    return call_ufunc("minimum", [call_ufunc("maximum", [a, a_min], scope.mode), a_max], scope.mode)


def _pair(first, second):
    """A ufunc with two results."""

    def call(scope, x):
        x = cast(x, call_ufunc("sqrt", [x], scope.mode).type, scope.mode)
        exponent = Scalar("i4") if second.endswith("exponent") else x.type
        parts = Value(f"np::{first}({x.code})", x.type), Value(f"np::{second}({x.code})", exponent)
        return Items(parts, scope.mode)

    return call


# Functions of NumPy and Cuprum beside the ufuncs with one result, by their name.
_NAMED = {
    "where": _where, "clip": _clip, "real": lambda scope, x: part("real", x, scope.mode), "divmod": _divmod,
    "imag": lambda scope, x: part("imag", x, scope.mode), "modf": _pair("modf_frac", "modf_int"),
    "frexp": _pair("frexp_mantissa", "frexp_exponent"),
}  # fmt: skip


def _of_library(function):
    """The translation of a function of NumPy or Cuprum, or None."""
    name = getattr(function, "__name__", None)
    if name in _NAMED and any(function is f for f in (getattr(np, name, None), _cuprum_function(name))):
        return _NAMED[name]
    if isinstance(function, (np.ufunc, _core.ufunc)):
        if not isinstance(getattr(_core, name, None), _core.ufunc) or getattr(function, "signature", None):
            raise TypeError(f"{name} has no meaning for numbers in a kernel")
        return _ufunc_with_dtype(name)
    return None


def _cuprum_function(name):
    import cuprum

    return getattr(cuprum, name, None)


def _ufunc_with_dtype(name):
    def call(scope, *args, dtype=None):
        return call_ufunc(name, args, scope.mode, None if dtype is None else constant_of(dtype, "dtype"))

    return call


def _is_number_class(function):
    return inspect.isclass(function) and issubclass(function, (bool, np.generic, numbers.Number))


def _is_hashable(x):
    try:
        hash(x)
    except TypeError:
        return False
    return True


def _find(function, args, keywords):
    """The translation of a call, a function of scope and arguments; None for what Python can do now, or
    nobody can.
    """
    all_known = all(isinstance(x, Constant) for x in (*args, *keywords.values()))
    from_library = _of_library(function)
    if from_library is not None:
        return from_library
    if not _is_hashable(function):
        return None
    if function is range or (function in _PYTHON and not all_known):
        return _PYTHON[function]
    if function in _MATH_FUNCTIONS and not all_known:
        return _ufunc(_MATH_FUNCTIONS[function])
    return None


def call(function, args, keywords, scope):
    """A Constant or Value for `function(*args, **keywords)`."""
    if isinstance(function, Method):
        return function.call(*args, **keywords)
    if hasattr(function, "translate"):
        if inspect.isroutine(function):
            return translate_builtin(function, args, keywords, scope)
        return function.translate(scope, *args, **keywords)
    translation = _find(function, args, keywords)
    if translation is not None:
        return translation(scope, *args, **keywords)
    if all(isinstance(x, Constant) for x in (*args, *keywords.values())):
        return Constant(function(*(x.obj for x in args), **{k: x.obj for k, x in keywords.items()}))
    if _is_number_class(function):
        (x,) = args
        return cast(x, Scalar(function), scope.mode)
    name = getattr(function, "__name__", repr(function))
    raise TypeError(
        f"Invalid function call: kernels cannot call {name!r}; they call device functions, which have "
        "@cuprum.jit.rawkernel(device=True), "
        "ufuncs, and functions of cuprum.jit and math"
    )
