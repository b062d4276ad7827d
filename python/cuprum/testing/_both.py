"""Tests that run twice, with `xp` as Cuprum and as NumPy, and compare what they return, or what they raise."""

import functools
import importlib
import inspect
import unittest

import numpy as np

from ._arrays import (
    assert_allclose,
    assert_array_almost_equal,
    assert_array_almost_equal_nulp,
    assert_array_equal,
    assert_array_less,
    assert_array_list_equal,
    assert_array_max_ulp,
    on_host,
)

__all__ = [
    "numpy_cupy_allclose",
    "numpy_cupy_array_almost_equal",
    "numpy_cupy_array_almost_equal_nulp",
    "numpy_cupy_array_equal",
    "numpy_cupy_array_less",
    "numpy_cupy_array_list_equal",
    "numpy_cupy_array_max_ulp",
    "numpy_cupy_equal",
    "numpy_cupy_raises",
]


def without_parameters(wrapper, function, names):
    """`wrapper` with the name and the parameters of `function` but those that it gives itself: pytest takes the others
    for fixtures."""
    functools.update_wrapper(wrapper, function)
    signature = inspect.signature(function)
    kept = [p for p in signature.parameters.values() if p.name not in names]
    wrapper.__signature__ = signature.replace(parameters=kept)
    return wrapper


class Outcome:
    """What a test returned with one library, or what it raised."""

    def __init__(self, function, args, kwargs, given):
        self.value = self.error = None
        try:
            self.value = function(*args, **kwargs, **given)
        except unittest.SkipTest:
            raise
        except Exception as error:
            self.error = error

    def __str__(self):
        return f"{type(self.error).__name__}: {self.error}" if self.error else "no error"


def _runs(function, args, kwargs, name, sp_name, scipy_name):
    """The outcomes with Cuprum and with NumPy."""
    import cuprum

    modules = {name: (cuprum, np)}
    if sp_name:
        modules[sp_name] = (_module("cuprum.cupyx.scipy.sparse"), _module("scipy.sparse"))
    if scipy_name:
        modules[scipy_name] = (_module("cuprum.cupyx.scipy"), _module("scipy"))
    return [Outcome(function, args, kwargs, {k: pair[i] for k, pair in modules.items()}) for i in (0, 1)]


