"""Coordinates of grids, and arrays written with the syntax of indexing."""

import itertools
import math

import numpy as np

from . import _core
from ._composite import methods_enter_by_device
from ._convert import as_array
from ._flat import flatiter
from ._manipulation import broadcast_shapes

__all__ = [
    "broadcast", "c_", "fromfunction", "index_exp", "indices", "ix_", "mgrid", "ndindex", "ogrid", "r_", "s_",
    "vander",
]  # fmt: skip


def indices(dimensions, dtype=int, sparse=False):
    """The coordinates of every place of a grid: one array per axis, in one array or, `sparse`, in a tuple.

    >>> rows, columns = cp.indices((2, 3))
    >>> rows * 10 + columns
    array([[ 0,  1,  2],
           [10, 11, 12]])
    """
    dimensions = dimensions if hasattr(dimensions, "__len__") else tuple(dimensions)
    return _core.indices(dimensions, dtype, sparse)


def _check_lengths(dimensions, function):
    if any(n < 0 for n in dimensions):
        raise ValueError(f"cuprum.{function}: negative dimensions are not allowed, given {dimensions}")


def _along(row, axis, ndim):
    """A vector as axis `axis` of an array of `ndim` dimensions."""
    return row.reshape((1,) * axis + (row.size,) + (1,) * (ndim - axis - 1))


def _stacked(grids, shape, dtype):
    if not grids:
        return _core.empty((0,), dtype)
    return _core.stack(
        [_core.broadcast_to(grid, shape) for grid in grids], 0, None, dtype=dtype, casting="unsafe"
    )


def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    """What `function` gives for the coordinates of a grid; it is called once, with one array per axis.

    >>> cp.fromfunction(lambda i, j: i + 10 * j, (2, 2), dtype=int)
    array([[ 0, 10],
           [ 1, 11]])
    """
    return function(*indices(shape, dtype), **kwargs)


def vander(x, N=None, increasing=False):
    """The powers of the elements of a vector, a row for each: a Vandermonde matrix of N columns.

    >>> cp.vander(cp.array([1, 2, 3]), 3)
    array([[1, 1, 1],
           [4, 2, 1],
           [9, 3, 1]])
    """
    return _core.vander(x, N, increasing)


def ix_(*args):
    """Vectors of indices as an open grid: `a[ix_(rows, columns)]` is the part of `a` where they cross.

    >>> cp.arange(12).reshape(3, 4)[cp.ix_([0, 2], [1, 3])]
    array([[ 1,  3],
           [ 9, 11]])
    """
    return _core.ix_(args)


# -- The syntax of slices -------------------------------------------------------------------------------


class IndexExpression:
    """Gives back the index it is indexed with, so that an index can be written once and used often.

    >>> cp.s_[1:3, ::2]
    (slice(1, 3, None), slice(None, None, 2))
    >>> cp.index_exp[5]
    (5,)
    """

    def __init__(self, maketuple):
        self.maketuple = maketuple

    def __getitem__(self, item):
        return (item,) if self.maketuple and not isinstance(item, tuple) else item


def _is_count(step):
    """An imaginary step says how many values, both ends included."""
    return isinstance(step, (complex, np.complexfloating))


def _parts(key):
    """Start, stop and step of a slice with its defaults."""
    step = 1 if key.step is None else key.step
    return 0 if key.start is None else key.start, key.stop, step


@methods_enter_by_device
class Grid:
    """Coordinates by slices: `mgrid[0:2, 0:3]` fills the grid, `ogrid[0:2, 0:3]` gives one axis of each.

    >>> cp.mgrid[0:2, 0:3][1]
    array([[0, 1, 2],
           [0, 1, 2]])
    >>> cp.ogrid[0:2, 0:3]
    (array([[0],
           [1]]), array([[0, 1, 2]]))
    """

    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            return self._row(key)
        slices = [_parts(k) for k in key]
        lengths, numbers = [], [0]
        for start, stop, step in slices:
            lengths.append(int(abs(step)) if _is_count(step) else math.ceil((stop - start) / step))
            numbers += [start, stop, abs(step) if _is_count(step) else step]
        if not self.sparse:
            _check_lengths(lengths, "mgrid")
        # At least the default integer, as `arange` has it.
        dtype = _core.result_type(*numbers)
        grids = []
        for i, (length, (start, stop, step)) in enumerate(zip(lengths, slices)):
            if _is_count(step):
                step = (stop - start) / float(length - 1) if length != 1 else 1
            row = _core.arange(length, None, None, dtype)
            if self.sparse:
                around = (None,) * (len(key) - i - 1)
                grids.append((row * step + start)[((None,) * i + (slice(None),) + around)])
            else:
                grids.append(_along(row, i, len(key)) * step + start)
        return tuple(grids) if self.sparse else _stacked(grids, tuple(lengths), dtype)

    def _row(self, key):
        start, stop, step = key.start, key.stop, key.step
        start = 0 if start is None else start
        if not _is_count(step):
            return _core.arange(start, stop, step, None)
        length = int(abs(step))
        dtype = _core.result_type(start, stop, abs(step))
        scale = (stop - start) / float(length - 1) if length != 1 else 1
        return _core.arange(length, None, None, dtype) * scale + start


