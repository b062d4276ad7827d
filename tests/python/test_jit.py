"""Python kernels compute what Python computes: each function runs as a kernel, and as itself on NumPy's numbers."""

import math

import numpy as np
import pytest

import cuprum as cp
from cuprum import jit


def values(dtype, seed, n=40):
    """Small numbers of both signs, zeros among them."""
    draws = np.random.RandomState(seed)
    if np.dtype(dtype).kind == "c":
        return (draws.randint(-4, 5, n) + 1j * draws.randint(-4, 5, n)).astype(dtype)
    low = 0 if np.dtype(dtype).kind in "bu" else -5
    return draws.randint(low, 6, n).astype(dtype)


def run(function, *arrays, mode="numpy"):
    """function(*elements) by a kernel with a thread per element."""
    g = jit.rawkernel(device=True)(function)
    with np.errstate(all="ignore"):
        expected = np.array([function(*elements) for elements in zip(*arrays)])
    out = cp.zeros(expected.size, dtype=expected.dtype)
    given = [cp.asarray(a) for a in arrays]
    if len(arrays) == 1:

        def kernel(out, a):
            i = jit.grid(1)
            if i < out.size:
                out[i] = g(a[i])

    elif len(arrays) == 2:

        def kernel(out, a, b):
            i = jit.grid(1)
            if i < out.size:
                out[i] = g(a[i], b[i])

    else:

        def kernel(out, a, b, c):
            i = jit.grid(1)
            if i < out.size:
                out[i] = g(a[i], b[i], c[i])

    jit.rawkernel(mode=mode)(kernel)[2, 32](out, *given)
    return out.get(), expected


def agrees(function, *arrays, mode="numpy", ulp=0):
    got, expected = run(function, *arrays, mode=mode)
    if ulp and got.dtype.kind in "fc":
        np.testing.assert_allclose(got, expected, rtol=ulp * np.finfo(got.dtype).eps)
    else:
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dtype", ["i4", "u1", "i8", "f2", "f4", "f8", "c8"])
def test_arithmetic(dtype):
    agrees(lambda a, b: (a + b) * a - b, values(dtype, 1), values(dtype, 2))


@pytest.mark.parametrize("dtypes", [("i4", "i4"), ("i1", "u4"), ("i8", "i4"), ("f4", "i2"), ("f8", "f4")])
def test_division(dtypes):
    b = values(dtypes[1], 2)
    b[b == 0] = 3

    def f(a, b):
        return a // b + a % b + a / b

    agrees(f, values(dtypes[0], 1), b)


def test_division_of_integers_by_zero_is_no_crash():
    x = cp.array([3, -3], dtype=cp.int32)

    @jit.rawkernel()
    def f(x):
        i = jit.threadIdx.x
        zero = x[i] - x[i]
        x[i] = x[i] // zero + x[i] % zero

    f[1, 2](x)
    assert x.tolist() == [0, 0]


@pytest.mark.parametrize("dtype", ["i4", "u8", "f4"])
def test_comparisons_and_logic(dtype):
    def f(a, b):
        c = 0
        if 0 < a <= b or not b:
            c += 1
        if a == b and a != 2:
            c += 2
        if a > b >= 1:
            c += 4
        return c

    agrees(f, values(dtype, 1), values(dtype, 2))


def test_the_operand_that_decides():
    agrees(lambda a, b: (a or b) + (a and b), values("i8", 1), values("i8", 2))


def test_int64_beside_uint64():
    a = np.array([-1, 0, 5, 2**62], dtype="i8")
    b = np.array([2**64 - 1, 0, 4, 2**62], dtype="u8")
    agrees(lambda a, b: (a < b) * 4 + (a == b) * 2 + (a >= b), a, b)


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8"])
def test_bits(dtype):
    def f(a, b):
        return (((a & b) | (a ^ 3)) ^ ~b) + ((a << b) >> 1)

    agrees(f, values(dtype, 1), abs(values(dtype, 2)))


