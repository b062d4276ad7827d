"""Reductions, scans and sorts over axes, dtypes and layouts against NumPy."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cuprum as cp
from strategies import COMPLEXES, FLOATS, INTEGERS, REALS, arrays, check, dtypes, shapes

EXACT = ["max", "min", "any", "all", "argmax", "argmin", "count_nonzero", "ptp"]
SUMS = ["sum", "prod", "mean", "var", "std", "nansum", "nanprod", "nanmean", "nanvar", "nanstd"]
NAN_EXACT = ["nanmax", "nanmin", "nanargmax", "nanargmin"]


@st.composite
def axes(draw, ndim, several=True):
    """None, one axis or several; sometimes one that does not exist."""
    kind = draw(st.integers(0, 9))
    if kind < 3:
        return None
    if kind == 3:
        return draw(st.sampled_from([ndim, -ndim - 1]))
    if several and kind < 6 and ndim:
        chosen = draw(st.lists(st.integers(0, ndim - 1), unique=True, max_size=ndim))
        return tuple(a - ndim if draw(st.booleans()) else a for a in chosen)
    return draw(st.integers(-ndim, ndim - 1)) if ndim else None


@pytest.mark.parametrize("name", EXACT + NAN_EXACT)
@given(data=st.data())
def test_exact(name, data):
    complexes = name in ("any", "all", "count_nonzero")
    dtype = data.draw(dtypes if complexes else st.sampled_from(REALS))
    a, b = data.draw(arrays(dtype))
    axis = data.draw(axes(a.ndim, several="arg" not in name))
    assume(not (name == "ptp" and dtype.kind == "f" and np.isinf(a).any()))
    check(lambda xp: getattr(xp, name), (a,), (b,), zeros=False, axis=axis, keepdims=data.draw(st.booleans()))


@pytest.mark.parametrize("name", SUMS)
@given(data=st.data())
def test_sums(name, data):
    """Integers and bools exactly; floats to the accuracy of a sum of their values."""
    dtype = data.draw(dtypes)
    a, b = data.draw(arrays(dtype, special=dtype.kind in "iub"))
    if dtype.kind in "iu" and name not in ("sum", "prod", "nansum", "nanprod"):
        assume(a.size == 0 or np.abs(a.astype(float)).max() < 2**40)
    kwargs = {"axis": data.draw(axes(a.ndim)), "keepdims": data.draw(st.booleans())}
    if name in ("var", "std", "nanvar", "nanstd"):
        kwargs["ddof"] = data.draw(st.integers(0, 2))
    exact = (dtype.kind in "iub" and "sum" in name) or ("prod" in name and dtype.kind in "iub")
    if exact:
        check(lambda xp: getattr(xp, name), (a,), (b,), **kwargs)
    else:
        compare_sums(name, a, b, kwargs)


def compare_sums(name, a, b, kwargs):
    """Against the sum in double precision, as far as the dtype's own precision goes."""
    from strategies import quiet, same_exception

    want, want_error = quiet(getattr(np, name), a, **kwargs)
    got, got_error = quiet(getattr(cp, name), b, **kwargs)
    if want_error is not None:
        assert got_error is not None and same_exception(got_error, want_error), (got_error, want_error)
        return
    if got_error is not None:
        raise got_error
    want = np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape
    got = cp.asnumpy(got)
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    scale = float(np.abs(a.astype(np.complex128)).max()) if a.size else 1.0
    n = max(a.size, 1)
    power = 2 if "var" in name else 1
    eps = float(np.finfo(want.dtype).eps)
    if "prod" in name:
        # Products of float16 overflow and vanish on the way; what is nearer to the true one is right too.
        with np.errstate(all="ignore"):
            true = np.asarray(getattr(np, name)(a.astype(wide), **kwargs)).astype(want.dtype)
        tolerances = {"rtol": 20 * n * eps, "atol": float(np.finfo(want.dtype).tiny) * n, "equal_nan": True}
        near = [np.isclose(got.astype(wide), x.astype(wide), **tolerances) for x in (want, true)]
        assert np.all(near[0] | near[1]), (got, want, true)
        return
    bound = eps * n * max(scale, 1e-30) ** power * 4
    if "std" in name:
        bound = max(bound, (eps * n) ** 0.5 * scale * 0.1)
    np.testing.assert_allclose(got.astype(wide), want.astype(wide), rtol=8 * eps, atol=bound)


@pytest.mark.parametrize("name", ["sum", "max", "min", "prod", "any", "all", "mean"])
@given(data=st.data())
def test_where_and_initial(name, data):
    dtype = data.draw(st.sampled_from(INTEGERS))
    a, b = data.draw(arrays(dtype, special=False))
    mask = data.draw(arrays(np.dtype("?"), a.shape))
    kwargs = {"axis": data.draw(axes(a.ndim))}
    if name not in ("any", "all", "mean"):
        kwargs["initial"] = data.draw(st.integers(0, 5))
    functions = [
        lambda x, m=m, xp=xp: getattr(xp, name)(x, where=m, **kwargs)
        for xp, m in ((np, mask[0]), (cp, mask[1]))
    ]
    check(None, (a,), (b,), 2 if name == "mean" else 0, xp_functions=functions)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "cumulative_sum"])
