"""ufunc objects against NumPy's: every loop, weak scalars, out, where, dtype, casting, order, errors."""

import inspect
import itertools
import pickle
import warnings

import numpy as np
import pytest

import cuprum as cp
from devices import HERE
from oracle import outcome
from ufunc_cases import DTYPES, NON_NEGATIVE, assert_same, assert_same_outcome, on, operands, sample

ON_CUDA = "cuda" in str(HERE)
UFUNCS = sorted(n for n in cp.__all__ if isinstance(f := getattr(cp, n), cp.ufunc) and f.__name__ == n)


@pytest.mark.parametrize("name", UFUNCS)
def test_every_pair_of_dtypes(name):
    for chars in itertools.product(DTYPES, repeat=getattr(np, name).nin):
        xs = operands(name, chars)
        assert_same_outcome(lambda xp: getattr(xp, name)(*[on(xp, x) for x in xs]))


@pytest.mark.parametrize(
    "scalar", [3, 0, -3, 300, 2**40, 2.5, 1j, True, np.float32(2), np.int8(3), np.uint64(7)], ids=repr
)
@pytest.mark.parametrize("name", [n for n in UFUNCS if getattr(np, n).nin == 2])
def test_scalars(name, scalar):
    for c in DTYPES:
        x = sample(c)
        if name in NON_NEGATIVE and x.dtype.kind == "i":
            x = np.abs(x)
        if name in ("power", "pow", "float_power") and scalar == 2**40 and c in "FD" and ON_CUDA:
            continue  # the sign of an infinity depends on the last bit of the angle
        # A large complex power multiplies the angle's error by the exponent.
        tolerance = {"F": 1e-4, "D": 1e-11}.get(c) if "power" in name else None
        assert_same_outcome(lambda xp: getattr(xp, name)(on(xp, x), scalar), tolerance)
        assert_same_outcome(lambda xp: getattr(xp, name)(scalar, on(xp, x)))


COMPARISONS = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]


@pytest.mark.parametrize("name", COMPARISONS)
@pytest.mark.parametrize(
    "scalar", [-1, 128, 255, 256, 2**31, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63) - 1, 2**200]
)
def test_comparisons_with_integers_of_any_size(name, scalar):
    for c in "?bhilBHIL":
        x = sample(c)
        for flip in (False, True):
            want, expected = outcome(lambda: getattr(np, name)(*((scalar, x) if flip else (x, scalar))))
            got, raised = outcome(
                lambda: getattr(cp, name)(*((scalar, cp.asarray(x)) if flip else (cp.asarray(x), scalar)))
            )
            if expected is None:
                assert_same(got, want)
            else:
                assert c == "?" and isinstance(raised, OverflowError)  # a bool takes the integer for an int64


def test_signed_with_unsigned_compares_exactly():
    a, b = np.array([2**63 - 1, -1, 0]), np.array([2**63 - 1, 2**64 - 1, 0], np.uint64)
    for name in COMPARISONS:
        assert_same_outcome(lambda xp: getattr(xp, name)(on(xp, a), on(xp, b)))
        assert_same_outcome(lambda xp: getattr(xp, name)(on(xp, b), on(xp, a)))


@pytest.mark.parametrize("value", [128, -129, 2**70, -(2**70), 2**200])
def test_integer_out_of_range(value):
    a = cp.array([1, 2], dtype=np.int8)
    for f in (lambda: a + value, lambda: value * a, lambda: cp.maximum(a, value), lambda: a.__iadd__(value)):
        with pytest.raises(OverflowError, match="out of bounds for int8"):
            f()
    with pytest.raises(OverflowError, match="int too large to convert to float"):
        cp.array([1.0]) + 10**400


# -- Options ----------------------------------------------------------------------------------------------


def test_out():
    x = np.arange(6.0).reshape(2, 3)
    for as_out in (lambda o: {"out": o}, lambda o: {"out": (o,)}):
        out = cp.zeros((2, 3))
        assert cp.add(cp.asarray(x), 1, **as_out(out)) is out
        assert_same(out, x + 1)
    out = cp.zeros((2, 3), dtype=np.float32)
    assert cp.sin(cp.asarray(x), out) is out
    assert_same(out, np.sin(x).astype(np.float32))
    wide = cp.zeros((2, 2, 3))
    cp.multiply(cp.asarray(x), 2, out=wide)
    assert_same(wide, np.multiply(x, 2, out=np.zeros((2, 2, 3))))


def test_out_overlaps_input():
    x, y = np.arange(10.0), cp.arange(10.0)
    np.add(x[1:], x[:-1], out=x[:-1])
    cp.add(y[1:], y[:-1], out=y[:-1])
    assert_same(y, x)
    np.add(x, x[::-1], out=x)
    cp.add(y, y[::-1], out=y)
    assert_same(y, x)


