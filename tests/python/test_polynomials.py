"""Polynomials: arithmetic, values, roots and fits, against NumPy."""

import operator
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression
from strategies import assert_same

small = st.lists(st.integers(-5, 5), min_size=1, max_size=7)
dtypes = st.sampled_from([np.dtype(t) for t in "bBilfdFD"])


def close(got, want, rtol=1e-9):
    got = got.get()
    assert got.dtype == np.asarray(want).dtype and got.shape == np.shape(want)
    np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol)


@given(small, small, dtypes, dtypes, st.sampled_from(["polyadd", "polysub", "polymul"]))
def test_arithmetic_of_coefficients(a, b, s, t, name):
    check_expression(f"xp.{name}(a, b)", a=np.array(a).astype(s), b=np.array(b).astype(t))


@given(small, small, st.sampled_from("ldD"))
def test_division(a, b, dtype):
    a, b = np.array(a).astype(dtype), np.array(b).astype(dtype)
    if b[0] == 0:
        b[0] = 2
    for got, want in zip(cp.polydiv(cp.asarray(a), cp.asarray(b)), np.polydiv(a, b)):
        close(got, want)


@given(small, st.integers(0, 3), dtypes)
def test_derivative_and_integral(p, m, dtype):
    p = np.array(p).astype(dtype)
    check_expression(f"xp.polyder(p, {m})", p=p)
    check_expression(f"xp.polyint(p, {m})", p=p)
    check_expression(f"xp.polyint(p, {m}, 2.0)", p=p)


@pytest.mark.parametrize("call", ["polyder(p, -1)", "polyint(p, -1)", "polyint(p, 3, [1, 2])"])
def test_orders_that_mean_nothing(call):
    check_expression(f"xp.{call}", p=np.arange(4.0))


@given(small, st.sampled_from([(), (0,), (4,), (2, 3)]), dtypes, dtypes)
def test_values(p, shape, s, t):
    x = (np.arange(np.prod(shape, dtype=int)) % 5).reshape(shape).astype(t)
    check_expression("xp.polyval(p, x)", p=np.array(p).astype(s), x=x, zeros=False)


def test_values_are_fused():
    x = cp.linspace(0, 1, 100)
    p = cp.asarray([1.0, 2, 3, 4])
    cp.evaluate(x, p)
    kernels = re.search(r"nodes, (\d+) kernel", cp.show_graph(cp.polyval(p, x)).text)
    assert int(kernels[1]) <= 2  # on a device the coefficients may be gathered by one of their own


def pairs(a, variable=None):
    return np.poly1d(a, variable=variable), cp.poly1d(cp.asarray(a), variable=variable)


def same(got, want):
    assert isinstance(got, cp.poly1d) and got.variable == want.variable
    assert_same(got.coeffs, want.coeffs, zeros=False)  # convolve adds from +0


@given(small, small, dtypes, st.sampled_from([operator.add, operator.sub, operator.mul]))
def test_arithmetic_of_polynomials(a, b, dtype, op):
    (p, own_p), (q, own_q) = pairs(np.array(a).astype(dtype)), pairs(np.array(b).astype(dtype))
    same(op(own_p, own_q), op(p, q))
    same(op(own_p, 3), op(p, 3))
    same(op(3, own_q), op(3, q))
    assert (own_p == own_q) == (p == q) and (own_p != own_q) == (p != q)


@given(small, st.integers(0, 4))
def test_powers_composition_and_signs(a, n):
    p, own = pairs(np.array(a))
    same(own**n, p**n)
    same(-own, -p)
    same(+own, +p)
    same(own(own), p(p))
    same(own.deriv(), p.deriv())
    same(own.integ(2, 1), p.integ(2, 1))
    same(own / 2, p / 2)
    for got, want in zip(own / cp.poly1d([1.0, 2.0]), p / np.poly1d([1.0, 2.0])):
        same(got, want)


