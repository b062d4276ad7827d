"""Products of vectors and matrices."""

from . import _core
from ._composite import plainly
from ._convert import no_value
from ._dispatch import is_asked
from ._gufunc import Gufunc

__all__ = [
    "cross", "dot", "inner", "kron", "matmul", "matvec", "outer", "tensordot", "trace", "vdot", "vecdot", "vecmat",
]  # fmt: skip


@plainly(_core.matmul)
def matmul(x1, x2, /, out=None, *, axes=no_value, axis=no_value, keepdims=False, casting="same_kind", order="K",
           dtype=None, subok=True, signature=None):  # fmt: skip
    """Matrix product, of stacks of matrices too; the operator `@`.

    >>> cp.matmul(cp.array([[1, 2], [3, 4]]), cp.array([1, 1]))
    array([3, 7])
    """
    plain = axes is no_value and axis is no_value and dtype is None and signature is None and not keepdims
    plain = plain and casting == "same_kind" and order == "K" and not isinstance(out, tuple)
    if plain and not is_asked(x1, x2, out):
        return _core.matmul(x1, x2, out)
    return _MATMUL(x1, x2, out, axes, axis, keepdims, casting, order, dtype, signature)


@plainly(_core.vecdot)
def vecdot(x1, x2, /, out=None, *, axes=no_value, axis=no_value, keepdims=False, casting="same_kind", order="K",
           dtype=None, subok=True, signature=None):  # fmt: skip
    """Dot products along an axis of stacks of vectors, the first ones conjugated: one kernel, nothing stored between.

    >>> cp.vecdot(cp.array([[1, 2], [3, 4]]), cp.array([1, 10]))
    array([21, 43])
    """
    return _VECDOT(x1, x2, out, axes, axis, keepdims, casting, order, dtype, signature)


@plainly(_core.matvec)
def matvec(x1, x2, /, out=None, *, axes=no_value, axis=no_value, keepdims=False, casting="same_kind", order="K",
           dtype=None, subok=True, signature=None):  # fmt: skip
    """Products of stacks of matrices with stacks of vectors.

    >>> cp.matvec(cp.array([[1, 2], [3, 4]]), cp.array([[1, 0], [0, 1], [1, 1]]))
    array([[1, 3],
           [2, 4],
           [3, 7]])
    """
    return _MATVEC(x1, x2, out, axes, axis, keepdims, casting, order, dtype, signature)


@plainly(_core.vecmat)
def vecmat(x1, x2, /, out=None, *, axes=no_value, axis=no_value, keepdims=False, casting="same_kind", order="K",
           dtype=None, subok=True, signature=None):  # fmt: skip
    """Products of stacks of vectors, which are conjugated, with stacks of matrices.

    >>> cp.vecmat(cp.array([1, 1j]), cp.array([[1, 2], [3, 4]]))
    array([1.-3.j, 2.-4.j])
    """
    return _VECMAT(x1, x2, out, axes, axis, keepdims, casting, order, dtype, signature)


_MATMUL = Gufunc(
    "matmul",
    "(n?,k),(k,m?)->(n?,m?)",
    (("n", "k"), ("k", "m"), ("n", "m")),
    lambda x1, x2: _core.matmul(x1, x2, None),
)
_VECDOT = Gufunc("vecdot", "(n),(n)->()", (("n",), ("n",), ()), _core.vecdot)
_MATVEC = Gufunc("matvec", "(m,n),(n)->(m)", (("m", "n"), ("n",), ("m",)), _core.matvec)
_VECMAT = Gufunc("vecmat", "(n),(n,m)->(m)", (("n",), ("n", "m"), ("m",)), _core.vecmat)


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


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Cross products of vectors along an axis.

    >>> cp.cross(cp.array([1, 2, 3]), cp.array([4, 5, 6]))
    array([-3,  6, -3])
    """
    return _core.cross(a, b, axisa, axisb, axisc, axis)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """Sum along a diagonal of two axes.

    >>> cp.trace(cp.array([[1, 2], [3, 4]]))
    array(5)
    """
    return _core.trace(a, offset, axis1, axis2, dtype, out)
