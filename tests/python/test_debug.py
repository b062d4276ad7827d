"""CUPRUM_DEBUG=1: an error names the operations that it comes from and the lines of the program that asked for them.

Memory that runs out stands for every error that comes while kernels run: it can be had on any device. Bad indices are
the other kind: without debugging a device may find them after the call has returned.
"""

import gc
import inspect
import os
import subprocess
import sys

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE, HOST_MEMORY

LATE = not HOST_MEMORY


def line():
    """The number of the line that calls this."""
    return inspect.currentframe().f_back.f_lineno


def here(number):
    return f"{__file__}:{number}"


@pytest.fixture
def not_debugging():
    before = _core.get_debug()
    _core.set_debug(False)
    yield
    _core.set_debug(before)


@pytest.fixture
def no_memory():
    """A function after which nothing can be allocated."""
    pool = cp.get_default_memory_pool()
    before = pool.get_limit()

    def exhaust():
        gc.collect()  # what is freed later would be there to be used again
        pool.free_all_blocks()
        pool.set_limit(size=max(pool.used_bytes(), 1))

    yield exhaust
    pool.set_limit(size=before)


def test_pending_operations_are_named(debugging, no_memory):
    with cp.eager(False):
        a = cp.evaluate(cp.arange(200_000.0))
        b = cp.exp(a); first = line()  # fmt: skip # noqa: E702
        c = (b * 2).sum(); second = line()  # fmt: skip # noqa: E702
        d = b + 1
        no_memory()
        with pytest.raises(cp.OutOfMemoryError) as error:
            cp.evaluate(c, d)
    text = str(error.value)
    assert f"exp at {here(first)}" in text
    assert f"multiply at {here(second)}" in text and f"sum at {here(second)}" in text
    assert "_controls.py" not in text and "evaluate" not in text


def test_one_operation_is_named(debugging, no_memory):
    a = cp.evaluate(cp.arange(200_000.0))
    no_memory()
    with cp.eager(), pytest.raises(cp.OutOfMemoryError) as error:
        a + 1
    assert str(error.value).endswith(f"(computing add at {here(line() - 1)})")


def test_lines_of_the_package_are_not_the_program_s(debugging, no_memory):
    a = cp.evaluate(cp.arange(200_000.0))
    with cp.eager(False):
        b = cp.ptp(a[:100_000].reshape(2, -1), axis=0); number = line()  # fmt: skip # noqa: E702
        no_memory()
        with pytest.raises(cp.OutOfMemoryError) as error:
            cp.evaluate(b)
    assert f"at {here(number)}" in str(error.value)
    assert f"{os.sep}cuprum{os.sep}_" not in str(error.value)


def test_without_debugging_nothing_is_remembered(not_debugging, no_memory):
    a = cp.evaluate(cp.arange(200_000.0))
    b = a + 1
    no_memory()
    with pytest.raises(cp.OutOfMemoryError) as error:
        cp.evaluate(b)
    assert "computing" not in str(error.value) and __file__ not in str(error.value)


INDEXED = [
    ("a[i]", "ndarray.__getitem__"),
    ("a.__setitem__(i, 1)", "ndarray.__setitem__"),
    ("cp.take(a, i)", "take"),
    ("cp.put(a, i, 1)", "put"),
    ("cp.take_along_axis(a, i, axis=0)", "take_along_axis"),
    ("cp.put_along_axis(a, i, 1, axis=0)", "put_along_axis"),
    ("cp.add.at(a, i, 1)", "ufunc.at"),
]


@pytest.mark.parametrize("source, function", INDEXED)
def test_bad_indices_are_found_by_the_call(debugging, source, function):
    a, i = cp.arange(4), cp.asarray([1, 7])
    code = compile("\n\n" + source, "program.py", "eval")
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 4") as error:
        eval(code, {"cp": cp, "a": a, "i": i, "__name__": "program"})
    assert str(error.value).endswith(f"(in {function} at program.py:3)")
    assert a.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("source, function", INDEXED)
def test_bad_indices_are_found_at_the_latest_by_the_next_wait(not_debugging, source, function):
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 4") as error:
        result = eval(source, {"cp": cp, "a": cp.arange(4), "i": cp.asarray([1, 6]) + cp.arange(2)})
        cp.evaluate(*[] if result is None else [result])
        HERE.synchronize()
    assert (f"in {function}" in str(error.value)) == LATE
    HERE.synchronize()  # it is told once


HOST_INDICES = [
    "[0, 9]",
    "np.array([0, 9])",
    "np.array([9])[()]",
    "np.array(9)",
    "[[1], [-5]]",
    "((9,), (1,))",
    "np.array([3, 9], 'i2')[::-1]",
    "np.array([9, 1], '>i4')",
    "np.array([[9], [1]], 'u1', order='F')",
]


@pytest.mark.parametrize("index", HOST_INDICES)
@pytest.mark.parametrize("source", ["cp.take(a, i)", "cp.put(a, i, 1)", "a[i,]", "a.__setitem__((i,), 1)"])
def test_indices_from_the_host_are_checked_by_the_call(not_debugging, source, index):
    names = {"cp": cp, "a": cp.arange(4), "i": eval(index, {"np": np})}
    with pytest.raises(IndexError, match=r"index (9|-5) is out of bounds for axis 0 with size 4") as error:
        eval(source, names)
    assert "found by the device" not in str(error.value)
    assert names["a"].tolist() == [0, 1, 2, 3]


@pytest.mark.skipif(not LATE, reason="every index is checked by the call here")
@pytest.mark.parametrize(
    "source",
    ["cp.take(a, [0, 1])", "cp.take(a, np.array([1, 2], 'i2'))", "cp.take(a, 3)", "a[[1, 2]]", "a[np.array([0])]",
     "cp.put(a, [0], 5)", "cp.put(a, (1, 2), [3, 4])", "cp.take_along_axis(a, np.array([1]), axis=0)",
     "cp.put_along_axis(a, np.array([0, 3]), 1, axis=0)", "a.take([[1], [2]])", "cp.take(a, [9, -9], mode='wrap')",
     "cp.add.at(a, [0, 0], 1)", "a.__setitem__([1], 2)"],
)  # fmt: skip
def test_indices_from_the_host_need_no_waiting(not_debugging, source):
    """A fault that has yet to be told is told by whoever waits next."""
    a = cp.evaluate(cp.arange(4))
    cp.evaluate(cp.arange(3)[cp.asarray([4]) + 1])
    eval(source, {"cp": cp, "np": np, "a": a})
    with pytest.raises(IndexError, match="index 5"):
        _core.wait(HERE.name)


def test_the_variable_turns_it_on():
    program = "import cuprum as cp; from cuprum import _core; print(_core.get_debug(), _core.get_eager())"
    for value, expected in (("1", "True True"), ("0", "False False"), ("", "False False")):
        environment = {k: v for k, v in os.environ.items() if k != "CUPRUM_EAGER"}
        found = subprocess.run(
            [sys.executable, "-c", program],
            env={**environment, "CUPRUM_DEBUG": value},
            capture_output=True,
            text=True,
        )
        assert found.stdout.strip() == expected, found.stderr
