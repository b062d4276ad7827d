"""What the tests of cuprum.linalg share: matrices to draw and bounds to keep.

A backward stable algorithm leaves a residual of a small multiple of n * eps * |a| * |x|; the constants here are 20 to
50 times what was seen. NumPy computes float32 in float64, Cuprum in float32: comparisons of values allow float32's
epsilon.
"""

import numpy as np

import cuprum as cp

DTYPES = ["float32", "float64", "complex64", "complex128"]
# Single matrices, small, of middle size and for the routines of large ones; stacks for LAPACK (too large, or too few,
# for groups), stacks for interleaved groups, whole and with a rest.
SHAPES = [
    (1, 1),
    (2, 2),
    (7, 7),
    (33, 33),
    (260, 260),
    (3, 5, 5),
    (9, 40, 40),
    (8, 1, 1),
    (21, 3, 3),
    (2, 13, 8, 8),
    (10, 32, 32),
]


def draw(shape, dtype, seed=0):
    rng = np.random.default_rng([seed, *shape])
    a = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    return a.astype(dtype)


def regular(shape, dtype, seed=0):
    """Matrices with condition numbers of about ten."""
    n = shape[-1]
    return (draw(shape, dtype, seed) + 3 * np.sqrt(n) * np.eye(n)).astype(dtype)


def positive(shape, dtype, seed=0):
    a = draw(shape, dtype, seed)
    return (a @ a.conj().swapaxes(-1, -2) / shape[-1] + np.eye(shape[-1])).astype(dtype)


def eps(dtype):
    return np.finfo(dtype).eps


def norms(a):
    return np.sqrt((np.abs(a) ** 2).sum((-2, -1), keepdims=True))


def assert_small(residual, scale, n, dtype):
    assert np.all(norms(residual) <= 20 * n * eps(dtype) * scale)


def like(got, want):
    """The same dtype, shape and class of result as NumPy's."""
    got, want = (x if isinstance(x, tuple) else (x,) for x in (got, want))
    assert len(got) == len(want)
    assert getattr(got, "_fields", None) == getattr(want, "_fields", None)
    for g, w in zip(got, want, strict=True):
        assert isinstance(g, cp.ndarray)
        assert g.dtype == np.asarray(w).dtype and g.shape == np.shape(w)
    return [cp.asnumpy(g) for g in got]
