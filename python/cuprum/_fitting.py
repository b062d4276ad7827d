"""What `polyfit` and the fits of `polynomial` share: their points, and least squares with columns of norm one."""

import numpy as np

from . import _core


def check_points(x, y):
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if len(x) != len(y):
        raise TypeError("expected x and y to have same length")


def column_norms(left):
    squares = (
        _core.square(left.real) + _core.square(left.imag) if left.dtype.kind == "c" else _core.square(left)
    )
    return _core.sqrt(_core.sum(squares, 0))


def solve(left, right, norms, rcond):
    """Least squares of left c = right: c, residuals, rank and the singular values of left with columns of norm one."""
    from . import linalg

    a = left / norms
    square = _reduced(a, right) if len(a) >= max(_TALL, 16 * a.shape[1]) else None
    if square is None:
        c, residuals, rank, s = linalg.lstsq(a, right, rcond)
    else:
        dtype = _core.promote_types(a.dtype, right.dtype)
        c, _, rank, s = linalg.lstsq(*square, rcond)
        rest = _core.absolute(right - _core.matmul(a, c))
        residuals = _core.sum(rest * rest, 0).reshape(-1)[: None if int(rank) == a.shape[1] else 0]
        real = np.empty(0, dtype).real.dtype
        c, residuals, s = c.astype(dtype), residuals.astype(real), s.astype(real)
    return (c.T / norms).T, residuals, rank, s


_TALL = 2000  # points from which a reduction pays: a million in degree 5 take 19 ms with it, 137 ms without


def _reduced(a, b):
    """As many equations as unknowns, with the same solution and singular values; None if that would cost digits.

    a = q R, where R is made of the eigenvectors and -values of a^H a, and q is made orthogonal to the last bit by doing
    the same again. That takes four passes over the points, all of them products of matrices; only the small matrices
    are factorised. It keeps all digits while the condition of a is below the root of 1 / eps.
    """
    from . import linalg

    if a.dtype.char not in "fdFD" or b.dtype.char not in "fdFD":
        return None
    a = a.astype(_core.promote_types(a.dtype, float), copy=False)
    gram = _core.matmul(_adjoint(a), a)
    if not bool(_core.all(_core.isfinite(gram))):
        return None
    roots, factor = _root(linalg.eigh(gram))
    if not bool(roots[0] > 3e-7 * roots[-1]):
        return None
    q = _core.matmul(a, factor / roots)
    more, rotation = _root(linalg.eigh(_core.matmul(_adjoint(q), q)))
    square = _core.matmul(more[:, None] * _adjoint(rotation), roots[:, None] * _adjoint(factor))
    return square, _core.matmul(_adjoint(rotation / more), _core.matmul(_adjoint(q), b))


def _root(decomposition):
    """The roots of the eigenvalues, and the eigenvectors."""
    values, vectors = decomposition
    return _core.sqrt(values), vectors


def _adjoint(a):
    return _core.conjugate(a).T if a.dtype.kind == "c" else a.T
