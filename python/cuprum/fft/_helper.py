"""Frequencies, and the order of points."""

import numpy as np

from .. import _core


def fftfreq(n, d=1.0, device=None):
    """The frequencies of the points of a transform: cycles per unit of the spacing `d`, negative ones behind.

    >>> cp.fft.fftfreq(5, d=0.1)
    array([ 0.,  2.,  4., -4., -2.])
    """
    return _core.fft.fftfreq(n, _step(n, d, "fftfreq"), device)


def rfftfreq(n, d=1.0, device=None):
    """The frequencies of the points of `rfft`.

    >>> cp.fft.rfftfreq(5, d=0.1)
    array([0., 2., 4.])
    """
    return _core.fft.rfftfreq(n, _step(n, d, "rfftfreq"), device)


def _step(n, d, function):
    if not isinstance(n, (int, np.integer)):
        raise ValueError(f"cuprum.fft.{function}: n should be an integer, given a {type(n).__name__}")
    if isinstance(d, (str, bytes, bytearray, list, tuple)):  # which n times is long
        raise TypeError(f"cuprum.fft.{function}: d must be a number, not {type(d).__name__}")
    return 1.0 / (n * d)


def fftshift(x, axes=None):
    """The zero frequency moved to the middle.

    >>> cp.fft.fftshift(cp.fft.fftfreq(4))
    array([-0.5 , -0.25,  0.  ,  0.25])
    """
    return _core.fft.fftshift(x, axes)


def ifftshift(x, axes=None):
    """The inverse of `fftshift`; for an odd number of points it is not the same.

    >>> cp.fft.ifftshift(cp.arange(5) - 2)
    array([ 0,  1,  2, -2, -1])
    """
    return _core.fft.ifftshift(x, axes)
