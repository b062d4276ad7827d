"""What CuPy keeps beside NumPy's names, in its package `cupyx`: scatters, pinned arrays, `rsqrt`.

>>> import cuprum.cupyx as cupyx
>>> a = cp.zeros(3)
>>> cupyx.scatter_add(a, [0, 0, 2], 1)
>>> a
array([2., 0., 1.])
"""

import contextlib
import importlib

from .. import _core, _float_errors, _info
from .._composite import enter_by_device
from .._pinned import empty_like_pinned, empty_pinned, zeros_like_pinned, zeros_pinned

__all__ = [
    "empty_like_pinned", "empty_pinned", "errstate", "get_runtime_info", "rsqrt", "scatter_add",
    "scatter_max", "scatter_min", "zeros_like_pinned", "zeros_pinned",
]  # fmt: skip


def scatter_add(a, slices, value):
    """Adds values at an index, each of them, even where the index names an element twice: numpy.add.at.

    >>> a = cp.zeros(2)
    >>> cp.cupyx.scatter_add(a, [1, 1], 3)
    >>> a
    array([0., 6.])
    """
    a.scatter_add(slices, value)


def scatter_max(a, slices, value):
    """Stores the maximum of an element and every value that the index sends to it: numpy.maximum.at."""
    a.scatter_max(slices, value)


def scatter_min(a, slices, value):
    """Stores the minimum of an element and every value that the index sends to it: numpy.minimum.at."""
    a.scatter_min(slices, value)


def rsqrt(x):
    """1 / sqrt(x).

    >>> cp.cupyx.rsqrt(cp.array([4.0, 16.0]))
    array([0.5 , 0.25])
    """
    return _core.reciprocal(_core.sqrt(x))


@contextlib.contextmanager
def errstate(*, divide=None, over=None, under=None, invalid=None, linalg=None):
    """`cuprum.errstate`, and "raise" for `linalg`: a matrix that cannot be treated raises LinAlgError, as always here.

    >>> with cp.cupyx.errstate(linalg="raise"):
    ...     cp.linalg.det(cp.eye(2))
    array(1.)
    """
    if linalg not in (None, "raise"):
        raise ValueError(
            f"cuprum.cupyx.errstate: linalg must be 'raise', given {linalg!r}: a singular matrix always raises; "
            "write try and except cp.linalg.LinAlgError around the call"
        )
    with _float_errors.errstate(divide=divide, over=over, under=under, invalid=invalid):
        yield


class RuntimeInfo:
    """What this process runs on; str() of it is the report of `python -m cuprum info`."""

    def __init__(self, full=True):
        self._text = _info.text()

    def __str__(self):
        return self._text


def get_runtime_info(full=True):
    """The version, the devices and the settings in force; print() shows them.

    >>> "cuprum" in str(cp.cupyx.get_runtime_info())
    True
    """
    return RuntimeInfo(full)


enter_by_device(globals(), __all__)


def __getattr__(name):
    if name == "jit":
        return importlib.import_module("cuprum.jit")
    if name in ("profiler", "scipy"):
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
