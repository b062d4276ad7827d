"""Factors, equations and eigenvalues of cuprum.linalg beside numpy.linalg: values within rounding, dtypes, shapes,
named results, and when LinAlgError is raised."""

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE, HOST_MEMORY
from linalg_cases import DTYPES, SHAPES, assert_small, draw, eps, like, norms, positive, regular

LATE = not HOST_MEMORY


@pytest.fixture(autouse=True)
def not_debugging():
    before = _core.get_debug()
    _core.set_debug(False)
    yield
    _core.set_debug(before)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
class TestFactors:
    def test_solve(self, shape, dtype):
        a, n = regular(shape, dtype), shape[-1]
        for columns in (1, 3):
            b = draw((*shape[:-1], columns), dtype, 1)
            [x] = like(cp.linalg.solve(cp.asarray(a), cp.asarray(b)), np.linalg.solve(a, b))
            assert_small(a @ x - b, norms(a) * norms(x), n, dtype)
        b = draw((n,), dtype, 2)
        [x] = like(cp.linalg.solve(cp.asarray(a), cp.asarray(b)), np.linalg.solve(a, b))
        x, b = x[..., None], b[..., None]
        assert_small(a @ x - b, norms(a) * norms(x), n, dtype)

    def test_inv(self, shape, dtype):
        a = regular(shape, dtype)
        [x] = like(cp.linalg.inv(cp.asarray(a)), np.linalg.inv(a))
        assert_small(a @ x - np.eye(shape[-1]), norms(a) * norms(x), shape[-1], dtype)

    def test_det(self, shape, dtype):
        a = regular(shape, dtype) / np.dtype(dtype).type(3 * np.sqrt(shape[-1]))  # of moderate determinants
        [det] = like(cp.linalg.det(cp.asarray(a)), np.linalg.det(a))
        want = np.linalg.det(a.astype("complex128"))
        assert np.all(abs(det - want) <= 50 * shape[-1] ** 2 * eps(dtype) * abs(want))
        sign, log = like(cp.linalg.slogdet(cp.asarray(a)), np.linalg.slogdet(a))
        wanted = np.linalg.slogdet(a.astype("complex128"))
        assert np.all(abs(sign - wanted[0]) <= 50 * shape[-1] ** 2 * eps(dtype))
        assert np.all(abs(log - wanted[1]) <= 50 * shape[-1] ** 2 * eps(dtype) * (1 + abs(wanted[1])))

    @pytest.mark.parametrize("upper", [False, True])
    def test_cholesky(self, shape, dtype, upper):
        a = positive(shape, dtype)
        other = a + (np.tril if upper else np.triu)(draw(shape, dtype), 1 if not upper else -1)  # is not read
        [x] = like(cp.linalg.cholesky(cp.asarray(other), upper=upper), np.linalg.cholesky(a, upper=upper))
        adjoint = x.conj().swapaxes(-1, -2)
        assert_small((adjoint @ x if upper else x @ adjoint) - a, norms(a), shape[-1], dtype)
        assert not np.any((np.tril if upper else np.triu)(x, -1 if upper else 1))

    @pytest.mark.parametrize("rows, columns", [(0, 0), (3, 0), (0, 3)])
    def test_qr(self, shape, dtype, rows, columns):
        a = draw((*shape[:-2], shape[-2] + rows, shape[-1] + columns), dtype)
        m, n = a.shape[-2:]
        for mode in ("reduced", "complete"):
            q, r = like(cp.linalg.qr(cp.asarray(a), mode), np.linalg.qr(a, mode))
            assert_small(q @ r - a, norms(a), max(m, n), dtype)
            assert_small(q.conj().swapaxes(-1, -2) @ q - np.eye(q.shape[-1]), np.sqrt(m), m, dtype)
            assert not np.any(np.tril(r, -1))
        [r] = like(cp.linalg.qr(cp.asarray(a), "r"), np.linalg.qr(a, "r"))
        h, _ = like(cp.linalg.qr(cp.asarray(a), "raw"), np.linalg.qr(a, "raw"))
        assert_small(np.triu(h.swapaxes(-1, -2)[..., : min(m, n), :]) - r, norms(a), max(m, n), dtype)
        assert_small(
            r.conj().swapaxes(-1, -2) @ r - a.conj().swapaxes(-1, -2) @ a, norms(a) ** 2, max(m, n), dtype
        )

    @pytest.mark.parametrize("rows, columns", [(0, 0), (3, 0), (0, 3)])
    def test_svd(self, shape, dtype, rows, columns):
        a = draw((*shape[:-2], shape[-2] + rows, shape[-1] + columns), dtype)
        for full in (True, False):
            u, s, vh = like(cp.linalg.svd(cp.asarray(a), full), np.linalg.svd(a, full))
            k = s.shape[-1]
            assert_small(
                (u[..., :k] * s[..., None, :]) @ vh[..., :k, :] - a, norms(a), max(a.shape[-2:]), dtype
            )
            for v in (u, vh.conj().swapaxes(-1, -2)):
                identity = v.conj().swapaxes(-1, -2) @ v
                assert_small(identity - np.eye(v.shape[-1]), np.sqrt(v.shape[-1]), max(a.shape[-2:]), dtype)
            assert np.all(np.diff(s) <= 0) and np.all(s >= 0)
        [alone] = like(cp.linalg.svd(cp.asarray(a), compute_uv=False), np.linalg.svd(a, compute_uv=False))
        [values] = like(cp.linalg.svdvals(cp.asarray(a)), np.linalg.svdvals(a))
        assert np.array_equal(alone, values)
        want = np.linalg.svdvals(a.astype("complex128"))
        assert np.all(abs(values - want) <= 20 * max(a.shape[-2:]) * eps(dtype) * want[..., :1])

    @pytest.mark.parametrize("uplo", ["L", "u"])
    def test_eigh(self, shape, dtype, uplo):
        a = draw(shape, dtype)
        a = ((a + a.conj().swapaxes(-1, -2)) / 2).astype(dtype)
        other = a + (
            np.triu(draw(shape, dtype), 1) if uplo == "L" else np.tril(draw(shape, dtype), -1)
        )  # is not read
        w, v = like(cp.linalg.eigh(cp.asarray(other), uplo), np.linalg.eigh(a, uplo))
        assert_small(a @ v - v * w[..., None, :], norms(a), shape[-1], dtype)
        assert_small(v.conj().swapaxes(-1, -2) @ v - np.eye(shape[-1]), np.sqrt(shape[-1]), shape[-1], dtype)
        assert np.all(np.diff(w) >= 0)
        [values] = like(cp.linalg.eigvalsh(cp.asarray(other), uplo), np.linalg.eigvalsh(a, uplo))
        assert_small((values - w)[..., None], norms(a), shape[-1], dtype)

    def test_eig(self, shape, dtype):
        a = draw(shape, dtype)
        w, v = like(cp.linalg.eig(cp.asarray(a)), np.linalg.eig(a))
        assert_small(a @ v - v * w[..., None, :], 5 * norms(a), shape[-1], dtype)
        assert np.allclose(np.linalg.norm(v, axis=-2), 1, atol=20 * eps(dtype))
        [values] = like(cp.linalg.eigvals(cp.asarray(a)), np.linalg.eigvals(a))
        # Eigenvalues of general matrices have no order: their sums and sums of squares are compared.
        for power in (1, 2):
            trace = np.trace(np.linalg.matrix_power(a, power), axis1=-2, axis2=-1)
            bound = 100 * shape[-1] * eps(dtype) * norms(a)[..., 0, 0] ** power
            assert np.all(abs((values**power).sum(-1) - trace) <= bound)

    def test_pinv_and_rank(self, shape, dtype):
        n = shape[-1]
        a = draw(shape, dtype)
        a[..., -1, :] = a[..., 0, :]  # of rank n - 1
        [x] = like(cp.linalg.pinv(cp.asarray(a), rcond=1e-5), np.linalg.pinv(a, rcond=1e-5))
        assert_small(a @ x @ a - a, norms(a) ** 2 * norms(x), n, dtype)
        [rank] = like(cp.linalg.matrix_rank(cp.asarray(a)), np.linalg.matrix_rank(a))
        assert np.all(rank == max(n - 1, 1))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("m, n", [(1, 1), (3, 3), (8, 3), (3, 8), (60, 40), (4, 0), (0, 4), (0, 0)])
