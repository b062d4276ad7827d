"""Plans of Fourier transforms: `get_fft_plan`."""

from ...fft._plans import get_fft_plan

__all__ = ["get_fft_plan"]
