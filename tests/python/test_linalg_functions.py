"""Norms, ranks, powers, products, empty matrices and operands as they lie: cuprum.linalg beside numpy.linalg."""

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HOST_MEMORY
from linalg_cases import DTYPES, draw, eps, like, positive, regular

ORDERS = [None, 0, 1, 2, 3, -1, -2, -3, 0.5, np.inf, -np.inf]


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float16", *DTYPES])
@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4)])
def test_norms(dtype, shape):
    a = (
        (draw(shape, "complex128") * 3).astype(dtype)
        if "complex" in dtype
        else (draw(shape, "float64") * 3).astype(dtype)
    )
    b = cp.asarray(a)
    tolerance = 20 * eps(dtype if np.dtype(dtype).kind in "fc" else "float64")
    calls = [(order, axis, keep) for order in ORDERS for axis in (0, -1) for keep in (False, True)]
    calls += [(None, None, False), (None, None, True)]
    if len(shape) > 1 and dtype != "float16":
        orders = [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]
        calls += [(o, axes, keep) for o in orders for axes in ((0, 1), (-1, 0)) for keep in (False, True)]
    for order, axis, keep in calls:
        with np.errstate(all="ignore"):
            want = np.linalg.norm(a, order, axis, keep)
        got = cp.linalg.norm(b, order, axis, keep)
        assert got.shape == np.shape(want), (order, axis)
        assert got.dtype == want.dtype, (order, axis)
        assert np.allclose(cp.asnumpy(got), want, rtol=tolerance, atol=tolerance * 10), (order, axis)
    for order in (1, 2, 3, np.inf, 0):
        for axis in (None, 0, tuple(range(len(shape)))):
            for keep in (False, True):
                want = np.linalg.vector_norm(a, axis=axis, keepdims=keep, ord=order)
                got = cp.linalg.vector_norm(b, axis=axis, keepdims=keep, ord=order)
                assert got.shape == np.shape(want)
                assert np.allclose(cp.asnumpy(got), want, rtol=tolerance, atol=tolerance * 10)
    if len(shape) > 1 and dtype != "float16":
        want = np.linalg.matrix_norm(a, keepdims=True, ord="nuc")
        assert np.allclose(
            cp.asnumpy(cp.linalg.matrix_norm(b, keepdims=True, ord="nuc")), want, rtol=tolerance
        )


@pytest.mark.parametrize("p", [None, 2, -2, 1, -1, np.inf, -np.inf, "fro"])
def test_cond(p):
    a = regular((12, 4, 4), "float64")
    a[3], a[4, 1, 1] = 1, np.nan
    if p in (None, 2, -2):  # NumPy raises for NaN there
        a[4, 1, 1] = 0
    got, want = cp.asnumpy(cp.linalg.cond(cp.asarray(a), p)), np.linalg.cond(a, p)
    finite = np.arange(12) != 3
    assert np.allclose(got[finite], want[finite], equal_nan=True)
    assert p == -2 or got[3] > 1e15 or got[3] == np.inf
    assert cp.linalg.cond(cp.zeros((2, 2)), p) == np.linalg.cond(np.zeros((2, 2)), p)


