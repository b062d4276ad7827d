"""Arrays and numbers as text. The text is NumPy's, and the print options are NumPy's own: setting them sets both."""

import inspect

import numpy as np

from . import _core
from ._convert import as_array

__all__ = [
    "array2string", "array_repr", "array_str", "base_repr", "binary_repr", "format_float_positional",
    "format_float_scientific", "get_printoptions", "info", "printoptions", "set_printoptions",
]  # fmt: skip


def set_printoptions(
    precision=None,
    threshold=None,
    edgeitems=None,
    linewidth=None,
    suppress=None,
    nanstr=None,
    infstr=None,
    formatter=None,
    sign=None,
    floatmode=None,
    *,
    legacy=None,
    override_repr=None,
):
    """Sets how arrays are printed, Cuprum's and NumPy's.

    >>> before = cp.get_printoptions()
    >>> cp.set_printoptions(precision=3)
    >>> cp.array([2 / 3])
    array([0.667])
    >>> cp.set_printoptions(**before)
    """
    np.set_printoptions(
        precision,
        threshold,
        edgeitems,
        linewidth,
        suppress,
        nanstr,
        infstr,
        formatter,
        sign,
        floatmode,
        legacy=legacy,
        override_repr=override_repr,
    )


def get_printoptions():
    """The print options, which are NumPy's too.

    >>> cp.get_printoptions()["threshold"]
    1000
    """
    return np.get_printoptions()


def printoptions(*args, **kwargs):
    """Print options for the time of a `with` block.

    >>> with cp.printoptions(precision=3):
    ...     print(cp.array([2 / 3]))
    [0.667]
    """
    return np.printoptions(*args, **kwargs)


def array2string(
    a,
    max_line_width=None,
    precision=None,
    suppress_small=None,
    separator=" ",
    prefix="",
    *,
    formatter=None,
    threshold=None,
    edgeitems=None,
    sign=None,
    floatmode=None,
    suffix="",
    legacy=None,
):
    """An array as text, with options that take the place of the print options.

    >>> cp.array2string(cp.array([1.0, 2.25]), precision=1, separator=", ")
    '[1. , 2.2]'
    """
    return np.array2string(
        as_array(a, "array2string").get(),
        max_line_width,
        precision,
        suppress_small,
        separator,
        prefix,
        formatter=formatter,
        threshold=threshold,
        edgeitems=edgeitems,
        sign=sign,
        floatmode=floatmode,
        suffix=suffix,
        legacy=legacy,
    )


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """What `repr` shows of an array.

    >>> cp.array_repr(cp.array([1, 2], dtype=cp.int8))
    'array([1, 2], dtype=int8)'
    """
    return np.array_repr(as_array(arr, "array_repr").get(), max_line_width, precision, suppress_small)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """What `str` and `print` show of an array.

    >>> cp.array_str(cp.arange(3))
    '[0 1 2]'
    """
    return np.array_str(as_array(a, "array_str").get(), max_line_width, precision, suppress_small)


def format_float_positional(
    x,
    precision=None,
    unique=True,
    fractional=True,
    trim="k",
    sign=False,
    pad_left=None,
    pad_right=None,
    min_digits=None,
):
    """A number, or an array without dimensions, in positional notation.

    >>> cp.format_float_positional(cp.array(0.1, dtype=cp.float32))
    '0.1'
    """
    return np.format_float_positional(
        _number(x), precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits
    )


def format_float_scientific(
    x, precision=None, unique=True, trim="k", sign=False, pad_left=None, exp_digits=None, min_digits=None
):
    """A number, or an array without dimensions, in scientific notation.

    >>> cp.format_float_scientific(cp.array(1234.5), precision=2)
    '1.23e+03'
    """
    return np.format_float_scientific(
        _number(x), precision, unique, trim, sign, pad_left, exp_digits, min_digits
    )


def base_repr(number, base=2, padding=0):
    """An integer in another base, after `padding` zeros.

    >>> cp.base_repr(255, 16), cp.base_repr(cp.array(5))
    ('FF', '101')
    """
    return np.base_repr(_number(number), base, padding)


def binary_repr(num, width=None):
    """An integer in base two; a negative one with its two's complement if `width` is given.

    >>> cp.binary_repr(3, width=5), cp.binary_repr(-3, width=5)
    ('00011', '11101')
    """
    return np.binary_repr(_number(num), width)


def info(object=None, maxwidth=76, output=None, toplevel="cuprum"):
    """Prints what is known of an array, or the documentation of a function, a class or a name of this package.

    >>> cp.info(cp.zeros((2, 3), cp.float32))
    class:  ndarray
    shape:  (2, 3)
    strides:  (12, 4)
    itemsize:  4
    contiguous:  True
    fortran:  False
    device:  ...
    type: float32
    """
    import cuprum

    if isinstance(object, str):
        object = getattr(cuprum, object, None)
    if isinstance(object, _core.ndarray):
        text = _description(object)
    else:
        text = inspect.getdoc(info if object is None else object) or "no documentation"
    print(text, file=output)


def _description(x):
    facts = {"class": " ndarray", "shape": f" {x.shape}", "strides": f" {x.strides}", "itemsize": f" {x.itemsize}",
             "contiguous": f" {x.flags.c_contiguous}", "fortran": f" {x.flags.f_contiguous}",
             "device": f" {x.device}", "type": f"{x.dtype}"}  # fmt: skip
    return "\n".join(f"{name}: {value}" for name, value in facts.items())


def _number(x):
    return x.get()[()] if isinstance(x, _core.ndarray) else x