@pytest.mark.parametrize("columns", [None, 0, 1, 3])
def test_lstsq(dtype, m, n, columns):
    a, b = draw((m, n), dtype), draw((m,) if columns is None else (m, columns), dtype, 1)
    want = np.linalg.lstsq(a, b)
    got = like(cp.linalg.lstsq(cp.asarray(a), cp.asarray(b)), want)
    assert int(got[2]) == int(want[2])
    for g, w in zip(got, want, strict=True):  # both are computed in float64
        assert np.allclose(g, w, rtol=1e3 * eps(dtype), atol=1e3 * eps(dtype))


@pytest.mark.parametrize("shape", [(6, 3), (3, 6), (300, 270)])
def test_lstsq_of_lower_rank(shape):
    a = np.outer(np.arange(1.0, shape[0] + 1), np.arange(1.0, shape[1] + 1))
    b = np.arange(float(shape[0]))
    for rcond in (None, 1e-3):
        got, want = cp.linalg.lstsq(cp.asarray(a), cp.asarray(b), rcond), np.linalg.lstsq(a, b, rcond)
        assert int(got[2]) == want[2] == 1 and got[1].shape == want[1].shape
        assert np.allclose(cp.asnumpy(got[0]), want[0])
    # Rounding alone decides which singular values are above the machine's precision, so the rank is not determined.
    _, residuals, rank, s = cp.linalg.lstsq(cp.asarray(a), cp.asarray(b), -1)
    assert int((s > 1e3 * np.finfo("float64").eps * s[0]).sum()) <= int(rank) <= min(shape)
    assert residuals.shape == ((1,) if int(rank) == shape[1] < shape[0] else (0,))


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("shape", [(5, 5), (24, 9), (9, 24), (50, 50), (80, 40), (40, 80)])
@pytest.mark.parametrize("digits", [1, 4, 8, 11, 12, 13, 15, 40])
def test_lstsq_on_both_sides_of_the_limit(dtype, shape, digits):
    # QR factors answer where the rank is full beyond doubt, singular values elsewhere: one rank, one answer.
    low = min(shape)
    u, v = (np.linalg.qr(draw((n, low), dtype, seed))[0] for seed, n in enumerate(shape))
    values = np.logspace(0, -digits, low)
    a, b = (u * values) @ v.conj().T, draw((shape[0], 2), dtype, 3)
    for rcond in (None, 10.0 ** -(digits - 0.5), 10.0 ** -(digits + 0.5), 0.0):
        want, got = np.linalg.lstsq(a, b, rcond), cp.linalg.lstsq(cp.asarray(a), cp.asarray(b), rcond)
        assert np.allclose(cp.asnumpy(got[3]), want[3], rtol=1e-9, atol=1e-13)
        cut = 2.2e-16 * max(shape) if rcond is None else rcond
        if cut > 1e-14 and np.all(
            abs(np.log10(values / cut)) > 0.1
        ):  # no value that rounding moves across it
            assert int(got[2]) == int(want[2]) == int((values > cut).sum())
            assert got[1].shape == want[1].shape
            error = 1e-13 / max(cut, values[int(want[2]) - 1])
            assert np.allclose(cp.asnumpy(got[0]), want[0], rtol=error, atol=error * abs(want[0]).max())
            assert np.allclose(cp.asnumpy(got[1]), want[1], rtol=error)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize(("n", "columns"), [(1, None), (3, None), (5, 2), (40, 1)])
