"""What the fits of `polynomial` have in common with `polyfit` (src/ops/fitting.h), and the norms of complex columns."""

from . import _core

check_points = _core.check_points
solve = _core.fit_columns


def column_norms(left):
    squares = (
        _core.square(left.real) + _core.square(left.imag) if left.dtype.kind == "c" else _core.square(left)
    )
    return _core.sqrt(_core.sum(squares, 0))
