"""Fourier transforms against numpy.fft: values, dtypes, shapes, layouts, errors.

Values: the norm of the difference over the norm of the result is below 4 eps * sqrt(log2 n + 1) of the precision: each
of the log2 n levels of butterflies rounds once, errors add like random numbers, and NumPy's result has an error of its
own.
"""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core

LENGTHS = [
    *range(1, 34), 35, 36, 37, 48, 49, 53, 60, 61, 62, 64, 66, 77, 81, 89, 97, 100, 101, 120, 121, 125, 127, 128, 143,
    169, 192, 202, 243, 250, 256, 289, 343, 360, 500, 512, 997, 1000, 1001, 1024, 1536, 2025, 2048, 3125, 4096, 4099,
]  # fmt: skip
LONG = [10007, 16384, 20000, 20007, 32768, 65536, 99225, 131072, 262144]
REAL_IN = ("rfft", "ihfft", "rfftn", "rfft2")


def draw(shape, dtype, seed=0):
    rng = np.random.default_rng([seed, *shape])
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return (
        rng.standard_normal(shape).astype(dtype)
        if dtype.kind == "f"
        else rng.integers(0, 9, shape).astype(dtype)
    )


def close(got, want, points):
    """As close as two results may be, and of one dtype and shape."""
    assert isinstance(got, cp.ndarray)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    got = cp.asnumpy(got)
    if want.size == 0:
        return
    eps = max(np.finfo(want.dtype).eps, np.finfo(np.float32).eps if want.dtype.itemsize < 8 else 0)
    error = np.linalg.norm((got - want).ravel().astype(np.complex128))
    bound = 4 * eps * np.sqrt(np.log2(points) + 1) * np.linalg.norm(want.ravel().astype(np.complex128))
    assert error <= bound, (error / bound, points)


def check(function, a, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        want = getattr(np.fft, function)(a, *args, **kwargs)
        got = getattr(cp.fft, function)(cp.asarray(a), *args, **kwargs)
    close(got, want, max(2, a.size, want.size))
    assert want.size == 0 or got.strides == want.strides
    return got


@pytest.mark.parametrize("dtype", ["F", "D", "f", "d"])
def test_every_length(dtype):
    for n in LENGTHS:
        for rows in ((), (2,), (19,)):
            a = draw((*rows, n), dtype)
            check("fft", a)
            check("ifft", a)
            check("irfft", a, n)
            check("hfft", a, n)
            if dtype in "fd":
                check("rfft", a)
                check("ihfft", a)


@pytest.mark.parametrize("n", LONG)
@pytest.mark.parametrize("dtype", ["F", "d"])
def test_long_lines(n, dtype):
    a = draw((n,), dtype)
    check("fft", a)
    check("irfft", a, n)
    check("rfft", a.real)
    check("ifft", draw((3, n), dtype))


@pytest.mark.parametrize("dtype", ["?", "b", "B", "h", "i", "l", "Q", "e", "f", "d", "F", "D"])
@pytest.mark.parametrize(
    "function", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "rfftn", "irfftn"]
)
def test_dtypes(function, dtype):
    a = draw((3, 10), dtype)
    if function in REAL_IN and a.dtype.kind == "c":
        with pytest.raises(TypeError, match="real"):
            getattr(cp.fft, function)(cp.asarray(a))
        with pytest.raises(TypeError):
            getattr(np.fft, function)(a)
    elif dtype == "e" and function not in ("fft", "rfft", "fft2", "rfftn"):
        # NumPy rounds the factor of `norm` to float16, we the result at most.
        got = getattr(cp.fft, function)(cp.asarray(a))
        want = getattr(np.fft, function)(a)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(cp.asnumpy(got), want, rtol=2e-3, atol=2e-3 * abs(want).max())
    else:
        check(function, a)


def test_bfloat16_is_computed_in_float32():
    a = cp.asarray(draw((8,), "f")).astype("bfloat16")
    assert cp.fft.fft(a).dtype == np.complex64
    close(cp.fft.rfft(a), np.fft.rfft(cp.asnumpy(a.astype("f"))), 8)


