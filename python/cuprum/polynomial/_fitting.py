"""The series that fits points best, by least squares."""

import warnings

import numpy as np

from .. import _core
from .._convert import as_array, as_parameter
from .._fitting import check_points, column_norms, solve
from ._recurrence import Recurrence


class Fitting(Recurrence):
    def fit(self, x, y, deg, rcond=None, full=False, w=None):
        """The series of degree deg, or of the degrees that a list deg names, that lies closest to the points.

        >>> x = cp.linspace(-1.0, 1.0, 9)
        >>> {m}.{p}fit(x, {m}.{p}val(x, [1, 2, 3]), 2).round(6)
        array([1., 2., 3.])
        """
        name = self.where("fit")
        x = _core.add(as_array(x, name), 0.0)
        y = _core.add(as_array(y, name, 2), 0.0)
        degrees = _degrees(deg)
        check_points(x, y)
        left = self.vander(x, int(degrees.max()))
        if degrees.ndim:
            left = left[:, _core.asarray(degrees)]
        if w is not None:
            left, y = _weighted(left, y, _core.add(as_parameter(w, name, 6), 0.0))
        rcond = len(x) * np.finfo(x.dtype).eps if rcond is None else rcond
        norms = column_norms(left)
        c, residuals, rank, s = solve(left, y, _core.where(norms == 0, 1, norms), rcond)
        if degrees.ndim:
            whole = _core.zeros((int(degrees.max()) + 1, *c.shape[1:]), c.dtype)
            whole[_core.asarray(degrees)] = c
            c = whole
        if full:
            return c, [residuals, rank, s, rcond]
        if int(rank) != left.shape[1]:
            warnings.warn("The fit may be poorly conditioned", np.exceptions.RankWarning, stacklevel=3)
        return c


def _degrees(deg):
    """One degree, or several in ascending order, in host memory."""
    deg = np.asarray(_core.asnumpy(deg) if isinstance(deg, _core.ndarray) else deg)
    if deg.ndim > 1 or deg.dtype.kind not in "iu" or deg.size == 0:
        raise TypeError("deg must be an int or non-empty 1-D array of int")
    if deg.min() < 0:
        raise ValueError("expected deg >= 0")
    return np.sort(deg) if deg.ndim else deg


def _weighted(left, right, w):
    if w.ndim != 1:
        raise TypeError("expected 1D vector for w")
    if len(left) != len(w):
        raise TypeError("expected x and w to have same length")
    return left * w[:, None], (right.T * w).T
