"""Decorators that call a test once for every dtype, order or casting rule."""

import itertools
import random
import unittest

import numpy as np

from ._both import without_parameters

__all__ = [
    "for_CF_orders",
    "for_all_dtypes",
    "for_all_dtypes_combination",
    "for_castings",
    "for_complex_dtypes",
    "for_contiguous_axes",
    "for_dtypes",
    "for_dtypes_combination",
    "for_float_dtypes",
    "for_int_dtypes",
    "for_int_dtypes_combination",
    "for_orders",
    "for_signed_dtypes",
    "for_signed_dtypes_combination",
    "for_unsigned_dtypes",
    "for_unsigned_dtypes_combination",
]

_BOOL = (np.bool_,)
_SIGNED = tuple(np.dtype(c).type for c in "bhilq")
_UNSIGNED = tuple(np.dtype(c).type for c in "BHILQ")
_FLOAT = (np.float64, np.float32, np.float16)
_COMPLEX = (np.complex64, np.complex128)


def _all(no_float16=False, no_bool=False, no_complex=False):
    return (
        _FLOAT[: 2 if no_float16 else 3]
        + _SIGNED
        + _UNSIGNED
        + (() if no_bool else _BOOL)
        + (() if no_complex else _COMPLEX)
    )


def _each(choices):
    """Calls a test with every one of some dicts of keyword arguments, and names the one that fails."""

    def decorate(function):
        def test(*args, **kwargs):
            skipped = None
            for given in choices:
                try:
                    function(*args, **kwargs, **given)
                except unittest.SkipTest as reason:
                    skipped = reason
                except Exception:
                    print(", ".join(f"{name} is {value}" for name, value in given.items()))
                    raise
            if skipped and len(choices) == 1:
                raise skipped

        return without_parameters(test, function, {name for given in choices for name in given})

    return decorate


def for_dtypes(dtypes, name="dtype"):
    """Calls a test with each of the given dtypes.

    >>> @cp.testing.for_dtypes("fd")
    ... def test(dtype):
    ...     print(dtype.__name__)
    >>> test()
    float32
    float64
    """
    return _each([{name: np.dtype(t).type} for t in dtypes])


def for_all_dtypes(name="dtype", no_float16=False, no_bool=False, no_complex=False):
    """Calls a test with every dtype, but those that are left out.

    >>> @cp.testing.for_all_dtypes(no_complex=True)
    ... def test(dtype):
    ...     assert cp.ones(1, dtype).dtype == dtype
    >>> test()
    """
    return for_dtypes(_all(no_float16, no_bool, no_complex), name)


def for_float_dtypes(name="dtype", no_float16=False):
    """Calls a test with the floating-point dtypes.

    >>> @cp.testing.for_float_dtypes()
    ... def test(dtype):
    ...     assert cp.sin(cp.ones(1, dtype)).dtype == dtype
    >>> test()
    """
    return for_dtypes(_FLOAT[: 2 if no_float16 else 3], name)


def for_signed_dtypes(name="dtype"):
    """Calls a test with the signed integers.

    >>> @cp.testing.for_signed_dtypes()
    ... def test(dtype):
    ...     assert dtype(-1) < 0
    >>> test()
    """
    return for_dtypes(_SIGNED, name)


def for_unsigned_dtypes(name="dtype"):
    """Calls a test with the unsigned integers.

    >>> @cp.testing.for_unsigned_dtypes()
    ... def test(dtype):
    ...     assert cp.iinfo(dtype).min == 0
    >>> test()
    """
    return for_dtypes(_UNSIGNED, name)


def for_int_dtypes(name="dtype", no_bool=False):
    """Calls a test with the integers, and with bool unless that is left out.

    >>> @cp.testing.for_int_dtypes(no_bool=True)
    ... def test(dtype):
    ...     assert cp.arange(3, dtype=dtype).sum() == 3
    >>> test()
    """
    return for_dtypes(_SIGNED + _UNSIGNED + (() if no_bool else _BOOL), name)


def for_complex_dtypes(name="dtype"):
    """Calls a test with the complex dtypes.

    >>> @cp.testing.for_complex_dtypes()
    ... def test(dtype):
    ...     assert cp.ones(1, dtype).imag == 0
    >>> test()
    """
    return for_dtypes(_COMPLEX, name)