def test_pairs_write_outputs():
    x = np.array([7.5, -7.5, 3.0])
    q, r = cp.zeros(3), cp.zeros(3)
    got = cp.divmod(cp.asarray(x), 2, out=(q, r))
    assert got[0] is q and got[1] is r
    assert_same(got, np.divmod(x, 2))
    first, second = cp.modf(cp.asarray(x), out=(None, q))
    assert second is q
    assert_same((first, second), np.modf(x))
    y = cp.asarray(x)
    cp.divmod(y, 2, out=(y, None))
    assert_same(y, np.divmod(x, 2)[0])


def test_where():
    x = np.arange(6.0).reshape(2, 3)
    mask = np.array([True, False, True])
    out, want = cp.full((2, 3), -1.0), np.full((2, 3), -1.0)
    cp.sqrt(cp.asarray(x), out=out, where=cp.asarray(mask))
    assert_same(out, np.sqrt(x, out=want, where=mask))
    cp.add(cp.asarray(x), 1, out=out, where=False)
    assert_same(out, want)
    got = cp.add(cp.asarray(x), 1, where=cp.asarray(mask), out=None).get()
    np.testing.assert_array_equal(got[:, mask], (x + 1)[:, mask])
    assert cp.add(cp.arange(3), 1, where=cp.ones((4, 1), dtype=bool), out=None).shape == (4, 3)
    with pytest.raises(TypeError, match="according to the rule 'safe'"):
        cp.add(cp.asarray(x), 1, where=cp.arange(3), out=None)


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize(
    "name", ["add", "divide", "sqrt", "less", "absolute", "bitwise_and", "power", "negative"]
)
@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
def test_dtype_and_casting(name, casting):
    nin = getattr(np, name).nin
    for chars in itertools.product("?bldFD", repeat=nin):
        xs = [np.ones(3, c) for c in chars]
        for dtype in [None, *"?bldFD"]:
            if (
                dtype
                and casting == "unsafe"
                and np.dtype(dtype).kind in "biu"
                and any(c in "FDd" for c in chars)
            ):
                continue  # casts of special values are undefined
            assert_same_outcome(
                lambda xp: getattr(xp, name)(*[on(xp, x) for x in xs], dtype=dtype, casting=casting)
            )


@pytest.mark.parametrize("order", "CFAK")
def test_order(order):
    c, f = np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3))
    for xs in ((c, c), (f, f), (c, f), (f, 1.0), (c.T, c.T)):
        want = np.add(*xs, order=order)
        got = cp.add(*[on(cp, x) for x in xs], order=order)
        cp.evaluate(got)
        assert_same(got, want)
        assert got.strides == want.strides


@pytest.mark.parametrize(
    "call",
    [
        lambda xp, a: xp.add(a),
        lambda xp, a: xp.add(a, a, a, a),
        lambda xp, a: xp.add(a, a, foo=1),
        lambda xp, a: xp.add(a, a, out=3),
        lambda xp, a: xp.add(a, a, out=(a, a)),
        lambda xp, a: xp.add(a, a, a, out=a),
        lambda xp, a: xp.modf(a, out=a),
        lambda xp, a: xp.add(a, a, order="X"),
        lambda xp, a: xp.add(a, a, order=3),
        lambda xp, a: xp.add(a, a, casting="foo"),
        lambda xp, a: xp.add(a, a, casting=1),
        lambda xp, a: xp.add(a, a, dtype=int),
        lambda xp, a: xp.sqrt(a, dtype=int),
        lambda xp, a: xp.invert(a),
        lambda xp, a: xp.add(a, xp.ones(4)),
        lambda xp, a: xp.add(a, a, out=xp.zeros(4)),
        lambda xp, a: xp.add(a, xp.ones((2, 3)), out=xp.zeros(3)),
        lambda xp, a: xp.add(a, a, out=xp.zeros(3, dtype=int)),
        lambda xp, a: xp.power(xp.arange(3), -1),
        lambda xp, a: xp.power(xp.arange(3), xp.array([-1, 0, 1])),
        lambda xp, a: xp.subtract(a > 0, a > 0),
        lambda xp, a: xp.negative(a > 0),
        lambda xp, a: xp.add(a, None),
        lambda xp, a: xp.add(a, "x"),
        lambda xp, a: xp.sin(object()),
        lambda xp, a: xp.sin.reduce(a),
        lambda xp, a: xp.sin.outer(a, a),
        lambda xp, a: xp.sin.accumulate(a),
        lambda xp, a: xp.divmod.reduce(a),
        lambda xp, a: xp.add.reduce(),
        lambda xp, a: xp.add.reduce(a, axis=3),
        lambda xp, a: xp.add.reduce(a, axis=(0, 0)),
        lambda xp, a: xp.add.reduce(a, axis="x"),
        lambda xp, a: xp.add.reduce(a, bar=1),
        lambda xp, a: xp.maximum.reduce(a[:0]),
        lambda xp, a: xp.add.reduce(a[:0], initial=None),
        lambda xp, a: xp.subtract.reduce(xp.ones((2, 2)), axis=None),
        lambda xp, a: xp.maximum.reduce(a, where=xp.array([True, False, True])),
        lambda xp, a: xp.add.accumulate(xp.array(3.0)),
        lambda xp, a: xp.add.reduceat(a, [5]),
        lambda xp, a: xp.add.at(a, [0]),
        lambda xp, a: xp.negative.at(a, [0], 1),
        lambda xp, a: xp.add.at(a, [7], 1),
    ],
)
def test_errors_are_numpys(call):
    with pytest.raises(Exception) as want:
        call(np, np.arange(3.0))
    with pytest.raises(Exception) as got:
        call(cp, cp.arange(3.0))
    kinds = (IndexError, TypeError, ValueError, OverflowError)
    assert [isinstance(got.value, k) for k in kinds] == [isinstance(want.value, k) for k in kinds], (
        want,
        got,
    )