@pytest.mark.parametrize("hermitian", [False, True])
def test_rank_and_pinv_of_stacks(hermitian):
    a = positive((3, 5, 5), "complex128") if hermitian else draw((3, 5, 4), "float64")
    a[1] = 0
    b = cp.asarray(a)
    for options in (
        {},
        {"tol": 0.5},
        {"tol": np.array([0.1, 1, 5])},
        {"rtol": 0.2},
        {"rtol": np.array([0.1, 1, 0.5])},
    ):
        device = {k: cp.asarray(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}
        got, want = (
            cp.linalg.matrix_rank(b, hermitian=hermitian, **device),
            np.linalg.matrix_rank(a, hermitian=hermitian, **options),
        )
        assert got.dtype == want.dtype and np.array_equal(cp.asnumpy(got), want)
    for options in ({}, {"rcond": 0.3}, {"rtol": None}, {"rtol": 1e-3}, {"rcond": np.array([0.1, 0.2, 0.3])}):
        device = {k: cp.asarray(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}
        [got] = like(
            cp.linalg.pinv(b, hermitian=hermitian, **device),
            np.linalg.pinv(a, hermitian=hermitian, **options),
        )
        assert np.allclose(got, np.linalg.pinv(a, hermitian=hermitian, **options), atol=1e-12)
    for x in (np.zeros(3), np.ones(3), np.float64(2), np.zeros(())):
        assert int(cp.linalg.matrix_rank(cp.asarray(x))) == np.linalg.matrix_rank(x)


@pytest.mark.parametrize("n", [*range(-4, 9), 31])
@pytest.mark.parametrize("dtype", ["int64", "float64", "complex64"])
def test_matrix_power(n, dtype):
    a = np.array([[[2, 1], [1, 1]], [[1, 1], [0, 1]]], dtype=dtype)
    got, want = cp.linalg.matrix_power(cp.asarray(a), n), np.linalg.matrix_power(a, n)
    assert got.dtype == want.dtype and np.allclose(cp.asnumpy(got), want, rtol=1e-4)


@pytest.mark.parametrize("n", [2**62, 2**62 + 1, 2**86 + 2**45 + 3])
def test_large_matrix_power(n):
    a = np.array([[2, 1], [1, 1]])  # integers wrap around: exact
    assert np.array_equal(cp.asnumpy(cp.linalg.matrix_power(cp.asarray(a), n)), np.linalg.matrix_power(a, n))
    a = np.array([[0.0, 1.0], [-1.0, 0.0]])
    assert np.array_equal(
        cp.asnumpy(cp.linalg.matrix_power(cp.asarray(a), -n)), np.linalg.matrix_power(a, -n)
    )


@pytest.mark.parametrize(
    "shapes", ["2,3 3,4", "2,3 3,4 4,5", "10,2 2,9 9,3 3,4", "3 3,4 4,5 5", "3 3,4 4,2", "4,2 2,3 3"]
)
def test_multi_dot(shapes):
    a = [draw(tuple(map(int, s.split(","))), "float64", i) for i, s in enumerate(shapes.split())]
    want = np.linalg.multi_dot(a)
    got = cp.linalg.multi_dot([cp.asarray(x) for x in a])
    assert got.shape == want.shape and np.allclose(cp.asnumpy(got), want)
    if want.ndim == 2:
        out = cp.empty(want.shape)
        assert cp.linalg.multi_dot([cp.asarray(x) for x in a], out=out) is out
        assert np.allclose(cp.asnumpy(out), want)


def test_tensor_equations():
    a = draw((2, 3, 6), "float64")
    b = draw((2, 3), "float64", 1)
    assert np.allclose(
        cp.asnumpy(cp.linalg.tensorsolve(cp.asarray(a), cp.asarray(b))), np.linalg.tensorsolve(a, b)
    )
    a = draw((2, 6, 3), "float64")
    got = cp.linalg.tensorsolve(cp.asarray(a), cp.asarray(b), axes=(1,))
    assert np.allclose(cp.asnumpy(got), np.linalg.tensorsolve(a, b, axes=(1,)))
    a = draw((4, 6, 8, 3), "float64")
    assert np.allclose(cp.asnumpy(cp.linalg.tensorinv(cp.asarray(a))), np.linalg.tensorinv(a))
    a = draw((24, 8, 3), "float64")
    assert np.allclose(cp.asnumpy(cp.linalg.tensorinv(cp.asarray(a), ind=1)), np.linalg.tensorinv(a, ind=1))


EMPTY = [(0, 0), (3, 0, 0), (0, 3, 3), (0, 0, 0), (2, 0, 3, 3)]


@pytest.mark.parametrize("shape", EMPTY)
@pytest.mark.parametrize(
    "name",
    [
        "inv",
        "det",
        "slogdet",
        "cholesky",
        "eigh",
        "eigvalsh",
        "eig",
        "eigvals",
        "svd",
        "qr",
        "svdvals",
        "pinv",
    ],
)
def test_empty_stacks_and_matrices(shape, name):
    a = np.ones(shape)
    got = like(getattr(cp.linalg, name)(cp.asarray(a)), want := getattr(np.linalg, name)(a))
    for g, w in zip(got, want if isinstance(want, tuple) else (want,), strict=True):
        assert np.array_equal(g, w)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 0, 3), (2, 3, 0)])
def test_empty_rectangles(shape):
    a = np.ones(shape)
    calls = [
        "svd(x)",
        "svd(x, False)",
        "qr(x)",
        "qr(x, 'complete')",
        "qr(x, 'raw')",
        "qr(x, 'r')",
        "pinv(x)",
        "norm(x)",
    ]
    for text in [*calls, "matrix_rank(x)"]:
        call = eval(f"lambda xp, x: xp.linalg.{text}")
        want = call(np, a)
        for g, w in zip(
            like(call(cp, cp.asarray(a)), want), want if isinstance(want, tuple) else (want,), strict=True
        ):
            assert np.array_equal(g, w)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "int64"])
def test_integers_are_computed_in_float64(dtype):
    a = np.array([[3, 1], [1, 2]]).astype(dtype)
    if dtype == "bool":
        a = np.array([[True, True], [False, True]])
    for name in ("inv", "det", "qr", "svdvals", "eigvals"):
        for g, w in zip(like(getattr(cp.linalg, name)(cp.asarray(a)), want := getattr(np.linalg, name)(a)),
                        want if isinstance(want, tuple) else (want,), strict=True):  # fmt: skip
            assert np.allclose(g, w)