def test_tall_lstsq(dtype, n, columns):
    # Cut into slices of rows: answers, residuals, rank and singular values are those of the whole.
    m = 60_000
    a, b = draw((m, n), dtype), draw((m,) if columns is None else (m, columns), dtype, 1)
    want = np.linalg.lstsq(a.astype("complex128"), b.astype("complex128"))
    got = cp.linalg.lstsq(cp.asarray(a), cp.asarray(b))
    assert int(got[2]) == want[2] == n and got[1].shape == want[1].shape
    tolerance = 1e3 * eps(dtype)
    for g, w in zip((got[0], got[1], got[3]), (want[0], want[1], want[3]), strict=True):
        assert np.allclose(cp.asnumpy(g), w, rtol=tolerance, atol=tolerance)
    values = np.linalg.svd(a.astype("complex128"), compute_uv=False)
    assert np.allclose(cp.asnumpy(cp.linalg.svdvals(cp.asarray(a))), values, rtol=tolerance)


def test_tall_lstsq_without_full_rank_or_numbers():
    m = 60_000
    a = np.outer(np.arange(1.0, m + 1), [1.0, 2.0, 3.0])
    want, got = np.linalg.lstsq(a, a[:, 0]), cp.linalg.lstsq(cp.asarray(a), cp.asarray(a[:, 0]))
    assert int(got[2]) == want[2] == 1 and np.allclose(cp.asnumpy(got[0]), want[0])
    a = draw((m, 3), "float64")
    a[m // 2, 1] = np.nan
    with pytest.raises(cp.linalg.LinAlgError):
        cp.linalg.svdvals(cp.asarray(a)).tolist()


def test_singular_values_of_lstsq_are_those_of_the_call():
    a, b = draw((30, 20), "float64"), draw((30,), "float64", 1)
    want = np.linalg.lstsq(a, b)
    x = cp.array(a)
    by_part, by_whole = cp.linalg.lstsq(x, cp.asarray(b)), cp.linalg.lstsq(x, cp.asarray(b))
    x[0] = 0
    x *= 2
    del x
    for got in (by_part, by_whole):
        assert np.allclose(cp.asnumpy(got[3]), want[3]) and np.allclose(cp.asnumpy(got[0]), want[0])


@pytest.mark.parametrize("shape", [(5, 5), (40, 30), (30, 40)])
@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e290])
def test_lstsq_of_extreme_sizes(shape, scale):
    a, b = draw(shape, "float64") * scale, draw(shape[:1], "float64", 1)
    want, got = np.linalg.lstsq(a, b), cp.linalg.lstsq(cp.asarray(a), cp.asarray(b))
    assert int(got[2]) == int(want[2]) == min(shape)
    assert np.allclose(cp.asnumpy(got[0]) * scale, want[0] * scale, rtol=1e-9)


