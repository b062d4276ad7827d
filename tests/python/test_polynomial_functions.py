"""The functions of cuprum.polynomial against NumPy's, all six families.

Most give NumPy's very bits, since they compute in its order. Where they do not, the bound is in eps of the largest
element of the result (or of what was added up), and says how many roundings differ.
"""

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from polynomial_families import (
    FAMILIES,
    MODULES,
    ORTHOGONAL,
    check,
    check_close,
    functions,
    modules,
    on_device,
)

families = st.sampled_from(FAMILIES)
orthogonal = st.sampled_from(ORTHOGONAL)
dtypes = st.sampled_from([np.dtype(t) for t in "bHlefdFD"])
exact_dtypes = st.sampled_from([np.dtype(t) for t in "bHlfdFD"])
seeds = st.integers(0, 2**32 - 1)


def numbers(seed, shape, dtype=np.float64):
    rng = np.random.default_rng(seed)
    if dtype.kind in "iu":
        return rng.integers(0, 6, shape).astype(dtype)
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape)).astype(dtype) if dtype.kind == "c" else x.astype(dtype)


@st.composite
def series(draw, dtypes=dtypes, max_terms=8):
    """Coefficients; some end with zeros, which are trimmed."""
    c = numbers(draw(seeds), draw(st.integers(1, max_terms)), draw(dtypes))
    if len(c) > 1 and draw(st.integers(0, 3)) == 0:
        c[-draw(st.integers(1, len(c) - 1)) :] = 0
    return c


@pytest.mark.parametrize("family", FAMILIES)
def test_names_and_signatures_are_numpys(family):
    ours, numpys = modules(family)
    assert set(ours.__all__) == set(numpys.__all__) | {f"{family}valnd"}  # NumPy's since 2.5
    for name in numpys.__all__:
        if inspect.isfunction(getattr(numpys, name)):
            assert inspect.signature(getattr(ours, name)) == inspect.signature(getattr(numpys, name)), name
            assert getattr(ours, name).__name__ == name
            assert "{" not in getattr(ours, name).__doc__


def test_utilities_and_package_have_numpys_names():
    assert set(cp.polynomial.__all__) == set(np.polynomial.__all__) | {"polyutils"}
    assert set(cp.polynomial.polyutils.__all__) == set(np.polynomial.polyutils.__all__)


@pytest.mark.parametrize("family", FAMILIES)
def test_constants(family):
    ours, numpys = modules(family)
    for name in ("zero", "one", "x", "domain"):
        got, want = getattr(ours, family + name), getattr(numpys, family + name)
        assert isinstance(got, cp.ndarray)
        check_close(got, want)
    with pytest.raises(AttributeError, match=f"{family}nothing"):
        getattr(ours, f"{family}nothing")


@given(families, series(), series())
def test_sums(family, a, b):
    check(family, "add", a, b)
    check(family, "sub", a, b)


@given(families, series())
def test_product_with_x(family, c):
    check(family, "mulx", c)


@given(families, series(), series())
def test_products(family, a, b):
    # convolutions of powers and Chebyshev series add up in another order; the others in NumPy's
    a, b = product_operands(a, b)
    check(
        family,
        "mul",
        a,
        b,
        eps_multiple=4 if family in ("poly", "cheb") else 0,
        scale=1e4 * largest(a) * largest(b),
    )


def largest(c):
    return np.abs(c.astype(complex)).max()


def product_operands(*given):
    """NumPy's products of narrow dtypes are float64 where a factor has but one term; ours keep the dtype."""
    if min(map(length, given)) > 1:
        return given
    return [c.astype(np.promote_types(c.dtype, float)) for c in given]


def length(c):
    return max(len(np.trim_zeros(c, "b")), 1)


@pytest.mark.parametrize("family", FAMILIES)
def test_products_keep_their_dtype(family):
    for n in (1, 2):
        assert functions(family, "mul")[0](cp.ones(n, "f"), cp.ones(3, "f")).dtype == np.float32


@given(families, series(exact_dtypes, 4), st.integers(0, 4))
def test_powers(family, c, power):
    [c] = product_operands(c)
    scale = (8 * len(c) * largest(c)) ** power
    check(family, "pow", c, power, eps_multiple=8 if family in ("poly", "cheb") else 0, scale=scale)


@given(families, series(exact_dtypes, 4), st.sampled_from([-1, 1.5, 17]))
def test_powers_that_mean_nothing(family, c, power):
    check(family, "pow", c, power, maxpower=16)


