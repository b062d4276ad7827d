"""Equations, inverses, determinants and factors that rest on elimination."""

import operator
from typing import NamedTuple

import numpy as np

from .. import _core
from .._convert import as_array, no_value

__all__ = [
    "cholesky", "det", "inv", "lstsq", "matrix_power", "pinv", "slogdet", "solve", "tensorinv", "tensorsolve",
]  # fmt: skip

_LONG = 1 << 62  # the core counts in 64 bits


class SlogdetResult(NamedTuple):
    sign: _core.ndarray
    logabsdet: _core.ndarray


def solve(a, b):
    """x with a @ x == b, for every matrix of a stack; a one-dimensional b is a vector. Singular ones raise LinAlgError.

    >>> cp.linalg.solve(cp.array([[2.0, 0.0], [0.0, 4.0]]), cp.array([2.0, 8.0]))
    array([1., 2.])
    """
    return _core.linalg.solve(a, b)


def tensorsolve(a, b, axes=None):
    """x with tensordot(a, x, x.ndim) == b; `axes` of a are moved to its end first.

    >>> cp.linalg.tensorsolve(cp.eye(4).reshape(2, 2, 4), cp.array([[1.0, 2.0], [3.0, 4.0]]))
    array([1., 2., 3., 4.])
    """
    return _core.linalg.tensorsolve(a, b, axes)


def inv(a):
    """Inverses of matrices. Singular ones raise LinAlgError.

    >>> cp.linalg.inv(cp.array([[1.0, 2.0], [3.0, 4.0]])).round(12)
    array([[-2. ,  1. ],
           [ 1.5, -0.5]])
    """
    return _core.linalg.inv(a)


def tensorinv(a, ind=2):
    """The inverse of a tensor under tensordot; its first `ind` dimensions are the rows.

    >>> cp.linalg.tensorinv(cp.eye(4).reshape(4, 2, 2), ind=1).shape
    (2, 2, 4)
    """
    return _core.linalg.tensorinv(a, ind)


def pinv(a, rcond=None, hermitian=False, *, rtol=no_value):
    """Pseudo-inverses, by the singular values greater than `rcond` (1e-15) times the largest.

    >>> cp.linalg.pinv(cp.array([[1.0, 0.0], [0.0, 0.0]]))
    array([[1., 0.],
           [0., 0.]])
    """
    if rcond is not None and rtol is not no_value:
        raise ValueError("cuprum.linalg.pinv: `rtol` and `rcond` can't be both set.")
    if rcond is None:
        rcond = 1e-15 if rtol is no_value else rtol
    a = as_array(a, "linalg.pinv")
    if rcond is None:
        rcond = max(a.shape[-2:]) * np.finfo(a.dtype).eps
    return _core.linalg.pinv(a, rcond, hermitian)


def matrix_power(a, n):
    """a @ a @ ... of n factors; of inverses where n is negative.

    >>> cp.linalg.matrix_power(cp.array([[1, 1], [0, 1]]), 5)
    array([[1, 5],
           [0, 1]])
    """
    try:
        n = operator.index(n)
    except TypeError as e:
        raise TypeError(
            f"cuprum.linalg.matrix_power: exponent must be an integer, given a {type(n).__name__}"
        ) from e
    if -_LONG < n < _LONG:
        return _core.linalg.matrix_power(a, n)
    high, low = divmod(abs(n), _LONG)
    a = _core.linalg.inv(a) if n < 0 else a
    return _core.matmul(
        matrix_power(_core.linalg.matrix_power(a, _LONG), high), _core.linalg.matrix_power(a, low)
    )


def cholesky(a, /, *, upper=False):
    """The triangular l with l @ l.conj().T == a, or u with u.conj().T @ u == a. Only that triangle of a is read.

    >>> cp.linalg.cholesky(cp.array([[4.0, 2.0], [2.0, 5.0]]))
    array([[2., 0.],
           [1., 2.]])
    """
    return _core.linalg.cholesky(a, upper)


def det(a):
    """Determinants of square matrices.

    >>> cp.linalg.det(cp.array([[2.0, 0.0], [1.0, 4.0]]))
    array(8.)
    """
    return _core.linalg.det(a)


def slogdet(a):
    """Signs of determinants and logarithms of their moduli, which neither overflow nor vanish.

    >>> cp.linalg.slogdet(cp.array([[0.0, 1.0], [1.0, 0.0]])).sign
    array(-1.)
    """
    return SlogdetResult(*_core.linalg.slogdet(a))


def lstsq(a, b, rcond=None):
    """x that makes |b - a @ x| smallest, the sums of squares that are left, the rank of a and its singular values.

    Singular values up to `rcond` times the largest count as zero. The rank decides the shape of the residuals, so the
    call waits for it.

    >>> a = cp.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> x, residuals, rank, s = cp.linalg.lstsq(a, cp.array([1.0, 2.0, 3.0]))
    >>> x.round(12), int(rank)
    (array([1., 1.]), 2)
    """
    return _core.linalg.lstsq(a, b, rcond)
