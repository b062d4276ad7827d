"""ReductionKernel: values against NumPy, CuPy's rules and texts, the same bits for any number of threads."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from cuprum import _core
from kernel_texts import DEVICES, entered
from strategies import arrays, assert_same

device = pytest.fixture(entered, params=DEVICES, scope="module", autouse=True)

# Made once: every text is compiled for each dtype that it is called with.
TOTAL = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
NORM = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
DOT = cp.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot")
LARGEST = cp.ReductionKernel("T x", "T y", "x", "a > b ? a : b", "y = a", "-1000000", "largest")
BOUNDS = cp.ReductionKernel(
    "T x",
    "T low, T high",
    "Bounds{x, x}",
    "Bounds{min(a.low, b.low), max(a.high, b.high)}",
    "low = a.low, high = a.high",
    "{1e30, -1e30}",
    "bounds",
    reduce_type="Bounds",
    preamble="struct Bounds { double low, high; };",
)
MEAN = cp.ReductionKernel(
    "T x", "T y", "x", "a + b", "y = a / (_in_ind.size() / _out_ind.size())", "0", "mean_of"
)
ARGMAX = cp.ReductionKernel(
    "T x",
    "int64 y",
    "Best{x, (long long)_J}",
    "a.at < 0 || (b.at >= 0 && (b.x > a.x || (b.x == a.x && b.at < a.at))) ? b : a",
    "y = a.at",
    "{0, -1}",
    "argmax_of",
    reduce_type="Best",
    preamble="struct Best { double x; long long at; };",
)


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u4", "f4", "f8", "c8", "c16"])
def test_dtypes(dtype):
    x = (np.arange(24) % 7 - 3).reshape(2, 3, 4).astype(dtype)
    a = cp.asarray(x)
    for axis in (None, 0, 1, -1, (0, 2), (0, 1, 2)):
        assert_same(TOTAL(a, axis=axis), x.sum(axis, dtype=dtype))


@given(st.data())
def test_operands_of_any_layout(data):
    x, a = data.draw(arrays(np.dtype("i4")))
    axes = [None, *range(-x.ndim, x.ndim)]
    axis = data.draw(st.sampled_from(axes))
    keepdims = data.draw(st.booleans())
    with np.errstate(over="ignore"):
        want = x.sum(axis, dtype="i4", keepdims=keepdims)
    assert_same(TOTAL(a, axis=axis, keepdims=keepdims), want)


@pytest.mark.parametrize("n", [1, 15, 31, 32, 33, 100, 4095, 4096, 4097, 100_000])
def test_lengths(n):
    x = np.random.default_rng(n).integers(-100, 100, (3, n))
    a = cp.asarray(x)
    assert_same(TOTAL(a, axis=1), x.sum(1))
    assert_same(TOTAL(a.T.copy(), axis=0), x.sum(1))
    assert_same(LARGEST(a), x.max())
    assert_same(ARGMAX(cp.asarray(x, dtype="f8"), axis=1), x.argmax(1))


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_what_is_pending_is_the_prologue(axis):
    x = cp.asarray(np.random.default_rng(0).random((50, 300), np.float32))
    whole = x * 2 + 1
    whole.get()
    want = NORM(whole, axis=axis).get()
    with cp.eager(False):
        result = NORM(x * 2 + 1, axis=axis)
        assert _core.is_pending(result)
        assert "norm" in cp.show_graph(result).text
        before = _core.engine_stats()["kernels"]
        result.get()
        # The fold with all that is before it, and the map of the result.
        assert _core.engine_stats()["kernels"] - before <= 2
    assert_same(result, want)
    with cp.eager():
        assert_same(NORM(x * 2 + 1, axis=axis), want)


def test_the_identity_counts():
    floor = cp.ReductionKernel("T x", "T y", "x", "max(a, b)", "y = a", "0", "floor_at_0")
    assert_same(floor(cp.array([-3.0, -1.0])), np.array(0.0))
    assert_same(floor(cp.array([-3.0, 4.0])), np.array(4.0))
    assert_same(floor(-cp.ones((3, 1000)), axis=1), np.zeros(3))


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 64, 65, 513, 9000])
def test_rows_of_any_length(rows):
    x = np.random.default_rng(rows).integers(-9, 9, (5, rows)).astype("i4")
    assert_same(TOTAL(cp.asarray(x), axis=1), x.sum(1, dtype="i4"))
    assert_same(TOTAL(cp.asarray(x.T.copy()), axis=0), x.sum(1, dtype="i4"))


def test_an_output_may_be_read():
    added = cp.ReductionKernel("T x", "T y", "x", "a + b", "y += a", "0", "added")
    y = cp.full(2, 10.0)
    assert added(cp.ones((2, 3)), y, axis=1) is y
    assert_same(y, np.full(2, 13.0))


def test_broadcasting():
    x, y = np.arange(6.0).reshape(2, 3), np.arange(3.0)
    assert_same(DOT(cp.asarray(x), cp.asarray(y), axis=1), x @ y)
    assert_same(DOT(cp.asarray(x), cp.asarray(y)[:, None][:, 0]), (x * y).sum())
    assert_same(DOT(cp.asarray(x), 2), (x * 2).sum())
    assert_same(
        DOT(cp.asarray(x)[:, None], cp.asarray(x)[:, :, None], axis=(0, 1)), np.einsum("ij,ik->j", x, x)
    )


def test_types_of_its_own():
    x = np.random.default_rng(0).normal(size=(3, 1000))
    low, high = cp.empty(3), cp.empty(3)
    assert BOUNDS(cp.asarray(x), low, high, axis=1) is low
    assert_same(low, x.min(1))
    assert_same(high, x.max(1))


def test_sizes_in_the_result():
    x = np.arange(12.0).reshape(3, 4)
    assert_same(MEAN(cp.asarray(x), axis=1), x.mean(1))
    assert_same(MEAN(cp.asarray(x)), x.mean())


def test_raw_operands():
    weighted = cp.ReductionKernel("T x, raw T w", "T y", "x * w[_J]", "a + b", "y = a", "0", "weighted")
    x, w = np.arange(6.0).reshape(2, 3), np.array([1.0, 10, 100])
    assert_same(weighted(cp.asarray(x), cp.asarray(w), axis=1), x @ w)


def test_outputs():
    x = np.arange(6.0).reshape(2, 3)
    out = cp.full(3, -1.0)
    assert TOTAL(cp.asarray(x), out=out, axis=0) is out
    assert_same(out, x.sum(0))
    wide = cp.zeros((2, 6))
    TOTAL(cp.asarray(x), wide[:, ::2][:, 1], axis=1)
    assert_same(wide[:, 2], x.sum(1))
    assert TOTAL(cp.asarray(x), axis=1, keepdims=True).shape == (2, 1)


def test_nothing_to_fold():
    assert_same(TOTAL(cp.empty((2, 0)), axis=1), np.zeros(2))
    assert TOTAL(cp.empty((2, 0)), axis=0).shape == (0,)
    first = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", None, "without")
    with pytest.raises(ValueError, match="zero-size array to reduction operation without"):
        first(cp.empty(0))


def test_pending_operands():
    x = np.linspace(0, 1, 1000)
    a = cp.asarray(x)
    with cp.eager(False):
        got = NORM(a * 2 + 1)
        a += 7
    np.testing.assert_allclose(got.get(), np.linalg.norm(x * 2 + 1), rtol=1e-14)


def test_bits_do_not_depend_on_threads():
    a = cp.asarray(np.random.default_rng(0).normal(size=300_000).astype("f4"))
    before = _core.get_num_threads()
    try:
        results = set()
        for threads in (1, 2, 3):
            _core.set_num_threads(threads)
            results.add(TOTAL(a).get().tobytes())
    finally:
        _core.set_num_threads(before)
    assert len(results) == 1


@pytest.mark.parametrize(
    "error, text, call",
    [
        (TypeError, "Wrong number of arguments for total", lambda: TOTAL()),
        (TypeError, "Type is mismatched. y float64 float32 T", lambda: DOT(cp.zeros(2, "f4"), cp.zeros(2))),
        (ValueError, "Out shape is mismatched", lambda: TOTAL(cp.zeros((2, 3)), out=cp.zeros(2), axis=0)),
        (ValueError, "out of bounds", lambda: TOTAL(cp.zeros((2, 3)), axis=2)),
        (
            ValueError,
            "both a positional and keyword",
            lambda: TOTAL(cp.zeros(2), cp.zeros(()), out=cp.zeros(())),
        ),
        (ValueError, "2 outputs", lambda: BOUNDS(cp.zeros(2), out=cp.zeros(()))),
        (ValueError, "Loop size is undecided", lambda: DOT(1, 2, cp.zeros(()))),
        (TypeError, "unexpected keyword", lambda: TOTAL(cp.zeros(2), where=True)),
        (
            ValueError,
            "Invalid kernel name",
            lambda: cp.ReductionKernel("T x", "T y", "x", "a", "y = a", "0", "1"),
        ),
        (ValueError, "names no output", lambda: cp.ReductionKernel("T x", "", "x", "a", "", "0")),
        (TypeError, "map_expr must be a str", lambda: cp.ReductionKernel("T x", "T y", 1, "a", "y = a", "0")),
    ],
)
def test_errors(error, text, call):
    with pytest.raises(error, match=text):
        call()


def test_compile_errors():
    kernel = cp.ReductionKernel("T x", "T y", "undeclared_name", "a + b", "y = a", "0", "wrong")
    with pytest.raises(cp.cuda.compiler.CompileException, match=r"> *\d+ \| undeclared_name"):
        kernel(cp.zeros(3))


def test_what_a_kernel_says_of_itself():
    kernel = cp.ReductionKernel("T x", "float64 y", "x", "a + b", "y = a", 0, "telling")
    assert (kernel.nin, kernel.nout, kernel.identity, kernel.reduce_type) == (1, 1, "0", "double")
    kernel(cp.zeros(2, "f4"))
    assert list(kernel.cached_codes) == [(np.dtype("f4"),)] and "a + b" in kernel.cached_code