def for_dtypes_combination(types, names=("dtype",), full=None):
    """Calls a test with combinations of dtypes, one per name: all of them with `full`, else each dtype in each place,
    in an order drawn from a fixed seed.

    >>> @cp.testing.for_dtypes_combination("fd", names=("a", "b"), full=True)
    ... def test(a, b):
    ...     print(cp.promote_types(a, b))
    >>> test()
    float32
    float64
    float64
    float64
    """
    types = list(types)
    if full:
        combinations = itertools.product(types, repeat=len(names))
    else:
        draw = random.Random(0)
        combinations = set(zip(*(draw.sample(types, len(types)) for _ in names)))
        combinations |= set(zip(*(types for _ in names)))
        combinations = sorted(combinations, key=str)
    return _each([{name: np.dtype(t).type for name, t in zip(names, chosen)} for chosen in combinations])


def for_all_dtypes_combination(
    names=("dtyes",), no_float16=False, no_bool=False, full=None, no_complex=False
):
    """Calls a test with combinations of all dtypes, but those that are left out.

    >>> @cp.testing.for_all_dtypes_combination(names=("a", "b"))
    ... def test(a, b):
    ...     assert (cp.ones(1, a) + cp.ones(1, b)).dtype == np.promote_types(a, b)
    >>> test()
    """
    return for_dtypes_combination(_all(no_float16, no_bool, no_complex), names, full)


def for_signed_dtypes_combination(names=("dtype",), full=None):
    """Calls a test with combinations of signed integers.

    >>> @cp.testing.for_signed_dtypes_combination(names=("a", "b"))
    ... def test(a, b):
    ...     assert cp.promote_types(a, b).kind == "i"
    >>> test()
    """
    return for_dtypes_combination(_SIGNED, names, full)


def for_unsigned_dtypes_combination(names=("dtype",), full=None):
    """Calls a test with combinations of unsigned integers.

    >>> @cp.testing.for_unsigned_dtypes_combination(names=("a", "b"))
    ... def test(a, b):
    ...     assert cp.promote_types(a, b).kind == "u"
    >>> test()
    """
    return for_dtypes_combination(_UNSIGNED, names, full)


def for_int_dtypes_combination(names=("dtype",), no_bool=False, full=None):
    """Calls a test with combinations of integers, and of bool unless that is left out.

    >>> @cp.testing.for_int_dtypes_combination(names=("a", "b"), no_bool=True)
    ... def test(a, b):
    ...     assert cp.promote_types(a, b).kind in "iuf"
    >>> test()
    """
    return for_dtypes_combination(_SIGNED + _UNSIGNED + (() if no_bool else _BOOL), names, full)


def for_orders(orders, name="order"):
    """Calls a test with each of the given memory orders.

    >>> @cp.testing.for_orders("CF")
    ... def test(order):
    ...     assert cp.ones((2, 3), order=order).flags[order]
    >>> test()
    """
    return _each([{name: order} for order in orders])


def for_CF_orders(name="order"):
    """Calls a test with the orders of C, of Fortran, and None.

    >>> @cp.testing.for_CF_orders()
    ... def test(order):
    ...     assert cp.ones((2, 3), order=order).size == 6
    >>> test()
    """
    return for_orders([None, "C", "F", "c", "f"], name)


def for_castings(castings=None, name="casting"):
    """Calls a test with each casting rule, or with those that are given.

    >>> @cp.testing.for_castings()
    ... def test(casting):
    ...     assert cp.can_cast("f4", "f4", casting)
    >>> test()
    """
    return _each([{name: casting} for casting in castings or ("no", "equiv", "safe", "same_kind", "unsafe")])


def for_contiguous_axes(name="axis"):
    """Calls a test method with the axes along which an array of its `shape` and `order` is contiguous.

    >>> class Test:
    ...     shape, order = (2, 3), "C"
    ...     @cp.testing.for_contiguous_axes()
    ...     def test(self, axis):
    ...         print(axis)
    >>> Test().test()
    (1,)
    (0, 1)
    """

    def decorate(function):
        def test(self, *args, **kwargs):
            ndim = len(self.shape)
            orders = range(ndim - 1, -1, -1) if self.order in ("c", "C") else range(ndim)
            axes = []
            for axis in orders:
                axes.append(axis)
                function(self, *args, **kwargs, **{name: tuple(sorted(axes))})

        return without_parameters(test, function, {name})

    return decorate
