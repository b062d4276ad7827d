"""What a program gives its kernels: it fits the parameters, or the error names kernel, argument and parameter."""

import ctypes
import re

import numpy as np
import pytest

import cuprum as cp
from kernel_texts import ADD, DEVICES, SHOW, entered, scale

device = pytest.fixture(entered, params=DEVICES)

PAIR = np.dtype([("first", "i4"), ("second", "f8")], align=True)
PLAIN = (True, 1, 2, 3, 4, 5.5, 6.5)


def shown(*values, pair=(7, 8.5)):
    """What a kernel with a parameter of every kind has seen."""
    out = cp.zeros(9)
    cp.RawKernel(SHOW, "show")(
        (1,), (1,), (*values, pair if isinstance(pair, np.generic) else np.array(pair, PAIR), out)
    )
    return out.tolist()


def launch(text, *args, before=""):
    cp.RawKernel(f'{before}\nextern "C" __global__ void f{text}', "f")((1,), (1,), args)


# -- Numbers --------------------------------------------------------------------------------------------


def test_numbers_are_converted(device):
    expected = [1, 1, 2, 3, 4, 5.5, 6.5, 7, 8.5]
    assert shown(*PLAIN) == expected
    assert shown(1, True, np.int8(2), np.uint64(3), np.int16(4), np.float64(5.5), np.float32(6.5)) == expected
    assert shown(np.True_, np.array(1), np.array([2]), np.int64(3), 4, np.float16(5.5), 6.5) == expected
    assert shown(True, 1, 2, 3, 4, 5, 6) == [1, 1, 2, 3, 4, 5, 6, 7, 8.5]


def test_numbers_of_16_bits(device):
    x, out = cp.array([1.5, 2.5], "float16"), cp.zeros(2)
    text = "(const half* x, half by, double* out) { out[0] = float(x[0] * by); out[1] = float(x[1] * by); }"
    launch(text, x, 3, out, before="#include <cuda_fp16.h>")
    assert out.tolist() == [4.5, 7.5]
    with pytest.raises(TypeError, match="argument 1 is an array of bfloat16, the kernel takes const __half"):
        launch(text, x.astype("bfloat16"), 3, out, before="#include <cuda_fp16.h>")
    text = text.replace("half", "__nv_bfloat16")
    launch(text, x.astype("bfloat16"), 2.0, out, before="#include <cuda_bf16.h>")
    assert out.tolist() == [3, 5]


def test_the_ends_of_integers(device):
    least, most = [-(2**7), 0, -(2**31), -(2**63)], [2**7 - 1, 2**16 - 1, 2**31 - 1, 2**63 - 1]
    for values in (least, most):
        assert shown(False, *values, 0, 0)[1:5] == [float(v) for v in values]
    for position, (low, high) in enumerate(zip(least, most)):
        for beyond in (low - 1, high + 1):
            values = [0, 0, 0, 0]
            values[position] = beyond
            with pytest.raises(
                OverflowError, match=rf"RawKernel: show: argument {position + 2} is {beyond}, out of bounds"
            ):
                shown(False, *values, 0, 0)
    with pytest.raises(OverflowError, match="out of bounds for int"):
        shown(False, 0, 0, np.int64(2**40), 0, 0, 0)


def test_structs_go_by_their_bytes(device):
    record = np.array([(-3, 0.25)], PAIR)
    assert shown(*PLAIN, pair=record[0])[-2:] == shown(*PLAIN, pair=(-3, 0.25))[-2:] == [-3, 0.25]
    with pytest.raises(ValueError, match="argument 8 is a struct of 12 bytes, the kernel takes Pair of 16"):
        shown(*PLAIN, pair=np.array((1, 2), [("first", "i4"), ("second", "f8")])[()])


def test_complex_numbers_for_structs_of_two(device):
    out = cp.zeros(4)
    launch(
        "(float2 a, double2 b, double* out) { out[0] = a.x; out[1] = a.y; out[2] = b.x; out[3] = b.y; }",
        np.complex64(1 + 2j),
        3 + 4j,
        out,
    )
    assert out.tolist() == [1, 2, 3, 4]
    launch("(float2 a, double* out) { out[0] = a.x; out[1] = a.y; }", 5 + 6j, out)
    assert out.tolist() == [5, 6, 3, 4]


