"""Every ufunc against NumPy: values, dtypes, special values, layouts, mixed dtypes, weak scalars, exceptions."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cuprum as cp
from strategies import (
    BFLOAT16,
    DTYPES,
    INTEGERS,
    arrays,
    broadcastable,
    check,
    dtypes,
    fill,
    quiet,
    shapes,
)

UFUNCS = sorted(
    name
    for name in cp.__all__
    if isinstance(getattr(cp, name), cp.ufunc) and isinstance(getattr(np, name, None), np.ufunc)
)
UNARY = [name for name in UFUNCS if getattr(np, name).nin == 1]
BINARY = [name for name in UFUNCS if getattr(np, name).nin == 2]

# Units in the last place by which a result may differ from NumPy's (both have errors of their own). What is not
# here is exact: IEEE arithmetic, rounding, comparisons, integers.
APPROXIMATE = """sin cos tan arcsin arccos arctan asin acos atan exp exp2 expm1 log log2 log10 log1p sinh cosh tanh
    arcsinh arccosh arctanh asinh acosh atanh cbrt arctan2 atan2 hypot logaddexp logaddexp2 power pow float_power"""
ULPS = dict.fromkeys(APPROXIMATE.split(), 8)
ULPS.update(
    dict.fromkeys(["logaddexp", "logaddexp2"], 2**14)
)  # of results near zero, where the operands cancel
ULPS.update(dict.fromkeys(["degrees", "rad2deg", "radians", "deg2rad"], 2))
# Complex functions are compositions of real ones: the unit is that of the larger part.
INEXACT_IF_COMPLEX = [
    "multiply",
    "divide",
    "true_divide",
    "square",
    "reciprocal",
    "absolute",
    "abs",
    "sqrt",
    "sign",
]
COMPLEX_ULPS = dict.fromkeys(INEXACT_IF_COMPLEX, 4)
COMPLEX_ULPS.update(dict.fromkeys(["power", "pow", "float_power"], 256))
# Near one the logarithm of the magnitude loses what the magnitude rounds away, in NumPy as here.
COMPLEX_ULPS.update(dict.fromkeys(["log", "log2", "log10", "log1p"], 2**14))


def ulps_of(name, *kinds):
    if any(dtype.kind == "c" for dtype in kinds):
        return COMPLEX_ULPS.get(name, 64 if name in ULPS else 0)
    return ULPS.get(name, 0)


def well_conditioned(name, dtype):
    """Complex transcendental functions of special values follow C's tables; NumPy's own differ between platforms."""
    return not (dtype.kind == "c" and (name in ULPS or name in COMPLEX_ULPS or name in ("exp2",)))


@pytest.mark.parametrize("name", UNARY)
@given(data=st.data())
def test_unary(name, data):
    dtype = data.draw(dtypes)
    special = well_conditioned(name, dtype)
    a, b = data.draw(arrays(dtype, special=special))
    check(lambda xp: getattr(xp, name), (a,), (b,), ulps_of(name, dtype))


@pytest.mark.parametrize("name", BINARY)
@given(data=st.data())
def test_binary(name, data):
    kinds = [data.draw(dtypes), data.draw(dtypes)]
    if data.draw(st.booleans()):
        kinds[1] = kinds[0]
    special = all(well_conditioned(name, dtype) for dtype in kinds)
    shape = data.draw(broadcastable())
    pairs = [data.draw(arrays(dtype, s, special=special)) for dtype, s in zip(kinds, shape)]
    if name in ("left_shift", "right_shift", "bitwise_left_shift", "bitwise_right_shift", "ldexp"):
        assume(pairs[1][0].size == 0 or kinds[1].kind in "b" or np.abs(pairs[1][0].astype(float)).max() < 40)
    check(lambda xp: getattr(xp, name), [p[0] for p in pairs], [p[1] for p in pairs], ulps_of(name, *kinds))


WEAK = st.one_of(
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from(
        [127, 128, 255, 256, -128, -129, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**30]
    ),
    st.sampled_from([0.0, -0.0, 0.5, 2.0, -1.5, 1e5, 1e300, float("inf"), float("nan")]),
    st.sampled_from([1j, 2 - 1j, 0j]),
    st.sampled_from(
        [np.float32(1.5), np.int8(3), np.uint64(7), np.float16(0.25), np.complex64(1j), np.bool(True)]
    ),
)


@pytest.mark.parametrize("name", BINARY)
@given(data=st.data())
def test_binary_with_scalar(name, data):
    dtype = data.draw(dtypes)
    scalar = data.draw(WEAK)
    # NumPy lets integers beyond 64 bits overflow beside bools alone; ldexp takes int64 exponents here.
    huge = isinstance(scalar, int) and not -(2**31) <= scalar < 2**31
    assume(not (huge and (dtype.kind == "b" or name == "ldexp")))
    complexes = dtype.kind == "c" or isinstance(scalar, (complex, np.complexfloating))
    a, b = data.draw(arrays(dtype, special=not complexes))
    left = data.draw(st.booleans())
    want, got = ((a, scalar), (b, scalar)) if left else ((scalar, a), (scalar, b))
    ulps = ulps_of(name, np.dtype("D")) if complexes else ulps_of(name, dtype)
    check(lambda xp: getattr(xp, name), want, got, ulps)


OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "divmod": divmod,
}


@pytest.mark.parametrize("operator", OPERATORS)
@given(data=st.data())
def test_operator(operator, data):
    """Operators with scalars, also reflected; `**` has fast paths of its own."""
    dtype = data.draw(dtypes)
    scalar = data.draw(WEAK)
    complexes = dtype.kind == "c" or isinstance(scalar, (complex, np.complexfloating))
    a, b = data.draw(arrays(dtype, special=not complexes))
    function = OPERATORS[operator]
    if data.draw(st.booleans()) and not isinstance(scalar, np.generic):
        function = lambda x, y, f=function: f(y, x)
    ulps = 64 if complexes else 8 if operator == "**" else 0
    check(None, (a, scalar), (b, scalar), ulps, xp_functions=(function, function))


@pytest.mark.parametrize("name", ["modf", "frexp", "divmod"])
@given(data=st.data())
def test_two_results(name, data):
    dtype = data.draw(dtypes)
    pairs = [
        data.draw(arrays(dtype, shape)) for shape in data.draw(broadcastable(2 if name == "divmod" else 1))
    ]
    check(lambda xp: getattr(xp, name), [p[0] for p in pairs], [p[1] for p in pairs])


@given(data=st.data())
def test_casts(data):
    """Every pair of dtypes; values that the target cannot hold have no defined result."""
    source, target = data.draw(dtypes), data.draw(dtypes)
    a, b = data.draw(arrays(source, special=source.kind not in "fc" or target.kind in "fcb"))
    if source.kind in "fc" and target.kind in "iu":
        a, b = quiet(np.abs, a)[0], cp.absolute(b)
        assume(a.size == 0 or a.max() < np.iinfo(target).max)
    check(None, (a,), (b,), xp_functions=(lambda x: x.astype(target),) * 2)


@given(st.data())
def test_casts_of_bfloat16(data):
    """To and from every dtype; complex numbers are left out, which NumPy and ml_dtypes cast in their own ways."""
    other = data.draw(st.sampled_from([dtype for dtype in DTYPES if dtype.kind != "c"]))
    source, target = (BFLOAT16, other) if data.draw(st.booleans()) else (other, BFLOAT16)
    a, b = data.draw(arrays(source, special=target.kind not in "iu"))
    if target.kind in "iu":
        a, b = abs(a), abs(b)
    check(None, (a,), (b,), xp_functions=(lambda x: x.astype(target),) * 2)


BFLOAT16_EXACT = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "negative",
    "absolute",
    "sqrt",
    "floor",
    "less",
    "equal",
    "maximum",
]


@pytest.mark.parametrize("name", BFLOAT16_EXACT)
@given(data=st.data())
def test_bfloat16(name, data):
    """Each operation rounds once: as computed in float32 and rounded."""
    nin = getattr(np, name).nin
    pairs = [data.draw(arrays(BFLOAT16, shape)) for shape in data.draw(broadcastable(nin))]
    check(lambda xp: getattr(xp, name), [p[0] for p in pairs], [p[1] for p in pairs])


@given(data=st.data())
def test_out_and_where(data):
    """out= with casting, a mask, and outputs that overlap the inputs."""
    name = data.draw(st.sampled_from(["add", "multiply", "maximum", "subtract"]))
    kind, target = data.draw(dtypes), data.draw(dtypes)
    shape = data.draw(shapes())
    a, b = data.draw(arrays(kind, shape, special=False))
    out_a, out_b = (a, b) if data.draw(st.booleans()) else data.draw(arrays(target, shape, special=False))
    if data.draw(st.booleans()):
        a, b = a[::-1] if a.ndim else a, b[::-1] if b.ndim else b
    kwargs_a, kwargs_b = {"out": out_a}, {"out": out_b}
    if data.draw(st.booleans()):
        kwargs_a["where"], kwargs_b["where"] = data.draw(arrays(np.dtype("?"), shape))
    if data.draw(st.booleans()):
        kwargs_a["casting"] = kwargs_b["casting"] = data.draw(
            st.sampled_from(["same_kind", "safe", "no", "equiv"])
        )
    function = (lambda x: getattr(np, name)(x, x, **kwargs_a), lambda x: getattr(cp, name)(x, x, **kwargs_b))
    check(None, (a,), (b,), ulps_of(name, kind), xp_functions=function)
    check(None, (out_a,), (out_b,), ulps_of(name, kind), xp_functions=(lambda x: x,) * 2)


@pytest.mark.parametrize(
    "name", ["add", "multiply", "maximum", "minimum", "logical_and", "bitwise_or", "logaddexp"]
)
@given(data=st.data())
def test_methods(name, data):
    """reduce, accumulate, outer, reduceat and at. Integers, so that the order of additions cannot show."""
    dtype = data.draw(st.sampled_from([*INTEGERS, np.dtype("?")] if name != "logaddexp" else [np.dtype("d")]))
    a, b = data.draw(arrays(dtype, special=False))
    methods = ["reduce", "accumulate", "outer"] + ["at"] * (name != "logical_and")
    method = data.draw(st.sampled_from(methods))
    ulps = ULPS.get(name, 0)
    if method == "outer":
        args = ((a, a), (b, b))
        check(lambda xp: getattr(xp, name).outer, *args, ulps)
    elif method == "at":
        assume(a.ndim and a.shape[0])
        index = data.draw(st.lists(st.integers(-a.shape[0], a.shape[0] - 1), max_size=6))
        index = np.array(index, dtype=np.int64)
        function = lambda xp: lambda x, i: getattr(xp, name).at(x, i, x[0] if name != "logaddexp" else 1) or x
        a, b = a.copy(), b.copy()
        check(function, (a, index), (b, cp.asarray(index)), ulps)
    else:
        axis = data.draw(st.integers(-a.ndim, a.ndim)) if a.ndim else 0
        kwargs = {"axis": axis}
        if method == "reduce" and data.draw(st.booleans()):
            kwargs = {"axis": None, "keepdims": data.draw(st.booleans())}
        check(lambda xp: getattr(getattr(xp, name), method), (a,), (b,), ulps, **kwargs)


@pytest.mark.parametrize("dtype", ["e", "f", "d"])
@pytest.mark.parametrize("name", ["sin", "cos", "exp", "log", "tanh", "sqrt", "cbrt", "arctan", "power"])
def test_a_value_does_not_depend_on_its_place(name, dtype):
    """Lengths around the sizes of vectors and blocks, and offsets: tails go through the same function."""
    data = fill(np.random.default_rng(7), np.dtype(dtype), (8200,))
    function = getattr(cp, name)
    call = function if function.nin == 1 else lambda x: function(x, 1.7)
    whole = cp.asnumpy(call(cp.asarray(data)))
    for begin, end in [(0, 1), (0, 7), (3, 18), (1, 17), (5, 36), (0, 255), (1, 1024), (7, 4104), (1, 8192)]:
        part = cp.asnumpy(call(cp.asarray(data[begin:end])))
        np.testing.assert_array_equal(part, whole[begin:end], strict=True)