@pytest.mark.parametrize("dtype", DTYPES)
def test_stacks_of_large_matrices(dtype):
    a, p = regular((2, 260, 260), dtype), positive((2, 260, 260), dtype)
    b = draw((2, 260, 3), dtype, 1)
    x = cp.asnumpy(cp.linalg.solve(cp.asarray(a), cp.asarray(b)))
    assert_small(a @ x - b, norms(a) * norms(x), 260, dtype)
    x = cp.asnumpy(cp.linalg.inv(cp.asarray(a)))
    assert_small(a @ x - np.eye(260), norms(a) * norms(x), 260, dtype)
    sign, log = (cp.asnumpy(part) for part in cp.linalg.slogdet(cp.asarray(a)))
    wanted = np.linalg.slogdet(a.astype("complex128"))
    assert np.allclose(sign, wanted[0], atol=1e4 * eps(dtype)) and np.allclose(
        log, wanted[1], rtol=1e3 * eps(dtype)
    )
    x = cp.asnumpy(cp.linalg.cholesky(cp.asarray(p)))
    assert_small(x @ x.conj().swapaxes(-1, -2) - p, norms(p), 260, dtype)
    w, v = (cp.asnumpy(part) for part in cp.linalg.eigh(cp.asarray(p)))
    assert_small(p @ v - v * w[..., None, :], norms(p), 260, dtype)
    a[1] = 0
    assert "matrix 1 of the stack" in raises(lambda: cp.evaluate(cp.linalg.inv(cp.asarray(a))))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 9, 32])
