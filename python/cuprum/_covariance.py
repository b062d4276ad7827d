"""How variables vary together: covariance and correlation."""

import warnings

import numpy as np

from . import _core
from ._convert import as_array, as_parameter, gives_plain, is_complex
from ._elementwise import clip
from ._reductions import average

__all__ = ["corrcoef", "cov"]


@gives_plain
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """The covariance matrix of variables, one a row, or one a column without `rowvar`.

    `fweights` says how often each observation was made, `aweights` how much it counts.

    >>> cp.cov(cp.array([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    if ddof is not None and ddof != int(ddof):
        raise ValueError(f"cuprum.cov: ddof must be integer, given {ddof!r}")
    x = _variables(m, y, rowvar, dtype)
    if x.shape[0] == 0:
        return _core.zeros((0, 0), np.float64, "C")
    ddof = (0 if bias else 1) if ddof is None else ddof
    fweights = _weights(fweights, "fweights", 6, x.shape[1])
    aweights = _weights(aweights, "aweights", 7, x.shape[1])
    weights = aweights if fweights is None else fweights if aweights is None else fweights * aweights

    mean, total = average(x, axis=1, weights=weights, returned=True)
    x = _core.subtract(x, mean[:, None], dtype=x.dtype, casting="same_kind")
    weighted = x if weights is None else x * weights
    freedom = _degrees_of_freedom(x.shape[1], weights, aweights, total[0], ddof)
    products = _core.dot(x, _core.conjugate(weighted.T))
    return (products * (1 / freedom if freedom else np.inf)).squeeze()


@gives_plain
def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """The correlation coefficients of variables: their covariances, divided by both standard deviations.

    >>> cp.corrcoef(cp.array([0.0, 1.0, 2.0]), cp.array([5.0, 3.0, 1.0]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviations = _core.sqrt(c.diagonal().real)
    c = c / deviations[:, None] / deviations
    if not is_complex(c):
        return clip(c, -1, 1)
    result = _core.empty(c.shape, c.dtype, "C")
    result.real[...] = clip(c.real, -1, 1)
    result.imag[...] = clip(c.imag, -1, 1)
    return result


def _variables(m, y, rowvar, dtype):
    """A row for each variable of `m` and of `y`."""
    m = as_array(m, "cov")
    if m.ndim > 2:
        raise ValueError(f"cuprum.cov: m has more than 2 dimensions, given shape {m.shape}")
    given = [m]
    if y is not None:
        y = as_array(y, "cov", 2)
        if y.ndim > 2:
            raise ValueError(f"cuprum.cov: y has more than 2 dimensions, given shape {y.shape}")
        given.append(y)
    if dtype is None:
        dtype = _core.result_type(*(a.dtype for a in given), np.float64)
    rows = m.astype(dtype, copy=False).reshape(m.shape if m.ndim == 2 else (1, m.size))
    rows = rows if rowvar or m.ndim == 1 else rows.T
    if y is None or rows.shape[0] == 0:
        return rows
    more = y.astype(dtype, copy=False).reshape(y.shape if y.ndim == 2 else (1, y.size))
    more = more if rowvar or more.shape[0] == 1 else more.T
    return _core.concatenate([rows, more], 0)


def _weights(weights, name, position, samples):
    if weights is None:
        return None
    weights = as_parameter(weights, "cov", position).astype(np.float64, copy=False)
    if name == "fweights" and not (weights == _core.rint(weights)).all():
        raise TypeError("cuprum.cov: fweights must be integer")
    if weights.ndim > 1:
        raise RuntimeError(f"cuprum.cov: cannot handle multidimensional {name}: given shape {weights.shape}")
    if weights.ndim == 0:
        raise IndexError(f"cuprum.cov: tuple index out of range: {name} need one dimension, given a number")
    if weights.shape[0] != samples:
        raise RuntimeError(
            f"cuprum.cov: incompatible numbers of samples and {name}: given {samples} and shape {weights.shape}"
        )
    if (weights < 0).any():
        raise ValueError(f"cuprum.cov: {name} cannot be negative")
    return weights


def _degrees_of_freedom(samples, weights, aweights, total, ddof):
    """What the products are divided by; a number, which waits for the weights if there are any."""
    if weights is None:
        freedom = samples - ddof
    elif ddof == 0:
        freedom = float(total.real)
    elif aweights is None:
        freedom = float(total.real) - ddof
    else:
        freedom = float(total.real - ddof * (weights * aweights).sum() / total.real)
    if freedom <= 0:
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=3)
        return 0
    return freedom
