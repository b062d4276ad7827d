"""Making arrays: from data, filled, like another, evenly spaced, triangular."""

import inspect

import numpy as np

from . import _core
from ._convert import as_array, plain

__all__ = [
    "arange", "array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray", "copy", "diag",
    "diagflat", "empty", "empty_like", "eye", "full", "full_like", "geomspace", "identity", "linspace", "logspace",
    "meshgrid", "ones", "ones_like", "tri", "tril", "triu", "zeros", "zeros_like",
]  # fmt: skip


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, ndmax=0, like=None):
    """A new array from array-like data: lists, scalars, NumPy arrays, buffers, DLPack exporters.

    >>> cp.array([[1, 2], [3, 4]], dtype=cp.float32)
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    return _core.array(object, dtype, copy, order, subok, ndmin, ndmax)


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """`a` as an array; an array that already fits is returned itself.

    A NumPy array is copied unless `copy=False`, which shares its memory or raises.

    >>> cp.asarray([1, 2, 3])
    array([1, 2, 3])
    """
    return _core.asarray(a, dtype, order, device=device, copy=copy)


def asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """`a` as an array; one of a class derived from ndarray stays one.

    >>> cp.asanyarray((1, 2.5))
    array([1. , 2.5])
    """
    return _core.asarray(a, dtype, order, device=device, copy=copy, subok=True)


def ascontiguousarray(a, dtype=None, *, like=None):
    """`a` as an array of at least one dimension in C order.

    >>> cp.ascontiguousarray(cp.ones((2, 3)).T).flags.c_contiguous
    True
    """
    result = _core.asarray(a, dtype, "C")
    return result if result.ndim else result.reshape(1)


def asfortranarray(a, dtype=None, *, like=None):
    """`a` as an array of at least one dimension in Fortran order.

    >>> cp.asfortranarray(cp.ones((2, 3))).flags.f_contiguous
    True
    """
    result = _core.asarray(a, dtype, "F")
    return result if result.ndim else result.reshape(1)


def copy(a, order="K", subok=False):
    """A copy of `a`.

    >>> x = cp.array([1, 2])
    >>> y = cp.copy(x)
    >>> y[0] = 9
    >>> x
    array([1, 2])
    """
    return _core.array(a, None, True, order, subok)


def empty(shape, dtype=None, order="C", *, device=None, like=None):
    """An array whose contents are arbitrary.

    >>> cp.empty((2, 3)).shape
    (2, 3)
    """
    return _core.empty(shape, dtype, order, device=device)


def zeros(shape, dtype=None, order="C", *, device=None, like=None):
    """An array of zeros. It takes memory only when its bytes are needed.

    >>> cp.zeros(3)
    array([0., 0., 0.])
    """
    return _core.zeros(shape, dtype, order, device=device)


def ones(shape, dtype=None, order="C", *, device=None, like=None):
    """An array of ones. It takes memory only when its bytes are needed.

    >>> cp.ones((2, 2), dtype=int)
    array([[1, 1],
           [1, 1]])
    """
    return _core.ones(shape, dtype, order, device=device)


def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    """An array filled with `fill_value`, which may be an array that broadcasts to `shape`.

    >>> cp.full((2, 2), 7)
    array([[7, 7],
           [7, 7]])
    """
    return _core.full(shape, fill_value, dtype, order, device=device)


def empty_like(prototype, /, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """An array with arbitrary contents and the shape, dtype and layout of `prototype`.

    >>> cp.empty_like(cp.ones((2, 3), cp.int8)).dtype
    dtype('int8')
    """
    result = _core.empty_like(prototype, dtype, order, shape, device=device)
    return result if subok else plain(result)


def zeros_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """Zeros with the shape, dtype and layout of `a`.

    >>> cp.zeros_like(cp.array([1.5, 2.5]))
    array([0., 0.])
    """
    result = _core.zeros_like(a, dtype, order, shape, device=device)
    return result if subok else plain(result)


def ones_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """Ones with the shape, dtype and layout of `a`.

    >>> cp.ones_like(cp.array([True, False]))
    array([ True,  True])
    """
    result = _core.ones_like(a, dtype, order, shape, device=device)
    return result if subok else plain(result)


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """`fill_value` with the shape, dtype and layout of `a`.

    >>> cp.full_like(cp.array([1, 2]), 7)
    array([7, 7])
    """
    result = _core.full_like(a, fill_value, dtype, order, shape, device=device)
    return result if subok else plain(result)


def arange(start_or_stop=None, /, stop=None, step=None, dtype=None, *, device=None, like=None, start=None):
    """Evenly spaced values from a start to before `stop`, `step` apart; `arange(stop)` starts at 0.

    >>> cp.arange(2, 10, 3)
    array([2, 5, 8])
    """
    return _core.arange(start_or_stop, stop, step, dtype, device=device, like=like, start=start)


# As NumPy shows it; `arange(start=1, stop=4)` and `arange(stop=4)` are taken besides.
arange.__signature__ = inspect.signature(
    lambda start_or_stop, /, stop=None, step=None, dtype=None, *, device=None, like=None: None
)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    """`num` values from `start` to `stop`, evenly spaced; without `endpoint`, `stop` is left out.

    >>> cp.linspace(0, 1, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    return _core.linspace(start, stop, num, endpoint, retstep, dtype, axis, device=device)


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """`base` raised to `num` evenly spaced exponents from `start` to `stop`; of several bases each has its sequence.

    >>> cp.logspace(0, 3, 4)
    array([   1.,   10.,  100., 1000.])
    """
    if np.ndim(base):  # broadcast with the ends before there is the axis of the exponents
        base = as_array(base, "logspace", 5)
        ndim = len(np.broadcast_shapes(np.shape(start), np.shape(stop), base.shape))
        start, stop, base = (array(x, ndmin=ndim, copy=None) for x in (start, stop, base))
        base = _core.expand_dims(base, axis)
    exponents = linspace(start, stop, num, endpoint, axis=axis)
    result = _core.power(base, exponents)
    return result if dtype is None else result.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """`num` values from `start` to `stop`, each the one before times the same factor.

    >>> cp.geomspace(1, 1000, 4)
    array([   1.,   10.,  100., 1000.])
    """
    start, stop = as_array(start, "geomspace"), as_array(stop, "geomspace", 2)
    if bool(_core.logical_or((start == 0).any(), (stop == 0).any())):
        raise ValueError("cuprum.geomspace: Geometric sequence cannot include zero")
    kind = _core.result_type(start, stop, float(num), *(() if dtype is None else (np.dtype(dtype),)))
    if kind.kind == "c" and {start.dtype.kind, stop.dtype.kind} != {"c"}:
        start, stop = start.astype(kind, copy=False), stop.astype(kind, copy=False)
    start, stop = _core.broadcast_arrays([start, stop])
    sign = _core.sign(start.astype(kind, copy=False))  # of complex numbers the direction
    first, last = start / sign, stop / sign
    result = logspace(_core.log10(first), _core.log10(last), num, endpoint, dtype=kind)
    if num > 0:  # the ends are exact
        result[0] = first
        if num > 1 and endpoint:
            result[-1] = last
    result = result * sign
    return _core.moveaxis(result, 0, axis).astype(kind if dtype is None else dtype, copy=False)


def eye(N, M=None, k=0, dtype=float, order="C", *, device=None, like=None):
    """An N x M matrix with ones on the k-th diagonal and zeros elsewhere.

    >>> cp.eye(2, 3, 1)
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    return _core.eye(N, M, k, dtype, order, device=device)


def identity(n, dtype=None, *, like=None):
    """The n x n matrix with ones on the main diagonal.

    >>> cp.identity(2)
    array([[1., 0.],
           [0., 1.]])
    """
    return _core.eye(n, None, 0, dtype)


def tri(N, M=None, k=0, dtype=float, *, like=None):
    """An N x M matrix with ones at and below the k-th diagonal.

    >>> cp.tri(2, 3)
    array([[1., 0., 0.],
           [1., 1., 0.]])
    """
    return _core.tri(N, M, k, dtype)


def tril(m, k=0):
    """`m` with the elements above the k-th diagonal of its last two axes set to zero.

    >>> cp.tril(cp.ones((2, 2)))
    array([[1., 0.],
           [1., 1.]])
    """
    return _core.tril(m, k)


def triu(m, k=0):
    """`m` with the elements below the k-th diagonal of its last two axes set to zero.

    >>> cp.triu(cp.ones((2, 2)))
    array([[1., 1.],
           [0., 1.]])
    """
    return _core.triu(m, k)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """Coordinate arrays of the grid that 1-d coordinates span, as a tuple.

    >>> x, y = cp.meshgrid([1, 2, 3], [10, 20])
    >>> x + y
    array([[11, 12, 13],
           [21, 22, 23]])
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(
            f"cuprum.meshgrid: indexing is {indexing!r}; valid values for `indexing` are 'xy' and 'ij'."
        )
    n = len(xi)
    grids = []
    for i, x in enumerate(xi):
        shape = [1] * n
        shape[i] = -1
        grids.append(as_array(x, "meshgrid", i + 1).reshape(shape))
    if indexing == "xy" and n > 1:
        first = (1, -1) + (1,) * (n - 2)
        second = (-1, 1) + (1,) * (n - 2)
        grids[0] = grids[0].reshape(first)
        grids[1] = grids[1].reshape(second)
    if not sparse:
        grids = _core.broadcast_arrays(grids)
    return tuple(_core.array(g, None, True, "C") for g in grids) if copy else tuple(grids)


def diag(v, k=0):
    """The k-th diagonal of a matrix, or a matrix with a vector on that diagonal.

    >>> cp.diag([1, 2])
    array([[1, 0],
           [0, 2]])
    >>> cp.diag(cp.array([[1, 2], [3, 4]]), 1)
    array([2])
    """
    return _core.diag(v, k)


def diagflat(v, k=0):
    """A matrix with the flattened input on its k-th diagonal.

    >>> cp.diagflat([[1], [2]])
    array([[1, 0],
           [0, 2]])
    """
    return _core.diag(_core.ravel(v), k)
