"""Data taken over on conditions: from an iterator, finite only, with a given layout."""

import numpy as np

from . import _core
from ._convert import as_array, is_inexact

__all__ = ["asarray_chkfinite", "fromiter", "require"]

_REQUIREMENTS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F", "A": "A",
    "ALIGNED": "A", "W": "W", "WRITEABLE": "W", "O": "O", "OWNDATA": "O", "E": "E", "ENSUREARRAY": "E",
}  # fmt: skip


def asarray_chkfinite(a, dtype=None, order=None):
    """`a` as an array; an error if it has infinities or NaN, which computes what is pending.

    >>> cp.asarray_chkfinite([1.0, 2.0])
    array([1., 2.])
    """
    a = _core.asarray(a, dtype, order)
    if is_inexact(a) and not bool(_core.isfinite(a).all()):
        raise ValueError("cuprum.asarray_chkfinite: array must not contain infs or NaNs")
    return a


def fromiter(iter, dtype, count=-1, *, like=None):
    """A vector of the first `count` values that an iterator gives, or of all.

    >>> cp.fromiter((i * i for i in range(4)), int)
    array([0, 1, 4, 9])
    """
    if isinstance(iter, _core.ndarray):
        return _from_array(iter, dtype, count)
    return _core.asarray(np.fromiter(iter, dtype, count))


def _from_array(x, dtype, count):
    """The elements of an array need no iterator: they stay where they are."""
    if x.ndim != 1:
        raise ValueError("cuprum.fromiter: setting an array element with a sequence.")
    if count > x.size:
        raise ValueError(
            f"cuprum.fromiter: iterator too short: Expected {count} but iterator had only {x.size} items."
        )
    return (x if count < 0 else x[:count]).astype(dtype)


def require(a, dtype=None, requirements=None, *, like=None):
    """`a` as an array with a dtype and properties: 'C', 'F' (order), 'A' (aligned), 'W' (writeable), 'O' (own data).

    >>> cp.require(cp.ones((2, 3)), cp.float32, ["F", "W"]).flags.f_contiguous
    True
    """
    a = as_array(a, "require")
    if not requirements:
        return _core.asarray(a, dtype, subok=True)
    wanted = {_REQUIREMENTS[x.upper()] for x in requirements}
    subok = "E" not in wanted
    wanted -= {"E"}
    if wanted >= {"C", "F"}:
        raise ValueError('cuprum.require: Cannot specify both "C" and "F" order')
    order = "F" if "F" in wanted else "C" if "C" in wanted else "A"
    result = _core.array(a, dtype, None, order, subok)
    return result if all(result.flags[x] for x in wanted - {"C", "F"}) else result.copy(order)