@given(data=st.data())
def test_scans(name, data):
    dtype = data.draw(st.sampled_from([*INTEGERS, np.dtype("?")]))
    a, b = data.draw(arrays(dtype, shape=shapes(3, 6)))
    check(lambda xp: getattr(xp, name), (a,), (b,), axis=data.draw(axes(a.ndim, several=False)))


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "nancumprod"])
@given(data=st.data())
def test_scans_of_floats(name, data):
    a, b = data.draw(arrays(st.sampled_from([*FLOATS[1:], *COMPLEXES]), shape=shapes(2, 6), special=False))
    axis = data.draw(axes(a.ndim, several=False))
    check(lambda xp: getattr(xp, name), (a,), (b,), 2000, zeros=False, axis=axis)


@given(data=st.data())
def test_sort(data):
    a, b = data.draw(arrays())
    axis = data.draw(axes(a.ndim, several=False))
    check(lambda xp: xp.sort, (a,), (b,), zeros=False, axis=axis)
    check(lambda xp: xp.argsort, (a,), (b,), axis=axis, kind="stable")


@given(data=st.data())
def test_sort_in_place(data):
    a, b = data.draw(arrays())
    axis = data.draw(st.integers(-a.ndim, a.ndim)) if a.ndim else -1
    function = lambda x: x.sort(axis=axis) or x
    check(None, (a,), (b,), zeros=False, xp_functions=(function, function))


@given(data=st.data())
def test_unique_and_searchsorted(data):
    a, b = data.draw(arrays(st.sampled_from(REALS)))
    check(lambda xp: xp.unique, (a,), (b,), zeros=False)
    check(
        lambda xp: xp.unique,
        (a,),
        (b,),
        zeros=False,
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    values = data.draw(arrays(a.dtype))
    side = data.draw(st.sampled_from(["left", "right"]))
    functions = [lambda x, v, xp=xp: xp.searchsorted(xp.sort(x, axis=None), v, side) for xp in (np, cp)]
    check(None, (a, values[0]), (b, values[1]), xp_functions=functions)


@given(data=st.data())
def test_layout_does_not_matter_to_integers_nor_change_floats_much(data):
    """The order of a float sum follows the layout: the same values give nearly the same sum."""
    a, b = data.draw(arrays(np.dtype("d"), special=False))
    whole = float(cp.ascontiguousarray(b).sum()) if a.size else 0.0
    assert abs(float(b.sum()) - whole) <= 1e-12 * max(1.0, float(np.abs(a).sum()))


FOLDS = sorted(
    name
    for name, u in vars(np).items()
    if isinstance(u, np.ufunc) and u.__name__ == name and u.nin == 2 and u.nout == 1 and not u.signature
    if name not in ("ldexp", "vecdot", "matmul") and hasattr(cp, name)
)
SMALL = [np.dtype(c) for c in "?bBhHiIqQefdFD"]


def in_steps(ufunc, x, result, where, axis, keepdims, initial=None):
    """One call per element: NumPy's vector loops of these functions go wrong in its reductions (2.4)."""
    axis = x.ndim - 1 if axis is None else axis[0] if isinstance(axis, tuple) and axis else axis
    if axis == () or x.ndim == 0:
        steps, total = [(x, where)], np.broadcast_to(x.dtype.type(initial or 0), x.shape)
    else:
        mask = np.broadcast_to(True if where is None else where, x.shape)
        steps = list(zip(np.moveaxis(x, axis, 0), np.moveaxis(mask, axis, 0)))
        total = np.full(np.delete(x.shape, axis), initial or 0, x.dtype)
    for i, (step, counts) in enumerate(steps):
        start = i == 0 and initial is None
        counts = True if counts is None else counts  # what does not count may be no operand
        fresh = step if start else ufunc(total, step, where=counts, out=np.array(total))
        total = np.where(counts, fresh, total)
    return total.reshape(np.shape(result)).astype(x.dtype)


@pytest.mark.parametrize("name", FOLDS)
@given(data=st.data())
def test_folds(name, data):
    """ufunc.reduce over axes, masks, initial values, keepdims and out. Elements that a mask leaves out take no part at
    all: for most operations there is nothing neutral that could stand for them."""
    loops = [np.dtype(t[0]) for t in getattr(np, name).types if t[0] == t[1] == t[-1]]  # nothing is cast
    dtype = data.draw(st.sampled_from([t for t in SMALL if t in loops]))
    shape = data.draw(st.lists(st.integers(0, 4), max_size=3))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    a = rng.integers(0 if dtype.kind in "bu" else -3, 5, shape).astype(dtype)
    if dtype.kind == "c":
        a = (a + 1j * rng.integers(-2, 3, shape)).astype(dtype)
    kwargs = {"axis": data.draw(axes(a.ndim)), "keepdims": data.draw(st.booleans())}
    if data.draw(st.booleans()):
        kwargs["initial"] = data.draw(st.sampled_from([0, 1, 3, None]))
    mask = data.draw(st.sampled_from([None, shape, shape[-1:], shape[:-1] + [1] if shape else []]))
    if mask is not None:
        mask = rng.random(mask) < data.draw(st.sampled_from([0.0, 0.5, 0.5, 1.0]))
    out = data.draw(st.booleans())

    def fold(xp):
        def call(x):
            extra = {} if mask is None else {"where": xp.asarray(mask)}
            result = getattr(xp, name).reduce(x, **kwargs, **extra)
            if xp is np and name in ("arctan2", "power", "float_power"):
                result = in_steps(getattr(np, name), x, result, mask, **kwargs)
            elif out and result.size:
                extra["out"] = xp.zeros(result.shape, result.dtype)
                result = getattr(xp, name).reduce(x, **kwargs, **extra)
            return result

        return call

    check(fold, (a,), (cp.asarray(a),), ulps=64, zeros=False)
