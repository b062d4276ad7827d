"""ElementwiseKernel and fuse: values against NumPy, CuPy's rules and texts, what is computed in one pass."""

import contextlib
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from cuprum import _core
from kernel_texts import DEVICES, entered
from strategies import BFLOAT16, DTYPES, arrays, assert_same, broadcastable, fill

device = pytest.fixture(entered, params=DEVICES, scope="module", autouse=True)

# Made once: every text is compiled for each dtype that it is called with.
ADD = cp.ElementwiseKernel("T x, T y", "T z", "z = x + y", "add_them")
SCALE = cp.ElementwiseKernel("T x, T factor, T shift", "T y", "y = x * factor + shift", "scale")
SUM_AND_PRODUCT = cp.ElementwiseKernel("T x, T y", "T s, T p", "s = x + y; p = x * y", "sum_and_product")
REVERSE = cp.ElementwiseKernel("raw T x", "T y", "y = x[n - 1 - i]", "reverse")
INCREMENT = cp.ElementwiseKernel("T x", "T y", "y += x", "increment")


@contextlib.contextmanager
def kernels(count):
    """The engine runs so many fused kernels inside."""
    before = _core.engine_stats()["kernels"]
    yield
    assert _core.engine_stats()["kernels"] - before == count


# -- Values ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [*DTYPES, BFLOAT16], ids=str)
def test_every_dtype(dtype):
    rng = np.random.default_rng(1)
    x, y = fill(rng, dtype, (3, 5)), fill(rng, dtype, (5,))
    with np.errstate(all="ignore"):
        assert_same(ADD(cp.asarray(x), cp.asarray(y)), x + y)
        assert_same(ADD(cp.asarray(x), dtype.type(2)), x + dtype.type(2))


@given(st.data())
def test_operands_of_any_layout(data):
    """Of an operation of the engine, and of a loop that is launched."""
    first, second = data.draw(broadcastable())
    x, a = data.draw(arrays(np.dtype("f4"), first))
    y, b = data.draw(arrays(np.dtype("f4"), second))
    with np.errstate(all="ignore"):
        total, product = x + y, x * y
    assert_same(ADD(a, b), total)
    s, p = SUM_AND_PRODUCT(a, b)
    assert_same(s, total)
    assert_same(p, product)


@given(st.data())
def test_outputs_of_any_layout(data):
    x, a = data.draw(arrays(np.dtype("i4")))
    y, b = data.draw(arrays(np.dtype("i4"), x.shape))
    assert INCREMENT(a, b) is b
    y += x
    assert_same(b, y)
    s, s_ = data.draw(arrays(np.dtype("i4"), x.shape))
    p, p_ = data.draw(arrays(np.dtype("i4"), x.shape))
    assert (
        SUM_AND_PRODUCT(a, b, s_, p_) == (s_, p_) if x.size == 0 else SUM_AND_PRODUCT(a, b, s_, p_)[0] is s_
    )
    s[...], p[...] = x + y, x * y
    assert_same(s_, s)
    assert_same(p_, p)


def test_numbers_take_the_dtype_of_their_parameter():
    x = np.arange(4, dtype="f4")
    assert_same(SCALE(cp.asarray(x), 3, 0.5), x * np.float32(3) + np.float32(0.5))
    mixed = cp.ElementwiseKernel("int32 k, T x, bool flip", "float64 y", "y = flip ? -x * k : x * k", "mixed")
    assert_same(mixed(2, cp.asarray(x), True), -x.astype("f8") * 2)
    with pytest.raises(OverflowError):
        ADD(cp.arange(3, dtype="int8"), 300)


def test_complex_functions():
    z = np.array([1 + 2j, -0.5j, 3], "c16")
    kernel = cp.ElementwiseKernel(
        "T z", "T w", "w = exp(z) * conj(z) + T(0, 1) * abs(z) - z / 2.0 + pow(z, 2)", "complex_functions"
    )
    want = np.exp(z) * np.conj(z) + 1j * abs(z) - z / 2 + z**2
    np.testing.assert_allclose(kernel(cp.asarray(z)).get(), want, rtol=1e-14)


def test_halves_are_computed_as_float():
    x = np.array([0.1, 1000, 60000], "f2")
    kernel = cp.ElementwiseKernel(
        "float16 x", "float16 y", "y = x * x / x; y += 1; if (y > x) y -= 1", "halves"
    )
    wide = x.astype("f4")
    assert_same(
        kernel(cp.asarray(x)),
        ((wide * wide / wide).astype("f2").astype("f4") + 1).astype("f2") - np.float16(1),
    )


# -- What the body sees ---------------------------------------------------------------------------------


