"""The transforms. Everything is in C++; what NumPy has deprecated is said here."""

import warnings

from .. import _core

_AXES = (
    "`axes` should not be `None` if `s` is not `None` (Deprecated in NumPy 2.0). In a future version of NumPy, this "
    "will raise an error and `s[i]` will correspond to the size along the transformed axis specified by `axes[i]`. To "
    "retain current behaviour, pass a sequence [0, ..., k-1] to `axes` for an array of dimension k."
)
_NONE = (
    "Passing an array containing `None` values to `s` is deprecated in NumPy 2.0 and will raise an error in a future "
    "version of NumPy. To use the default behaviour of the corresponding 1-D transform, pass the value matching the "
    "default for its `n` parameter. To use the default behaviour for every axis, the `s` argument can be omitted."
)


def _warn(s, axes):
    """Two ways of giving lengths that NumPy will not take for ever."""
    if axes is None:
        warnings.warn(_AXES, DeprecationWarning, stacklevel=3)
    if None in s:
        warnings.warn(_NONE, DeprecationWarning, stacklevel=3)


def fft(a, n=None, axis=-1, norm=None, out=None):
    """The discrete Fourier transform along an axis: of `n` points, to which it is cropped or padded with zeros.

    `norm` says which direction carries the factor 1/n: "backward" (the default), "forward", or "ortho" for its root in
    both.

    >>> cp.fft.fft(cp.array([1.0, 0, 0, 0])).real
    array([1., 1., 1., 1.])
    """
    return _core.fft.fft(a, n, axis, norm, out)


def ifft(a, n=None, axis=-1, norm=None, out=None):
    """The inverse of `fft`.

    >>> cp.fft.ifft(cp.fft.fft(cp.array([1.0, 2, 4])), norm="backward").real
    array([1., 2., 4.])
    """
    return _core.fft.ifft(a, n, axis, norm, out)


def rfft(a, n=None, axis=-1, norm=None, out=None):
    """The transform of real numbers: the first n // 2 + 1 points, the others being their conjugates. Half the work.

    >>> cp.fft.rfft(cp.array([0.0, 1, 0, 0]))
    array([ 1.+0.j,  0.-1.j, -1.+0.j])
    """
    return _core.fft.rfft(a, n, axis, norm, out)


def irfft(a, n=None, axis=-1, norm=None, out=None):
    """The inverse of `rfft`: `n` real numbers, by default 2 * (points - 1).

    >>> cp.fft.irfft(cp.array([1, -1j, -1]))
    array([0., 1., 0., 0.])
    """
    return _core.fft.irfft(a, n, axis, norm, out)


def hfft(a, n=None, axis=-1, norm=None, out=None):
    """The real spectrum of a signal with Hermitian symmetry, of which the first half is given.

    >>> cp.fft.hfft(cp.array([1.0, 2, 1]))
    array([ 6.,  0., -2.,  0.])
    """
    return _core.fft.hfft(a, n, axis, norm, out)


def ihfft(a, n=None, axis=-1, norm=None, out=None):
    """The inverse of `hfft`.

    >>> cp.fft.ihfft(cp.array([6.0, 0, -2, 0])).real
    array([1., 2., 1.])
    """
    return _core.fft.ihfft(a, n, axis, norm, out)


def fftn(a, s=None, axes=None, norm=None, out=None):
    """The transform along several axes, or all: one call, and one plan per length.

    >>> cp.fft.fftn(cp.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    if s is not None:
        _warn(s, axes)
    return _core.fft.fftn(a, s, axes, norm, out)


def ifftn(a, s=None, axes=None, norm=None, out=None):
    """The inverse of `fftn`.

    >>> cp.fft.ifftn(cp.array([[4.0, 0], [0, 0]])).real
    array([[1., 1.],
           [1., 1.]])
    """
    if s is not None:
        _warn(s, axes)
    return _core.fft.ifftn(a, s, axes, norm, out)


def rfftn(a, s=None, axes=None, norm=None, out=None):
    """The transform of real numbers along several axes, the last of them first, as `rfft` does.

    >>> cp.fft.rfftn(cp.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    if s is not None:
        _warn(s, axes)
    return _core.fft.rfftn(a, s, axes, norm, out)


def irfftn(a, s=None, axes=None, norm=None, out=None):
    """The inverse of `rfftn`.

    >>> cp.fft.irfftn(cp.array([[4.0, 0], [0, 0]]))
    array([[1., 1.],
           [1., 1.]])
    """
    if s is not None:
        _warn(s, axes)
    return _core.fft.irfftn(a, s, axes, norm, out)


def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """`fftn` along two axes.

    >>> cp.fft.fft2(cp.ones((2, 2)))[0, 0]
    array(4.+0.j)
    """
    if s is not None:
        _warn(s, axes)
    return _core.fft.fft2(a, s, axes, norm, out)


def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """The inverse of `fft2`.

    >>> cp.fft.ifft2(cp.array([[4.0, 0], [0, 0]])).real
    array([[1., 1.],
           [1., 1.]])
    """
    if s is not None:
        _warn(s, axes)
    return _core.fft.ifft2(a, s, axes, norm, out)


def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """`rfftn` along two axes.

    >>> cp.fft.rfft2(cp.ones((2, 4))).shape
    (2, 3)
    """
    if s is not None:
        _warn(s, axes)
    return _core.fft.rfft2(a, s, axes, norm, out)


def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """The inverse of `rfft2`.

    >>> cp.fft.irfft2(cp.fft.rfft2(cp.ones((2, 4))))
    array([[1., 1., 1., 1.],
           [1., 1., 1., 1.]])
    """
    if s is not None:
        _warn(s, axes)
    return _core.fft.irfft2(a, s, axes, norm, out)
