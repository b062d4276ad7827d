"""Laws of vectors: their arguments, as NumPy checks them; the numbers are drawn by the core."""

import math
import operator

import numpy as np

from .. import _core, linalg
from .._interop import asnumpy
from .._logic import allclose
from ._checks import as_shape, kahan_sum, on_device, tell

_LARGEST = 2**63 - 1


def _rows(size):
    return () if size is None else as_shape(size)


def _check_shares(shares, given, where):
    """Probabilities that leave something for the last one."""
    if not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
    for row in shares.reshape(math.prod(shares.shape[:-1]), shares.shape[-1]):
        if kahan_sum(row[:-1]) > 1.0 + 1e-12:
            if given.dtype.kind == "f" and given.dtype != np.float64 and given.sum() < 1.0001:
                raise ValueError(
                    f"sum(pvals{where}.astype(np.float64)) > 1.0. The pvals array is cast to 64-bit floating point "
                    "prior to checking the sum. Precision changes when casting may cause problems even if the sum of "
                    "the original pvals is valid."
                )
            raise ValueError(f"sum(pvals{where}) > 1.0")


def multinomial(bits, n, pvals, size, legacy=False):
    given = asnumpy(pvals)
    shares = given.astype(np.float64, casting="safe")
    d = shares.shape[-1] if shares.ndim else 0
    if legacy and shares.ndim != 1:  # NumPy's classes
        raise (ValueError if shares.ndim else TypeError)("pvals must be a 1-d sequence")
    if d == 0 and not legacy:
        raise ValueError(
            "pvals must have at least 1 dimension and the last dimension of pvals must be greater than 0."
        )
    _check_shares(shares, given, "[:-1]" if shares.ndim == 1 else "[...,:-1]")
    counts = asnumpy(n)
    if counts.dtype.kind not in "biu":
        raise TypeError(
            f"cuprum.random.multinomial: Cannot cast array data from {counts.dtype!r} to dtype('int64') according to "
            "the rule 'safe'"
        )
    if (counts < 0).any():
        raise ValueError("n < 0")
    rows = _rows(size)
    shape = np.broadcast_shapes(counts.shape, shares.shape[:-1], rows)
    if size is not None and shape != rows:
        raise ValueError(f"Output size {rows} is not compatible with broadcast dimensions of inputs {shape}.")
    counts = _core.broadcast_to(on_device(counts.astype(np.int64)), shape)
    return _core.random_multinomial(bits, counts, _core.broadcast_to(on_device(shares), (*shape, d)), legacy)


def dirichlet(bits, alpha, size, legacy=False):
    shares = asnumpy(alpha).astype(np.float64)
    if shares.ndim != 1:  # NumPy's classes
        raise (ValueError if shares.ndim else TypeError)(
            f"cuprum.random.dirichlet: alpha must be one-dimensional, given shape {shares.shape}"
        )
    if legacy and (shares <= 0).any():
        raise ValueError("alpha <= 0")
    if (shares < 0).any():
        raise ValueError("alpha < 0")
    return _core.random_dirichlet(bits, on_device(shares), _rows(size), legacy)


def multivariate_hypergeometric(bits, colors, nsample, size, method):
    if method not in ("count", "marginals"):
        raise ValueError('method must be "count" or "marginals".')
    try:
        operator.index(nsample)
    except TypeError:
        raise ValueError("nsample must be an integer") from None
    if nsample < 0:
        raise ValueError("nsample must be nonnegative.")
    if nsample > _LARGEST:
        raise ValueError(f"nsample must not exceed {_LARGEST}")
    wrong = ValueError(
        f"colors must be a one-dimensional sequence of nonnegative integers not exceeding {_LARGEST}."
    )
    try:
        counts = asnumpy(colors)
    except (TypeError, ValueError):
        raise wrong from None
    if counts.ndim != 1 or (counts.size and (counts.dtype.kind not in "iu" or (counts < 0).any())):
        raise wrong
    if counts.size and int(counts.max()) > _LARGEST:
        raise wrong
    total = sum(counts.tolist())
    if total > _LARGEST:
        raise ValueError(
            f"sum(colors) must not exceed the maximum value of a 64 bit signed integer ({_LARGEST})"
        )
    if method == "marginals" and total >= 1000000000:
        raise ValueError('When method is "marginals", sum(colors) must be less than 1000000000.')
    if method == "count" and total > _LARGEST // 8:
        raise ValueError(f"When method is 'count', sum(colors) must not exceed {_LARGEST // 8}")
    if nsample > total:
        raise ValueError("nsample > sum(colors)")
    colors = on_device(counts.astype(np.int64))
    return _core.random_multivariate_hypergeometric(bits, colors, nsample, _rows(size), method == "count")


def _check_normal(mean, cov):
    if mean.dtype.kind == "c" or cov.dtype.kind == "c":
        raise TypeError("mean and cov must not be complex")
    if mean.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    if cov.ndim != 2 or cov.shape[0] != cov.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if mean.shape[0] != cov.shape[0]:
        raise ValueError("mean and cov must have same length")


def multivariate_normal(standard_normal, mean, cov, size, check_valid, tol, method, legacy=False):
    if method not in ("eigh", "svd", "cholesky"):
        raise ValueError("method must be one of {'eigh', 'svd', 'cholesky'}")
    mean, cov = on_device(mean), on_device(cov)
    _check_normal(mean, cov)
    numbers = standard_normal((*_rows(size), mean.shape[0]))
    # On the host: the signs of singular vectors and eigenvectors are LAPACK's, which NumPy's numbers depend on.
    factor = _factor(cov.astype(np.float64).to_device("cpu"), check_valid, tol, method, legacy)
    factor = factor.to_device(numbers.device)
    rows = numbers.reshape(-1, mean.shape[0]) @ factor
    return (mean.astype(np.float64) + rows).reshape(numbers.shape)


def _factor(cov, check_valid, tol, method, legacy):
    """A matrix A with A.T @ A == cov."""
    if method == "cholesky":
        return linalg.cholesky(cov).T
    if method == "svd":
        u, s, vh = linalg.svd(cov)
    else:
        s, u = linalg.eigh(cov)
    if check_valid != "ignore":
        if check_valid not in ("warn", "raise"):
            raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
        if method == "svd":
            valid = allclose((vh.T * s) @ vh, cov, rtol=tol, atol=tol)
        else:
            valid = not (s < -tol).any()
        if not valid:
            text = "covariance is not symmetric positive-semidefinite."
            if check_valid == "raise":
                raise ValueError(text)
            tell(text, RuntimeWarning)
    if legacy:
        return _core.sqrt(s)[:, None] * vh
    return (u * _core.sqrt(s if method == "svd" else abs(s))).T