def test_polynomials_print_and_travel():
    p, own = pairs(np.array([0.0, 1.5, 0.0, -2.0]), "z")
    assert repr(own) == repr(p) and str(own) == str(p)
    assert own.order == own.o == len(own) == 2
    assert own.get() == p and own.get().variable == "z"
    other = cp.poly1d([1])
    other.set(p)
    same(other, p)
    same(cp.poly1d(p), p)
    same(cp.poly1d(own, variable="t"), np.poly1d(p, variable="t"))
    assert [float(c) for c in own] == [float(c) for c in p]
    with pytest.raises(TypeError, match=r"cp\.poly1d"):
        own.set([1, 2])
    with cp.transfer_guard("allow"):
        assert np.asarray(own).tolist() == np.asarray(p).tolist()


def test_coefficients_are_read_and_written_by_power():
    p, own = pairs(np.array([3, 2, 1]))
    for power in (-1, 0, 1, 2, 3):
        assert own[power] == p[power]
    for power, value in ((0, 7), (2, 5), (4, 9)):
        p[power], own[power] = value, value
        same(own, p)
    with pytest.raises(ValueError, match="negative powers"):
        own[-1] = 1
    own.coeffs[0] = 4
    assert own[own.order] == 4
    with pytest.raises(AttributeError):
        own.coeffs = cp.ones(2)


@pytest.mark.parametrize("power", [-1, 2.5, [1, 2]])
def test_powers_that_mean_nothing(power):
    with pytest.raises(ValueError, match="non-negative integers"):
        cp.poly1d([1, 2]) ** power


def test_matrices_are_no_polynomials():
    with pytest.raises(ValueError, match="1d only"):
        cp.poly1d(cp.ones((2, 2)))


@pytest.mark.parametrize("zeros", [[1, 2, 3], [1.5], [], [1j, -1j], [1j, 2.0], [[2.0, 1], [1, 3]]])
def test_poly(zeros):
    got, want = cp.poly(zeros), np.poly(zeros)
    if isinstance(want, float):
        assert got == want
    else:
        close(got, want)


def test_poly_of_what_has_no_zeros():
    for a in (np.ones((2, 3)), np.ones((2, 2, 2)), np.ones((0, 0))):
        check_expression("xp.poly(a)", a=a)


@given(st.lists(st.sampled_from([-3.0, -1.0, 0.0, 2.0, 5.0]), max_size=4, unique=True))
def test_roots(zeros):
    p = np.poly(zeros) * 2 if zeros else np.array([2.0])
    np.testing.assert_allclose(np.sort_complex(cp.roots(cp.asarray(p)).get()), np.sort_complex(np.roots(p)))
    np.testing.assert_array_equal(cp.roots(cp.poly1d(p)).get(), cp.roots(cp.asarray(p)).get())
    assert_same(cp.poly1d(zeros, r=True).coeffs, np.poly1d(zeros, r=True).coeffs, zeros=False)


def test_roots_of_what_is_no_vector():
    check_expression("xp.roots(p)", p=np.ones((2, 2)))
    with pytest.raises(TypeError, match="vector"):
        cp.roots(cp.array(3.0))


rng = np.random.default_rng(3)


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D", "i"])
@pytest.mark.parametrize("deg, columns", [(0, None), (1, None), (3, 2), (5, None)])
@pytest.mark.parametrize("weighted", [False, True])
def test_polyfit(dtype, deg, columns, weighted):
    x = (rng.random(40) * 4 - 2).astype(dtype if dtype in "fdi" else "d")
    y = (rng.random((40, columns) if columns else 40) * 5).astype(dtype)
    w = rng.random(40) + 0.5 if weighted else None
    if len(np.unique(x)) <= deg:
        x = np.arange(40, dtype=dtype)
    own = [cp.asarray(x), cp.asarray(y), deg]
    own_w = None if w is None else cp.asarray(w)
    if weighted and dtype in "f":
        w, own_w = w.astype("f"), own_w.astype("f")
    tolerance = 1e-4 if dtype in "fF" else 1e-8
    close(cp.polyfit(*own, w=own_w), np.polyfit(x, y, deg, w=w), tolerance)
    got, want = cp.polyfit(*own, w=own_w, full=True), np.polyfit(x, y, deg, w=w, full=True)
    close(got[1], want[1], tolerance)
    assert (got[2], got[4]) == (want[2], want[4])
    close(got[3], want[3], tolerance)
    for cov in (True, "unscaled"):
        for g, v in zip(cp.polyfit(*own, w=own_w, cov=cov), np.polyfit(x, y, deg, w=w, cov=cov)):
            close(g, v, tolerance)


