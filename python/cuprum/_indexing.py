"""Elements by position or by condition."""

from . import _core

__all__ = [
    "argwhere", "choose", "compress", "diagonal", "extract", "fill_diagonal", "flatnonzero", "nonzero",
    "place", "put", "put_along_axis", "putmask", "take", "take_along_axis",
]  # fmt: skip


def take(a, indices, axis=None, out=None, mode="raise"):
    """Elements at the given indices, along an axis or of the flattened array.

    >>> cp.take(cp.array([10, 20, 30]), [2, 0])
    array([30, 10])
    """
    return _core.take(a, indices, axis, out, mode)


def take_along_axis(arr, indices, axis=-1):
    """Elements along an axis by an array of indices of the other axes' shape, as `argsort` gives them.

    >>> x = cp.array([[3, 1, 2]])
    >>> cp.take_along_axis(x, cp.argsort(x), axis=1)
    array([[1, 2, 3]])
    """
    return _core.take_along_axis(arr, indices, axis)


def put(a, ind, v, mode="raise"):
    """Writes values at indices of the flattened array.

    >>> x = cp.zeros(4)
    >>> cp.put(x, [0, 2], [1, 2])
    >>> x
    array([1., 0., 2., 0.])
    """
    _core.put(a, ind, v, mode)


def put_along_axis(arr, indices, values, axis):
    """Writes values along an axis by an array of indices of the other axes' shape.

    >>> x = cp.array([[3, 1, 2]])
    >>> cp.put_along_axis(x, cp.argmax(x, axis=1, keepdims=True), 0, axis=1)
    >>> x
    array([[0, 1, 2]])
    """
    _core.put_along_axis(arr, indices, values, axis)


def choose(a, choices, out=None, mode="raise"):
    """For each element i of `a`, the element of choices[i] at the same place.

    >>> cp.choose(cp.array([0, 1, 0]), [cp.array([1, 2, 3]), cp.array([10, 20, 30])])
    array([ 1, 20,  3])
    """
    return _core.choose(a, choices, out, mode)


def compress(condition, a, axis=None, out=None):
    """Slices of `a` along an axis where the 1-d condition is true.

    >>> cp.compress([False, True], cp.array([[1, 2], [3, 4]]), axis=0)
    array([[3, 4]])
    """
    return _core.compress(condition, a, axis, out)


def extract(condition, arr):
    """Elements of `arr` where the condition is true.

    >>> x = cp.arange(6)
    >>> cp.extract(x % 2 == 1, x)
    array([1, 3, 5])
    """
    return _core.extract(condition, arr)


def place(arr, mask, vals):
    """Writes the first values where the mask is true, beginning anew when they are used up.

    >>> x = cp.arange(4)
    >>> cp.place(x, x > 1, [10, 20])
    >>> x
    array([ 0,  1, 10, 20])
    """
    _core.place(arr, mask, vals)


def putmask(a, /, mask, values):
    """Writes where the mask is true the value at the same place of `values`, repeated as needed.

    >>> x = cp.arange(4)
    >>> cp.putmask(x, x > 1, x * 10)
    >>> x
    array([ 0,  1, 20, 30])
    """
    _core.putmask(a, mask, values)


def nonzero(a):
    """The indices of the elements that are not zero: one array per axis.

    >>> cp.nonzero(cp.array([0, 3, 0, 4]))
    (array([1, 3]),)
    """
    return _core.nonzero(a)


def flatnonzero(a):
    """Indices of the elements of the flattened array that are not zero.

    >>> cp.flatnonzero(cp.array([[0, 3], [0, 4]]))
    array([1, 3])
    """
    return _core.flatnonzero(a)


def argwhere(a):
    """The indices of the elements that are not zero, one row each.

    >>> cp.argwhere(cp.array([[0, 3], [0, 4]]))
    array([[0, 1],
           [1, 1]])
    """
    return _core.argwhere(a)


def diagonal(a, offset=0, axis1=0, axis2=1):
    """A diagonal of two axes; a read-only view.

    >>> cp.diagonal(cp.array([[1, 2], [3, 4]]))
    array([1, 4])
    """
    return _core.diagonal(a, offset, axis1, axis2)


def fill_diagonal(a, val, wrap=False):
    """Writes `val` on the main diagonal of an array of two or more dimensions.

    >>> x = cp.zeros((2, 2), int)
    >>> cp.fill_diagonal(x, 5)
    >>> x
    array([[5, 0],
           [0, 5]])
    """
    _core.fill_diagonal(a, val, wrap)
