"""Python kernels as CUDA C++: what the translation writes."""

import numpy as np
import pytest

import cuprum as cp
from cuprum import jit
from cuprum.jit._arrays import Array
from cuprum.jit._functions import device_function, kernel
from cuprum.jit._types import INT32, Scalar


def text_of(function, *types, mode="cuda"):
    """The body of a kernel's text, without its head and its includes."""
    lines = kernel(function, types, mode).functions.splitlines()
    return "\n".join(line.strip() for line in lines[1:-1] if line.strip())


FLOATS = Array(Scalar("f4"), 1, dense=True)
MATRIX = Array(Scalar("f4"), 2, dense=False)


def test_the_index_of_a_thread():
    def f(x):
        x[jit.grid(1)] = 1

    assert text_of(f, FLOATS) == "x((threadIdx.x + blockIdx.x * blockDim.x)) = 1.0f;"


def test_the_head_has_the_types_of_the_arguments():
    def scale(x, y, factor):
        x[0] = y[0, 0] * factor

    wide = Array(Scalar("f8"), 2, dense=True, index=Scalar("i8"))
    head = kernel(scale, (FLOATS, wide, Scalar("i4")), "cuda").functions.splitlines()[0]
    assert head == (
        'extern "C" __global__ void jit_scale(jit::array<float, 1, true, int> x, '
        "jit::array<double, 2, true, long long> y, int factor) {"
    )


def test_loops():
    def f(x, n):
        for i in range(n):
            x[i] = 0
        for j in range(9, -1, -3):
            x[j] = 0

    assert text_of(f, FLOATS, INT32).splitlines() == [
        "int i{};",
        "int j{};",
        "for (int _at_1 = 0, _at_1_stop = n, _at_1_step = 1; _at_1 < _at_1_stop; _at_1 += _at_1_step) {",
        "i = _at_1;",
        "x(i) = 0.0f;",
        "}",
        "for (int _at_2 = 9, _at_2_stop = (-1), _at_2_step = (-3); _at_2 > _at_2_stop; _at_2 += _at_2_step) {",
        "j = _at_2;",
        "x(j) = 0.0f;",
        "}",
    ]


@pytest.mark.parametrize(
    "unroll, pragma",
    [(True, "#pragma unroll"), (False, "#pragma unroll(1)"), (5, "#pragma unroll(5)"), (None, None)],
)
def test_unrolled_loops(unroll, pragma):
    def f(x):
        for i in jit.range(4, unroll=unroll):
            x[i] = 0

    first = text_of(f, FLOATS).splitlines()[1]
    assert first == pragma if pragma else first.startswith("for")


def test_a_loop_of_unsigned_and_negative_numbers_counts_in_int64():
    def f(x, n):
        for i in range(n - 1, -1, -1):
            x[i] = 0

    assert text_of(f, FLOATS, Scalar("u4")).startswith("long long i{};")


def test_branches_that_are_decided_now_are_not_translated():
    wide = False
    nothing = it = None

    def f(x):
        if wide:
            x[0] = nothing.like(it)
        else:
            x[0] = 1 if wide else 2

    assert text_of(f, FLOATS) == "x(0) = 2.0f;"


def test_words_of_cpp_are_names_of_python():
    def f(x):
        int = 1
        N = 2
        _n = 3
        namespace = int + N + _n
        x[0] = namespace

    assert text_of(f, FLOATS).splitlines() == [
        "int v_int = 1;",
        "int v_N = 2;",
        "int v__n = 3;",
        "int v_namespace = (v_int + v_N) + v__n;",
        "x(0) = (float)(v_namespace);",
    ]


def test_promotion_of_cuda_and_of_numpy():
    def f(x, i, b):
        x[0] = x[0] * 0.5 + i
        x[1] = b + 1

    types = Array(Scalar("f4"), 1, dense=True), Scalar("i8"), Scalar("i1")
    assert text_of(f, *types).splitlines() == [
        "x(0) = (x(0) * 0.5f) + (float)(i);",
        "x(1) = (float)(((int)(b) + 1));",
    ]
    assert text_of(f, *types, mode="numpy").splitlines() == [
        "x(0) = (float)(((double)((x(0) * 0.5f)) + (double)(i)));",
        "x(1) = (float)(np::add(b, (signed char)(1)));",
    ]


@pytest.mark.parametrize(
    "number, dtype, text",
    [
        (1.5, "f4", "1.5f"), (1e30, "f4", "1e+30f"), (2, "f8", "2.0"), (-1, "i8", "(-1LL)"), (7, "u4", "7u"),
        (-(2**31), "i4", "(-2147483647 - 1)"), (float("nan"), "f4", "np::quiet_nan<float>()"), (True, "?", "true"),
        (float("-inf"), "f8", "(-np::infinity<double>())"), (1.0, "f2", "np::float16{0x3c00}"),
        (3, "i1", "(signed char)(3)"),
        (1 - 2j, "c8", "np::complex64{1.0f, (-2.0f)}"), (0.1, "f8", "0.1"), (0.1, "f4", "0.1f"),
    ],
)  # fmt: skip
def test_literals(number, dtype, text):
    value = np.dtype(dtype).type(number)

    def f():
        return value

    assert device_function(f, ()).functions.splitlines()[1].strip() == f"return {text};"


def test_a_swap_makes_both_values_first():
    def f(x):
        x[0], x[1] = x[1], x[0]

    assert text_of(f, FLOATS).splitlines()[-4:] == [
        "const auto _value_1 = x(1);",
        "const auto _value_2 = x(0);",
        "x(0) = _value_1;",
        "x(1) = _value_2;",
    ]


def test_an_index_is_computed_once():
    def f(x, n):
        x[n // 2] += 1

    assert (
        text_of(f, FLOATS, INT32)
        == "{ float& _place_1 = x(np::floor_divide(n, 2)); _place_1 = _place_1 + 1.0f; }"
    )


def test_arrays_of_a_block():
    def f(x):
        tile = jit.shared_memory(cp.float32, (4, 5), alignment=16)
        dynamic = jit.shared_memory(cp.int32, None)
        dynamic[0] = 1
        x[0] = tile[1, 2] + tile[3][4] + dynamic[0]

    assert text_of(f, FLOATS).splitlines() == [
        "__shared__ __align__(16) float _shared_1[20];",
        "extern __shared__ __align__(16) unsigned char _dynamic_shared[];",
        "jit::array<float, 2, true, int> tile = jit::over(_shared_1, 4, 5);",
        "int* dynamic = (int*)_dynamic_shared;",
        "dynamic[0] = 1;",
        "x(0) = (tile(1, 2) + tile.part(3)(4)) + (float)(dynamic[0]);",
    ]


def test_device_functions_come_before_their_callers_once():
    @jit.rawkernel(device=True)
    def half(v):
        return v / 2

    def f(x):
        x[0] = half(x[0]) + half(x[1]) + half(4)

    text = kernel(f, (FLOATS,), "cuda").functions
    assert text.count("__device__ inline float jit_half_1(float v)") == 1
    assert text.count("__device__ inline double jit_half_2(int v)") == 1
    assert text.index("jit_half_1") < text.index("jit_f(")


def test_a_scalar_function_as_a_device_function():
    made = device_function(lambda a, b: a * b + 1, [Scalar("f4"), Scalar("f4")])
    assert made.result == Scalar("f4")
    assert made.functions.strip() == (
        "__device__ inline float jit_lambda(float a, float b) {\n  return ((a * b) + 1.0f);\n}"
    )
