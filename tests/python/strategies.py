"""What the property-based tests draw from, and how they compare with NumPy.

`arrays` draws a pair of equal arrays, one of NumPy and one of Cuprum, made by the same views of the same data: so both
have the same strides; one in three is pending.
"""

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

import cuprum as cp

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
BOOLS = [np.dtype("?")]
SIGNED = [np.dtype(f"int{8 << k}") for k in range(4)]
UNSIGNED = [np.dtype(f"uint{8 << k}") for k in range(4)]
INTEGERS = SIGNED + UNSIGNED
FLOATS = [np.dtype(c) for c in "efd"]
COMPLEXES = [np.dtype(c) for c in "FD"]
REALS = BOOLS + INTEGERS + FLOATS
DTYPES = REALS + COMPLEXES

dtypes = st.sampled_from(DTYPES)


def shapes(max_dims=3, max_side=5):
    return st.lists(st.integers(0, max_side), min_size=0, max_size=max_dims).map(tuple)


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, np.inf, -np.inf, np.nan, 1e-3, 3.75, 100.0, -7.5]


def fill(rng, dtype, shape, special=True):
    """Values that are interesting for the dtype: its extremes, zeros of both signs, NaN, infinities, denormals."""
    size = int(np.prod(shape, dtype=int))
    if dtype.kind == "b":
        return (rng.random(size) < 0.5).reshape(shape)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        pool = np.array([0, 1, 2, 3, 7, info.max, info.min, info.max - 1, info.min + 1], dtype)
        some = rng.integers(info.min, info.max, size=size, dtype=dtype, endpoint=True)
        small = rng.integers(max(info.min, -9), 10, size=size).astype(dtype)
        which = rng.random(size)
        out = np.where(which < 0.5, small, np.where(which < 0.8, some, rng.choice(pool, size)))
        return (out if special else small).astype(dtype).reshape(shape)
    if dtype.kind == "c":
        part = np.dtype("f4" if dtype == np.complex64 else "f8")
        out = np.empty(shape, dtype)
        out.real, out.imag = fill(rng, part, shape, special), fill(rng, part, shape, special)
        return out
    limits = ml_dtypes.finfo(dtype)
    out = rng.normal(size=size) * rng.choice([0.01, 1, 1, 1, 30], size)
    if special:
        extremes = [
            float(limits.max),
            float(limits.tiny),
            float(limits.smallest_subnormal),
            float(limits.eps),
        ]
        rare = [np.nan, np.inf, -np.inf, -0.0]  # three times as often as the others
        pool = np.array(SPECIAL + 2 * rare + extremes + [-x for x in extremes])
        out = np.where(rng.random(size) < 0.3, rng.choice(pool, size), out)
    with np.errstate(all="ignore"):
        return out.astype(dtype).reshape(shape)


@st.composite
def layouts(draw, shape):
    """A shape to allocate and the index and order of axes that make an array of `shape` of it."""
    order = draw(st.permutations(range(len(shape))))
    base, index = [], []
    for n in shape:
        kind = draw(st.sampled_from(["all", "all", "reversed", "step", "offset"]))
        if kind == "step":
            base.append(2 * n + 1)
            index.append(slice(1, 2 * n + 1, 2))
        elif kind == "offset":
            base.append(n + 2)
            index.append(slice(1, n + 1))
        elif kind == "reversed":
            base.append(n)
            index.append(slice(None, None, -1))
        else:
            base.append(n)
            index.append(slice(None))
    inverse = np.argsort(order)
    return tuple(base[i] for i in order), tuple(index[i] for i in order), tuple(int(i) for i in inverse)


@st.composite
def arrays(draw, dtype=dtypes, shape=None, special=True):
    """(numpy array, cuprum array): equal values, shape, strides; one time in three pending, and then without gaps."""
    dtype = draw(dtype) if isinstance(dtype, st.SearchStrategy) else dtype
    shape = (
        draw(shapes()) if shape is None else draw(shape) if isinstance(shape, st.SearchStrategy) else shape
    )
    base, index, order = draw(layouts(shape))
    data = fill(np.random.default_rng(draw(st.integers(0, 2**32 - 1))), dtype, base, special)
    index = (*index, ...)  # without dimensions too an array, not a scalar
    a, b = data[index].transpose(order), cp.asarray(data)[index].transpose(order)
    if draw(st.sampled_from([False, False, True])):
        a, b = a.copy(order="K"), b.copy(order="K")  # recorded: pending
    return a, b


