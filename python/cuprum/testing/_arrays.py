"""Assertions: those of numpy.testing, of what the arrays hold, wherever they are."""

import numpy as np

from .. import _core

__all__ = [
    "assert_allclose",
    "assert_array_almost_equal",
    "assert_array_almost_equal_nulp",
    "assert_array_equal",
    "assert_array_less",
    "assert_array_list_equal",
    "assert_array_max_ulp",
]


def on_host(x):
    """An array of either library as NumPy's; anything else as it is."""
    return _core.asnumpy(x) if isinstance(x, _core.ndarray) else x


def assert_allclose(actual, desired, rtol=1e-7, atol=0, err_msg="", verbose=True):
    """Fails unless all elements are equal up to `atol + rtol * abs(desired)`.

    >>> cp.testing.assert_allclose(cp.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-9]))
    """
    np.testing.assert_allclose(
        on_host(actual), on_host(desired), rtol, atol, err_msg=err_msg, verbose=verbose
    )


def assert_array_almost_equal(x, y, decimal=6, err_msg="", verbose=True):
    """Fails unless all elements are equal up to so many decimals.

    >>> cp.testing.assert_array_almost_equal(cp.array([1.0]), [1.0000001])
    """
    np.testing.assert_array_almost_equal(on_host(x), on_host(y), decimal, err_msg=err_msg, verbose=verbose)


def assert_array_almost_equal_nulp(x, y, nulp=1):
    """Fails unless all elements differ by at most `nulp` spacings of the larger one.

    >>> cp.testing.assert_array_almost_equal_nulp(cp.array([1.0]), cp.nextafter(cp.array([1.0]), 2))
    """
    np.testing.assert_array_almost_equal_nulp(on_host(x), on_host(y), nulp)


def assert_array_max_ulp(a, b, maxulp=1, dtype=None):
    """Fails unless all elements are at most `maxulp` representable numbers apart.

    >>> cp.testing.assert_array_max_ulp(cp.array([1.0]), cp.nextafter(cp.array([1.0]), 2))
    """
    np.testing.assert_array_max_ulp(on_host(a), on_host(b), maxulp, dtype)


def assert_array_equal(x, y, err_msg="", verbose=True, strides_check=False, **kwargs):
    """Fails unless all elements are equal, NaN being equal to NaN; with `strides_check` the strides too.

    >>> cp.testing.assert_array_equal(cp.array([1, cp.nan]), np.array([1, np.nan]))
    """
    np.testing.assert_array_equal(on_host(x), on_host(y), err_msg=err_msg, verbose=verbose, **kwargs)
    if strides_check and x.strides != y.strides:
        raise AssertionError(
            f"the strides differ: {x.strides} and {y.strides}" + (err_msg and f"; {err_msg}")
        )


def assert_array_list_equal(xlist, ylist, err_msg="", verbose=True):
    """Fails unless two lists have as many arrays, and equal ones.

    >>> cp.testing.assert_array_list_equal([cp.arange(2)], [np.arange(2)])
    """
    for given in (xlist, ylist):
        if not isinstance(given, (list, tuple)):
            raise AssertionError(f"a list or tuple is needed, given a {type(given).__name__}")
    if len(xlist) != len(ylist):
        raise AssertionError(f"the lists have {len(xlist)} and {len(ylist)} arrays")
    for x, y in zip(xlist, ylist):
        assert_array_equal(x, y, err_msg, verbose)


def assert_array_less(x, y, err_msg="", verbose=True):
    """Fails unless every element of `x` is less than that of `y`.

    >>> cp.testing.assert_array_less(cp.array([1, 2]), 3)
    """
    np.testing.assert_array_less(on_host(x), on_host(y), err_msg=err_msg, verbose=verbose)