@pytest.mark.parametrize("source", ["?", "u4", "i8", "f2", "f4", "f8", "c16"])
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_casts(source):
    x = abs(values(source, 3)).astype(source)
    targets = np.int8, np.uint32, np.float16, np.float32, np.complex64, bool, int, float
    got = [cp.zeros(x.size, dtype=t) for t in targets]

    @jit.rawkernel()
    def f(x, a, b, c, d, e, g, h, k):
        i = jit.grid(1)
        a[i], b[i], c[i], d[i] = np.int8(x[i]), cp.uint32(x[i]), np.float16(x[i]), cp.float32(x[i])
        e[i], g[i], h[i], k[i] = np.complex64(x[i]), bool(x[i]), int(x[i]), float(x[i])

    f[1, x.size](cp.asarray(x), *got)
    for result, target in zip(got, targets):
        np.testing.assert_array_equal(result.get(), x.astype(target))


def test_constants_out_of_range():
    x = cp.zeros(2, dtype=cp.uint8)

    @jit.rawkernel()
    def wraps(x):
        x[0] = 258
        x[1] = x[0] + 255

    wraps[1, 1](x)  # as CUDA C++ stores an int
    assert x.tolist() == [2, 1]

    @jit.rawkernel(mode="numpy")
    def refused(x):
        x[1] = x[0] + 256

    with pytest.raises(OverflowError, match="256 out of bounds for uint8"):
        refused[1, 1](x)


def test_branches():
    def f(a, b):
        if a > b:
            c = a
        elif a == b:
            c = b * 10
        else:
            c = b - a
        return c if c < 20 else -c

    agrees(f, values("i8", 1), values("i8", 2))


def test_loops():
    def f(a, b):
        total = 0
        for i in range(10):
            if i == a:
                continue
            if i > b + 6:
                break
            total += i
            i += 100
        for j in range(3, a, 2):
            total += j
        for k in range(a, -7, -1):
            total += k * 1000
        while total > 5:
            total //= 2
        return total + i

    agrees(f, values("i8", 1), values("i8", 2))


def test_a_step_that_only_the_kernel_knows():
    def f(start, stop, step):
        total = 0
        for i in range(start, stop, step):
            total += i * i
        return total

    step = np.array([-3, -2, -1, 1, 2, 3])
    agrees(f, np.arange(6), np.array([-21, -23, -19, 17, 27, 24]), step)


def test_tuples():
    def f(x, y):
        x, y = y, x
        z = x, y
        (a, b), c = z, x
        t = (a, b, c + 1)
        return t[0] * 100 + t[-1] * 10 + t[1] + len(t)

    agrees(f, values("i8", 1), values("i8", 2))


def test_assignments():
    def f(x, y):
        a = b = x + y
        a += 1
        b *= 2
        c: int = a - b
        c //= 3
        c **= 2
        return c + a + b

    agrees(f, values("i8", 1), values("i8", 2))


def test_min_max_abs_and_friends():
    def f(a, b):
        quotient, rest = divmod(a, 7)
        return min(a, b, 3) + 10 * max(a, b) + abs(a) * 100 + quotient + rest + pow(b, 2)

    agrees(f, values("i8", 1), values("i8", 2))


