"""Indices of diagonals and triangles, and the two ways to say where an element is: coordinates or a number."""

from . import _core

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
    return _core.diag_indices_from(_shape(arr))


def tril_indices(n, k=0, m=None):
    """Indices of the elements at and below the k-th diagonal of an n x m matrix.

    >>> cp.tril_indices(2)
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    return _core.tril_indices(n, k, m)


def triu_indices(n, k=0, m=None):
    """Indices of the elements at and above the k-th diagonal of an n x m matrix.

    >>> cp.triu_indices(2)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    return _core.triu_indices(n, k, m)


def tril_indices_from(arr, k=0):
    """Indices of the elements at and below the k-th diagonal of the matrix `arr`.

    >>> cp.tril_indices_from(cp.ones((2, 2)), -1)
    (array([1]), array([0]))
    """
    return _core.tril_indices_from(_shape(arr), k)


def triu_indices_from(arr, k=0):
    """Indices of the elements at and above the k-th diagonal of the matrix `arr`.

    >>> cp.triu_indices_from(cp.ones((2, 2)), 1)
    (array([0]), array([1]))
    """
    return _core.triu_indices_from(_shape(arr), k)


def _shape(arr):
    return arr.shape if arr.ndim else ()  # what has no dimensions at all is told so in NumPy's words


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
    return _core.ravel_multi_index(multi_index, dims, mode, order)


def unravel_index(indices, shape, order="C"):
    """The coordinates, one array per axis, of elements numbered in C or Fortran order.

    >>> cp.unravel_index(cp.array([2, 3]), (2, 3))
    (array([0, 1]), array([2, 0]))
    """
    return _core.unravel_index(indices, shape, order)
