"""What `polyfit` and the fits of `polynomial` share: their points, and least squares with columns of norm one."""

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

    c, residuals, rank, s = linalg.lstsq(left / norms, right, rcond)
    return (c.T / norms).T, residuals, rank, s
