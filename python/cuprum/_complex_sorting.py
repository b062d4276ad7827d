"""Numbers sorted as complex ones."""

from . import _core

__all__ = ["sort_complex"]


def sort_complex(a):
    """A sorted copy in a complex dtype: by the real part, then by the imaginary part.

    >>> cp.sort_complex(cp.array([2, 1]))
    array([1.+0.j, 2.+0.j])
    """
    return _core.sort_complex(a)
