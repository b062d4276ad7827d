"""How variables vary together: covariance and correlation."""

from . import _core

__all__ = ["corrcoef", "cov"]


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """The covariance matrix of variables, one a row, or one a column without `rowvar`.

    `fweights` says how often each observation was made, `aweights` how much it counts.

    >>> cp.cov(cp.array([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    return _core.cov(m, y, rowvar, bias, ddof, fweights, aweights, dtype)


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """The correlation coefficients of variables: their covariances, divided by both standard deviations.

    >>> cp.corrcoef(cp.array([0.0, 1.0, 2.0]), cp.array([5.0, 3.0, 1.0]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    return _core.corrcoef(x, y, rowvar, dtype)