def test_eigenvectors_of_hard_matrices_in_groups(n, dtype):
    """What a tridiagonal matrix ends early for, or vanishes in; each matrix as if it were alone."""
    a = draw((12, n, n), dtype)
    a = a + a.conj().swapaxes(-1, -2)
    steps, chain = np.arange(n), np.eye(n, k=1) + np.eye(n, k=-1)
    graded = 10.0**-steps * (10.0 ** -steps[:, None])
    for i, hard in enumerate([0, np.eye(n), 1, np.diag(steps), chain, a[6] * 1e-30, a[7] * graded]):
        a[i] = hard
    for lower in "LU":
        w, v = (cp.asnumpy(part) for part in cp.linalg.eigh(cp.asarray(a), lower))
        assert_small(a @ v - v * w[..., None, :], norms(a) + np.finfo(w.dtype).tiny, n, dtype)
        assert_small(v.conj().swapaxes(-1, -2) @ v - np.eye(n), 1, n, dtype)
        assert_small((w - np.linalg.eigvalsh(a, lower))[:, None], norms(a) + np.finfo(w.dtype).tiny, n, dtype)
        for i in range(9 if HERE.name.startswith("cpu") else 0):
            alone = cp.linalg.eigh(cp.asarray(np.broadcast_to(a[i], (8, n, n))), lower)
            assert np.array_equal(cp.asnumpy(alone[0])[3], w[i]) and np.array_equal(
                cp.asnumpy(alone[1])[3], v[i]
            )


@pytest.mark.skipif(not LATE, reason="the CPU raises in every call")
def test_a_late_error_comes_once_and_in_the_call_while_debugging():
    zeros = cp.zeros((3, 3))
    text = raises(lambda: cp.evaluate(cp.linalg.inv(zeros)))
    assert "CUPRUM_DEBUG=1 raises this at the call" in text
    _core.wait(HERE.name)
    assert np.allclose(cp.asnumpy(cp.linalg.inv(cp.eye(3))), np.eye(3))
    _core.set_debug(True)
    with pytest.raises(np.linalg.LinAlgError, match=r"Singular matrix \(in linalg.inv"):
        cp.linalg.inv(zeros)


SINGULAR = {
    "inv": lambda xp, a: xp.linalg.inv(a),
    "solve": lambda xp, a: xp.linalg.solve(a, xp.ones(a.shape)),
    "tensorinv": lambda xp, a: xp.linalg.tensorinv(a.reshape(4, 2, 2), 1),
    "power": lambda xp, a: xp.linalg.matrix_power(a, -2),
}


def raises(call):
    """LinAlgError with NumPy's text: in the call, or where an asynchronous device is next waited for."""
    with pytest.raises(np.linalg.LinAlgError) as caught:
        call()
        assert LATE
        _core.wait(HERE.name)
    return str(caught.value)


@pytest.mark.parametrize("name", SINGULAR)
def test_singular_matrices_raise(name):
    text = raises(lambda: cp.evaluate(SINGULAR[name](cp, cp.ones((4, 4)))))
    assert text.startswith("Singular matrix (in linalg.")


@pytest.mark.parametrize("count, n", [(3, 4), (3, 40), (20, 4), (100, 32)])
def test_the_first_bad_matrix_of_a_stack_is_named(count, n):
    a = regular((count, n, n), "float64")
    a[1:3] = 0
    text = raises(lambda: cp.evaluate(cp.linalg.inv(cp.asarray(a))))
    assert "Singular matrix" in text and "matrix 1 of the stack" in text
    a = positive((count, n, n), "complex64")
    a[2, n - 1, n - 1] = -1
    text = raises(lambda: cp.evaluate(cp.linalg.cholesky(cp.asarray(a))))
    assert "Matrix is not positive definite" in text and "matrix 2 of the stack" in text
    # Determinants of singular matrices are no errors.
    a = regular((count, n, n), "float64")
    a[1] = 0
    det, (sign, log) = cp.linalg.det(cp.asarray(a)), cp.linalg.slogdet(cp.asarray(a))
    assert det[1] == 0 and sign[1] == 0 and log[1] == -np.inf and bool((det[2:] != 0).all())