def test_polyfit_of_too_few_points_warns():
    with pytest.warns(np.exceptions.RankWarning):
        got = cp.polyfit(cp.array([1.0, 2.0]), cp.array([1.0, 4.0]), 3)
    with pytest.warns(np.exceptions.RankWarning):
        close(got, np.polyfit([1.0, 2.0], [1.0, 4.0], 3))


@pytest.mark.parametrize(
    "call",
    ["polyfit(x, x, -1)", "polyfit(x[:, None], x, 1)", "polyfit(x[:0], x[:0], 1)", "polyfit(x, x[:3], 1)",
     "polyfit(x, x[:, None, None], 1)", "polyfit(x, x, 1, w=x[:2])", "polyfit(x, x, 1, w=x[:, None])",
     "polyfit(x, x.astype('e'), 1)", "polyfit(x, x, 4, cov=True)"],
)  # fmt: skip
def test_polyfit_refuses(call):
    check_expression(f"xp.{call}", x=np.arange(5.0))


series = "xp.polynomial.polynomial"
utilities = "xp.polynomial.polyutils"


@given(small, st.sampled_from([(), (3,), (2, 2)]), dtypes, dtypes, st.booleans())
def test_series_values(c, shape, s, t, tensor):
    x = (np.arange(np.prod(shape, dtype=int)) % 4).reshape(shape).astype(t)
    c = np.array(c).astype(s)
    check_expression(f"{series}.polyval(x, c, tensor={tensor})", c=c, x=x, zeros=False)
    check_expression(f"{series}.polyvalfromroots(x, c, tensor={tensor})", c=c, x=x, zeros=False)


@given(small, st.integers(0, 4), st.sampled_from("bifdD"))
def test_series_matrices(c, deg, dtype):
    c = np.array(c).astype(dtype)
    check_expression(f"{series}.polyvander(c, {deg})", c=c, ulps=2, zeros=False)
    check_expression(f"{series}.polycompanion(c)", c=c, zeros=False)
    check_expression(f"{series}.polyvander(c, -1)", c=c)


@given(small, dtypes, st.booleans())
def test_series_are_trimmed(c, dtype, trim):
    c = np.array(c).astype(dtype)
    check_expression(f"{utilities}.trimseq(c)", c=c)
    check_expression(f"{utilities}.as_series([c, c[:2]], trim={trim})", c=c)
    check_expression(f"{utilities}.trimcoef(c, 2)", c=c, zeros=False)


def test_series_refuse():
    check_expression(f"{utilities}.as_series([c[:0]])", c=np.ones(2))
    check_expression(f"{utilities}.as_series([c[None]])", c=np.ones(2))
    check_expression(f"{utilities}.as_series([c])", c=np.ones(2, bool))
    check_expression(f"{utilities}.trimcoef(c, -1)", c=np.ones(2))


def test_orders_far_beyond_the_degree():
    p = [3, 2, 1]
    for m in (3, 4, 100, 2**31):
        got = cp.polyder(cp.array(p), m)
        assert got.shape == (0,) and got.dtype == np.polyder(np.array(p), 3).dtype
    with pytest.raises(ValueError, match=r"cuprum\.polyint: an order of 2147483648; at most 1000"):
        cp.polyint(cp.array(p), 2**31)
