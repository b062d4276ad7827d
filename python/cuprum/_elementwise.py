"""Element by element: the ufuncs, their other names, and composites that are recorded and fused like them."""

from . import _core
from ._convert import as_array, given, no_value

# One object per row of the operations' table.
_ufuncs = {name: value for name, value in vars(_core).items() if isinstance(value, _core.ufunc)}
globals().update(_ufuncs)

_aliases = {
    "abs": "absolute",
    "acos": "arccos",
    "acosh": "arccosh",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atan2": "arctan2",
    "atanh": "arctanh",
    "bitwise_invert": "invert",
    "bitwise_left_shift": "left_shift",
    "bitwise_not": "invert",
    "bitwise_right_shift": "right_shift",
    "conj": "conjugate",
    "mod": "remainder",
    "pow": "power",
    "true_divide": "divide",
}
globals().update({alias: _ufuncs[name] for alias, name in _aliases.items()})

__all__ = [
    *_ufuncs, *_aliases, "angle", "around", "clip", "fix", "imag", "nan_to_num", "real", "round", "sinc",
    "where",
]  # fmt: skip


def clip(a, a_min=no_value, a_max=no_value, out=None, *, min=no_value, max=no_value, **kwargs):
    """`a` limited to the interval from `a_min` to `a_max`; None leaves a side open. `dtype`, `casting` and `where` are
    those of ufuncs.

    >>> cp.clip(cp.arange(6), 1, 4)
    array([1, 1, 2, 3, 4, 4])
    """
    if a_min is no_value and a_max is no_value:
        return _core.clip(a, given(min), given(max), out, **kwargs)
    if a_min is no_value or a_max is no_value:
        missing = "a_min" if a_min is no_value else "a_max"
        raise TypeError(
            f"cuprum.clip: clip() missing 1 required positional argument: '{missing}'; None leaves a side open"
        )
    if min is not no_value or max is not no_value:
        raise ValueError(
            "cuprum.clip: Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden."
        )
    return _core.clip(a, a_min, a_max, out, **kwargs)


def around(a, decimals=0, out=None):
    """`a` rounded to `decimals` places, ties to even.

    >>> cp.around(cp.array([0.5, 1.5, 2.567]), 1)
    array([0.5, 1.5, 2.6])
    """
    return _core.round(a, decimals, out)


def round(a, decimals=0, out=None):
    """`a` rounded to `decimals` places, ties to even.

    >>> cp.round(cp.array([0.5, 1.5, 2.5]))
    array([0., 2., 2.])
    """
    return _core.round(a, decimals, out)


def fix(x, out=None):
    """`x` rounded towards zero.

    >>> cp.fix(cp.array([2.7, -2.7]))
    array([ 2., -2.])
    """
    return _core.trunc(x, out=out)


def real(val):
    """The real part; of a complex array a view of it.

    >>> cp.real(cp.array([1 + 2j]))
    array([1.])
    """
    return as_array(val, "real").real


def imag(val):
    """The imaginary part; of a complex array a view of it.

    >>> cp.imag(cp.array([1 + 2j]))
    array([2.])
    """
    return as_array(val, "imag").imag


def angle(z, deg=False):
    """The angle of complex numbers in radians, or degrees with `deg`.

    >>> cp.angle(cp.array([1j, -1]), deg=True)
    array([ 90., 180.])
    """
    return _core.angle(z, deg)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """`x` with NaN replaced by `nan` and infinities by `posinf` and `neginf` (the largest finite numbers).

    >>> cp.nan_to_num(cp.array([1.0, cp.nan, 3.0]), nan=-1)
    array([ 1., -1.,  3.])
    """
    return _core.nan_to_num(x, copy, nan, posinf, neginf)


def sinc(x):
    """sin(pi x) / (pi x), which is 1 at 0.

    >>> cp.sinc(cp.array([0.0, 0.5]))
    array([1.        , 0.63661977])
    """
    return _core.sinc(x)


def where(condition, x=no_value, y=no_value, /):
    """Elements of `x` where the condition is true, else of `y`; with the condition alone, `nonzero`.

    >>> cp.where(cp.arange(4) > 1, 10, 0)
    array([ 0,  0, 10, 10])
    """
    return _core.where(condition, *(v for v in (x, y) if v is not no_value))