# -- Pointers -------------------------------------------------------------------------------------------


def test_null_pointers(device):
    out = cp.zeros(2, cp.int32)
    for nothing in (None, 0):
        launch("(const float* x, double* y, int* out) { out[0] += !x; out[1] += !y; }", nothing, None, out)
    assert out.tolist() == [2, 2]


def test_memory_pointers_and_addresses(device):
    x = cp.arange(10, dtype=cp.float32)
    (kernel,) = scale("float")
    kernel((1,), (10,), (x.data, 2, 10))
    kernel((1,), (4,), (x.data + 6 * 4, 10, 4))
    assert x.tolist() == [0, 2, 4, 6, 8, 10, 120, 140, 160, 180]
    kernel((1,), (2,), (x.data.ptr, 0.5, 2))
    kernel((1,), (2,), (np.uint64(x[2:].data.ptr), 0.5, 2))
    assert x[:4].tolist() == [0, 1, 2, 3]
    memory = cp.cuda.alloc(40)
    y = cp.ndarray(10, cp.float32, memory)
    y[...] = 3
    kernel((1,), (10,), (memory, 5, 10))
    assert (y == 15).all()


def test_a_view_is_the_address_of_its_first_element(device):
    x = cp.arange(20, dtype=cp.float64)
    (kernel,) = scale("double")
    kernel((1,), (5,), (x[10:15], -1, 5))
    assert x.tolist() == [*range(10), *range(-10, -15, -1), *range(15, 20)]
    matrix = cp.arange(6.0).reshape(2, 3)
    out = cp.zeros(6)
    copy = "(const double* x, double* y) { for (int i = 0; i < 6; ++i) y[i] = x[i]; }"
    launch(copy, matrix.T, out)  # as it lies
    assert out.tolist() == [0, 1, 2, 3, 4, 5]


def test_arrays_with_gaps_are_refused(device):
    x = cp.arange(20, dtype=cp.float32)
    (kernel,) = scale("float")
    for gaps in (x[::2], x[::-1], x.reshape(4, 5)[:, :3], cp.broadcast_to(x[:1], (4,)).copy()[::3]):
        with pytest.raises(ValueError, match=r"argument 1 is an array with gaps.*ascontiguousarray"):
            kernel((1,), (2,), (gaps, 2, 2))
    kernel((1,), (5,), (x[::2].data, 2, 5))  # who says so means the address
    assert x[:6].tolist() == [0, 2, 4, 6, 8, 5]


def test_dtypes_that_a_pointer_takes(device):
    launch("(void* x, const void* y) {}", cp.zeros(3, cp.complex64), cp.zeros(3, bool))
    launch("(char* x, float4* y) {}", cp.zeros(3), cp.zeros(4, cp.float32))
    launch("(unsigned int* x, long* y, bool* z) {}", cp.zeros(3, "i4"), cp.zeros(3, "u8"), cp.zeros(3, "u1"))
    launch("(float* x, const double* y) {}", cp.zeros(3, "c8"), cp.zeros(3, "c16"))  # pairs of reals
    for text, dtype in [
        ("float*", "f8"),
        ("const float*", "i4"),
        ("int*", "i8"),
        ("double*", "c8"),
        ("unsigned char*", "f2"),
    ]:
        words = (
            f"f: argument 1 is an array of {np.dtype(dtype).name}, the kernel takes {re.escape(text)}; write"
        )
        with pytest.raises(TypeError, match=words):
            launch(f"({text} x) {{}}", cp.zeros(3, dtype))


def test_read_only_arrays(device):
    x = cp.broadcast_to(cp.float32(2), (1,))
    y = cp.zeros(1, cp.float32)
    launch("(const float* x, float* y) { *y = *x; }", x, y)
    assert y.tolist() == [2]
    with pytest.raises(ValueError, match="argument 1 is a read-only array"):
        launch("(float* x) { *x = 1; }", x)


