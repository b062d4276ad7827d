"""Orthogonal factors, singular values and eigenvalues."""

import warnings
from typing import NamedTuple

import numpy as np

from .. import _core
from .._convert import as_array

__all__ = ["eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals"]

# Before 2.5 NumPy gives real results where no eigenvalue of a real matrix has an imaginary part.
_REAL_WHERE_IT_CAN_BE = np.lib.NumpyVersion(np.__version__) < "2.5.0"


class EigResult(NamedTuple):
    eigenvalues: _core.ndarray
    eigenvectors: _core.ndarray


class EighResult(NamedTuple):
    eigenvalues: _core.ndarray
    eigenvectors: _core.ndarray


class QRResult(NamedTuple):
    Q: _core.ndarray
    R: _core.ndarray


class SVDResult(NamedTuple):
    U: _core.ndarray
    S: _core.ndarray
    Vh: _core.ndarray


def qr(a, mode="reduced"):
    """Orthogonal q and upper triangular r with q @ r == a.

    `mode` is "reduced", "complete" (q is square), "r" (r alone) or "raw" (LAPACK's reflectors, transposed, and their
    factors).

    >>> q, r = cp.linalg.qr(cp.array([[3.0, 0.0], [4.0, 5.0]]))
    >>> abs(r).round(12)
    array([[5., 4.],
           [0., 3.]])
    """
    if mode in ("f", "full"):
        _warn(
            "The 'full' option is deprecated in favor of 'reduced'.\nFor backward compatibility let mode default."
        )
        mode = "reduced"
    elif mode in ("e", "economic"):
        _warn("The 'economic' option is deprecated.")
        return _core.matrix_transpose(_core.linalg.qr(a, "raw")[0])
    found = _core.linalg.qr(a, mode)
    return QRResult(*found) if mode in ("reduced", "complete") else found


def _warn(text):
    warnings.warn(text, DeprecationWarning, stacklevel=3)


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    """u, s and vh with u @ diag(s) @ vh == a; s falls. Without `compute_uv` s alone.

    >>> cp.linalg.svd(cp.array([[3.0, 0.0], [0.0, -4.0]])).S
    array([4., 3.])
    """
    found = _core.linalg.svd(a, full_matrices, compute_uv, hermitian)
    return SVDResult(*found) if compute_uv else found


def svdvals(x, /):
    """Singular values, falling.

    >>> cp.linalg.svdvals(cp.array([[3.0, 0.0], [0.0, -4.0]]))
    array([4., 3.])
    """
    return _core.linalg.svd(x, False, False)


def eig(a):
    """Eigenvalues and, as columns, eigenvectors of square matrices.

    Complex as in NumPy 2.5. Where NumPy is older, real if no eigenvalue of a real matrix has an imaginary part.

    >>> cp.linalg.eig(cp.array([[0.0, -1.0], [1.0, 0.0]])).eigenvalues
    array([0.+1.j, 0.-1.j])
    """
    a = as_array(a, "linalg.eig")
    return EigResult(*_as_numpys(a, *_core.linalg.eig(a)))


def real_where_possible(a, values, *vectors):
    """Eigenvalues of a real matrix without an imaginary part, and their vectors, as real numbers."""
    if a.dtype.kind != "c" and not _core.any(values.imag):
        return [part.real.copy() for part in (values, *vectors)]
    return values, *vectors


def _as_numpys(a, *found):
    return real_where_possible(a, *found) if _REAL_WHERE_IT_CAN_BE else found


def eigvals(a):
    """Eigenvalues of square matrices, complex or real as those of `eig`.

    >>> cp.linalg.eigvals(cp.array([[0.0, 1.0], [1.0, 0.0]])).real.round(12)
    array([ 1., -1.])
    """
    a = as_array(a, "linalg.eigvals")
    return _as_numpys(a, _core.linalg.eigvals(a))[0]


def eigh(a, UPLO="L"):
    """Eigenvalues, rising, and eigenvectors of Hermitian matrices, of which one triangle is read.

    >>> cp.linalg.eigh(cp.array([[0.0, 2.0], [2.0, 0.0]])).eigenvalues.round(12)
    array([-2.,  2.])
    """
    return EighResult(*_core.linalg.eigh(a, UPLO))


def eigvalsh(a, UPLO="L"):
    """Eigenvalues of Hermitian matrices, rising.

    >>> cp.linalg.eigvalsh(cp.array([[0.0, 2.0], [2.0, 0.0]])).round(12)
    array([-2.,  2.])
    """
    return _core.linalg.eigvalsh(a, UPLO)
