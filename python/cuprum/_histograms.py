"""Counting: how often integers occur, which interval values lie in, and histograms."""

from . import _core

__all__ = ["bincount", "digitize", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


def digitize(x, bins, right=False):
    """The index of the interval that each value lies in; `bins` rise or fall, `right` closes them at that side.

    >>> cp.digitize(cp.array([0.2, 6.4, 3.0]), cp.array([0.0, 1.0, 2.5, 4.0]))
    array([1, 4, 3])
    """
    return _core.digitize(x, bins, right)


def bincount(x, /, weights=None, minlength=0):
    """How often each of 0, 1, 2, ... occurs in a vector of integers, or the sum of its weights.

    >>> cp.bincount(cp.array([0, 1, 1, 3]))
    array([1, 2, 0, 1])
    """
    return _core.bincount(x, weights, minlength)


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of the bins that `histogram` would count in.

    >>> cp.histogram_bin_edges(cp.array([0, 1, 2, 4]), bins=4)
    array([0., 1., 2., 3., 4.])
    """
    return _core.histogram_bin_edges(a, bins, range, weights)


def histogram(a, bins=10, range=None, density=None, weights=None):
    """How many values lie in each bin, or their weights, and the edges of the bins. The last bin is closed.

    `bins` is a number, the edges, or the name of a rule that chooses the number.

    >>> cp.histogram(cp.array([1, 2, 1]), bins=[0, 1, 2, 3])
    (array([0, 2, 1]), array([0, 1, 2, 3]))
    """
    return _core.histogram(a, bins, range, density, weights)


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """How many points (x, y) lie in each rectangle, and the edges along both axes.

    >>> cp.histogram2d(cp.array([0, 1, 1]), cp.array([0, 1, 1]), bins=2)[0]
    array([[1., 0.],
           [0., 2.]])
    """
    return _core.histogram2d(x, y, bins, range, density, weights)


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """How many points lie in each box of a grid, and the edges along every axis.

    `sample` has a row for every point, or is a sequence with the coordinates along each axis.

    >>> counts, edges = cp.histogramdd(cp.array([[0, 0, 0], [1, 1, 1]]), bins=(1, 1, 2))
    >>> counts
    array([[[1., 1.]]])
    """
    return _core.histogramdd(sample, bins, range, density, weights)
