"""Windows for signals, and the modified Bessel function that one of them needs."""

from . import _core

__all__ = ["bartlett", "blackman", "hamming", "hanning", "i0", "kaiser"]


def bartlett(M):
    """The Bartlett window: a triangle whose ends are zero.

    >>> cp.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _core.bartlett(M)


def blackman(M):
    """The Blackman window: three terms of a sum of cosines, nearly zero at the ends.

    >>> cp.blackman(3).round(3)
    array([-0.,  1., -0.])
    """
    return _core.blackman(M)


def hamming(M):
    """The Hamming window: a raised cosine that does not reach zero at the ends.

    >>> cp.hamming(3).round(3)
    array([0.08, 1.  , 0.08])
    """
    return _core.hamming(M)


def hanning(M):
    """The Hann window: a raised cosine that reaches zero at the ends.

    >>> cp.hanning(3).round(3)
    array([0., 1., 0.])
    """
    return _core.hanning(M)


def kaiser(M, beta):
    """The Kaiser window; `beta` trades the width of the main lobe for the height of the others.

    >>> cp.kaiser(3, 0.0)
    array([1., 1., 1.])
    """
    return _core.kaiser(M, beta)


def i0(x):
    """The modified Bessel function of the first kind, of order 0.

    >>> cp.i0(cp.array([0.0, 1.0])).round(6)
    array([1.      , 1.266066])
    """
    return _core.i0(x)
