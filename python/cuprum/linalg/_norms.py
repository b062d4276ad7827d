"""Norms, condition numbers and ranks."""

from .. import _core

__all__ = ["cond", "matrix_norm", "matrix_rank", "norm", "vector_norm"]


def norm(x, ord=None, axis=None, keepdims=False):
    """Norms of vectors (one axis) or matrices (two axes, or both of a matrix); without `ord`, of all elements.

    >>> cp.linalg.norm(cp.array([3.0, 4.0]))
    array(5.)
    """
    if axis is not None and not isinstance(axis, tuple):
        try:
            axis = int(axis)
        except Exception as e:
            raise TypeError(
                "cuprum.linalg.norm: 'axis' must be None, an integer or a tuple of integers"
            ) from e
    return _core.linalg.norm(x, ord, axis, keepdims)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """Norms of the matrices of a stack.

    >>> cp.linalg.matrix_norm(cp.array([[[3.0, 4.0]], [[6.0, 8.0]]]))
    array([ 5., 10.])
    """
    return _core.linalg.matrix_norm(x, keepdims, ord)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """Norms of vectors along an axis, or of all elements along several.

    >>> cp.linalg.vector_norm(cp.array([[3.0, 4.0], [6.0, 8.0]]), axis=1)
    array([ 5., 10.])
    """
    return _core.linalg.vector_norm(x, axis, keepdims, ord)


def cond(x, p=None):
    """Condition numbers: the norm of a matrix times that of its inverse; infinite for a singular one.

    >>> cp.linalg.cond(cp.array([[2.0, 0.0], [0.0, 0.5]]))
    array(4.)
    """
    return _core.linalg.cond(x, p)


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """How many singular values are greater than `tol`, or than `rtol` times the largest.

    >>> cp.linalg.matrix_rank(cp.ones((3, 3)))
    array(1)
    """
    return _core.linalg.matrix_rank(A, tol, hermitian, rtol)
