"""Arrays to test with, of either library."""

import numpy as np

import cuprum

__all__ = [
    "empty",
    "generate_matrix",
    "shaped_arange",
    "shaped_linspace",
    "shaped_random",
    "shaped_reverse_arange",
]


def _module(xp):
    return cuprum if xp is None else xp


def shaped_arange(shape, xp=None, dtype=np.float32, order="C"):
    """1, 2, 3, ... in the given shape; of bool, every other element is True.

    >>> cp.testing.shaped_arange((2, 3), cp, "i4")
    array([[1, 2, 3],
           [4, 5, 6]], dtype=int32)
    """
    xp, dtype = _module(xp), np.dtype(dtype)
    values = np.arange(1, int(np.prod(shape)) + 1)
    return _in_shape(values, shape, xp, dtype, order)


def shaped_reverse_arange(shape, xp=None, dtype=np.float32):
    """n, ..., 3, 2, 1 in the given shape; of bool, every other element is True.

    >>> cp.testing.shaped_reverse_arange((3,), np)
    array([3., 2., 1.], dtype=float32)
    """
    values = np.arange(int(np.prod(shape)), 0, -1)
    return _in_shape(values, shape, _module(xp), np.dtype(dtype), "C")


def _in_shape(values, shape, xp, dtype, order):
    if dtype.kind == "b":
        values = values % 2 == 0
    elif dtype.kind == "c":
        values = values + values * 1j
    return xp.array(values.astype(dtype).reshape(shape), order=order)


def shaped_linspace(start, stop, shape, xp=None, dtype=np.float32):
    """Numbers evenly from `start` to `stop` in the given shape.

    >>> cp.testing.shaped_linspace(0, 1, (3,), np)
    array([0. , 0.5, 1. ], dtype=float32)
    """
    values = np.linspace(start, stop, int(np.prod(shape)), dtype=dtype)
    return _module(xp).asarray(values.reshape(shape))


def shaped_random(shape, xp=None, dtype=np.float32, scale=10, seed=0, order="C"):
    """Random numbers between 0 and `scale`, the same with both libraries; of bool, either value.

    >>> cp.testing.assert_array_equal(cp.testing.shaped_random((2, 3), cp), cp.testing.shaped_random((2, 3), np))
    """
    draw, dtype = np.random.RandomState(seed), np.dtype(dtype)
    if dtype.kind == "b":
        values = draw.randint(2, size=shape)
    elif dtype.kind == "c":
        values = draw.rand(*shape) * scale + 1j * draw.rand(*shape) * scale
    else:
        values = draw.rand(*shape) * scale
    return _module(xp).asarray(np.asarray(values, dtype=dtype), order=order)


def generate_matrix(shape, xp=None, dtype=np.float32, *, singular_values=None):
    """Random matrices with the given singular values, or with values between 1 and 3.

    >>> a = cp.testing.generate_matrix((3, 3), cp, "f8", singular_values=[1.0, 2.0, 4.0])
    >>> cp.testing.assert_allclose(cp.linalg.svdvals(a), [4.0, 2.0, 1.0])
    """
    dtype = np.dtype(dtype)
    if dtype.kind not in "fc":
        raise TypeError(f"cuprum.testing.generate_matrix: dtype must be floating or complex, given {dtype}")
    if len(shape) <= 1:
        raise ValueError(f"cuprum.testing.generate_matrix: at least two dimensions are needed, given {shape}")
    *batch, rows, columns = shape
    k = min(rows, columns)
    draw = np.random.RandomState(0)
    values = draw.uniform(1, 3, (*batch, k)) if singular_values is None else np.asarray(singular_values)
    if (values < 0).any():
        raise ValueError("cuprum.testing.generate_matrix: singular values must not be negative")
    values = np.broadcast_to(values, (*batch, k))

    def orthogonal(n):
        a = draw.randn(*batch, n, k) + (1j * draw.randn(*batch, n, k) if dtype.kind == "c" else 0)
        return np.linalg.qr(a)[0]

    matrix = (orthogonal(rows) * values[..., None, :]) @ np.swapaxes(orthogonal(columns), -1, -2).conj()
    return _module(xp).asarray(matrix.astype(dtype))


def empty(xp=None, dtype=np.float32):
    """An array of no elements.

    >>> cp.testing.empty(np).size
    0
    """
    return _module(xp).zeros((0,), dtype)