def test_no_loop_is_numpys_class():
    from numpy._core._exceptions import UFuncTypeError

    with pytest.raises(UFuncTypeError, match="Cannot cast ufunc 'add' output"):
        cp.add(cp.ones(3), 1j, out=cp.ones(3))


def test_foreign_operands_are_refused_with_advice():
    a = cp.arange(3.0)
    with pytest.raises(TypeError, match=r"cuprum.add: argument 2 is a numpy.ndarray.*cp.asarray\(x\)"):
        cp.add(a, np.ones(3))
    with pytest.raises(TypeError, match=r"cuprum.add: argument 1 is a numpy.ndarray.*cp.asarray\(x\)"):
        cp.add(np.ones(3), a)
    with pytest.raises(TypeError, match=r"cuprum\.sin: argument 1 is a NoneType"):
        cp.sin(None)
    with pytest.raises(TypeError, match=r"out= is a numpy.ndarray"):
        cp.sin(a, out=np.zeros(3))


def test_lists_and_tuples_become_arrays():
    n = np.arange(3, dtype="float32")
    a = cp.asarray(n)
    assert_same(cp.sqrt([1, 4, 9]), np.sqrt([1, 4, 9]))
    assert_same(cp.add(a, (1, 2, 3)), np.add(n, (1, 2, 3)))
    assert_same(cp.maximum([[1], [5]], [3, 0]), np.maximum([[1], [5]], [3, 0]))
    assert_same(cp.add([1, 2, 3], a, where=[True, False, True], out=a.copy()), np.array([1, 1, 5], "float32"))
    assert_same(cp.add.reduce([[1, 2], [3, 4]], axis=1), np.add.reduce([[1, 2], [3, 4]], axis=1))
    assert_same(cp.multiply.accumulate((1, 2, 3)), np.multiply.accumulate((1, 2, 3)))
    assert_same(cp.add.reduceat([1, 2, 3, 4], [0, 2]), np.add.reduceat([1, 2, 3, 4], [0, 2]))
    assert_same(cp.subtract.outer([1, 2], [3, 4, 5]), np.subtract.outer([1, 2], [3, 4, 5]))
    assert_same(cp.subtract.outer(a, [3, 4]), np.subtract.outer(n, [3, 4]))
    assert_same(cp.divmod([7, 8], 3)[0], np.divmod([7, 8], 3)[0])
    with pytest.raises(TypeError, match=r"cuprum\.sin: no dtype"):
        cp.sin(["text"])


# -- The object -------------------------------------------------------------------------------------------


MIXED = {"qQ->?", "Qq->?"}  # NumPy's comparisons of int64 with uint64; here they are made of other loops


@pytest.mark.parametrize("name", UFUNCS)
def test_attributes(name):
    own, numpys = getattr(cp, name), getattr(np, name)
    assert isinstance(numpys, np.ufunc)
    for attribute in ("nin", "nout", "nargs", "signature", "__name__"):
        assert getattr(own, attribute) == getattr(numpys, attribute)
    assert own.identity == numpys.identity or name in ("hypot", "gcd")
    assert own.ntypes == len(own.types)
    ours = [t for t in own.types if "E" not in t]
    assert ours == [t for t in dict.fromkeys(numpys.types) if t in ours]
    assert name in ("ldexp",) or len(ours) == len(
        {t for t in numpys.types if not set(t) & set("gGmMO")} - MIXED
    )
    assert repr(own) == repr(numpys)
    assert own.__doc__.startswith(name + "(x")
    assert list(inspect.signature(own).parameters)[:1] in (["x"], ["x1"])
    assert pickle.loads(pickle.dumps(own)) is own


