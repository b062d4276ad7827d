"""NumPy's `lib`: what is not in the main namespace."""

from . import stride_tricks

__all__ = ["stride_tricks"]
