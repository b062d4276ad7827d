"""Indices of diagonals and triangles, and the two ways to say where an element is: coordinates or a number."""

import math

import numpy as np

from . import _core
from ._convert import as_array

__all__ = [
    "diag_indices", "diag_indices_from", "mask_indices", "ravel_multi_index", "tril_indices", "tril_indices_from",
    "triu_indices", "triu_indices_from", "unravel_index",
]  # fmt: skip


def diag_indices(n, ndim=2):
    """Indices of the main diagonal of an array of `ndim` axes of length n.

    >>> x = cp.zeros((2, 2), int)
    >>> x[cp.diag_indices(2)] = 5
    >>> x
    array([[5, 0],
           [0, 5]])
    """
    return (_core.arange(n, None, None, None),) * ndim


def diag_indices_from(arr):
    """Indices of the main diagonal of `arr`.

    >>> cp.diag_indices_from(cp.ones((2, 2)))
    (array([0, 1]), array([0, 1]))
    """
    if arr.ndim < 2:
        raise ValueError("cuprum.diag_indices_from: input array must be at least 2-d")
    if len(set(arr.shape)) != 1:
        raise ValueError("cuprum.diag_indices_from: All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim)


def tril_indices(n, k=0, m=None):
    """Indices of the elements at and below the k-th diagonal of an n x m matrix.

    >>> cp.tril_indices(2)
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    return _core.nonzero(_core.tri(n, m, k, bool))


def triu_indices(n, k=0, m=None):
    """Indices of the elements at and above the k-th diagonal of an n x m matrix.

    >>> cp.triu_indices(2)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return _core.nonzero(_core.logical_not(_core.tri(n, m, k - 1, bool)))


def tril_indices_from(arr, k=0):
    """Indices of the elements at and below the k-th diagonal of the matrix `arr`.

    >>> cp.tril_indices_from(cp.ones((2, 2)), -1)
    (array([1]), array([0]))
    """
    return tril_indices(*_matrix_shape(arr, k, "tril_indices_from"))


def triu_indices_from(arr, k=0):
    """Indices of the elements at and above the k-th diagonal of the matrix `arr`.

    >>> cp.triu_indices_from(cp.ones((2, 2)), 1)
    (array([0]), array([1]))
    """
    return triu_indices(*_matrix_shape(arr, k, "triu_indices_from"))


def _matrix_shape(arr, k, function):
    if arr.ndim != 2:
        raise ValueError(f"cuprum.{function}: input array must be 2-d")
    return arr.shape[0], k, arr.shape[1]


def mask_indices(n, mask_func, k=0):
    """Indices of the elements of an n x n matrix of ones that `mask_func(matrix, k)` leaves.

    >>> cp.mask_indices(2, cp.triu)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return _core.nonzero(mask_func(_core.ones((n, n), int), k) != 0)


# -- Coordinates and numbers ----------------------------------------------------------------------------


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    """The numbers, counted in C or Fortran order, of the elements at these coordinates of an array of shape `dims`.

    What lies outside raises, is wrapped around or clipped; a tuple of modes has one for each axis.

    >>> cp.ravel_multi_index(cp.array([[0, 1], [2, 0]]), (2, 3))
    array([2, 3])
    """
    function = "ravel_multi_index"
    dims = _core.as_shape(dims, "ravel_multi_index")
    modes = _modes(mode, len(dims))
    if order not in ("C", "F", None):
        raise ValueError("cuprum.ravel_multi_index: only 'C' or 'F' order is permitted")
    if math.prod(dims) > np.iinfo(np.intp).max:
        raise ValueError(
            "cuprum.ravel_multi_index: invalid dims: array size defined by dims is larger than the maximum "
            "possible size."
        )
    if len(multi_index) != len(dims):
        raise ValueError(
            f"cuprum.ravel_multi_index: parameter multi_index must be a sequence of length {len(dims)}, "
            f"not {len(multi_index)}"
        )
    places = [_places(x, function, 1) for x in multi_index]
    if 0 in dims and any(x.size for x in places):
        raise ValueError("cuprum.ravel_multi_index: cannot unravel if shape has zero entries (is empty).")
    _check_coordinates([(x, n) for x, n, how in zip(places, dims, modes) if how == "raise"])
    result = _core.zeros((), np.intp)
    for x, n, step, how in zip(places, dims, _steps(dims, order), modes):
        if how == "wrap":
            x = x % max(n, 1)
        elif how == "clip":
            x = _core.minimum(_core.maximum(x, 0), max(n - 1, 0))
        result = result + x * step
    return result


def unravel_index(indices, shape, order="C"):
    """The coordinates, one array per axis, of elements numbered in C or Fortran order.

    >>> cp.unravel_index(cp.array([2, 3]), (2, 3))
    (array([0, 1]), array([2, 0]))
    """
    shape = _core.as_shape(shape, "unravel_index")
    if order not in ("C", "F", None):
        raise ValueError(f"cuprum.unravel_index: only 'C' or 'F' order is permitted, not {order!r}")
    size = math.prod(shape)
    if size > np.iinfo(np.intp).max or min(shape, default=0) < 0:
        raise ValueError(
            "cuprum.unravel_index: dimensions are too large; arrays and shapes with a total size greater than "
            "'intp' are not supported."
        )
    places = _places(indices, "unravel_index", 1)
    outside = (places < 0) | (places >= size)
    if bool(outside.any()):
        first = int(places[outside][0])
        raise ValueError(f"cuprum.unravel_index: index {first} is out of bounds for array with size {size}")
    if not shape and places.ndim:
        raise ValueError("cuprum.unravel_index: multiple indices are not supported for 0d arrays")
    return tuple(
        places // max(step, 1) % max(n, 1) for n, step in zip(shape, _steps(shape, order))
    )  # no element is in an empty shape: its lengths only must not divide


def _steps(shape, order):
    """How far apart in number the neighbours along each axis are."""
    if order != "F":
        return [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    return [math.prod(shape[:i]) for i in range(len(shape))]


def _modes(mode, count):
    modes = (mode,) * count if isinstance(mode, str) else tuple(mode)
    for one in (mode,) if isinstance(mode, str) else modes:
        if one not in ("raise", "wrap", "clip"):
            raise ValueError(
                f"cuprum.ravel_multi_index: clipmode must be one of 'clip', 'raise', or 'wrap' (got {one!r})"
            )
    if len(modes) != count:
        raise ValueError(
            f"cuprum.ravel_multi_index: list of clipmodes has wrong length ({len(modes)} instead of {count})"
        )
    return modes


def _places(x, function, position):
    """An array-like of integers as one of positions."""
    given, x = x, as_array(x, function, position)
    if x.dtype.kind not in "iub":
        if x.size == 0 and not isinstance(given, _core.ndarray):
            raise TypeError(
                f"cuprum.{function}: indices must be integral: the provided empty sequence was inferred as float. "
                f"Wrap it with 'cp.array(indices, dtype=cp.intp)'"
            )
        raise TypeError(f"cuprum.{function}: only int indices permitted, not {x.dtype}")
    return x.astype(np.intp)


def _check_coordinates(pairs):
    """All coordinates are looked at in one go: asking for the answer computes what is pending."""
    outside = [((x < 0) | (x >= n)).any() for x, n in pairs]
    if outside and bool(_core.stack(outside, 0, None).any()):
        raise ValueError("cuprum.ravel_multi_index: invalid entry in coordinates array")