@given(families, series(st.just(np.dtype("d"))), series(st.just(np.dtype("d")), 4))
def test_division(family, a, b):
    ours, numpys = functions(family, "div")
    b = np.append(b, 1.0)
    quotient, remainder = ours(cp.asarray(a), cp.asarray(b))
    assert len(quotient) == len(numpys(a, b)[0])
    # a = q b + r, to a few roundings of what is added up
    product, total = functions(family, "mul")[1], functions(family, "add")[1]
    parts = product(quotient.get(), b)
    rest = functions(family, "sub")[1](total(parts, remainder.get()), a)
    scale = max(largest(parts), largest(a), largest(quotient.get()) * largest(b))
    assert largest(rest) <= 200 * np.finfo(float).eps * scale
    assert len(remainder) < max(len(np.trim_zeros(b, "b")), 2)


@pytest.mark.parametrize("family", FAMILIES)
def test_exact_division_and_division_by_zero(family):
    check(family, "div", np.array([1.0, 2.0, 3.0]), [0])
    check(family, "div", np.array([1.0, 2.0]), [0, 0, 2.0])
    check(family, "div", np.array([1.0, 2.0, 4.0]), [4])
    for i in range(5):
        for j in range(5):
            check(
                family, "div", np.eye(i + j + 1)[i] + np.eye(i + j + 1)[j], [0.0] * i + [1.0], eps_multiple=4
            )


@given(families, series(), st.integers(0, 3), st.sampled_from([1, 2, 0.5]))
def test_derivatives(family, c, m, scl):
    # Chebyshev: NumPy divides where we add; as many roundings as there are terms
    scale = 100 * len(c) * largest(np.append(c, 1))
    check(family, "der", c, m, scl, eps_multiple=16 if family == "cheb" else 0, scale=scale)


@given(
    families,
    series(),
    st.integers(0, 3),
    st.sampled_from([[], 2, [1.0], [1, 2]]),
    st.sampled_from([0, -1, 0.5]),
)
def test_integrals(family, c, m, k, lbnd):
    # Laguerre: the constant is added up in another order
    scale = 8 * len(c) * largest(np.append(c, 1))
    check(family, "int", c, m, k, lbnd, 2.0, eps_multiple=8 if family == "lag" else 0, scale=scale)


@given(families, seeds, st.sampled_from([(4, 3), (2, 3, 5), (1, 2)]), st.integers(-1, 1))
def test_calculus_along_an_axis(family, seed, shape, axis):
    c = numbers(seed, shape, np.dtype("d"))
    for name in ("der", "int"):
        check(family, name, c, 1, axis=axis, eps_multiple=64)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("name", "args", "kwargs"),
    [("der", (0.5,), {}), ("der", (-1,), {}), ("int", (0.5,), {}), ("int", (-1,), {}), ("int", (1, [1, 2]), {}),
     ("int", (), {"lbnd": [0]}), ("int", (), {"scl": [0]}), ("int", (), {"axis": 0.5}), ("der", (1,), {"axis": 0.5})],
)  # fmt: skip
def test_calculus_refuses(family, name, args, kwargs):
    check(family, name, np.array([1.0, 2.0]), *args, **kwargs)


@pytest.mark.parametrize("family", FAMILIES)
def test_axis_out_of_bounds(family):
    for name in ("der", "int"):
        with pytest.raises(np.exceptions.AxisError):
            functions(family, name)[0](cp.ones(3), axis=1)


@pytest.mark.parametrize("family", FAMILIES)
def test_series_without_terms(family):
    for name, args in (("der", ()), ("int", ()), ("val", (cp.ones(2),))):
        with pytest.raises(
            ValueError, match=rf"cuprum\.polynomial\.\w+\.{family}{name}: Coefficient array is empty"
        ):
            functions(family, name)[0](*args, cp.ones(0))


shapes = st.sampled_from([(), (0,), (5,), (2, 3)])


def bound_of_value(family, x, c):
    """What Clenshaw's recurrence adds up."""
    c = np.abs(np.asarray(c, complex))
    rows = np.abs(functions(family, "vander")[1](np.asarray(x, complex), len(c) - 1))
    return rows.reshape(*np.shape(x), len(c)) @ c


@given(families, seeds, shapes, st.sampled_from("lfdFD"), series())
def test_values(family, seed, shape, dtype, c):
    x = numbers(seed, shape, np.dtype(dtype))
    scale = bound_of_value(family, x, c)  # Laguerre: a product with 1 / k for a division by k
    if c.dtype.char in "efF":  # sums of coefficients alone are of their dtype
        scale = scale * (np.finfo(c.dtype).eps / np.finfo(float).eps)
    check(family, "val", x, c, eps_multiple=16 if family == "lag" else 0, scale=scale)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("x", [2, 0.5, 1 + 2j, np.float32(0.25), np.float64(3)])