@st.composite
def broadcastable(draw, count=2, max_dims=3, max_side=5):
    """Shapes that broadcast together."""
    full = draw(shapes(max_dims, max_side))
    result = []
    for _ in range(count):
        keep = draw(st.integers(0, len(full)))
        result.append(tuple(1 if draw(st.integers(0, 4)) == 0 else n for n in full[len(full) - keep :]))
    return result


# -- Comparing ------------------------------------------------------------------------------------------


def quiet(function, *args, **kwargs):
    """NumPy's result or exception, without its warnings."""
    import warnings

    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*args, **kwargs), None
        except Exception as error:
            return None, error


def widen(x):
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def is_floating(dtype):
    return dtype.kind in "fc" or dtype == BFLOAT16


def assert_same(got, want, ulps=0, zeros=True):
    """dtype, shape and values; `ulps` units in the last place of floats may differ, `zeros` compares signs of zeros."""
    assert isinstance(got, cp.ndarray), f"{type(got)} is no cuprum array"
    want = np.asarray(want)
    assert got.dtype == want.dtype, f"dtype {got.dtype}, expected {want.dtype}"
    assert got.shape == want.shape, f"shape {got.shape}, expected {want.shape}"
    got = cp.asnumpy(got)
    assert got.dtype == want.dtype and got.shape == want.shape
    if not is_floating(want.dtype):
        assert np.array_equal(got, want), f"got {got}\nexpected {want}"
        return
    if want.dtype.kind == "c":
        scale = np.maximum(np.abs(want.real), np.abs(want.imag))
        for a, b in ((got.real, want.real), (got.imag, want.imag)):
            compare_floats(a, b, ulps, zeros and not ulps, scale)
        return
    compare_floats(got, want, ulps, zeros, np.abs(want))


def compare_floats(got, want, ulps, zeros, scale):
    """Bit for bit, or within `ulps` units of the last place at magnitude `scale`."""
    dtype = want.dtype
    nan = np.isnan(want)
    assert np.array_equal(np.isnan(got), nan), f"NaN at other places\ngot {got}\nexpected {want}"
    a, b = widen(got)[~nan], widen(want)[~nan]
    if zeros:
        signs = np.signbit(a) != np.signbit(b)
        assert not signs.any(), f"signs differ\ngot {a[signs]}\nexpected {b[signs]}"
    if ulps == 0:
        assert np.array_equal(a, b), f"got {a[a != b]}\nexpected {b[a != b]}"
        return
    limits = ml_dtypes.finfo(dtype)
    largest = float(limits.max) * (1 - ulps * float(limits.eps))  # what is this large may overflow
    finite = np.isfinite(a) & np.isfinite(b) & ~((np.abs(a) >= largest) & (np.abs(b) >= largest))
    same = (a == b) | ((np.abs(a) >= largest) & (np.abs(b) >= largest) & (np.sign(a) == np.sign(b)))
    assert same[~finite].all(), f"infinities differ\ngot {got}\nexpected {want}"
    scale = widen(scale)[~nan][finite]
    scale = np.where(
        np.isfinite(scale), scale, np.abs(b[finite])
    )  # the other part of a complex number overflowed
    unit = np.maximum(scale * float(limits.eps), float(limits.smallest_subnormal))
    error = np.abs(a[finite] - b[finite]) / unit
    worst = error.argmax() if error.size else 0
    assert error.size == 0 or error[worst] <= ulps, (
        f"{error[worst]:.1f} ulp: got {a[finite][worst]!r}, expected {b[finite][worst]!r} ({dtype})"
    )


def same_exception(got, want):
    """Cuprum's exception has the type of NumPy's (their private subclasses count as their public base)."""
    for kind in (
        np.exceptions.AxisError,
        IndexError,
        OverflowError,
        ZeroDivisionError,
        ValueError,
        TypeError,
    ):
        if isinstance(want, kind):
            return isinstance(got, kind)
    return type(got) is type(want)


def check(function, want_args, got_args, ulps=0, zeros=True, xp_functions=None, **kwargs):
    """function(np) and function(cp) agree in result or exception type."""
    np_function, cp_function = xp_functions or (function(np), function(cp))
    want, want_error = quiet(np_function, *want_args, **kwargs)
    got, got_error = quiet(cp_function, *got_args, **kwargs)
    if want_error is not None:
        assert got_error is not None, f"expected {want_error!r}, got a result"
        assert same_exception(got_error, want_error), f"expected {want_error!r}, got {got_error!r}"
        return
    if got_error is not None:
        raise got_error
    if isinstance(want, tuple):
        assert len(got) == len(want)
        for g, w in zip(got, want):
            assert_same(g, w, ulps, zeros)
    else:
        assert_same(got, want, ulps, zeros)
