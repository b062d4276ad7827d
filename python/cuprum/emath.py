"""Functions that are complex where the real ones have no value: `cp.emath.sqrt(-1)` is 1j. NumPy's `emath`.

Whether a result is complex depends on the values, so these functions compute what is pending to look at them.
"""

from . import _core
from ._composite import enter_by_device
from ._convert import as_array, is_complex
from ._reference import describe_all

__all__ = ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "logn", "power", "sqrt"]


def _complex(x):
    """In single precision if x has no more."""
    return x.astype(
        "c8" if x.dtype.name in ("int8", "int16", "uint8", "uint16", "float32", "complex64") else "c16"
    )


def _complex_if_negative(x, function):
    x = as_array(x, function)
    return _complex(x) if not is_complex(x) and bool((x < 0).any()) else x


def _complex_if_outside(x, function):
    x = as_array(x, function)
    return _complex(x) if not is_complex(x) and bool((_core.absolute(x) > 1).any()) else x


def sqrt(x):
    """The square root; imaginary of negative numbers.

    >>> cp.emath.sqrt(cp.array([-1, 4]))
    array([0.+1.j, 2.+0.j])
    """
    return _core.sqrt(_complex_if_negative(x, "emath.sqrt"))


def log(x):
    """The natural logarithm; complex of negative numbers.

    >>> cp.emath.log(-cp.e)
    array(1.+3.14159265j)
    """
    return _core.log(_complex_if_negative(x, "emath.log"))


def log10(x):
    """The logarithm of base 10; complex of negative numbers.

    >>> cp.emath.log10(cp.array([10, 100]))
    array([1., 2.])
    """
    return _core.log10(_complex_if_negative(x, "emath.log10"))


def log2(x):
    """The logarithm of base 2; complex of negative numbers.

    >>> cp.emath.log2(cp.array([2, 8]))
    array([1., 3.])
    """
    return _core.log2(_complex_if_negative(x, "emath.log2"))


def logn(n, x):
    """The logarithm of base n; complex of negative numbers.

    >>> cp.emath.logn(2, cp.array([4, 8]))
    array([2., 3.])
    """
    return _core.log(_complex_if_negative(x, "emath.logn")) / _core.log(_complex_if_negative(n, "emath.logn"))


def power(x, p):
    """`x` to the power of `p`; complex of negative numbers, and integers may have negative powers.

    >>> cp.emath.power(cp.array([2, 4]), -1)
    array([0.5 , 0.25])
    """
    x, p = _complex_if_negative(x, "emath.power"), as_array(p, "emath.power", 2)
    if not is_complex(p) and bool((p < 0).any()):
        p = p * 1.0
    return _core.power(x, p)


def arccos(x):
    """The inverse cosine; complex outside of -1 to 1.

    >>> cp.emath.arccos(1)
    array(0.)
    """
    return _core.arccos(_complex_if_outside(x, "emath.arccos"))


def arcsin(x):
    """The inverse sine; complex outside of -1 to 1.

    >>> cp.emath.arcsin(0)
    array(0.)
    """
    return _core.arcsin(_complex_if_outside(x, "emath.arcsin"))


def arctanh(x):
    """The inverse hyperbolic tangent; complex outside of -1 to 1.

    >>> cp.emath.arctanh(0.5)
    array(0.54930614)
    """
    return _core.arctanh(_complex_if_outside(x, "emath.arctanh"))


enter_by_device(globals(), __all__)
describe_all(globals(), __all__)
