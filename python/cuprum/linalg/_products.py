"""Products and views of matrices, with the signatures that numpy.linalg gives them."""

from .. import _core
from .. import _products as products
from .._convert import as_array
from .._products import cross as cross_product

__all__ = [
    "cross", "diagonal", "matmul", "matrix_transpose", "multi_dot", "outer", "tensordot", "trace", "vecdot",
]  # fmt: skip


def matmul(x1, x2, /):
    """Matrix product, of stacks of matrices too.

    >>> cp.linalg.matmul(cp.array([[1, 2], [3, 4]]), cp.array([1, 1]))
    array([3, 7])
    """
    return _core.matmul(x1, x2)


def multi_dot(arrays, *, out=None):
    """The product of two or more arrays, in the order that takes the fewest multiplications.

    >>> cp.linalg.multi_dot([cp.ones((2, 3)), cp.ones((3, 4)), cp.ones(4)])
    array([12., 12.])
    """
    return _core.linalg.multi_dot(arrays, out)


def outer(x1, x2, /):
    """All products of an element of x1 and one of x2, which are vectors.

    >>> cp.linalg.outer(cp.array([1, 2]), cp.array([3, 4]))
    array([[3, 4],
           [6, 8]])
    """
    x1, x2 = as_array(x1, "linalg.outer"), as_array(x2, "linalg.outer", 2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            "cuprum.linalg.outer: Input arrays must be one-dimensional, but they are "
            f"x1.ndim={x1.ndim!r} and x2.ndim={x2.ndim!r}."
        )
    return _core.outer(x1, x2)


def tensordot(x1, x2, /, *, axes=2):
    """Sum over pairs of axes.

    >>> cp.linalg.tensordot(cp.ones((2, 3)), cp.ones((3, 2)), axes=1)
    array([[3., 3.],
           [3., 3.]])
    """
    return _core.tensordot(x1, x2, axes)


def vecdot(x1, x2, /, *, axis=-1):
    """Dot products along an axis, the first vectors conjugated.

    >>> cp.linalg.vecdot(cp.array([[1, 2], [3, 4]]), cp.array([1, 10]))
    array([21, 43])
    """
    return products.vecdot(x1, x2, axis=axis)


def cross(x1, x2, /, *, axis=-1):
    """Cross products of vectors of three elements.

    >>> cp.linalg.cross(cp.array([1, 0, 0]), cp.array([0, 1, 0]))
    array([0, 0, 1])
    """
    x1, x2 = as_array(x1, "linalg.cross"), as_array(x2, "linalg.cross", 2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(
            "cuprum.linalg.cross: Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
            f"{x1.shape[axis]} and {x2.shape[axis]} dimensional instead."
        )
    return cross_product(x1, x2, axis=axis)


def trace(x, /, *, offset=0, dtype=None):
    """Sums along diagonals of the matrices of a stack.

    >>> cp.linalg.trace(cp.array([[1, 2], [3, 4]]))
    array(5)
    """
    return _core.trace(x, offset, -2, -1, dtype)


def diagonal(x, /, *, offset=0):
    """Diagonals of the matrices of a stack, as read-only views.

    >>> cp.linalg.diagonal(cp.array([[1, 2], [3, 4]]))
    array([1, 4])
    """
    return _core.diagonal(x, offset, -2, -1)


def matrix_transpose(x, /):
    """The last two axes swapped.

    >>> cp.linalg.matrix_transpose(cp.array([[1, 2], [3, 4]]))
    array([[1, 3],
           [2, 4]])
    """
    return _core.matrix_transpose(x)