@pytest.mark.parametrize("n", [2, 40, 260])
def test_what_does_not_converge_raises(n):
    bad = cp.full((n, n), cp.nan)
    assert "SVD did not converge" in raises(lambda: cp.evaluate(*cp.linalg.svd(bad)))
    assert "SVD did not converge" in raises(lambda: cp.evaluate(cp.linalg.svdvals(bad)))
    if n == 2:  # of larger ones LAPACK says one thing for vectors and another for values alone
        assert np.all(np.isnan(cp.asnumpy(cp.linalg.eigh(bad)[0])))
    for function in (cp.linalg.eig, cp.linalg.eigvals):
        with pytest.raises(np.linalg.LinAlgError, match="Array must not contain infs or NaNs"):
            function(bad)


FACTORS = ["inv", "det", "slogdet", "qr", "svd", "eig", "eigh", "cholesky", "pinv"]
CALLS = [
    "linalg.inv(v)", "linalg.inv(w)", "linalg.solve(w, m)", "linalg.solve(m, v3)", "linalg.solve(m, w.T)",
    "linalg.solve(m, xp.float64(1))", "linalg.det(v)", "linalg.det(w)", "linalg.slogdet(w)",
    "linalg.cholesky(w)", "linalg.eig(v)", "linalg.eigh(w)", "linalg.eigh(m, 'X')", "linalg.eigvalsh(m, 'X')",
    "linalg.svd(v)", "linalg.svd(xp.float64(1))", "linalg.qr(v)", "linalg.qr(m, 'X')", "linalg.lstsq(v, v)",
    "linalg.lstsq(m, v3)", "linalg.lstsq(m, xp.ones((2, 2, 2)))", "linalg.pinv(m, 1e-3, rtol=1e-3)",
    "linalg.matrix_rank(m, 1, rtol=1)", "linalg.cond(xp.ones((2, 0)))", "linalg.cond(w, 1)", "linalg.cond(m, 'x')",
    "linalg.norm(m, 'x')", "linalg.norm(v, 'fro')", "linalg.norm(m, 3)", "linalg.norm(t, 2)",
    "linalg.norm(m, 2, (0, 0))", "linalg.norm(m, 2, 5)", "linalg.norm(m, axis=(0, 5))", "linalg.norm(m, axis='x')",
    "linalg.norm(m, axis=(0, 1, 1))", "linalg.matrix_norm(v)", "linalg.multi_dot([m])",
    "linalg.multi_dot([m, t, m])", "linalg.multi_dot([m, v3, m])",
    "linalg.matrix_power(w, 2)", "linalg.matrix_power(m, 1.5)", "linalg.tensorinv(t, 0)", "linalg.tensorinv(t, 1)",
    "linalg.tensorsolve(t, v)", "linalg.outer(m, v)", "linalg.cross(v, v)",
    *(f"linalg.{f}(m.astype('float16'))" for f in FACTORS),
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_errors_are_numpys(call):
    def arrays(xp):
        return {"xp": xp, "linalg": xp.linalg, "m": xp.array([[2.0, 1], [1, 3]]), "w": xp.ones((2, 3)),
                "v": xp.ones(2), "v3": xp.ones(3), "t": xp.ones((2, 2, 2))}  # fmt: skip

    with pytest.raises(Exception) as want:
        eval(call, arrays(np))
    with pytest.raises(want.type if want.type is not IndexError else Exception) as got:
        eval(call, arrays(cp))
    text = str(want.value).split(" is different")[0]
    if want.type in (np.linalg.LinAlgError, TypeError) and "unsupported operand" not in text:
        words = [w for w in text.replace("  ", "").split(".")[0].split() if w.isalpha()]
        assert all(word in str(got.value) for word in words), (str(got.value), text)


@pytest.mark.skipif(str(HERE).startswith("cuda"), reason="cuBLAS has signs of zeros of its own")
@pytest.mark.parametrize("matrix", [np.eye(2), np.eye(3), -np.eye(3), np.diag([2.0, -4.0, 0.5])])
def test_zeros_of_an_inverse_have_numpys_signs(matrix):
    got = cp.asnumpy(cp.linalg.inv(cp.asarray(matrix)))
    np.testing.assert_array_equal(np.signbit(got), np.signbit(np.linalg.inv(matrix)))