def _module(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise unittest.SkipTest(f"{name} cannot be imported") from error


def _check_errors(own, numpys, accept):
    """Both must have raised, or neither; errors of one kind, of those that are accepted."""
    if own.error is None and numpys.error is None:
        return False
    if own.error is None or numpys.error is None:
        raise AssertionError(f"cuprum: {own}; numpy: {numpys}") from own.error or numpys.error
    accepted = accept if accept and accept is not True else Exception if accept else ()
    for outcome in (own, numpys):
        if not isinstance(outcome.error, accepted):
            raise outcome.error
    related = isinstance(own.error, type(numpys.error)) or isinstance(numpys.error, type(own.error))
    if not related:
        raise AssertionError(f"errors of different kinds: cuprum: {own}; numpy: {numpys}") from own.error
    return True


def _check_types(own, numpys):
    own_type, numpys_type = (getattr(x, "dtype", np.dtype(type(x))) for x in (own, numpys))
    if own_type != numpys_type:
        raise AssertionError(f"dtypes differ: cuprum: {own_type}; numpy: {numpys_type}")


def _check_layout(own, numpys):
    for order, name in (("c_contiguous", "C"), ("f_contiguous", "Fortran")):
        flags = getattr(numpys, "flags", None)
        if flags is not None and getattr(flags, order) and not getattr(own.flags, order):
            raise AssertionError(f"cuprum's result is not contiguous in {name} order, numpy's is")


def _comparing(compare, name, type_check, accept_error, sp_name, scipy_name, contiguous_check=False):
    """The decorator of a test whose results are compared by `compare(own, numpys)`."""

    def decorate(function):
        def test(*args, **kwargs):
            own, numpys = _runs(function, args, kwargs, name, sp_name, scipy_name)
            if _check_errors(own, numpys, accept_error):
                return
            pairs = [(own.value, numpys.value)]
            if isinstance(numpys.value, (list, tuple)):
                if len(own.value) != len(numpys.value):
                    raise AssertionError(f"{len(own.value)} results; numpy: {len(numpys.value)}")
                pairs = list(zip(own.value, numpys.value))
            for mine, theirs in pairs:
                if type_check:
                    _check_types(mine, theirs)
                if contiguous_check and isinstance(theirs, np.ndarray):
                    _check_layout(mine, theirs)
                compare(mine, theirs)

        return without_parameters(test, function, {name, sp_name, scipy_name})

    return decorate


def _tolerance(given, default, *arrays):
    """One of a number, or of a dict from dtypes to numbers with an entry "default"."""
    if not isinstance(given, dict):
        return given
    kinds = {np.dtype(getattr(x, "dtype", type(x))) for x in arrays}
    found = [value for key, value in given.items() if key != "default" and np.dtype(key) in kinds]
    return max(found) if found else given.get("default", default)


def numpy_cupy_allclose(
    rtol=1e-7,
    atol=0,
    err_msg="",
    verbose=True,
    name="xp",
    type_check=True,
    accept_error=False,
    sp_name=None,
    scipy_name=None,
    contiguous_check=True,
):
    """Decorates a test that returns arrays: with both libraries they must be close. Tolerances may be dicts from dtypes
    to numbers, with an entry "default". `accept_error` says which errors, of both libraries, count as agreement.

    >>> @cp.testing.numpy_cupy_allclose(rtol=1e-6)
    ... def test(xp):
    ...     return xp.sin(xp.arange(3.0))
    >>> test()
    """

    def compare(x, y):
        assert_allclose(x, y, _tolerance(rtol, 1e-7, x, y), _tolerance(atol, 0, x, y), err_msg, verbose)

    return _comparing(compare, name, type_check, accept_error, sp_name, scipy_name, contiguous_check)


def numpy_cupy_array_almost_equal(
    decimal=6,
    err_msg="",
    verbose=True,
    name="xp",
    type_check=True,
    accept_error=False,
    sp_name=None,
    scipy_name=None,
):
    """Decorates a test that returns arrays: with both libraries they must be equal up to so many decimals.

    >>> @cp.testing.numpy_cupy_array_almost_equal(decimal=5)
    ... def test(xp):
    ...     return xp.arange(3) / 3
    >>> test()
    """

    def compare(x, y):
        assert_array_almost_equal(x, y, decimal, err_msg, verbose)

    return _comparing(compare, name, type_check, accept_error, sp_name, scipy_name)


def numpy_cupy_array_almost_equal_nulp(
    nulp=1, name="xp", type_check=True, accept_error=False, sp_name=None, scipy_name=None
):
    """Decorates a test that returns arrays: with both libraries they must differ by few spacings.

    >>> @cp.testing.numpy_cupy_array_almost_equal_nulp(nulp=2)
    ... def test(xp):
    ...     return xp.sqrt(xp.arange(3.0))
    >>> test()
    """

    def compare(x, y):
        assert_array_almost_equal_nulp(x, y, nulp)

    return _comparing(compare, name, type_check, accept_error, sp_name, scipy_name)


def numpy_cupy_array_max_ulp(
    maxulp=1, dtype=None, name="xp", type_check=True, accept_error=False, sp_name=None, scipy_name=None
):
    """Decorates a test that returns arrays: with both libraries they must be few representable numbers apart.

    >>> @cp.testing.numpy_cupy_array_max_ulp()
    ... def test(xp):
    ...     return xp.arange(3.0) / 7
    >>> test()
    """

    def compare(x, y):
        assert_array_max_ulp(x, y, maxulp, dtype)

    return _comparing(compare, name, type_check, accept_error, sp_name, scipy_name)


def numpy_cupy_array_equal(
    err_msg="",
    verbose=True,
    name="xp",
    type_check=True,
    accept_error=False,
    sp_name=None,
    scipy_name=None,
    strides_check=False,
):
    """Decorates a test that returns arrays: with both libraries they must be equal.

    >>> @cp.testing.numpy_cupy_array_equal()
    ... def test(xp):
    ...     return xp.arange(6).reshape(2, 3).T
    >>> test()
    """

    def compare(x, y):
        assert_array_equal(x, y, err_msg, verbose, strides_check)

    return _comparing(compare, name, type_check, accept_error, sp_name, scipy_name)


def numpy_cupy_array_list_equal(err_msg="", verbose=True, name="xp", sp_name=None, scipy_name=None):
    """Decorates a test that returns a list of arrays: with both libraries they must be equal.

    >>> @cp.testing.numpy_cupy_array_list_equal()
    ... def test(xp):
    ...     return xp.split(xp.arange(4), 2)
    >>> test()
    """

    def decorate(function):
        def test(*args, **kwargs):
            own, numpys = _runs(function, args, kwargs, name, sp_name, scipy_name)
            if not _check_errors(own, numpys, False):
                assert_array_list_equal(own.value, numpys.value, err_msg, verbose)

        return without_parameters(test, function, {name, sp_name, scipy_name})

    return decorate


def numpy_cupy_array_less(
    err_msg="", verbose=True, name="xp", type_check=True, accept_error=False, sp_name=None, scipy_name=None
):
    """Decorates a test that returns arrays: Cuprum's elements must be less than NumPy's.

    >>> @cp.testing.numpy_cupy_array_less()
    ... def test(xp):
    ...     return xp.ones(2) * (2 if xp is np else 1)
    >>> test()
    """

    def compare(x, y):
        assert_array_less(x, y, err_msg, verbose)

    return _comparing(compare, name, type_check, accept_error, sp_name, scipy_name)


def numpy_cupy_equal(name="xp", sp_name=None, scipy_name=None):
    """Decorates a test that returns anything: with both libraries it must be equal.

    >>> @cp.testing.numpy_cupy_equal()
    ... def test(xp):
    ...     return xp.ones((2, 3)).shape
    >>> test()
    """

    def decorate(function):
        def test(*args, **kwargs):
            own, numpys = _runs(function, args, kwargs, name, sp_name, scipy_name)
            if _check_errors(own, numpys, False):
                return
            mine, theirs = on_host(own.value), numpys.value
            if not np.all(mine == theirs):
                raise AssertionError(f"results differ: cuprum: {mine!r}; numpy: {theirs!r}")

        return without_parameters(test, function, {name, sp_name, scipy_name})

    return decorate


def numpy_cupy_raises(name="xp", sp_name=None, scipy_name=None, accept_error=Exception):
    """Decorates a test that must raise errors of one kind with both libraries.

    >>> @cp.testing.numpy_cupy_raises(accept_error=ValueError)
    ... def test(xp):
    ...     xp.ones(3).reshape(2)
    >>> test()
    """

    def decorate(function):
        def test(*args, **kwargs):
            own, numpys = _runs(function, args, kwargs, name, sp_name, scipy_name)
            if not _check_errors(own, numpys, accept_error):
                raise AssertionError("neither cuprum nor numpy raised an error")

        return without_parameters(test, function, {name, sp_name, scipy_name})

    return decorate