def test_raw_arrays_by_number_and_by_index():
    x = np.arange(12.0).reshape(3, 4)
    a = cp.asarray(x)
    assert_same(REVERSE(a, cp.empty(12)), x.ravel()[::-1].copy())
    assert_same(REVERSE(a.T, cp.empty(12)), x.T.ravel()[::-1].copy())
    assert_same(REVERSE(a[::2, 1:], size=6), x[::2, 1:].ravel()[::-1].copy())
    corner = cp.ElementwiseKernel(
        "raw T x",
        "T y",
        "ptrdiff_t at[] = {x.shape()[0] - 1, i}; y = x[at] + x.size() + x.strides()[0] + x.ndim",
        "corner",
    )
    assert_same(corner(a.T, cp.empty(3)), x.T[-1] + 12 + 8 + 2)


def test_index_of_the_loop():
    kernel = cp.ElementwiseKernel("", "int64 y", "y = i * _ind.size()", "squares")
    assert_same(kernel(size=4), np.arange(4) * 4)
    rows = cp.ElementwiseKernel("T x", "int64 y", "y = _ind.get()[0]", "rows", reduce_dims=False)
    assert_same(rows(cp.zeros((2, 3))), np.array([[0, 0, 0], [1, 1, 1]]))


def test_fragments_around_the_loop():
    kernel = cp.ElementwiseKernel(
        "T x",
        "T y",
        "y = twice(x) + offset",
        "fragments",
        preamble="template <class T> __device__ T twice(T x) { return 2 * x; }\n#define SEVEN BASE",
        loop_prep="const T offset = SEVEN;",
        after_loop="(void)offset;",
        options=("-DBASE=7",),
    )
    assert_same(kernel(cp.arange(5.0)), np.arange(5.0) * 2 + 7)


def test_threads_and_blocks():
    """A body that names CUDA's threads has them."""
    kernel = cp.ElementwiseKernel("T x", "int32 y", "y = blockDim.x * 100 + threadIdx.x", "threads")
    assert_same(kernel(cp.zeros(5), block_size=2), np.array([200, 201, 200, 201, 200], "i4"))


def test_bodies_that_leave_early():
    kernel = cp.ElementwiseKernel("T x", "T y", "if (x < 0) continue; y = sqrt(x)", "early")
    y = cp.full(3, -1.0)
    kernel(cp.array([4.0, -1.0, 9.0]), y)
    assert_same(y, np.array([2.0, -1.0, 3.0]))


def test_results():
    x = cp.arange(3.0)
    tuple_kernel = cp.ElementwiseKernel("T x", "T y", "y = x", "as_tuple", return_tuple=True)
    (y,) = tuple_kernel(x)
    assert_same(y, np.arange(3.0))
    nothing = cp.ElementwiseKernel("T x", "T y", "y = x + 1", "nothing", no_return=True)
    assert nothing(x, y) is None
    assert_same(y, np.arange(3.0) + 1)
    assert cp.ElementwiseKernel("raw T x", "", "x[i]", "no_outputs")(x, size=3) == ()


def test_nothing_to_do():
    assert_same(ADD(cp.empty((0, 3)), 1.0), np.empty((0, 3)))
    assert SUM_AND_PRODUCT(cp.empty((0, 3)), 1.0)[1].shape == (0, 3)


# -- One pass with its neighbours -----------------------------------------------------------------------


def test_pure_bodies_are_fused():
    x = np.linspace(-1, 1, 1000, dtype="f4")
    a = cp.asarray(x)
    SCALE(a, 1, 1).get()  # compiled
    with cp.eager(False), kernels(1):
        total = (SCALE(a * 2, 3, 1) + 1).sum()
        assert _core.is_pending(total)
        got = total.get()
    with cp.eager():
        want = (SCALE(a * 2, 3, 1) + 1).sum().get()
    assert got == want


def test_equal_ones_are_computed_once():
    a = cp.arange(1000.0)
    SCALE(a, 2, 1).get()
    with cp.eager(False):
        text = cp.show_graph(SCALE(a, 2, 1) * SCALE(a, 2, 1)).text
    assert "scale(" in text


def test_pure_outputs_stay_pending():
    x, y = np.arange(1000.0), np.ones(1000)
    a, b = cp.asarray(x), cp.asarray(y)
    with cp.eager(False):
        INCREMENT(a, b)
        kept = b + 0
        INCREMENT(a * 2, b)
    assert_same(kept, x + 1)
    assert_same(b, 3 * x + 1)
    INCREMENT(a[::2], b[1::2])
    assert_same(b[1::2], 3 * x[1::2] + 1 + x[::2])


@given(st.data())
def test_lazy_is_eager(data):
    """Bit for bit, at any length and place."""
    _, a = data.draw(arrays(np.dtype("f4"), st.tuples(st.integers(1, 300))))

    def program():
        return ADD(SCALE(a * 3, 0.7, 0.1), cp.sqrt(abs(a))).get()

    with cp.eager(False):
        lazy = program()
    with cp.eager():
        eager = program()
    np.testing.assert_array_equal(lazy.view("u4"), eager.view("u4"))


