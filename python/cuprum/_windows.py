"""Windows for signals, and the modified Bessel function that one of them needs."""

import numpy as np

from . import _core
from ._checks import naming
from ._convert import as_array, keeps_class

__all__ = ["bartlett", "blackman", "hamming", "hanning", "i0", "kaiser"]


def _window(function, M, shape):
    """`shape` at 1 - M, 3 - M, ..., M - 1: twice the distances from the middle. A window of one point is 1."""
    with naming(function, "M"):
        M = float(M)
    if M < 1:
        return _core.zeros((0,), np.float64)
    if M == 1:
        return _core.ones((1,), np.float64)
    return shape(_core.arange(1 - M, M, 2, dtype=np.float64), M - 1)


def bartlett(M):
    """The Bartlett window: a triangle whose ends are zero.

    >>> cp.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _window("bartlett", M, lambda n, end: _core.where(n <= 0, 1 + n / end, 1 - n / end))


def blackman(M):
    """The Blackman window: three terms of a sum of cosines, nearly zero at the ends.

    >>> cp.blackman(3).round(3)
    array([-0.,  1., -0.])
    """
    return _window(
        "blackman",
        M,
        lambda n, end: 0.42 + 0.5 * _core.cos(np.pi * n / end) + 0.08 * _core.cos(2.0 * np.pi * n / end),
    )


def hamming(M):
    """The Hamming window: a raised cosine that does not reach zero at the ends.

    >>> cp.hamming(3).round(3)
    array([0.08, 1.  , 0.08])
    """
    return _window("hamming", M, lambda n, end: 0.54 + 0.46 * _core.cos(np.pi * n / end))


def hanning(M):
    """The Hann window: a raised cosine that reaches zero at the ends.

    >>> cp.hanning(3).round(3)
    array([0., 1., 0.])
    """
    return _window("hanning", M, lambda n, end: 0.5 + 0.5 * _core.cos(np.pi * n / end))


def kaiser(M, beta):
    """The Kaiser window; `beta` trades the width of the main lobe for the height of the others.

    >>> cp.kaiser(3, 0.0)
    array([1., 1., 1.])
    """
    with naming("kaiser", "M, beta"):
        M, beta = float(M), float(beta)
    if M == 1:
        return _core.ones((1,), np.float64)
    middle = (M - 1) / 2.0
    n = _core.arange(0, M)
    return i0(beta * _core.sqrt(1 - ((n - middle) / middle) ** 2.0)) / i0(beta)


@keeps_class
def i0(x):
    """The modified Bessel function of the first kind, of order 0.

    >>> cp.i0(cp.array([0.0, 1.0])).round(6)
    array([1.      , 1.266066])
    """
    x = as_array(x, "i0")
    if x.dtype.kind == "c":
        raise TypeError("cuprum.i0: i0 not supported for complex values")
    if x.dtype.kind != "f":
        x = x.astype(np.float64)
    x = _core.absolute(x)
    far = _core.maximum(x, 8.0)  # without this the series that is not chosen would divide by zero
    small = _core.exp(x) * _chebyshev(x / 2.0 - 2, _NEAR)
    large = _core.exp(x) * _chebyshev(32.0 / far - 2.0, _FAR) / _core.sqrt(far)
    return _core.where(x <= 8.0, small, large)


def _chebyshev(x, coefficients):
    """Clenshaw's recurrence; recorded, so that the whole series is one pass."""
    b0, b1, b2 = coefficients[0], 0.0, 0.0
    for c in coefficients[1:]:
        b0, b1, b2 = x * b0 - b1 + c, b0, b1
    return 0.5 * (b0 - b2)


# Coefficients of exp(-x) I0(x) on [0, 8] and of exp(-x) sqrt(x) I0(x) beyond, from the Cephes library.
_NEAR = (
    -4.4153416464793395e-18,
    3.3307945188222384e-17,
    -2.431279846547955e-16,
    1.715391285555133e-15,
    -1.1685332877993451e-14,
    7.676185498604936e-14,
    -4.856446783111929e-13,
    2.95505266312964e-12,
    -1.726826291441556e-11,
    9.675809035373237e-11,
    -5.189795601635263e-10,
    2.6598237246823866e-09,
    -1.300025009986248e-08,
    6.046995022541919e-08,
    -2.670793853940612e-07,
    1.1173875391201037e-06,
    -4.4167383584587505e-06,
    1.6448448070728896e-05,
    -5.754195010082104e-05,
    0.00018850288509584165,
    -0.0005763755745385824,
    0.0016394756169413357,
    -0.004324309995050576,
    0.010546460394594998,
    -0.02373741480589947,
    0.04930528423967071,
    -0.09490109704804764,
    0.17162090152220877,
    -0.3046826723431984,
    0.6767952744094761,
)
_FAR = (
    -7.233180487874754e-18,
    -4.830504485944182e-18,
    4.46562142029676e-17,
    3.461222867697461e-17,
    -2.8276239805165836e-16,
    -3.425485619677219e-16,
    1.7725601330565263e-15,
    3.8116806693526224e-15,
    -9.554846698828307e-15,
    -4.150569347287222e-14,
    1.54008621752141e-14,
    3.8527783827421426e-13,
    7.180124451383666e-13,
    -1.7941785315068062e-12,
    -1.3215811840447713e-11,
    -3.1499165279632416e-11,
    1.1889147107846439e-11,
    4.94060238822497e-10,
    3.3962320257083865e-09,
    2.266668990498178e-08,
    2.0489185894690638e-07,
    2.8913705208347567e-06,
    6.889758346916825e-05,
    0.0033691164782556943,
    0.8044904110141088,
)
