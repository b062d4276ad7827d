"""The arrays and parameters that the expressions of `namespace_table.py` name, drawn for NumPy and Cuprum alike."""

import re

import numpy as np
from hypothesis import strategies as st

import cuprum as cp
from strategies import BOOLS, COMPLEXES, DTYPES, FLOATS, INTEGERS, REALS, SIGNED, arrays

# Independent sides would make half of all arrays empty: one in seven is enough, as are those without dimensions.
VECTORS = st.sampled_from([(n,) for n in (3, 4, 5, 6, 2, 1, 0)])
FLAT = st.sampled_from([(), (), (3,), (4,), (1,), (0,), (2, 3), (3, 2), (4, 4), (1, 3), (2, 0)])
CUBES = [(2, 3, 4), (3, 2, 2), (4, 1, 3), (2, 2, 2), (1, 3, 1), (3, 0, 2), (0, 1, 4)]
SMALL = FLAT | st.sampled_from(CUBES)
SIDES = st.sampled_from([2, 3, 4, 1, 0])
NUMBERS = st.integers(0, 2**32 - 1)


def some(dtypes):
    return st.sampled_from(dtypes)


def exact_values(rng, dtype, shape):
    """Quarters from -2 to 2 (whole numbers for integers): sums and products of a few of them are exact in float16."""
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    values = rng.integers(-8, 9, shape) / 4
    if dtype.kind == "c":
        values = values + 1j * rng.integers(-8, 9, shape) / 4
    return (np.abs(values) // 1 if dtype.kind == "u" else values).astype(dtype)


def special_values(rng, dtype, shape):
    """As `exact_values`, and among them what any order of a sum makes the same of: NaN, infinities, -0.0."""
    values = exact_values(rng, dtype, shape)
    if dtype.kind == "f" and values.size:
        places = rng.integers(0, values.size, rng.integers(1, 4))
        values.reshape(-1)[places] = rng.choice([np.nan, np.inf, -np.inf, -0.0], places.size)
    return values


def with_values(values):
    """A strategy of pairs: a layout that `arrays` draws, filled with `values(rng, dtype, shape)`."""

    @st.composite
    def strategy(draw, dtype, shape):
        a, b = draw(arrays(dtype, shape, special=False))
        data = np.asarray(values(np.random.default_rng(draw(NUMBERS)), a.dtype, a.shape))
        a[...], b[...] = data, cp.asarray(data)
        return a, b

    return strategy


def special_after_first(rng, dtype, shape):
    values = special_values(rng, dtype, shape)
    values.reshape(-1)[:1] = 0.5
    return values


finite = with_values(exact_values)
special = with_values(special_values)
integers = with_values(lambda rng, dtype, shape: rng.integers(-4, 5, shape))
counts = with_values(lambda rng, dtype, shape: rng.integers(0, 5, shape))
fractions = with_values(lambda rng, dtype, shape: rng.integers(0, 9, shape) / 8)
ordered = with_values(lambda rng, dtype, shape: np.sort(rng.integers(-4, 5, shape)))


def exact(dtype, shape):
    """Small exact values, one time in three with some that are not finite."""
    return finite(dtype, shape) | finite(dtype, shape) | special(dtype, shape)


@st.composite
def stretched(draw, pair):
    """Now and then an array broadcast along a new first axis: strides of zero."""
    a, b = draw(pair)
    if a.ndim < 3 and draw(st.integers(0, 5)) == 0:
        shape = (draw(st.sampled_from([2, 3, 1, 0])), *a.shape)
        return np.broadcast_to(a, shape), cp.broadcast_to(b, shape)
    return a, b


@st.composite
def partner_shapes(draw, shape):
    """A shape that broadcasts with `shape`, but for one time in ten."""
    if draw(st.integers(0, 9)) == 0:
        return draw(SMALL)
    kept = shape[draw(st.integers(0, len(shape))) :]
    return tuple(1 if draw(st.integers(0, 4)) == 0 else n for n in kept)


def same_or_any(drawn, name):
    """The dtype of an array drawn before, or any."""
    return st.just(drawn[name][0].dtype) | some(DTYPES) if name in drawn else some(DTYPES)


# What each name is drawn from; those that follow another array look at what is drawn.
ARRAYS = {
    "a": lambda d: stretched(arrays(some(DTYPES), SMALL)),
    "r": lambda d: stretched(arrays(some(REALS), SMALL)),
    "x": lambda d: stretched(arrays(some(DTYPES), SMALL.filter(len))),
    "A": lambda d: stretched(arrays(some(DTYPES), SMALL.filter(lambda s: len(s) > 1))),
    "D": lambda d: arrays(some(DTYPES), st.sampled_from(CUBES)),
    "S": lambda d: arrays(some(DTYPES), SIDES.map(lambda n: (n, n))),
    "K": lambda d: exact(some(DTYPES), SMALL.map(lambda s: (*s[:2], 2 + len(s) % 2))),
    "n": lambda d: stretched(exact(some(DTYPES), SMALL)),
    "h": lambda d: stretched(exact(some(FLOATS), SMALL)),
    "H": lambda d: stretched(with_values(special_after_first)(some(FLOATS), SMALL)),
    "g": lambda d: stretched(exact(some(BOOLS + INTEGERS), SMALL)),
    "z": lambda d: exact(some(COMPLEXES), SMALL),
    "b": lambda d: stretched(arrays(same_or_any(d, "a"), partner_shapes(shape_of(d, "a", "r")))),
    "c": lambda d: arrays(same_or_any(d, "a"), shape_of(d, "a")),
    "m": lambda d: arrays(BOOLS[0], shape_of(d, "a", "r", "n")),
    "l": lambda d: arrays(BOOLS[0], partner_shapes(shape_of(d, "a", "r", "n", "g", "h"))),
    "f": lambda d: fractions(np.dtype("d"), shape_of(d, "h")),
    "k": lambda d: counts(some(INTEGERS) | some(DTYPES), FLAT),
    "o": lambda d: exact(same_or_any(d, "n"), partner_shapes(shape_of(d, "n", "K"))),
    "i": lambda d: integers(some(SIGNED), FLAT),
    "j": lambda d: counts(some(INTEGERS), VECTORS),
    "v": lambda d: arrays(some(REALS), VECTORS),
    "u": lambda d: arrays(some(REALS), VECTORS),
    "t": lambda d: ordered(some(SIGNED + FLOATS), VECTORS),
    "p": lambda d: exact(some(DTYPES), VECTORS),
    "s": lambda d: exact(same_or_any(d, "p"), VECTORS),
    "q": lambda d: fractions(np.dtype("d"), st.sampled_from([(), (3,), (1,), (0,), (2, 2)])),
    "M": lambda d: exact(some(DTYPES), st.tuples(SIDES, SIDES)),
    "N": lambda d: exact(same_or_any(d, "M"), st.tuples(st.just(d["M"][0].shape[1]), SIDES)),
    "B": lambda d: arrays(np.dtype("B"), SMALL),
}  # fmt: skip


def shape_of(drawn, *names):
    return next(drawn[name][0].shape for name in names if name in drawn)


def into(xp, function, dtype, *args, **kwargs):
    """`out` after the function has stored its result there, which is what it gives back."""
    out = xp.zeros(function(*args, **kwargs).shape, dtype)
    given = function(*args, out=out, **kwargs)
    assert given is out or out.ndim == 0  # NumPy's choose gives a scalar of it
    return out


# What each parameter in braces is drawn from, as text; those of axes and dtypes follow the first array.
PARAMETERS = {
    "flag": ["True", "False"],
    "int": [str(n) for n in range(-3, 6)],
    "count": ["0", "1", "2", "3"],
    "width": ["1", "2", "3", "4"],
    "step": ["1", "2", "-1", "0.5", "0"],
    "parts": ["1", "2", "3", "[1]", "[1, 3]", "[2, 1]", "0", "-1", "[]"],
    "wrapped": ["'wrap'", "'clip'"],
    "float": ["0.0", "0.5", "-1.5", "2.0", "3.25"],
    "dtype": [repr(d.char) for d in DTYPES],
    "floating": ["'e'", "'f'", "'d'"],
    "signed": [repr(d.char) for d in SIGNED + FLOATS + COMPLEXES],
    "real": [repr(d.char) for d in REALS if d.kind != "b"],
    "shape": ["()", "0", "3", "(2, 3)", "(3, 0)", "(1,)", "(2, 1, 2)", "-1", "(4, 4)"],
    "order": ["'C'", "'F'", "'K'", "'A'", "'X'"],
    "order_k": ["'C'", "'F'", "'K'", "'A'"],
    "order_cf": ["'C'", "'F'"],
    "mode": ["'raise'", "'wrap'", "'clip'", "'other'"],
    "known": ["'raise'", "'wrap'", "'clip'"],
    "casting": ["'no'", "'equiv'", "'safe'", "'same_kind'", "'unsafe'"],
    "category": ["'bool'", "'integral'", "'real floating'", "'numeric'", "('signed integer', 'bool')", "'other'"],
    "abstract": ["np.integer", "np.floating", "np.number", "np.inexact", "np.bool_", "'f'"],
    "triangle": ["np.triu", "np.tril"],
    "indexing": ["'xy'", "'ij'", "'yx'"],
    "bits": ["'big'", "'little'"],
    "pad_mode": ["'edge'", "'reflect'", "'symmetric'", "'wrap'", "'constant'", "'maximum'", "'other'"],
    "side": ["'left'", "'right'", "'middle'"],
    "trim": ["'fb'", "'f'", "'b'", "'x'"],
    "convolution": ["'full'", "'same'", "'valid'"],
    "number": ["0", "1", "-1", "300", "2.5", "-3.5", "1e30", "2j", "True", "np.float32(2)", "np.int8(-2)", "np.nan"],
    "bound": ["None", "0", "1", "-1", "300", "2.5", "np.int8(-2)", "np.float64(1.5)"],
    "padding": ["0", "1", "2.5", "True", "np.int8(2)", "[1, 2]", "[[1], [2]]", "300", "[-1, 200]", "np.int64(300)"],
    "percent": ["0", "25", "50.0", "100", "[0, 60]", "[[10], [90]]", "[]", "-1", "101"],
    "weighted": ["'inverted_cdf'", "'linear'"],
    "kind": ["None", "'quicksort'", "'stable'", "'heapsort'", "'introselect'", "'other'"],
    "isin_kind": ["None", "'sort'", "'table'", "'other'"],
    "fields": ["None", "None", "None", "'f'"],
    "stable": ["None", "True", "False"],
    "none": ["None"],
    "copy": ["None", "True"],
    "negative": ["-1", "None"],
    "step_int": ["1", "-1", "2"],
    "line": ["20", "40", "75"],
    "separator": ["' '", "', '", "';'"],
    "sign": ["'-'", "'+'", "' '"],
    "floatmode": ["'fixed'", "'unique'", "'maxprec'", "'maxprec_equal'"],
    "legacy": ["None", "False", "'1.13'", "'1.25'"],
    "trimming": ["'k'", "'.'", "'0'", "'-'"],
    "typeset": ["'GDFgdf'", "'fd'", "'D'"],
    "default": ["'d'", "'f'"],
    "widths": ["1", "(0, 2)", "((1, 2),)", "[[0, 1]]", "-1", "(1, 2, 3)", "2.5"],
    "pad_reflection": ["'reflect'", "'symmetric'"],
    "reflect_type": ["'even'", "'odd'"],
    "pad_statistic": ["'maximum'", "'minimum'"],
    "stat_length": ["None", "1", "2", "(1, 3)", "0"],
    "shifts": ["1", "-2", "(1, 2)", "(1,)", "1.5", "[]"],
    "subscripts": ["'...i->i...'", "'ij->ji'", "'ii->i'", "'i'", "'ijk->k'", "'...->'", "'i,j'", "'i->ii'", "''"],
    "subscripts2": ["'...,...'", "'i,i'", "'ij,j->i'", "'...i,...i->...'", "'i,j->ji'", "','"],
    "optimize": ["'greedy'", "'optimal'", "True", "False"],
    "bins": ["1", "3", "[-1, 0, 2]", "[1, 0]", "0", "-1", "2.5", "[1]"],
    "polyfit_cov": ["True", "'unscaled'"],
    "method": ["'linear'", "'lower'", "'higher'", "'nearest'", "'midpoint'", "'median_unbiased'"],
}  # fmt: skip


def an_axis(draw, ndim):
    """One that exists, mostly."""
    if ndim == 0 or draw(st.integers(0, 9)) == 0:
        return draw(st.integers(-4, 3))
    return draw(st.integers(-ndim, ndim - 1))


def some_axes(draw, ndim):
    kind = draw(st.integers(0, 5))
    if kind < 2 or ndim == 0:
        return draw(st.sampled_from([None, None, (), 0]))
    if kind < 4:
        return an_axis(draw, ndim)
    chosen = draw(st.permutations(range(ndim)))[: draw(st.integers(1, ndim))]
    if draw(st.integers(0, 9)) == 0:
        chosen.append(draw(st.integers(-4, 3)))  # one that is named twice, or that there is not
    return tuple(axis - ndim if draw(st.booleans()) and 0 <= axis < ndim else axis for axis in chosen)


def a_parameter(draw, name, first):
    """The text of one parameter, of which `first` is the array that its axes belong to."""
    ndim = first.ndim if first is not None else 1
    if name == "axis":
        return str(None if draw(st.integers(0, 3)) == 0 else an_axis(draw, ndim))
    if name == "axis0":
        return str(an_axis(draw, ndim))
    if name == "pair":
        return f"{an_axis(draw, ndim)}, {an_axis(draw, ndim)}" if draw(st.booleans()) else "0, 1"
    if name == "axes":
        return str(some_axes(draw, ndim))
    if name == "own":
        return repr(first.dtype.char)
    if name == "wide":
        return draw(st.sampled_from(["None", "None" if first.dtype.kind == "c" else "'d'"]))
    if name == "dtype_of_a":  # to which the values can be cast without leaving its range
        targets = ["d", "D"] if first.dtype.kind in "fb" else ["D"] if first.dtype.kind == "c" else ["q", "d"]
        return draw(st.sampled_from(["None", repr(first.dtype.char), *map(repr, targets)]))
    return draw(st.sampled_from(PARAMETERS[name]))


# What is asked of finite numbers alone: a BLAS may leave out the products with a zero, infinities times complex numbers
# are what each makes of them, and so are casts to the integers of an `out`.
FINITE = {
    "into", "convolve", "correlate", "corrcoef", "cov", "cross", "dot", "einsum", "inner", "matmul", "matvec",
    "outer", "polymul", "polyval", "tensordot", "vander", "vdot", "vecdot", "vecmat",
}  # fmt: skip


def is_finite(pair):
    return bool(np.isfinite(pair[0]).all())


@st.composite
def expressions(draw, template):
    """(source, host arrays, device arrays) of one line of the table."""
    code = compile(re.sub(r"\{=?\w+\}", "0", template), "template", "eval")
    used = set(code.co_names).union(*(c.co_names for c in code.co_consts if hasattr(c, "co_names")))
    pairs = {}
    for name, strategy in ARRAYS.items():
        if name in used:
            pairs[name] = draw(strategy(pairs).filter(is_finite) if used & FINITE else strategy(pairs))
    first = min(pairs, key=lambda name: re.search(rf"\b{name}\b", template).start(), default=None)
    first = pairs[first][0] if first else None
    drawn = {}

    def parameter(match):
        if not match[1]:
            drawn[match[2]] = a_parameter(draw, match[2], first)
        return drawn[match[2]]

    source = re.sub(r"\{(=?)(\w+)\}", parameter, template)
    return source, {k: p[0] for k, p in pairs.items()}, {k: p[1] for k, p in pairs.items()}