# -- What does not fit ----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_the_number_of_arguments(device, count):
    x = cp.zeros(1, cp.float32)
    words = r"cuprum.RawKernel: add\(const float\*, const float\*, float\*, unsigned int\) takes 4 arguments, given "
    with pytest.raises(TypeError, match=words + str(count)):
        cp.RawKernel(ADD, "add")((1,), (1,), (x,) * count)


@pytest.mark.parametrize(
    "text, given, error, words",
    [
        ("(float* x)", 2.5, TypeError, r"is the number 2.5, the kernel takes float\*; write cp.asarray"),
        ("(float* x)", 12, ValueError, r"is the number 12 for a parameter float\*, which is no address"),
        ("(float* x)", -1, ValueError, "no address"),
        ("(float* x)", True, ValueError, "no address"),
        ("(int x)", 2.5, TypeError, r"is the number 2.5, the kernel takes int; write int\(x\)"),
        ("(float x)", 1j, TypeError, "the kernel takes float; write x.real"),
        ("(float x)", None, TypeError, "is None, the kernel takes float"),
        ("(float x)", np.zeros(1, PAIR), TypeError, "is a struct, the kernel takes float"),
        ("(float* x)", np.zeros(1, PAIR), TypeError, r"is a struct, the kernel takes float\*"),
        ("(float4 x)", 2.5, ValueError, "of 8 bytes, the kernel takes float4 of 16"),
        (
            "(float* x)",
            np.zeros(3),
            TypeError,
            r"argument 1 is a numpy.ndarray of shape \(3,\).*write cp.asarray",
        ),
        ("(float* x)", [1.0], TypeError, "argument 1 is a list"),
        ("(float* x)", "x", TypeError, "argument 1 is a str"),
        ("(float* x)", ctypes.c_float(1), TypeError, "argument 1 is a "),
        ("(float x)", np.datetime64(1, "s"), TypeError, "argument 1 is a numpy.datetime64"),
        ("(float x)", np.array([{}]), TypeError, "argument 1 is a"),
    ],
)
def test_what_does_not_fit(device, text, given, error, words):
    with pytest.raises(error, match=words):
        launch(text + " {}", given)


def test_an_array_for_a_number(device):
    with pytest.raises(
        TypeError, match=r"argument 1 is an array of float64, the kernel takes int; write x.item\(\)"
    ):
        launch("(int n) {}", cp.ones(()))
    with pytest.raises(TypeError, match="the kernel takes int; write a number"):
        launch("(int n) {}", cp.ones(2))


def test_an_array_of_another_device():
    x, y = cp.zeros(2, cp.float32, device="cpu"), cp.zeros(2, cp.float32, device="far")
    with pytest.raises(TypeError, match="f: argument 2 is on far, the kernel runs on cpu"):
        launch("(float* x, float* y) {}", x, y)
    with cp.Device("far"):
        stream = cp.cuda.Stream()
    with pytest.raises(ValueError, match="the stream is on far, the arrays are on cpu"):
        scale("float")[0]((1,), (1,), (x, 1, 1), stream=stream)


def test_args_and_stream_must_be_what_they_are_called(device):
    for args in (3, cp.zeros(3, cp.float32), "abc", {1: 2}):
        with pytest.raises(TypeError, match="args must be a tuple"):
            scale("float")[0]((1,), (1,), args)
    with pytest.raises(TypeError, match="stream is a int"):
        scale("float")[0]((1,), (1,), (cp.zeros(1, cp.float32), 1, 1), stream=3)


class Lender:
    """Memory by CUDA's protocol."""

    def __init__(self, array):
        self.array = array
        address = (array.data.ptr, False)
        self.__cuda_array_interface__ = {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": address,
            "version": 3,
        }


def test_memory_of_other_libraries(device):
    x = cp.arange(4, dtype=cp.float32)
    (kernel,) = scale("float")
    kernel((1,), (4,), (Lender(x), 3, 4))
    assert x.tolist() == [0, 3, 6, 9]
