"""The six classes of cuprum.polynomial beside NumPy's."""

import copy
import inspect
import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from polynomial_families import CLASSES, FAMILIES, ORTHOGONAL, check_close, classes

families = st.sampled_from(FAMILIES)
coefficients = st.lists(st.integers(-8, 8), min_size=1, max_size=6)


def same(got, want, eps_multiple=0):
    """A series with the coefficients, intervals and symbol of one of NumPy's."""
    assert type(got).__name__ == type(want).__name__
    for name in ("domain", "window"):
        check_close(getattr(got, name), getattr(want, name))
    assert got.symbol == want.symbol
    check_close(got.coef, want.coef, eps_multiple, np.abs(want.coef).max() + 1)


def pair(family, c, *args, **kwargs):
    ours, numpys = classes(family)
    return ours(c, *args, **kwargs), numpys(c, *args, **kwargs)


@pytest.mark.parametrize("family", FAMILIES)
def test_members_and_signatures_are_numpys(family):
    ours, numpys = classes(family)
    names = {name for name in dir(numpys) if not name.startswith("_")}
    assert names <= set(dir(ours)) and {n for n in dir(ours) if n[0] != "_"} - names == {"get"}
    for name in names:
        if callable(getattr(numpys, name)):
            got, want = inspect.signature(getattr(ours, name)), inspect.signature(getattr(numpys, name))
            assert got == want, name
            assert getattr(ours, name).__doc__
    check_close(ours.domain, numpys.domain)
    check_close(ours.window, numpys.window)
    assert ours.basis_name == numpys.basis_name and ours.maxpower == numpys.maxpower


@given(families, coefficients, coefficients)
def test_arithmetic(family, a, b):
    p, want_p = pair(family, a, domain=[0, 3])
    q, want_q = pair(family, b, domain=[0, 3])
    for op in (operator.add, operator.sub, operator.mul):
        same(op(p, q), op(want_p, want_q), 16)
        same(op(p, b), op(want_p, b), 16)
        same(op(b, p), op(want_p.__class__(b, [0, 3]), want_p), 16)
        same(op(cp.asarray(b), p), op(np.asarray(b), want_p), 16)
        same(op(2, p), op(2, want_p), 16)
    same(-p, -want_p)
    assert +p is p
    same(p**2, want_p**2, 16)
    same(p / 2, want_p / 2)
    same(p / cp.asarray(2.0), want_p / 2)