def test_values_at_numbers(family, x):
    ours, numpys = functions(family, "val")
    for dtype in "fdD":
        c = np.array([1, 2, 3, 4], dtype)
        check_close(ours(x, cp.asarray(c)), numpys(x, c), 16)


@given(families, seeds, st.booleans())
def test_values_of_many_series(family, seed, tensor):
    c = numbers(seed, (4, 3), np.dtype("d"))
    x = numbers(seed + 1, (3,) if not tensor else (2, 5), np.dtype("d"))
    check(family, "val", x, c, tensor, eps_multiple=16, scale=1e3)


@pytest.mark.parametrize("family", FAMILIES)
def test_values_that_are_not_finite(family):
    x = np.array([np.inf, -np.inf, np.nan, 0.0])
    for n in range(1, 5):
        ours, numpys = functions(family, "val")
        with np.errstate(all="ignore"):
            got, want = ours(cp.asarray(x), range(1, n + 1)), numpys(x, np.arange(1, n + 1))
        np.testing.assert_allclose(got.get(), want, rtol=1e-15)
    check(family, "vander", x, 3)


@pytest.mark.parametrize("family", FAMILIES)
def test_values_are_one_kernel(family):
    graph = cp.show_graph(functions(family, "val")[0](cp.linspace(0, 1, 100) + 1, cp.asarray([1.0, 2, 3, 4])))
    assert (
        graph.text.count("loops over (100,)") == 1
    )  # what coefficients alone give is a kernel of one element


