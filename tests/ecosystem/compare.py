"""Runs a program with NumPy and with Cuprum, and compares what it returns."""

import importlib.util
import inspect
import sys
import warnings
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def load(name):
    """The module of a file of this folder."""
    sys.path.insert(0, str(HERE))
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def programs(module):
    """{name: program} in the order of the file."""
    own = inspect.getmembers(module, inspect.isfunction)
    own = [(name, f) for name, f in own if f.__module__ == module.__name__ and not name.startswith("_")]
    return dict(sorted(own, key=lambda item: item[1].__code__.co_firstlineno))


def run(program, cp):
    """Raises what the program raises, and AssertionError where the results differ."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = program(np)
        got = program(cp)
    same(got, want, cp)


def same(got, want, cp):
    """Equal up to rounding: numbers, arrays, and sequences of them."""
    if isinstance(want, (list, tuple)):
        assert isinstance(got, (list, tuple)), f"{type(got)} instead of {type(want)}"
        assert len(got) == len(want), f"{len(got)} results instead of {len(want)}"
        for mine, theirs in zip(got, want):
            same(mine, theirs, cp)
    elif isinstance(want, (str, bool, type(None))):
        assert got == want, f"{got!r} instead of {want!r}"
    else:
        mine, theirs = cp.asnumpy(got), np.asarray(want)
        assert mine.dtype == theirs.dtype, f"{mine.dtype} instead of {theirs.dtype}"
        rounding = 1e-4 if theirs.dtype.itemsize <= 4 and theirs.dtype.kind in "fc" else 1e-8
        np.testing.assert_allclose(mine, theirs, rtol=rounding, atol=rounding)
