"""Products of vectors and matrices."""

from . import _core
from ._convert import as_array

__all__ = ["dot", "inner", "kron", "matmul", "outer", "tensordot", "trace", "vdot", "vecdot"]


def matmul(x1, x2, /, out=None):
    """Matrix product, of stacks of matrices too; the operator `@`.

    >>> cp.matmul(cp.array([[1, 2], [3, 4]]), cp.array([1, 1]))
    array([3, 7])
    """
    return _core.matmul(x1, x2, out)


def dot(a, b, out=None):
    """Sum over the last axis of `a` and the second to last of `b`.

    >>> cp.dot(cp.array([1, 2]), cp.array([3, 4]))
    array(11)
    """
    return _core.dot(a, b, out)


def vdot(a, b, /):
    """Dot product of the flattened arrays, the first one conjugated.

    >>> cp.vdot(cp.array([1j, 2]), cp.array([1j, 2]))
    array(5.+0.j)
    """
    return _core.vdot(a, b)


def vecdot(x1, x2, /, *, axis=-1):
    """Dot products along an axis of stacks of vectors, the first ones conjugated.

    >>> cp.vecdot(cp.array([[1, 2], [3, 4]]), cp.array([1, 10]))
    array([21, 43])
    """
    x1, x2 = as_array(x1, "vecdot"), as_array(x2, "vecdot", 2)
    product = _core.multiply(_core.conjugate(x1) if x1.dtype.kind == "c" else x1, x2)
    return _core.sum(product, axis, product.dtype)


def inner(a, b, /):
    """Sum over the last axes of both.

    >>> cp.inner(cp.array([1, 2]), cp.array([[3, 4], [5, 6]]))
    array([11, 17])
    """
    return _core.inner(a, b)


def outer(a, b, out=None):
    """All products of an element of `a` and one of `b`, both flattened; recorded.

    >>> cp.outer(cp.array([1, 2]), cp.array([3, 4]))
    array([[3, 4],
           [6, 8]])
    """
    return _core.outer(a, b, out)


def tensordot(a, b, axes=2):
    """Sum over pairs of axes: the last of `a` with the first of `b`, or those that two sequences name.

    >>> cp.tensordot(cp.ones((2, 3)), cp.ones((3, 4)), 1)
    array([[3., 3., 3., 3.],
           [3., 3., 3., 3.]])
    """
    return _core.tensordot(a, b, axes)


def kron(a, b):
    """Kronecker product: blocks of `b`, each times an element of `a`.

    >>> cp.kron(cp.array([1, 10]), cp.array([1, 2]))
    array([ 1,  2, 10, 20])
    """
    return _core.kron(a, b)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """Sum along a diagonal of two axes.

    >>> cp.trace(cp.array([[1, 2], [3, 4]]))
    array(5)
    """
    return _core.trace(a, offset, axis1, axis2, dtype, out)
