"""Power series with the lowest power first, as in numpy.polynomial: what composes from array functions."""

from . import polynomial, polyutils

__all__ = ["polynomial", "polyutils"]