@pytest.mark.parametrize("n", [1, 3, 4, 7, 8, 12, 13, 32, 200, 211])
@pytest.mark.parametrize("axis", [0, 1, -1, 2])
@pytest.mark.parametrize("dtype", ["F", "d"])
def test_crop_and_pad(n, axis, dtype):
    a = draw((4, 7, 12), dtype)
    for function in ("fft", "ifft", "irfft", "hfft"):
        check(function, a, n, axis)
    if dtype == "d":
        check("rfft", a, n, axis)
        check("ihfft", a, n, axis)


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
def test_norms(norm):
    a = draw((6, 10), "D")
    for function in ("fft", "ifft", "irfft", "hfft"):
        check(function, a, norm=norm)
    for function in ("rfft", "ihfft", "rfftn", "rfft2"):
        check(function, a.real.copy(), norm=norm)
    for function in ("fftn", "ifftn", "fft2", "ifft2", "irfftn", "irfft2"):
        check(function, a, norm=norm)


LAYOUTS = {
    "plain": lambda a: a,
    "fortran": np.asfortranarray,
    "transposed": lambda a: np.moveaxis(a, 0, 2),
    "steps": lambda a: a[::2, ::-1, 1::3],
    "broadcast": lambda a: np.broadcast_to(a[:, :1], a.shape),
    "repeated": lambda a: np.broadcast_to(a[..., :1], a.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["F", "d"])
def test_layouts(layout, axis, dtype):
    """The result lies in memory as NumPy's does, `axis` by `axis`."""
    a = draw((6, 21, 32), dtype)
    b = LAYOUTS[layout](a)
    x = {
        "plain": lambda x: x,
        "fortran": lambda x: cp.asfortranarray(x),
        "transposed": lambda x: cp.moveaxis(x, 0, 2),
        "steps": lambda x: x[::2, ::-1, 1::3],
        "broadcast": lambda x: cp.broadcast_to(x[:, :1], x.shape),
        "repeated": lambda x: cp.broadcast_to(x[..., :1], x.shape),
    }[layout](cp.asarray(a))
    for function in ("fft", "irfft") + (("rfft",) if dtype == "d" else ()):
        got, want = getattr(cp.fft, function)(x, axis=axis), getattr(np.fft, function)(b, axis=axis)
        close(got, want, a.size)
        assert got.strides == want.strides
    for function in ("fftn", "irfftn") + (("rfftn",) if dtype == "d" else ()):
        got, want = getattr(cp.fft, function)(x), getattr(np.fft, function)(b)
        close(got, want, a.size)
        assert got.strides == want.strides


@pytest.mark.parametrize("dtype", ["F", "d"])
@pytest.mark.parametrize(
    "s, axes",
    [
        (None, None), (None, (0,)), (None, (1, 0)), (None, (-1, 0, 1)), (None, (1, 1)), (None, (0, 2, 0)),
        ((5, 6), (0, 1)), ((9, 3), (2, 0)), ((4, 20, 11), (0, 1, 2)), ((-1, 7), (0, 2)), ((8,), None), ((3, 9), None),
        ((6, 9), (1, 1)), ((4, -1), (2, 1)), ((None, 7), (0, 1)),
    ],
)  # fmt: skip
def test_many_axes(dtype, s, axes):
    a = draw((4, 6, 9), dtype)
    for function in ("fftn", "ifftn", "irfftn") + (("rfftn",) if dtype == "d" else ()):
        check(function, a, s=s, axes=axes)


@pytest.mark.parametrize("function", ["fft2", "ifft2", "irfft2", "rfft2"])
def test_two_axes(function):
    a = draw((3, 8, 10), "d" if function in REAL_IN else "D")
    check(function, a)
    check(function, a, s=(4, 12))
    check(function, a, axes=(0, 1))
    check(function, a, s=(16, 5), axes=(2, 0))


def test_along_no_axis():
    x = cp.arange(3.0)
    assert cp.fft.fftn(x, axes=()) is x
    assert cp.fft.fftn(cp.array(3.0)).shape == np.fft.fftn(np.array(3.0)).shape == ()
    for function in ("rfftn", "irfftn"):
        with pytest.raises(IndexError):
            getattr(cp.fft, function)(cp.array(3.0))


@pytest.mark.parametrize("shape", [(0,), (0, 4), (4, 0), (2, 0, 3)])
def test_empty(shape):
    for function in ("fft", "ifft", "rfft"):
        for axis in range(len(shape)):
            a = np.zeros(shape)
            if shape[axis] == 0:
                with pytest.raises(ValueError, match=r"Invalid number of FFT data points \(0\) specified"):
                    getattr(cp.fft, function)(cp.asarray(a), axis=axis)
            else:
                check(function, a, axis=axis)
            check(function, a, 5, axis)
            check(function, a, 6, axis)
    check("irfft", np.zeros((0, 3), "D"))
    check("irfftn", np.zeros((0, 3), "D"), s=(4, 5), axes=(0, 1))


def test_nan_and_infinity_stay_in_their_row():
    a = draw((5, 24), "D")
    a[1, 3] = np.nan
    a[3, 7] = np.inf
    got = cp.asnumpy(cp.fft.fft(cp.asarray(a)))
    finite = np.isfinite(got).all(axis=1)
    assert finite.tolist() == [True, False, True, False, True]
    np.testing.assert_array_equal(got[finite], cp.asnumpy(cp.fft.fft(cp.asarray(a[finite]))))


def test_signs_of_zero_and_parts_that_are_real():
    for n in (1, 2, 6, 7, 64, 65, 1000):
        points = cp.asnumpy(cp.fft.rfft(cp.asarray(draw((n,), "d"))))
        assert points[0].imag == 0
        assert n % 2 or points[-1].imag == 0
        spectrum = cp.asnumpy(cp.fft.fft(cp.asarray(draw((n,), "d"))))
        np.testing.assert_array_equal(spectrum[1:], spectrum[:0:-1].conj()) if n % 2 == 0 else None


def test_imaginary_parts_that_reals_have_not_are_ignored():
    a = draw((9,), "D")
    for n in (15, 16):
        want = cp.asnumpy(cp.fft.irfft(cp.asarray(a), n))
        b = a.copy()
        b[0] += 3j
        if n == 16:
            b[8] += 5j
        np.testing.assert_array_equal(cp.asnumpy(cp.fft.irfft(cp.asarray(b), n)), want)


# -- out= ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_out(function):
    a = draw((4, 6), "d" if function in REAL_IN else "D")
    want = getattr(np.fft, function)(a)
    for out in (cp.empty_like(cp.asarray(want)), cp.empty(want.shape[::-1], want.dtype).T):
        got = getattr(cp.fft, function)(cp.asarray(a), out=out)
        assert got is out
        close(out, want, a.size)
    wide = cp.zeros((4, 2 * want.shape[1]), want.dtype)
    getattr(cp.fft, function)(cp.asarray(a), out=wide[:, ::2])
    close(wide[:, ::2].copy(), want, a.size)
    assert not cp.asnumpy(wide[:, 1::2]).any()


def test_out_may_be_the_operand():
    a = draw((8, 8), "D")
    x = cp.asarray(a)
    cp.fft.fft2(x, out=x)
    close(x, np.fft.fft2(a), a.size)
    x = cp.asarray(a)
    cp.fft.fft(x.T, out=x)
    close(x, np.fft.fft(a.T), a.size)


def test_out_of_another_dtype():
    a = draw((8,), "d")
    out = cp.empty(8, "F")
    cp.fft.fft(cp.asarray(a), out=out)
    np.testing.assert_allclose(cp.asnumpy(out), np.fft.fft(a), rtol=1e-5, atol=1e-5)


def test_wrong_out():
    x = cp.arange(8.0)
    with pytest.raises(ValueError, match="has wrong shape"):
        cp.fft.fft(x, out=cp.empty(7, "D"))
    with pytest.raises(ValueError, match="has wrong shape"):
        cp.fft.fft(x, out=cp.empty((1, 8), "D"))
    with pytest.raises(TypeError, match="Cannot cast"):
        cp.fft.fft(x, out=cp.empty(8))
    with pytest.raises(TypeError, match="must be of ArrayType"):
        cp.fft.fft(x, out=np.empty(8, "D"))
    out = cp.empty(8, "D")
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        cp.fft.fft(x, out=out)


# -- Errors ----------------------------------------------------------------------------------------------


def test_errors():
    x = cp.ones((3, 4))
    with pytest.raises(
        ValueError, match=r"cuprum\.fft\.fft: Invalid number of FFT data points \(-2\) specified"
    ):
        cp.fft.fft(x, -2)
    with pytest.raises(ValueError, match=r"cuprum\.fft\.irfft: Invalid number of FFT data points \(0\)"):
        cp.fft.irfft(cp.ones(1))
    for axis in (2, -3):
        with pytest.raises(IndexError):
            cp.fft.fft(x, axis=axis)
        with pytest.raises(np.exceptions.AxisError):
            cp.fft.ifft(x, 4, axis=axis)
    with pytest.raises(IndexError):
        cp.fft.fft(cp.array(1.0))
    for function in ("fft", "ifftn", "hfft", "ihfft", "irfft2"):
        with pytest.raises(ValueError, match="Invalid norm value wrong; should be"):
            getattr(cp.fft, function)(x, norm="wrong")
    with pytest.raises(ValueError, match="Shape and axes have different lengths"):
        cp.fft.fftn(x, s=(2,), axes=(0, 1))
    with pytest.raises(TypeError):
        cp.fft.fft(x, 2.5)
    with pytest.raises(TypeError):
        cp.fft.fftn(x, axes=1)
    with pytest.raises(TypeError):
        cp.fft.fft(np.ones(3))


def test_deprecated_lengths_warn():
    x = cp.ones((3, 4))
    for function in ("fftn", "ifftn", "rfftn", "irfftn"):
        with pytest.warns(DeprecationWarning, match="`axes` should not be `None`"):
            getattr(cp.fft, function)(x, s=(2, 2))
        with pytest.warns(DeprecationWarning, match="None` values"):
            getattr(cp.fft, function)(x, s=(2, None), axes=(0, 1))
    with pytest.warns(DeprecationWarning, match="`axes` should not be `None`"):
        cp.fft.fft2(x, s=(2, 2), axes=None)


# -- Frequencies and shifts ------------------------------------------------------------------------------


def test_frequencies():
    for n in (1, 2, 5, 8, 9, np.int64(10)):
        for d in (1.0, 0.1, 3):
            np.testing.assert_array_equal(cp.asnumpy(cp.fft.fftfreq(n, d)), np.fft.fftfreq(n, d))
            np.testing.assert_array_equal(cp.asnumpy(cp.fft.rfftfreq(n, d)), np.fft.rfftfreq(n, d))
    assert (
        cp.fft.fftfreq(4, device="cpu").device == "cpu"
        or str(cp.fft.fftfreq(4, device="cpu").device) == "cpu"
    )
    for function in (cp.fft.fftfreq, cp.fft.rfftfreq):
        with pytest.raises(ValueError, match="n should be an integer"):
            function(2.0)
        with pytest.raises(ZeroDivisionError):
            function(0)


@pytest.mark.parametrize("axes", [None, 0, 1, -1, (0,), (1, 0), (0, 0)])
def test_shifts(axes):
    a = draw((5, 6), "d")
    for function in ("fftshift", "ifftshift"):
        got, want = getattr(cp.fft, function)(cp.asarray(a), axes), getattr(np.fft, function)(a, axes)
        np.testing.assert_array_equal(cp.asnumpy(got), want)
    with pytest.raises(IndexError):
        cp.fft.fftshift(cp.ones(3), 1)


# -- The same bits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [30, 64, 97, 101, 1000, 4096, 40000, 65536, 70001])
@pytest.mark.parametrize("dtype", ["F", "D", "d"])
def test_a_row_has_the_same_bits_in_any_company(n, dtype):
    rows = 5 if n > 5000 else 37
    a = cp.asarray(draw((rows, n), dtype))
    if str(a.device).startswith("cuda"):
        pytest.skip("cuFFT chooses its kernels by the number of rows")
    functions = [cp.fft.fft, lambda x: cp.fft.irfft(x, n)] + ([cp.fft.rfft] if dtype == "d" else [])
    for function in functions:
        whole = cp.asnumpy(function(a))
        for row in (0, 3, rows - 1):
            np.testing.assert_array_equal(cp.asnumpy(function(a[row])), whole[row])
        columns = cp.asnumpy(cp.moveaxis(function(cp.asfortranarray(a)), 0, 0))
        np.testing.assert_array_equal(columns, whole)


@pytest.mark.parametrize("n", [256, 1009, 65536, 131071])
def test_threads_do_not_change_bits(n):
    a = cp.asarray(draw((3, n), "D"))
    threads = _core.get_num_threads()
    results = []
    try:
        for count in (1, 2, 5):
            _core.set_num_threads(count)
            results.append((cp.asnumpy(cp.fft.fft(a)), cp.asnumpy(cp.fft.irfft(a))))
    finally:
        _core.set_num_threads(threads)
    for result in results[1:]:
        for one, other in zip(results[0], result):
            np.testing.assert_array_equal(one, other)


LEVEL_PROGRAM = """
import hashlib, sys
import numpy as np
import cuprum as cp
digest = hashlib.sha256()
for n in (30, 49, 64, 97, 101, 360, 1000, 2048, 20000):
    for dtype in "FD":
        a = np.random.default_rng(n).standard_normal((3, n, 2)).view(complex)[..., 0].astype(dtype)
        x = cp.asarray(a)
        for y in (cp.fft.fft(x), cp.fft.irfft(x), cp.fft.rfft(x.real), cp.fft.ifft(x[0])):
            digest.update(cp.asnumpy(y).tobytes())
print(digest.hexdigest())
"""


def test_instruction_sets_do_not_change_bits():
    if not _core.build_info()["simd"].startswith("x86-64"):
        pytest.skip("only builds for x86-64 have several instruction sets")
    outputs = set()
    for level in ({"CUPRUM_SIMD": "v2"}, {}):
        environment = {**os.environ, **level}
        run = subprocess.run(
            [sys.executable, "-c", LEVEL_PROGRAM], env=environment, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        outputs.add(run.stdout)
    assert len(outputs) == 1


# -- Laziness and protocols ------------------------------------------------------------------------------


def test_recorded():
    x = cp.asarray(draw((64,), "D"))
    y = cp.fft.fft(x * 2)
    assert _core.is_pending(y)
    x[:] = 0  # what is recorded has seen the values before
    close(y, np.fft.fft(draw((64,), "D") * 2), 64)


def test_numpys_functions_are_answered():
    a = draw((8,), "d")
    got = np.fft.rfft(cp.asarray(a))
    close(got, np.fft.rfft(a), 8)
    assert isinstance(np.fft.fftshift(cp.asarray(a)), cp.ndarray)


def test_results_are_plain():
    class Mine(cp.ndarray):
        pass

    x = cp.ones(4).view(Mine)
    assert type(cp.fft.fft(x)) is cp.ndarray
    assert type(cp.fft.fftn(x)) is cp.ndarray


def test_lists_and_numbers_are_converted():
    close(cp.fft.fft([1, 2, 3]), np.fft.fft([1, 2, 3]), 3)