# -- Rules and errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error, text, call",
    [
        (TypeError, "Type is mismatched. y float64 float32 T", lambda: ADD(cp.zeros(2, "f4"), cp.zeros(2))),
        (TypeError, "Wrong number of arguments for 'add_them'", lambda: ADD(cp.zeros(2))),
        (TypeError, "cuprum.ndarray", lambda: ADD(cp.zeros(2), 1, 2)),
        (TypeError, "no array says what dtype", lambda: cp.ElementwiseKernel("T x", "", "", "k")(1, size=1)),
        (ValueError, "broadcast", lambda: ADD(cp.zeros(2), cp.zeros(3))),
        (ValueError, "Out shape is mismatched", lambda: ADD(cp.zeros((2, 3)), cp.zeros(3), cp.zeros(3))),
        (ValueError, "read-only", lambda: ADD(cp.zeros(3), 1, cp.broadcast_to(cp.zeros(()), (3,)))),
        (ValueError, "^Loop size is undecided", lambda: REVERSE(cp.zeros(3))),
        (ValueError, "^Specified 'size' can", lambda: ADD(cp.zeros(3), 1, size=3)),
        (ValueError, "block_size", lambda: ADD(cp.zeros(3), 1, block_size=0)),
        (TypeError, "unexpected keyword", lambda: ADD(cp.zeros(3), 1, blocks=0)),
        (TypeError, "cp.asarray", lambda: ADD(cp.zeros(3), np.zeros(3))),
        (ValueError, "Invalid kernel name", lambda: cp.ElementwiseKernel("T x", "T y", "", "1")),
        (ValueError, "parameter name", lambda: cp.ElementwiseKernel("T i", "T y", "")),
        (ValueError, "Syntax error", lambda: cp.ElementwiseKernel("x", "T y", "")),
        (ValueError, "Unknown keyword", lambda: cp.ElementwiseKernel("hot T x", "T y", "")),
        (TypeError, "not understood", lambda: cp.ElementwiseKernel("float33 x", "T y", "")),
        (TypeError, "operation must be a str", lambda: cp.ElementwiseKernel("T x", "T y", None)),
        (TypeError, "tuple of str", lambda: cp.ElementwiseKernel("T x", "T y", "", options="-O3")),
    ],
)
def test_errors(error, text, call):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("parameters", ["T x", "raw T x"])
def test_compile_errors_show_the_line(parameters):
    kernel = cp.ElementwiseKernel(parameters, "T y", "y = 1;\ny = undeclared_name;", "wrong")
    with pytest.raises(cp.cuda.compiler.CompileException, match=r"undeclared_name") as raised:
        kernel(cp.zeros(3), cp.zeros(3))
    assert re.search(r"> *\d+ \| y = undeclared_name;", str(raised.value))


def test_two_devices():
    with cp.Device("cpu"):
        x = cp.zeros(3)
    with cp.Device("far"):
        y = cp.zeros(3)
    with pytest.raises(TypeError, match="to_device"):
        SUM_AND_PRODUCT(x, y)


def test_what_a_kernel_says_of_itself():
    kernel = cp.ElementwiseKernel("T x, raw float32 y", "T z", "z = x", "telling", doc="What it does.")
    assert (kernel.nin, kernel.nout, kernel.nargs, kernel.name) == (2, 1, 3, "telling")
    assert kernel.__name__ == "telling" and kernel.__doc__ == "What it does."
    assert [(p.name, p.dtype, p.raw) for p in kernel.in_params] == [
        ("x", None, False),
        ("y", np.float32, True),
    ]
    with pytest.warns(UserWarning, match="no text yet"):
        assert kernel.cached_codes == {}
    kernel(cp.zeros(2), cp.zeros(2, "f4"))
    assert list(kernel.cached_codes) == [(np.dtype("f8"), np.dtype("f4"))] and "z = x" in kernel.cached_code


def test_streams():
    """A body over pending operands, between two streams, without a wait."""
    first, second = cp.cuda.Stream(), cp.cuda.Stream()
    x = np.arange(10000.0)
    with first:
        a = cp.asarray(x) * 2
        b = REVERSE(a, cp.empty(10000))
    with second:
        c = ADD(b, a) + 1
    with first:
        a += 5
    assert_same(c, x[::-1] * 2 + x * 2 + 1)
    assert_same(a, x * 2 + 5)
    d = ADD(a, 1, stream=second)
    assert_same(d, x * 2 + 6)


# -- fuse -----------------------------------------------------------------------------------------------


def test_fuse():
    @cp.fuse
    def plain(x, y):
        """Of two arrays."""
        return (x - y) * x

    @cp.fuse(kernel_name="named")
    def named(x, y=None):
        return x if y is None else x * y

    x = np.arange(4.0)
    assert_same(plain(cp.asarray(x), 1), (x - 1) * x)
    np.testing.assert_array_equal(plain(x, 1), (x - 1) * x)
    assert (
        plain.__name__ == "plain" and plain.__doc__ == "Of two arrays." and repr(named) == "<Fusion 'named'>"
    )
    assert_same(named(cp.asarray(x), None), x)
    with pytest.raises(TypeError, match="Invalid argument type for 'named'"):
        named(cp.asarray(x), "y")
    with pytest.raises(TypeError, match="kernel_name"):
        cp.fuse(name="x")
