"""Expressions evaluated on NumPy and on Cuprum: same value, dtype and shape, or same exception and text.

In an expression `xp` is the module (`np` is NumPy for both), and the names of `scope` are arrays of it.
"""

import warnings

import numpy as np

import cuprum as cp
from cuprum import _core
from strategies import assert_same, same_exception


def run(source, scope, statement=False):
    """The result, or the exception."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if statement:
                exec(source, scope)
                return None
            return eval(source, scope)
        except Exception as error:
            return error


def outcome(call):
    """(result, None), or (None, exception) where the dtypes or values have no answer."""
    with np.errstate(all="ignore"):
        try:
            return call(), None
        except (TypeError, ValueError, OverflowError) as error:
            return None, error


def pair(x):
    """The same array for both."""
    x = np.asarray(x)
    return x, cp.asarray(x)


def scopes(**arrays):
    """The same names for both: NumPy arrays and what Cuprum makes of them."""
    host = {"np": np, "xp": np, **{k: v.copy() for k, v in arrays.items()}}
    device = {"np": np, "xp": cp, **{k: cp.asarray(v) for k, v in arrays.items()}}
    return host, device


def compare(got, want, texts=True, ulps=0, zeros=True):
    if isinstance(want, Exception):
        assert isinstance(got, Exception), f"expected {want!r}, got {got!r}"
        assert same_exception(got, want), f"expected {want!r}, got {got!r}"
        if texts:
            assert str(want).rstrip(". ") in str(got), f"expected {str(want)!r}, got {str(got)!r}"
        return
    if isinstance(got, Exception):
        raise got
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want)
        for g, w in zip(got, want):
            compare(g, w, texts, ulps, zeros)
    elif isinstance(want, (np.ndarray, np.generic)) and isinstance(got, cp.ndarray):
        assert_same(got, want, ulps, zeros)
    else:
        assert got == want, f"expected {want!r}, got {got!r}"


def run_on_device(source, scope, want, statement=False):
    """Where an exception is wanted, it is wanted from the call: a device may find a bad index later."""
    before = _core.get_debug()
    _core.set_debug(before or isinstance(want, Exception))
    try:
        return run(source, scope, statement)
    finally:
        _core.set_debug(before)


def check_expression(source, texts=True, ulps=0, zeros=True, **arrays):
    host, device = scopes(**arrays)
    want = run(source, host)
    compare(run_on_device(source, device, want), want, texts, ulps, zeros)


def check_statement(source, texts=True, ulps=0, **arrays):
    """Runs a statement and compares every array after it."""
    host, device = scopes(**arrays)
    want = run(source, host, True)
    compare(run_on_device(source, device, want, True), want, texts)
    for name in arrays:
        assert_same(device[name], host[name], ulps)


def lines(text):
    return [line for line in text.strip().splitlines() if line and not line.startswith("#")]
