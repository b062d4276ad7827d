"""CuPy's `cupyx.scipy`, as far as it is here: plans of Fourier transforms."""

from . import fft, fftpack

__all__ = ["fft", "fftpack"]