UNARY = [
    "absolute", "arccosh", "arcsinh", "arctan", "cbrt", "ceil", "conjugate", "cos", "cosh", "deg2rad", "degrees",
    "exp", "exp2", "expm1", "fabs", "floor", "isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2",
    "logical_not", "negative", "positive", "rad2deg", "radians", "reciprocal", "rint", "sign", "signbit", "sin",
    "sinh", "spacing", "sqrt", "square", "tan", "tanh", "trunc",
]  # fmt: skip
BINARY = [
    "add", "arctan2", "copysign", "divide", "equal", "float_power", "floor_divide", "fmax", "fmin", "fmod",
    "greater", "heaviside", "hypot", "less_equal", "logaddexp", "logaddexp2", "logical_and", "logical_or",
    "logical_xor", "maximum", "minimum", "multiply", "nextafter", "not_equal", "power", "remainder", "subtract",
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_ufuncs_of_one_number(dtype):
    """All of them in one kernel: a compilation costs more than what it runs."""
    x = np.linspace(1.25, 3.5, len(UNARY), dtype=dtype)
    given, got = cp.asarray(x), cp.zeros(len(UNARY), dtype="f8")
    lines = "\n".join(f"    y[{i}] = cp.float64(cp.{name}(x[{i}]))" for i, name in enumerate(UNARY))
    _defined(f"def f(x, y):\n{lines}\n")[1, 1](given, got)
    expected = [getattr(np, name)(v) for name, v in zip(UNARY, x)]
    np.testing.assert_allclose(got.get(), np.array(expected, "f8"), rtol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_ufuncs_of_two_numbers(dtype):
    x = np.linspace(1.25, 3.5, len(BINARY), dtype=dtype)
    y = x[::-1].copy()
    a, b, got = cp.asarray(x), cp.asarray(y), cp.zeros(len(BINARY), dtype="f8")
    lines = "\n".join(f"    z[{i}] = cp.float64(cp.{name}(x[{i}], y[{i}]))" for i, name in enumerate(BINARY))
    _defined(f"def f(x, y, z):\n{lines}\n")[1, 1](a, b, got)
    expected = [getattr(np, name)(v, w) for name, v, w in zip(BINARY, x, y)]
    np.testing.assert_allclose(got.get(), np.array(expected, "f8"), rtol=4 * np.finfo(dtype).eps)


def _defined(text):
    """A kernel of a text that no file has: `linecache` is where Python's tracebacks look for such."""
    import linecache

    name = f"<kernel {abs(hash(text))}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope = {"cp": cp, "jit": jit}
    exec(compile(text, name, "exec"), scope)
    return jit.rawkernel()(scope["f"])


def test_where_clip_parts_and_pairs():
    x = np.array([-2.5, 0.75, 9.0])
    got = cp.zeros((3, 6))

    @jit.rawkernel()
    def f(x, y):
        i = jit.threadIdx.x
        v = x[i]
        y[i, 0] = cp.where(v > 0, v, 7)
        y[i, 1] = cp.clip(v, -1, 1)
        z = cp.complex128(v) * 2j + 1
        y[i, 2] = z.real + cp.imag(z)
        y[i, 3], y[i, 4] = cp.modf(v)
        mantissa, exponent = cp.frexp(v)
        y[i, 5] = cp.ldexp(mantissa, exponent + 1)

    f[1, 3](cp.asarray(x), got)
    fraction, whole = np.modf(x)
    columns = [np.where(x > 0, x, 7), np.clip(x, -1, 1), 1 + 2 * x, fraction, whole, 2 * x]
    np.testing.assert_array_equal(got.get(), np.stack(columns, axis=1))


def test_functions_of_math():
    def f(a):
        return math.sqrt(a) + math.sin(a) * math.pi + math.atan2(a, 2.0) + math.floor(a) + math.pow(a, 1.5)

    agrees(f, np.linspace(0.5, 9, 20), ulp=4)


def test_float16_rounds_after_each_operation():
    a, b = np.linspace(1, 9, 40).astype("f2"), np.linspace(2, 3, 40).astype("f2")
    agrees(lambda a, b: a * b + a / b - np.float16(0.1), a, b)


def test_complex_numbers():
    def f(a, b):
        return a * b - a / b + np.conjugate(a) * a.real

    agrees(f, values("c16", 1), values("c16", 2) + 0.5, ulp=4)


class Settings:
    scale = 3
    offsets = (10, 20)


def test_constants_of_the_enclosing_scope():
    shift = 4
    x = cp.zeros(3, dtype=int)

    @jit.rawkernel()
    def f(x):
        x[0] = Settings.scale << shift
        x[1] = Settings.offsets[1] + len(Settings.offsets)
        x[2] = int(math.e) + np.iinfo(np.int8).max

    f[1, 1](x)
    assert x.tolist() == [48, 22, 129]


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_all_layouts(order):
    base = np.arange(120.0).reshape(4, 5, 6)
    x = cp.asarray(np.array(base, order=order))[::2, 1:, ::-1]
    out = cp.zeros(x.shape)
    facts = cp.zeros(9, dtype=int)

    @jit.rawkernel()
    def copy(x, out, facts):
        i, j, k = jit.grid(3)
        if i < x.shape[0] and j < x.shape[1] and k < len(x[0, 0]):
            out[i, j, k] = x[i][j, k] + x[-1, j, k]
        if i + j + k == 0:
            facts[0], facts[1], facts[2] = x.shape
            facts[3], facts[4], facts[5] = x.strides
            facts[6], facts[7], facts[8] = x.size, x.ndim, x.dtype.itemsize

    copy[(2, 2, 2), (2, 4, 4)](x, out, facts)
    view = base[::2, 1:, ::-1]
    np.testing.assert_array_equal(out.get(), view + view[-1])
    assert facts.tolist() == [*x.shape, *x.strides, x.size, 3, 8]


def test_arrays_without_dimensions():
    x, y = cp.array(3.5), cp.array(0.0)

    @jit.rawkernel()
    def f(x, y):
        y[()] = x[()] + x.ndim + x.size

    f[1, 1](x, y)
    assert float(y) == 4.5


def test_arguments_that_are_numbers():
    x = cp.zeros(6, dtype=complex)

    @jit.rawkernel()
    def f(x, a, b, c, d, e, g):
        x[0], x[1], x[2], x[3], x[4], x[5] = a, b, c, d, e, g

    f[1, 1](x, True, -3, 2.5, 1 - 2j, np.float16(0.5), np.uint64(2**63))
    assert x.tolist() == [1, -3, 2.5, 1 - 2j, 0.5, 2**63]


def test_device_functions():
    @jit.rawkernel(device=True)
    def swap(x, i, j):
        x[i], x[j] = x[j], x[i]

    @jit.rawkernel(device=True)
    def polar(x, y):
        return cp.hypot(x, y), cp.arctan2(y, x)

    def power(n):
        @jit.rawkernel(device=True)
        def f(x):
            return x if n == 1 else x * power(n - 1)(x)

        return f

    @jit.rawkernel()
    def f(x):
        swap(x, 0, 1)
        radius, angle = polar(x[0], x[1])
        x[2] = radius * (angle > 0)
        x[3] = power(5)(cp.float64(2))

    x = cp.array([4.0, 3.0, 0.0, 0.0])
    f[1, 1](x)
    assert x.tolist() == [3, 4, 5, 32]


def test_a_device_function_is_called_once():
    @jit.rawkernel(device=True)
    def counted(x):
        x[0] += 1
        return x[0]

    @jit.rawkernel()
    def f(x):
        x[counted(x)] += 10
        x[2] = 1 if 1 < counted(x) < 3 else 0

    x = cp.zeros(3, dtype=int)
    f[1, 1](x)
    assert x.tolist() == [2, 10, 1]


def test_texts_and_types():
    @jit.rawkernel()
    def f(x, y):
        y[0] = x[0]

    ints, floats = cp.arange(4), cp.arange(4.0)
    f[1, 1](ints, ints)
    f[1, 1](ints + 1, ints)
    assert len(f.cached_codes) == 1
    assert "void jit_f(" in f.cached_code
    f((1,), (1,), (floats, floats))
    f((1,), (1,), (floats[::2], floats), shared_mem=16)
    assert len(f.cached_codes) == 3
    with pytest.warns(UserWarning, match="several types"):
        f.cached_code


def test_a_kernel_among_pending_operands():
    @jit.rawkernel()
    def double(x, y):
        i = jit.grid(1)
        y[i] = 2 * x[i]

    x = cp.arange(8.0)
    pending = x + 1
    y = cp.zeros(8)
    reader = y + 5
    double[1, 8](pending, y)
    x[:] = 0
    later = y * 10
    double[1, 8](later, y)
    assert reader.tolist() == [5] * 8
    assert later.tolist() == [20.0 * (i + 1) for i in range(8)]
    assert y.tolist() == [40.0 * (i + 1) for i in range(8)]


def test_streams():
    @jit.rawkernel()
    def increment(x):
        i = jit.grid(1)
        x[i] += 1

    x = cp.zeros(64)
    with x.device:
        streams = [cp.cuda.Stream() for _ in range(2)]
    for turn in range(6):
        increment[2, 32, 0, streams[turn % 2]](x)
    assert (x == 6).all()


def test_cupys_name():
    assert cp.cupyx.jit is cp.jit
