"""Zeros, quadrature and fits of cuprum.polynomial: what needs linear algebra."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from polynomial_families import FAMILIES, ORTHOGONAL, check, check_close, functions

families = st.sampled_from(FAMILIES)
seeds = st.integers(0, 2**32 - 1)


@given(families, st.lists(st.integers(-20, 20), min_size=1, max_size=6, unique=True))
def test_roots_of_a_product(family, zeros):
    zeros = np.sort(np.array(zeros) / 10)
    c = functions(family, "fromroots")[1](zeros)
    got, want = functions(family, "roots")[0](cp.asarray(c)), functions(family, "roots")[1](c)
    assert got.dtype == want.real.dtype  # NumPy 2.5 has complex ones in three of the families
    np.testing.assert_allclose(got.get(), zeros, atol=1e-7)  # six zeros at distances of 0.1: 1e9 eps


@pytest.mark.parametrize("p", [[1, -3, 2], [1.0, 0, 1], [2.0, 1, 0, 0], [1, 0, 0], [0, 0], [1j, 2, 1]])
@pytest.mark.parametrize("dtype", [None, "f", "F"])
def test_roots_are_real_where_all_of_them_are(p, dtype):
    p = np.array(p)
    p = p.astype(dtype) if dtype and np.can_cast(p.dtype, dtype, "same_kind") else p
    got, want = cp.roots(cp.asarray(p)), np.roots(p)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(
        np.sort(got.get()), np.sort(want), rtol=1e-5 if want.dtype.char in "fF" else 1e-12
    )


@given(families, seeds, st.integers(1, 7), st.sampled_from("fdFD"))
def test_values_at_roots_are_zero(family, seed, n, dtype):
    rng = np.random.default_rng(seed)
    c = rng.uniform(-1, 1, n + 1) + (1j * rng.uniform(-1, 1, n + 1) if dtype in "FD" else 0)
    c[-1] = 1
    c = c.astype(dtype)
    roots = functions(family, "roots")[0](cp.asarray(c)).get()
    assert roots.dtype.char in (dtype, dtype.upper()) and roots.shape == (n,)
    np.testing.assert_array_equal(roots, np.sort(roots))
    rows = functions(family, "vander")[1](roots.astype(complex), n)
    assert np.all(np.abs(rows @ c) <= 1e3 * np.finfo(dtype).eps * (np.abs(rows) @ np.abs(c)) * n)


@pytest.mark.parametrize("family", FAMILIES)
def test_roots_of_short_series(family):
    check(family, "roots", [2.0])
    check(family, "roots", [0])
    check(family, "roots", [1, 4], eps_multiple=1)
    check(family, "roots", [1.0, 4j], eps_multiple=1)
    check(family, "companion", [2.0])


@pytest.mark.parametrize("family", ORTHOGONAL)
@pytest.mark.parametrize("deg", [1, 2, 3, 8, 20, 60])
def test_quadrature_is_exact(family, deg):
    ours, numpys = functions(family, "gauss")
    (x, w), (their_x, their_w) = ours(deg), numpys(deg)
    check_close(x, their_x, 8)
    # NumPy's weights are off by 5 eps in degree 10, 4000 in degree 50; ours by 7 and 30 (90 for Hermite and Laguerre)
    np.testing.assert_allclose(w.get(), their_w, rtol=1e-14 * deg**2.5)
    rows = functions(family, "vander")[0](x, deg - 1)
    gram = ((rows.T * w) @ rows).get()
    norms = np.sqrt(np.diag(gram))
    np.testing.assert_allclose(gram / norms / norms[:, None], np.eye(deg), atol=1e-13)
    np.testing.assert_allclose(float(w.sum()), their_w.sum(), rtol=1e-14)


@pytest.mark.parametrize("family", ["herm", "herme", "lag"])
def test_quadrature_of_high_degree_has_no_nan(family):
    x, w = functions(family, "gauss")[0](250)
    assert bool(cp.all(cp.isfinite(x))) and bool(cp.all(w >= 0))
    assert abs(float((w * x).sum()) - (1.0 if family == "lag" else 0.0)) < 1e-12


def points(dtype, n=30):
    x = np.linspace(-1, 1, n).astype(dtype)
    return x, (np.sin(3 * x + 1) + (1j * x if x.dtype.kind == "c" else 0)).astype(dtype)


@pytest.mark.parametrize("dtype", "lfdD")
@pytest.mark.parametrize("family", FAMILIES)
def test_fits(family, dtype):
    x, y = points("d" if dtype == "l" else dtype)
    if dtype == "l":
        x, y = np.arange(10), np.arange(10) ** 2
    w = np.linspace(1, 2, len(x)).astype("f" if dtype == "f" else "d")
    multiple = (
        3e4 if dtype == "f" else 1e5
    )  # eps of the largest coefficient times the condition, some hundreds
    for deg in (0, 2, 3, [0, 2], [3, 1]):
        check(family, "fit", x, y, deg, eps_multiple=multiple)
        check(family, "fit", x, np.stack([y, 2 * y], 1), deg, eps_multiple=multiple)
        ours, numpys = functions(family, "fit")
        got = ours(cp.asarray(x), cp.asarray(y), deg, w=cp.asarray(w))
        check_close(got, numpys(x, y, deg, w=w), multiple)


@pytest.mark.parametrize("n", [30, 5000])  # many points are reduced to few equations
@pytest.mark.parametrize("family", FAMILIES)
def test_full_results_of_fits(family, n):
    x, y = points("d", n)
    ours, numpys = functions(family, "fit")
    c, (residuals, rank, s, rcond) = ours(cp.asarray(x), cp.asarray(y), 3, full=True)
    want, (their_residuals, their_rank, their_s, their_rcond) = numpys(x, y, 3, full=True)
    check_close(c, want, 1e5)
    check_close(residuals, their_residuals, 1e5)
    check_close(s, their_s, 64)
    assert int(rank) == their_rank and rcond == their_rcond


@pytest.mark.parametrize("dtype", "fdD")
@pytest.mark.parametrize("family", FAMILIES)
def test_fits_of_many_points(family, dtype):
    x, y = points(dtype, 5000)
    w = np.linspace(1, 2, len(x)).astype("f" if dtype == "f" else "d")
    ours, numpys = functions(family, "fit")
    for deg, right in ((0, y), (4, y), (4, np.stack([y, 2 * y + 1], 1)), ([1, 3], y)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the rank: Laguerre's polynomials in float32
            got, want = (
                ours(cp.asarray(x), cp.asarray(right), deg, w=cp.asarray(w)),
                numpys(x, right, deg, w=w),
            )
        check_close(got, want, 3e4 if dtype == "f" else 1e5)
    check_close(cp.polyfit(cp.asarray(x), cp.asarray(y), 4), np.polyfit(x, y, 4), 1e5)
    wide = y.astype("D" if dtype == "D" else "d")
    got, want = ours(cp.asarray(x), cp.asarray(wide), 2, full=True)[1], numpys(x, wide, 2, full=True)[1]
    for k in (0, 2):
        assert got[k].dtype == want[k].dtype and got[k].shape == want[k].shape


def test_fits_of_many_points_that_cannot_be_reduced():
    x = np.linspace(0, 1, 5000)
    y = np.sin(x)
    for deg in (
        14,
        40,
    ):  # conditions of 1e10, and beyond 1 / eps: half of the digits of a polynomial are left
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            got = cp.polynomial.polynomial.polyfit(cp.asarray(x), cp.asarray(y), deg)
        np.testing.assert_allclose(cp.polynomial.polynomial.polyval(cp.asarray(x), got).get(), y, atol=1e-12)
    with pytest.warns(np.exceptions.RankWarning):
        cp.polynomial.polynomial.polyfit(cp.asarray(x), cp.asarray(y), 40)
    with pytest.warns(np.exceptions.RankWarning):
        cp.polynomial.polynomial.polyfit(cp.ones(5000), cp.asarray(y), 1)
    y[7] = np.nan
    assert bool(cp.all(cp.isnan(cp.polynomial.polynomial.polyfit(cp.asarray(x), cp.asarray(y), 2))))
    with pytest.raises(np.linalg.LinAlgError):
        cp.polynomial.polynomial.polyfit(cp.asarray(y), cp.asarray(x), 2)


@pytest.mark.parametrize("family", FAMILIES)
def test_fits_of_too_few_points_warn(family):
    fit = functions(family, "fit")[0]
    with pytest.warns(np.exceptions.RankWarning, match="poorly conditioned") as record:
        fit(cp.array([1.0, 2.0]), cp.array([1.0, 2.0]), 3)
    assert record[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit(cp.array([1.0, 2.0]), cp.array([1.0, 2.0]), 3, full=True)


one = np.ones(3)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("args", "kwargs"),
    [((one, one, -1), {}), ((one[:, None], one, 0), {}), ((one[:0], one[:0], 0), {}), ((one, one[:0], 0), {}),
     ((one, np.ones((3, 1, 1)), 0), {}), ((one, np.float64(1), 0), {}), ((one, one, [[1]]), {}), ((one, one, 1.5), {}),
     ((one, one, []), {}), ((one, one, [1, -1]), {}), ((one, one, 0), {"w": [[1.0]]}), ((one, one, 0), {"w": [1, 1]})],
)  # fmt: skip
def test_fits_refuse(family, args, kwargs):
    check(family, "fit", *args, **kwargs)