@given(families, coefficients, coefficients)
def test_division(family, a, b):
    p, want_p = pair(family, a)
    q, want_q = pair(family, [*b, 1])
    quotient, remainder = divmod(p, q)
    assert len(quotient) == len(divmod(want_p, want_q)[0])
    assert p // q == quotient and p % q == remainder
    assert (q.coef.tolist() // p) == (q // p) if any(a) else True
    scale = max(1.0, *(float(abs(s.coef).max()) for s in (quotient, remainder)))
    rest = quotient * q + remainder - p
    assert float(abs(rest.coef).max()) <= 1e-12 * scale * 10 ** len(b)
    with pytest.raises(ZeroDivisionError, match="divisor is zero"):
        divmod(p, [0])


@pytest.mark.parametrize("family", FAMILIES)
def test_operands_that_do_not_match(family):
    p, _ = pair(family, [1, 2, 3])
    others = [classes("poly" if family != "poly" else "leg")[0]([1]), type(p)([1], domain=[0, 9]),
              type(p)([1], window=[0, 9])]  # fmt: skip
    for op in (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, divmod):
        for other in others:
            with pytest.raises(TypeError, match="differ"):
                op(p, other)
        with pytest.raises(ValueError, match="symbols differ"):
            op(p, type(p)([1], symbol="t"))
        with pytest.raises(TypeError):
            op(p, "text")
        with pytest.raises(TypeError, match=r"cp\.asarray"):
            op(p, np.ones(2))
        with pytest.raises(TypeError, match=r"cp\.polynomial"):
            op(p, classes(family)[1]([1, 2]))
    for other in (p, [1, 2], True, cp.ones(2)):
        with pytest.raises(TypeError):
            p / other
    with pytest.raises(TypeError):
        2 / p
    with pytest.raises(TypeError, match="does not support ufuncs"):
        cp.add(p, cp.ones(3))
    with pytest.raises(TypeError):
        np.add(p, 1)


@given(families, coefficients)
def test_values(family, c):
    p, want = pair(family, c, domain=[0, 4], window=[-1, 2])
    x = np.linspace(-1, 5, 7)
    scale = 1e4
    check_close(p(cp.asarray(x)), want(x), 16, scale)
    check_close(p([1.0, 2.0]), want([1.0, 2.0]), 16, scale)
    check_close(p(2), want(2), 16, scale)
    assert len(p) == len(want) and [float(v) for v in p] == list(want)
    for got, expected in zip(p.linspace(5), want.linspace(5)):
        check_close(got, expected, 16, scale)
    for got, expected in zip(p.linspace(5, domain=[1, 2]), want.linspace(5, domain=[1, 2])):
        check_close(got, expected, 16, scale)
    assert p.mapparms() == want.mapparms() and p.degree() == want.degree()


@given(families, families, coefficients)
def test_conversions(family, other, c):
    p, want_p = pair(family, c, domain=[0, 2], symbol="z")
    (kind, want_kind) = classes(other)
    same(p.convert(kind=kind), want_p.convert(kind=want_kind), 64)
    same(p.convert(kind=kind, domain=[0, 1]), want_p.convert(kind=want_kind, domain=[0, 1]), 64)
    same(p.convert(), want_p.convert(), 64)
    same(p.convert(window=[0, 3]), want_p.convert(window=[0, 3]), 64)
    same(kind.cast(p), want_kind.cast(want_p), 64)


@given(families, families, coefficients, coefficients)
def test_composition(family, other, a, b):
    p, want_p = pair(family, a[:4])
    q, want_q = pair(other, b[:3], domain=[0, 2])
    got, want = p(q), want_p(want_q)
    x = np.linspace(0, 2, 5)
    assert type(got).__name__ == type(want).__name__
    scale = np.abs(want(x)).max() + np.abs(want.coef).max() * 100
    check_close(got(cp.asarray(x)), want(x), 100, scale)


@given(families, coefficients, st.integers(0, 3))
def test_calculus(family, c, m):
    p, want = pair(family, c, domain=[0, 4])
    same(p.deriv(m), want.deriv(m), 64)
    same(p.integ(m), want.integ(m), 64)
    same(p.integ(m, k=list(range(m)), lbnd=1), want.integ(m, k=list(range(m)), lbnd=1), 256)


@given(families, coefficients)
def test_parts(family, c):
    p, want = pair(family, [*c, 1e-9, 0], symbol="t")
    same(p.trim(), want.trim())
    same(p.trim(1e-6), want.trim(1e-6))
    same(p.truncate(2), want.truncate(2))
    same(p.truncate(99), want.truncate(99))
    same(p.cutdeg(1), want.cutdeg(1))
    same(p.copy(), want)
    assert p.copy() is not p and p.copy() == p
    for size in (0, 1.5):
        with pytest.raises(ValueError, match="size must be a positive integer"):
            p.truncate(size)


@pytest.mark.parametrize("family", FAMILIES)
def test_makers(family):
    ours, numpys = classes(family)
    same(ours.identity(), numpys.identity())
    same(ours.identity([1, 3], [0, 1], "t"), numpys.identity([1, 3], [0, 1], "t"), 4)
    same(ours.basis(3), numpys.basis(3))
    for roots in ([1, 2, 4], [0.5], [1j, -1j]):
        same(ours.fromroots(roots), numpys.fromroots(roots), 16)
        same(ours.fromroots(roots, domain=[0, 5]), numpys.fromroots(roots, domain=[0, 5]), 64)
    same(ours.fromroots([1, 2, 4], domain=None), numpys.fromroots([1, 2, 4], domain=None), 64)
    for deg in (-1, 1.5):
        with pytest.raises(ValueError, match="deg must be non-negative integer"):
            ours.basis(deg)


@pytest.mark.parametrize("family", FAMILIES)
def test_roots(family):
    p, want = pair(family, [1, -3, 1, 2], domain=[0, 4])
    np.testing.assert_allclose(p.roots().get(), want.roots(), rtol=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_fits(family):
    ours, numpys = classes(family)
    x = np.linspace(1, 4, 20)
    y = np.sin(x)
    own = cp.asarray(x), cp.asarray(y)
    same(ours.fit(*own, 3), numpys.fit(x, y, 3), 1e4)
    same(
        ours.fit(*own, [1, 3], domain=[0, 5], window=[0, 1]),
        numpys.fit(x, y, [1, 3], domain=[0, 5], window=[0, 1]),
        1e5,
    )
    same(ours.fit(*own, 3, domain=[], symbol="t"), numpys.fit(x, y, 3, domain=[], symbol="t"), 1e6)
    p, status = ours.fit(*own, 2, full=True, w=own[0])
    want, expected = numpys.fit(x, y, 2, full=True, w=x)
    same(p, want, 1e4)
    assert len(status) == 4 and int(status[1]) == expected[1]
    same(ours.fit(cp.ones(1), cp.ones(1), 0), numpys.fit(np.ones(1), np.ones(1), 0), 4)


def test_interpolation():
    ours, numpys = classes("cheb")
    got = ours.interpolate(lambda x, a: cp.exp(a * x), 6, domain=[0, 2], args=(0.5,))
    same(got, numpys.interpolate(lambda x, a: np.exp(a * x), 6, domain=[0, 2], args=(0.5,)), 16)
    same(ours.interpolate(cp.sin, 3), numpys.interpolate(np.sin, 3), 16)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("c", [[1], [1, -2.5, 3e10], [1j, 2, -3], np.array([1, 2, 3], "f"), [0, 0]])
def test_text(family, c):
    args = ([0, 2], [-1, 1], "t") if len(c) == 3 else ()
    own = cp.asarray(c) if isinstance(c, np.ndarray) else c
    got, want = classes(family)[0](own, *args), classes(family)[1](c, *args)
    for style in ("ascii", "unicode"):
        assert format(got, style) == format(want, style)
        cp.polynomial.set_default_printstyle(style)
        try:
            assert str(got) == str(want) and f"{got}"
        finally:
            cp.polynomial.set_default_printstyle("unicode")
    assert repr(got) == repr(want) and got._repr_latex_() == want._repr_latex_()
    assert repr(got.get()) == repr(want)
    with pytest.raises(ValueError, match="'ascii' and 'unicode'"):
        format(got, ".2f")
    with pytest.raises(ValueError, match="Unsupported"):
        cp.polynomial.set_default_printstyle("fancy")


@pytest.mark.parametrize("family", FAMILIES)
def test_comparison(family):
    cls = classes(family)[0]
    p = cls([1, 2, 3])
    assert p == cls([1, 2, 3]) and not operator.ne(p, cls([1, 2, 3]))
    other_class = classes("poly" if family != "poly" else "leg")[0]
    for other in (cls([1, 2]), cls([1, 2, 4]), cls([1, 2, 3], domain=[0, 9]), cls([1, 2, 3], window=[0, 9]),
                  cls([1, 2, 3], symbol="t"), 3, other_class([1, 2, 3])):  # fmt: skip
        assert p != other and not operator.eq(p, other)
    assert p.has_sametype(cls([1])) and not p.has_sametype([1])
    assert p.has_samecoef(cls([1, 2, 3])) and not p.has_samecoef(cls([1, 2]))
    assert p.has_samedomain(cls([1])) and not p.has_samedomain(cls([1], domain=[0, 9]))
    assert p.has_samewindow(cls([1])) and not p.has_samewindow(cls([1], window=[0, 9]))
    with pytest.raises(TypeError):
        hash(p)


@pytest.mark.parametrize("family", FAMILIES)
def test_copies_and_pickles(family):
    p = classes(family)[0]([1, 2, 3], domain=[0, 2], symbol="t")
    for other in (pickle.loads(pickle.dumps(p)), copy.copy(p), copy.deepcopy(p)):
        assert repr(other) == repr(p) and type(other) is type(p)
    function = cp.polynomial.polynomial.polyval
    assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize("family", FAMILIES)
def test_arguments_that_make_no_series(family):
    cls = classes(family)[0]
    with pytest.raises(ValueError, match="Domain has wrong number"):
        cls([1], domain=[1])
    with pytest.raises(ValueError, match="Window has wrong number"):
        cls([1], window=[1, 2, 3])
    with pytest.raises(ValueError, match="valid Python identifier"):
        cls([1], symbol="1x")
    with pytest.raises(TypeError, match="non-empty string"):
        cls([1], symbol=3)
    with pytest.raises(ValueError, match="empty"):
        cls([])
    with pytest.raises(TypeError, match=r"cp\.asarray"):
        cls(np.ones(2))


def test_intervals_are_set_not_written_to():
    p = cp.polynomial.Polynomial([0, 1])
    with pytest.raises(ValueError, match="read-only"):
        p.domain[0] = 5
    p.domain = cp.asarray([0.0, 2.0])
    p.window = [0, 1]
    assert float(p(2.0)) == 1.0
    assert cp.polynomial.Polynomial.domain.tolist() == [-1, 1]


def test_derived_classes():
    class Mine(cp.polynomial.Chebyshev):
        domain = (0, 10)
        basis_name = "C"

    p = Mine([1, 2])
    assert p.domain.tolist() == [0, 10] and p.window.tolist() == [-1, 1] and Mine.domain.tolist() == [0, 10]
    assert type(p + 1) is Mine and type(p.deriv()) is Mine and float(p(10.0)) == 3.0
    assert str(p).startswith("1.0 + 2.0·C₁(") and repr(p).startswith("Mine([1., 2.]")
    assert cp.polynomial.Chebyshev.domain.tolist() == [-1, 1]


@pytest.mark.parametrize("family", ORTHOGONAL)
def test_a_series_computes_where_its_coefficients_are(family):
    cls = classes(family)[0]
    with cp.Device("far:1"):
        p = cls([1.0, 2.0, 3.0])
    here = cp.asarray([0.5])
    assert p.coef.device == cp.Device("far:1") != here.device
    for q in (p + 1, p * p, p.deriv(), p.convert(kind=cp.polynomial.Polynomial), p**2):
        assert q.coef.device == p.coef.device
    assert p(0.5).device == p.coef.device and p.domain.device == p.coef.device
    with cp.Device("far:1"):
        assert cls.fromroots(cp.asarray([1.0, 2.0])).coef.device == p.coef.device


def test_classes_are_those_of_their_modules():
    for family, name in CLASSES.items():
        cls = classes(family)[0]
        assert cls.__module__ == f"cuprum.polynomial.{cls._family.module}" and cls.__name__ == name
