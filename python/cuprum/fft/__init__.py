"""Discrete Fourier transforms: numpy.fft's functions, and CuPy's `config` of their plans.

Transforms are recorded and run when their values are needed. float32 and complex64 stay single precision, float16 is
computed in float32, integers in float64. `norm` is part of the transform and costs nothing.

>>> x = cp.cos(2 * cp.pi * 3 * cp.arange(8) / 8)
>>> cp.fft.rfft(x).real.round(6)
array([ 0.,  0.,  0.,  4., -0.])
"""

from .._composite import enter_by_device
from .._reference import describe_all
from . import config
from ._helper import fftfreq, fftshift, ifftshift, rfftfreq
from ._transforms import (
    fft,
    fft2,
    fftn,
    hfft,
    ifft,
    ifft2,
    ifftn,
    ihfft,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftn,
)  # fmt: skip

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

for _name in __all__:
    globals()[_name].__module__ = __name__
enter_by_device(globals(), __all__)
describe_all(globals(), __all__)