@methods_enter_by_device
class Concatenator:
    """Arrays, numbers and slices joined along an axis, written as an index.

    >>> cp.r_[0, 5, cp.array([7, 8]), 1:4]
    array([0, 5, 7, 8, 1, 2, 3])
    >>> cp.c_[cp.array([1, 2]), cp.array([3, 4])]
    array([[1, 3],
           [2, 4]])
    """

    def __init__(self, axis, ndmin, trans1d):
        self.axis, self.ndmin, self.trans1d = axis, ndmin, trans1d

    def __len__(self):
        return 0

    def __getitem__(self, key):
        if isinstance(key, str):
            raise TypeError(
                "cuprum.r_: a string alone builds a numpy.matrix of named matrices; join arrays with "
                "cp.concatenate instead"
            )
        key = key if isinstance(key, tuple) else (key,)
        layout, shaped = (self.axis, self.ndmin, self.trans1d), None
        if key and isinstance(key[0], str):
            layout, shaped = _directive(key[0], layout)
            key = key[1:]
        axis, ndmin, trans1d = layout
        items = [_joined(item, i + 1, ndmin, trans1d) for i, item in enumerate(key)]
        if items:
            # Numbers are weak, as in arithmetic: they change no dtype of their kind.
            dtype = _core.result_type(*(x.dtype if isinstance(x, _core.ndarray) else x for x in items))
            items = [_core.array(x, dtype, None, "K", False, ndmin) for x in items]
        result = _core.concatenate(items, axis)
        return _as_matrix(result, shaped) if shaped else result


def _directive(text, layout):
    """What the string before the first array says: an axis, a number of dimensions, where vectors stand."""
    if text in ("r", "c"):
        return layout, text
    axis, ndmin, trans1d = layout
    try:
        numbers = [int(x) for x in text.split(",")][:3]
        if "," in text:
            axis, ndmin, trans1d = numbers if len(numbers) == 3 else (*numbers, trans1d)
        else:
            (axis,) = numbers
    except ValueError:
        raise ValueError(f"cuprum.r_: unknown special directive {text!r}") from None
    return (axis, ndmin, trans1d), None


def _joined(item, position, ndmin, trans1d):
    """One entry of `r_[...]` as an array of `ndmin` dimensions, or the number that it is."""
    if isinstance(item, str):
        raise ValueError("cuprum.r_: special directives must be the first entry.")
    if isinstance(item, slice):
        return _range(item, ndmin, trans1d)
    if isinstance(item, (bool, int, float, complex, np.generic)):
        return item
    x = as_array(item, "r_", position)
    ndim = x.ndim
    x = _core.array(x, None, None, "K", False, ndmin)
    if trans1d == -1 or ndim >= ndmin:
        return x
    new = ndmin - ndim
    first = trans1d + new + 1 if trans1d < 0 else trans1d
    axes = list(range(ndmin))
    return _core.transpose(x, axes[:first] + axes[new:] + axes[first:new])


def _range(key, ndmin, trans1d):
    start, stop, step = _parts(key)
    if _is_count(step):
        row = _core.linspace(start, stop, int(abs(step)), True, False, None, 0)
    else:
        row = _core.arange(start, stop, step, None)
    if ndmin < 2:
        return row
    row = row.reshape((1,) * (ndmin - 1) + (row.size,))
    return row if trans1d == -1 else _core.swapaxes(row, -1, trans1d)


def _as_matrix(x, kind):
    """Two dimensions, a vector as a row or a column: there is no class of matrices."""
    if x.ndim > 2:
        raise ValueError(f"cuprum.r_: matrix must be 2-dimensional, not of shape {x.shape}")
    return x.reshape(-1, 1) if x.ndim == 1 and kind == "c" else _core.atleast_2d(x)


mgrid = Grid(sparse=False)
ogrid = Grid(sparse=True)
r_ = Concatenator(axis=0, ndmin=1, trans1d=-1)
c_ = Concatenator(axis=-1, ndmin=2, trans1d=0)
s_ = IndexExpression(maketuple=False)
index_exp = IndexExpression(maketuple=True)


# -- Iterators ------------------------------------------------------------------------------------------


class ndindex:
    """Iterator over the indices of a grid, the last changing fastest.

    >>> list(cp.ndindex(2, 2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """

    def __init__(self, *shape):
        if len(shape) == 1 and isinstance(shape[0], tuple):
            shape = shape[0]
        _check_lengths(shape, "ndindex")
        self._iter = itertools.product(*map(range, shape))

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._iter)


@methods_enter_by_device
class broadcast:
    """What arrays become together: their common shape, and their elements side by side.

    >>> b = cp.broadcast(cp.array([[1], [2]]), cp.array([10, 20]))
    >>> b.shape, b.size
    ((2, 2), 4)
    >>> [int(x) + int(y) for x, y in b]
    [11, 21, 12, 22]
    """

    __hash__ = None

    def __init__(self, *arrays):
        parts = []
        for i, x in enumerate(arrays):
            parts += x.values if isinstance(x, broadcast) else (as_array(x, "broadcast", i + 1),)
        if len(parts) > 64:
            raise ValueError(
                f"cuprum.broadcast: Need at least 0 and at most 64 array objects, given {len(parts)}"
            )
        try:
            self.shape = broadcast_shapes(*(x.shape for x in parts))
        except ValueError as error:
            raise ValueError(str(error).replace("broadcast_shapes", "broadcast")) from None
        self.values = tuple(_core.broadcast_to(x, self.shape) for x in parts)
        self.reset()

    nd = ndim = property(lambda self: len(self.shape), doc="The number of axes of the common shape.")
    size = property(lambda self: math.prod(self.shape), doc="The number of elements of the common shape.")
    numiter = property(lambda self: len(self.values), doc="The number of arrays.")
    index = property(lambda self: self._index, doc="Position of the next elements.")
    iters = property(lambda self: tuple(flatiter(x) for x in self.values), doc="An iterator for each array.")

    def reset(self):
        """Begin anew with the first elements."""
        self._index = 0
        self._iters = self.iters

    def __iter__(self):
        return self

    def __next__(self):
        if self._index >= self.size:
            raise StopIteration
        self._index += 1
        return tuple(next(x) for x in self._iters)
