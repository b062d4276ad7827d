"""Errors of Python kernels: they name the line, and what is not right there."""

import re

import numpy as np
import pytest

import cuprum as cp
from cuprum import jit
from devices import HERE


def fails(kind, text, function, *args, mark=None):
    """Calls a kernel that cannot be translated."""
    with pytest.raises(kind, match=re.escape(text) or None) as error:
        jit.rawkernel()(function)[1, 1](*args)
    if mark is not None:
        *_, line, marks = str(error.value).splitlines()
        start = marks.index("^")
        assert line[start : start + marks.count("^")] == mark
    return str(error.value)


def test_the_message_has_file_line_function_and_mark():
    def f(x):
        y = x[0] + 1
        x[0] = y @ y

    message = fails(TypeError, "", f, cp.zeros(3), mark="y @ y")
    line = f.__code__.co_firstlineno + 2
    assert f'File "{__file__}", line {line}, in f\n    x[0] = y @ y\n           ^^^^^\n'.strip() in message


def _constructs():
    def a_list(x):
        x[0] = [1, 2][0]

    def an_f_string(x):
        x[0] = f"{x}"

    def a_comprehension(x):
        x[0] = sum(i for i in range(3))

    def a_with(x):
        with x:
            pass

    def a_try(x):
        try:
            pass
        finally:
            pass

    def an_import(x):
        import math

        x[0] = math.pi

    def a_nested_function(x):
        def g():
            pass

    def a_lambda(x):
        x[0] = (lambda: 1)()

    def a_delete(x):
        del x

    def a_slice(x):
        x[0:2] = 1

    def an_else_of_a_loop(x):
        for _ in range(3):
            pass
        else:
            pass

    def a_loop_over_an_array(x):
        for _ in x:
            pass

    return [f for name, f in locals().items() if name[0] == "a"]


@pytest.mark.parametrize("function", _constructs(), ids=lambda f: f.__name__)
def test_unsupported_constructs(function):
    message = fails((ValueError, TypeError), "", function, cp.zeros(3))
    assert "not supported in a kernel" in message
    assert f"in {function.__name__}" in message


def test_unknown_names():
    def f(x):
        x[0] = unknown  # noqa: F821

    fails(NameError, "Unbound name: unknown", f, cp.zeros(3), mark="unknown")


def test_types_that_change():
    def to_float(x):
        total = 0
        total += x[0]

    def to_tuple(x):
        total = 0
        total = x[0], total

    def to_complex(x):
        x[0] = 1j

    fails(TypeError, "Cannot cast from 'float64' to 'int32', the type of `total`", to_float, cp.zeros(3))
    fails(TypeError, "Data type mismatch of variable: `total`", to_tuple, cp.zeros(3))
    fails(
        TypeError, "Cannot cast from 'complex128' to 'float64', the type of `x[0]`", to_complex, cp.zeros(3)
    )


def test_indices():
    def too_many(x):
        x[0, 1] = 1

    def too_few(x):
        x[0] = 1

    def fractional(x):
        x[0.5] = 1

    def by_array(x):
        x[x] = 1

    fails(IndexError, "beyond array dim: 1", too_many, cp.zeros(3), mark="x[0, 1]")
    fails(TypeError, "kernels assign to elements", too_few, cp.zeros((3, 3)))
    fails(TypeError, "Array indices must be integers", fractional, cp.zeros(3))
    fails(TypeError, "Advanced indexing is not supported", by_array, cp.zeros(3, dtype=int))


def test_unpacking():
    def one(x):
        (x[0],) = jit.grid(1)

    def too_few(x):
        x[0], x[1], x[2] = jit.grid(2)

    fails(ValueError, "cannot unpack", one, cp.zeros(3))
    fails(ValueError, "not enough values to unpack (expected 3, got 2)", too_few, cp.zeros(3))


def test_calls():
    def helper(x):
        return x

    def plain_function(x):
        x[0] = helper(x[0])

    def no_loop(x):
        x[0] = x[0] << 1

    def with_result(x):
        return x[0]

    kernel = jit.rawkernel()(helper)

    def calls_a_kernel(x):
        kernel(x)

    fails(TypeError, "kernels cannot call 'helper'", plain_function, cp.zeros(3), mark="helper(x[0])")
    fails(TypeError, "left_shift has no loop for operands of the types float64", no_loop, cp.zeros(3))
    fails(TypeError, "kernels return None", with_result, cp.zeros(3))
    fails(TypeError, "Calling the kernel helper from a kernel", calls_a_kernel, cp.zeros(3))


def test_recursion():
    @jit.rawkernel(device=True)
    def g(x):
        return g(x) + 1

    def f(x):
        x[0] = g(x[0])

    fails(ValueError, "Recursive function is not supported", f, cp.zeros(3))


def test_functions_of_kernels_outside_of_kernels():
    for function in (jit.syncthreads, jit.grid, jit.atomic_add, jit.cg.this_grid, jit.thrust.sort):
        with pytest.raises(RuntimeError, match="called outside of a kernel"):
            function(1)
    with pytest.raises(AttributeError, match="known inside a kernel alone"):
        jit.threadIdx.x


@jit.rawkernel()
def fill(x, value):
    x[jit.grid(1)] = value


def test_arguments():
    x = cp.zeros(3)
    with pytest.raises(TypeError, match=r"fill\(\) takes 2 positional arguments but 1 were given"):
        fill[1, 3](x)
    with pytest.raises(TypeError, match=r"argument 1 of fill is a numpy.ndarray.*cp.asarray"):
        fill[1, 3](np.zeros(3), 1)
    with pytest.raises(TypeError, match="argument 2 of fill must be an array or a number, given str"):
        fill[1, 3](x, "1")
    with pytest.raises(TypeError, match="takes grid, block and"):
        fill[3](x, 1)
    with pytest.raises(ValueError, match="at most three dimensions"):
        fill[(1, 1, 1, 1), 3](x, 1)
    with pytest.raises(ValueError, match="mode must be"):
        jit.rawkernel(mode="c")


def test_arrays_of_two_devices():
    other = "far:1" if HERE.name != "far:1" else "far:2"
    with cp.Device(other):
        there = cp.zeros(3)

    @jit.rawkernel()
    def copy(x, y):
        x[0] = y[0]

    with pytest.raises(TypeError, match=other):
        copy[1, 1](cp.zeros(3), there)


def test_read_only_arrays_are_not_written():
    x = cp.broadcast_to(cp.ones(1), (3,))
    y = cp.zeros(3)

    @jit.rawkernel()
    def copy(x, y):
        i = jit.grid(1)
        y[i] = x[i]

    copy[1, 3](x, y)
    assert y.tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="read-only"):
        copy[1, 3](y, x)


def test_device_functions_are_not_launched():
    @jit.rawkernel(device=True)
    def g(x):
        return x

    with pytest.raises(TypeError, match="is a device function"):
        g[1, 1](3)


def test_a_kernel_without_a_text():
    scope = {"jit": jit}
    exec("def f(x):\n    x[0] = 1", scope)  # the text is in no file
    with pytest.raises(RuntimeError, match="the text of f cannot be found"):
        jit.rawkernel()(scope["f"])[1, 1](cp.zeros(1))


def test_no_text_before_the_first_call():
    kernel = jit.rawkernel()(lambda x: None)
    assert kernel.cached_codes == {}
    with pytest.raises(RuntimeError, match="has no text yet"):
        kernel.cached_code