def test_operands_as_they_lie():
    base = regular((12, 24, 24), "complex128")
    device = cp.asarray(base)
    views = ["x[:, ::2, ::2]", "x.transpose(0, 2, 1)", "x[::-1, ::-1, ::-1]", "x[:2].transpose(1, 2, 0)[..., 0]",
             "x.real", "xp.broadcast_to(x[0], (9, 24, 24))", "x[:, :8, 3:11]",
             "x[:, :8, 3:11].transpose(0, 2, 1)"]  # fmt: skip
    for view in views:
        a, b = eval(view, {"x": base, "xp": np}), eval(view, {"x": device, "xp": cp})
        if a.shape[-1] == a.shape[-2]:
            assert np.allclose(cp.asnumpy(cp.linalg.inv(b)), np.linalg.inv(a), rtol=1e-8)
            assert np.allclose(cp.asnumpy(cp.linalg.det(b / 20)), np.linalg.det(a / 20), rtol=1e-8)
        assert np.allclose(cp.asnumpy(cp.linalg.svdvals(b)), np.linalg.svdvals(a))
        assert np.allclose(cp.asnumpy(cp.linalg.qr(b, "r")), np.linalg.qr(a, "r"))
    assert np.array_equal(cp.asnumpy(device), base)  # nothing is written to


def test_no_right_hand_side():
    for shape in ((3, 3), (2, 3, 3), (0, 3, 3), (0, 0)):
        a, b = regular(shape, "float64"), np.ones((*shape[:-1], 0))
        like(cp.linalg.solve(cp.asarray(a), cp.asarray(b)), np.linalg.solve(a, b))
    if HOST_MEMORY:  # elsewhere nobody needs what is not there
        with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
            cp.linalg.solve(cp.zeros((3, 3)), cp.ones((3, 0)))


def test_stacks_broadcast():
    a, b = regular((4, 1, 5, 5), "float64"), draw((3, 5, 2), "float64", 1)
    assert np.allclose(cp.asnumpy(cp.linalg.solve(cp.asarray(a), cp.asarray(b))), np.linalg.solve(a, b))
    a, b = regular((5, 5), "float64"), draw((40, 5, 2), "float64", 1)
    assert np.allclose(cp.asnumpy(cp.linalg.solve(cp.asarray(a), cp.asarray(b))), np.linalg.solve(a, b))


def test_scale_does_not_matter_to_determinants():
    n = 400
    for scale in (1e-300, 1e300):
        a = np.full(n, scale)
        sign, log = cp.linalg.slogdet(cp.diag(cp.asarray(a)))
        assert sign == 1 and np.isclose(float(log), n * np.log(scale))
    mixed = cp.diag(cp.asarray(np.array([1e200, 1e200, 1e-200, 1e-200, -2.0])))
    assert np.isclose(float(cp.linalg.det(mixed)), -2)
    stack = cp.broadcast_to(mixed, (20, 5, 5))
    assert np.allclose(cp.asnumpy(cp.linalg.det(stack)), -2)
    tiny = cp.asarray(np.full((20, 1, 1), 1e-310))
    assert np.allclose(cp.asnumpy(cp.linalg.solve(tiny, tiny)), 1)


@pytest.mark.skipif(not HOST_MEMORY, reason="threads are the CPU's")
def test_no_bit_depends_on_the_number_of_threads():
    before = _core.get_num_threads()
    calls = [(regular((40, 12, 12), "float64"), "inv"), (regular((300, 300), "float32"), "inv"),
             (positive((20, 40, 40), "complex128"), "cholesky"), (draw((260, 260), "float64"), "svd"),
             (positive((300, 300), "float64"), "eigh"), (draw((12, 6, 5), "float64"), "svd")]  # fmt: skip
    try:
        for a, name in calls:
            results = []
            for threads in (1, 2, 3):
                _core.set_num_threads(threads)
                found = getattr(cp.linalg, name)(cp.asarray(a))
                results.append(
                    [cp.asnumpy(x).tobytes() for x in (found if isinstance(found, tuple) else (found,))]
                )
            assert results[0] == results[1] == results[2], name
    finally:
        _core.set_num_threads(before)


def test_nothing_is_computed_before_it_is_needed():
    a = cp.asarray(regular((4, 4), "float64"))
    assert _core.is_pending(cp.linalg.det(a)) and _core.is_pending(cp.linalg.norm(a))


def test_numpys_functions_are_answered():
    a = regular((3, 3), "float64")
    got = np.linalg.inv(cp.asarray(a))
    assert isinstance(got, cp.ndarray) and np.allclose(cp.asnumpy(got), np.linalg.inv(a))
    assert np.linalg.qr(cp.asarray(a))._fields == ("Q", "R")
    with pytest.raises(TypeError, match="asarray"):
        cp.linalg.inv(a)


def test_the_namespace_is_numpys():
    import cuprum.linalg

    assert cuprum.linalg is cp.linalg
    assert cp.linalg.LinAlgError is np.linalg.LinAlgError
    assert set(np.linalg.__all__) <= set(cp.linalg.__all__)


def test_deprecated_modes_of_qr():
    a = draw((4, 3), "float64")
    with pytest.warns(DeprecationWarning, match="full"):
        assert np.allclose(cp.asnumpy(cp.linalg.qr(cp.asarray(a), "full")[1]), np.linalg.qr(a)[1])
    with pytest.warns(DeprecationWarning, match="economic"):
        got = cp.linalg.qr(cp.asarray(a), "economic")
    with pytest.warns(DeprecationWarning, match="economic"):
        assert np.allclose(cp.asnumpy(got), np.linalg.qr(a, "economic"))