def test_class_cannot_be_made():
    with pytest.raises(TypeError):
        cp.ufunc()


def test_numpy_functions_run_cuprums():
    x = np.arange(4.0)
    a = cp.asarray(x)
    assert_same(np.sin(a), np.sin(x))
    assert_same(np.add(a, 1, out=cp.zeros(4)), x + 1)
    assert_same(np.add.reduce(a), np.add.reduce(x))
    assert_same(np.float64(3) * a, 3 * x)
    with pytest.raises(TypeError, match="host memory"):
        np.add(x, a)
    with pytest.raises(TypeError, match="host memory"):
        x + a


LOSES = [
    "xp.add(c, c, out=f, casting='unsafe')",
    "xp.add(c, 1, out=i, casting='unsafe')",
    "xp.add(c, c, out=b, casting='unsafe')",
    "xp.absolute(c, out=f, casting='unsafe')",
    "xp.equal(c, c, out=i, casting='unsafe')",
    "xp.add(c, c, out=c, casting='unsafe')",
    "xp.concatenate([c, f], dtype='f4', casting='unsafe')",
    "xp.concatenate([c, c], out=xp.zeros(6), casting='unsafe')",
    "xp.stack([c, f], dtype='f8', casting='unsafe')",
    "xp.vstack([f, c], dtype='i4', casting='unsafe')",
    "xp.hstack([f, i], dtype='i4', casting='unsafe')",
]


@pytest.mark.parametrize("source", LOSES)
def test_lost_imaginary_parts_are_told(source):
    told = []
    for module in (np, cp):
        scope = {"xp": module, "c": module.ones(3, "c8"), "f": module.ones(3), "i": module.ones(3, "i4")}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            eval(source, {**scope, "b": module.ones(3, bool)})
        told.append([w.category for w in caught])
    assert told[0] == told[1]


@pytest.mark.parametrize("char", "efd")
def test_powers_that_are_roots(char):
    """The number 0.5 as exponent: a root of float32 and float64, for the ufunc and for the operator alike."""
    x = np.array([-np.inf, -0.0, 4, -4, 0, np.inf], char)
    for power in (
        lambda xp, v: xp.power(v, 0.5),
        lambda xp, v: xp.power(v, np.float32(0.5)),
        lambda xp, v: xp.power(v, 0.5, out=xp.zeros(6, char)),
        lambda xp, v: xp.power(v, 0.5, out=xp.zeros(6), where=v > -1),
        lambda xp, v: xp.power(v, xp.full(6, 0.5, char)),
        lambda xp, v: xp.power(v[0], 0.5),
        lambda xp, v: xp.power(xp.array([4, 9]), 0.5),
        lambda xp, v: v**0.5,
        lambda xp, v: v[0] ** 0.5,
    ):
        want, got = power(np, x), power(cp, cp.asarray(x)).get()
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)
        numbers = ~np.isnan(want)
        assert np.array_equal(np.signbit(got)[numbers], np.signbit(want)[numbers])


@pytest.mark.parametrize(
    "exponent", [2**31, 2**31 - 1, -(2**31) - 1, 2**40, 2**70, -3, True, np.int64(2**31), 1.5]
)
def test_exponents_of_ldexp(exponent):
    for x in (np.ones(2), np.ones(2, "f4"), np.float32(1), 1.5):
        if exponent != 2**70 or not isinstance(x, float):
            assert_same_outcome(lambda xp: xp.ldexp(on(xp, x), exponent))


@pytest.mark.parametrize("casting", ["no", "safe", "same_kind", "unsafe"])
def test_casting_of_numbers_alone(casting):
    """A Python number is int64, float64 or complex128 for a ufunc of one argument."""
    for name in (
        "sin",
        "absolute",
        "negative",
        "square",
        "invert",
        "isnan",
        "logical_not",
        "floor",
        "sign",
        "fabs",
    ):
        for number in (1, 1.5, 1j, True, 300, -1):
            for kind in (None, "f4", "f8", "i1", "u1", "c8"):
                keywords = {"casting": casting, **({"dtype": kind} if kind else {})}
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    assert_same_outcome(lambda xp: getattr(xp, name)(number, **keywords))
    assert_same_outcome(lambda xp: xp.modf(1.5, dtype="f4", casting=casting)[0])