@given(families, seeds, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
def test_values_of_several_variables(family, seed, i, j, k):
    x, y, z = (numbers(seed + n, (2, 3), np.dtype("d")) for n in range(3))
    plane, space = numbers(seed, (i, j), np.dtype("d")), numbers(seed, (i, j, k, 2), np.dtype("d"))
    loose = {"eps_multiple": 64, "scale": 1e3} if family == "lag" else {}
    check(family, "val2d", x, y, plane, **loose)
    check(family, "grid2d", x, y[0], plane, **loose)
    check(family, "val3d", x, y, z, space, **loose)
    check(family, "grid3d", x[0], y, z[0], space, **loose)
    valnd, val2d, val3d = (getattr(modules(family)[0], family + name) for name in ("valnd", "val2d", "val3d"))
    points, plane, space = [cp.asarray(given) for given in (x, y, z)], cp.asarray(plane), cp.asarray(space)
    assert cp.array_equal(valnd(cp.stack(points[:2]), plane), val2d(*points[:2], plane))
    assert cp.array_equal(valnd(points, space), val3d(*points, space))


@pytest.mark.parametrize("family", FAMILIES)
def test_points_of_different_shapes(family):
    check(family, "val2d", np.ones(2), np.ones(3), np.ones((2, 2)))
    check(family, "val3d", np.ones(2), np.ones(2), np.ones(3), np.ones((2, 2, 2)))
    with pytest.raises(ValueError, match="ordinates are incompatible"):
        getattr(modules(family)[0], f"{family}valnd")(
            [cp.ones(n) for n in (2, 2, 2, 3)], cp.ones((1, 1, 1, 1))
        )


@given(families, seeds, shapes, st.sampled_from("blefdFD"), st.integers(0, 6))
def test_vandermonde_matrices(family, seed, shape, dtype, deg):
    check(family, "vander", numbers(seed, shape, np.dtype(dtype)), deg)


@given(families, seeds, st.integers(0, 3), st.integers(0, 3), st.integers(0, 2))
def test_vandermonde_matrices_of_several_variables(family, seed, i, j, k):
    x, y, z = (numbers(seed + n, (3,), np.dtype("d")) for n in range(3))
    check(family, "vander2d", x, y, [i, j])
    check(family, "vander3d", x, y, z, (i, j, k))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("deg", [-1, 1.5, "2"])
def test_degrees_that_mean_nothing(family, deg):
    check(family, "vander", np.ones(3), deg)
    check(family, "vander2d", np.ones(3), np.ones(3), [1, 2, 3])
    if family != "poly":
        check(family, "gauss", deg)
        check(family, "gauss", 0)


@given(orthogonal, series(exact_dtypes))
def test_changes_of_basis(family, c):
    check(family, "2poly", c)
    check(family, "poly2", c)


@given(families, st.sampled_from([0, 1, -2.5, 3]), st.sampled_from([0, 1, 2.5, -4]))
def test_lines(family, off, scl):
    check(family, "line", off, scl)


@given(families, series(exact_dtypes), st.sampled_from([0, 0.5, 10.0]))
def test_trimming(family, c, tol):
    check(family, "trim", c, tol)


@given(families, seeds, st.integers(0, 9), st.sampled_from("ldD"))
def test_series_from_roots(family, seed, n, dtype):
    # the same products in the same order; sums within one are in another
    roots = numbers(seed, n, np.dtype(dtype))
    check(family, "fromroots", roots, eps_multiple=16)


def test_many_roots_are_read_by_levels_not_one_by_one():
    roots = np.cos(np.arange(200.0))
    got = cp.polynomial.chebyshev.chebfromroots(cp.asarray(roots))
    check_close(got, np.polynomial.chebyshev.chebfromroots(roots), 1000)


@given(families, series(st.just(np.dtype("d")), 7))
def test_companion_matrices(family, c):
    # entries are products of as many factors as the degree, in another order
    check(family, "companion", c, eps_multiple=16)


@pytest.mark.parametrize("family", ORTHOGONAL)
@pytest.mark.parametrize("dtype", "lefd")
def test_weights(family, dtype):
    x = np.linspace(0, 1, 7).astype(dtype)[:-1]
    check(family, "weight", x, eps_multiple=4)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
@pytest.mark.parametrize("family", FAMILIES)
def test_series_that_are_none(family, name):
    check(family, name, [], [1.0])
    check(family, name, np.ones((2, 2)), [1.0])
    with pytest.raises(TypeError, match=r"cp\.asarray"):
        functions(family, name)[0](np.ones(2), cp.ones(2))


@given(st.integers(1, 20))
def test_chebyshev_points(n):
    for name in ("chebpts1", "chebpts2"):
        ours, numpys = (getattr(module, name) for module in modules("cheb"))
        if n > 1 or name == "chebpts1":
            check_close(ours(n), numpys(n), 2)


@pytest.mark.parametrize("call", ["chebpts1(1.5)", "chebpts1(0)", "chebpts2(1)", "chebpts2(2.5)"])
def test_chebyshev_points_refuse(call):
    with pytest.raises(ValueError, match=r"cuprum\.polynomial\.chebyshev\.chebpts\d: npts must be"):
        eval(f"cp.polynomial.chebyshev.{call}")


def test_interpolation():
    ours, numpys = (module.chebinterpolate for module in modules("cheb"))
    for deg in (0, 1, 5, 12):
        check_close(
            ours(lambda x, a: cp.exp(a * x), deg, (2,)), numpys(lambda x, a: np.exp(a * x), deg, (2,)), 16
        )
    for deg, error in ((-1, ValueError), (1.5, TypeError), ([1], TypeError)):
        with pytest.raises(error, match=r"cuprum\.polynomial\.chebyshev\.chebinterpolate: .*deg"):
            ours(cp.sin, deg)


@given(st.sampled_from([(1, 2, 3), (0, 0, 1e-9), (1, 0, 0), (0, 0)]), st.sampled_from([0, 1e-6]))
def test_utilities_trim(c, tol):
    ours, numpys = cp.polynomial.polyutils, np.polynomial.polyutils
    check_close(ours.trimcoef(c, tol), numpys.trimcoef(c, tol))
    check_close(ours.trimseq(cp.asarray(c)), numpys.trimseq(np.asarray(c)))


def test_utilities_map():
    ours, numpys = cp.polynomial.polyutils, np.polynomial.polyutils
    for x in (np.arange(5), np.array([2.5, -1, 3]), np.array([1j, 2, -1 - 2j]), np.array([1, 2], "f")):
        check_close(ours.getdomain(cp.asarray(x)), numpys.getdomain(x))
    assert ours.mapparms([-1, 1], [0, 4]) == numpys.mapparms([-1, 1], [0, 4])
    assert ours.mapdomain(2.0, [-1, 1], [0, 4]) == 6.0
    x = np.linspace(-1, 1, 5)
    for old, new in (
        ([-1, 1], [0, 4]),
        (np.array([0.0, 2]), np.array([1.0, 2])),
        ([-1 - 1j, 1 + 1j], [0, 1j]),
    ):
        check_close(ours.mapdomain(on_device(x), old, new), numpys.mapdomain(x, old, new))
    assert ours.format_float(np.float64(1e-9), parens=True) == numpys.format_float(
        np.float64(1e-9), parens=True
    )


def test_modules_are_as_documented():
    assert sorted(MODULES.values()) == sorted(set(cp.polynomial.__all__) & set(MODULES.values()))
