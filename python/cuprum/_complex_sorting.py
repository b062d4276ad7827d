"""Numbers sorted as complex ones."""

from . import _core
from ._convert import as_array, gives_plain, is_complex

__all__ = ["sort_complex"]


@gives_plain
def sort_complex(a):
    """A sorted copy in a complex dtype: by the real part, then by the imaginary part.

    >>> cp.sort_complex(cp.array([2, 1]))
    array([1.+0.j, 2.+0.j])
    """
    ordered = _core.sort(as_array(a, "sort_complex"), -1, None, None)
    if is_complex(ordered):
        return ordered
    return ordered.astype("F" if ordered.dtype.char in "bhBH" else "D")
