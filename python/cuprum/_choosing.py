"""Values chosen by conditions, and functions applied along axes."""

import functools

import numpy as np

from . import _core
from ._checks import as_axis
from ._convert import as_array

__all__ = ["apply_along_axis", "apply_over_axes", "piecewise", "select"]


def select(condlist, choicelist, default=0):
    """For each place the element of the first choice whose condition is true there, else `default`.

    >>> x = cp.arange(6)
    >>> cp.select([x < 2, x > 3], [x, x * 10], -1)
    array([ 0,  1, -1, -1, 40, 50])
    """
    return _core.select(condlist, choicelist, default)


def piecewise(x, condlist, funclist, *args, **kw):
    """`x` mapped by the function, or the number, of the last condition that is true; one more is for the rest.

    A function is called once, with the elements of `x` that it is for, if there are any.

    >>> x = cp.arange(-2, 3)
    >>> cp.piecewise(x, [x < 0, x > 0], [lambda v: -v, 10])
    array([ 2,  1,  0, 10, 10])
    """
    x = as_array(x, "piecewise")
    if args or kw:
        funclist = [functools.partial(_called, f, args, kw) if callable(f) else f for f in funclist]
    return _core.piecewise(x, _conditions(condlist, x), funclist)


def _called(function, args, kw, values):
    return function(values, *args, **kw)


def _conditions(condlist, x):
    """The conditions as a list of boolean arrays of one shape; one alone need not stand in a list."""
    alone = np.isscalar(condlist) or (isinstance(condlist, _core.ndarray) and condlist.ndim == 0)
    if alone or (not isinstance(condlist[0], (list, _core.ndarray, np.ndarray)) and x.ndim != 0):
        condlist = [condlist]
    elif isinstance(condlist, _core.ndarray) and condlist.ndim == 1 and x.ndim != 0:
        condlist = [condlist]  # the elements of an array are arrays here
    conditions = [as_array(c, "piecewise", 2).astype(bool) for c in condlist]
    shapes = {c.shape for c in conditions}
    if len(shapes) > 1:
        raise ValueError(f"cuprum.piecewise: conditions must be of one shape, given {sorted(shapes)}")
    return conditions


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """What `func1d` gives for each vector along an axis, in the place of that axis.

    It is called once for every vector; a function that takes an `axis` itself is much faster.

    >>> cp.apply_along_axis(lambda v: v.max() - v.min(), 1, cp.array([[1, 5], [2, 9]]))
    array([4, 7])
    """
    arr = as_array(arr, "apply_along_axis", 3)
    axis = as_axis(axis, arr.ndim, "apply_along_axis")
    rows = _core.moveaxis(arr, axis, -1)
    outer = rows.shape[:-1]
    if 0 in outer:
        raise ValueError(
            "cuprum.apply_along_axis: Cannot apply_along_axis when any iteration dimensions are 0"
        )
    vectors = [rows[...]]
    for _ in outer:
        vectors = [part for whole in vectors for part in whole]  # views: stepping costs a third of indexing
    results = [as_array(func1d(vector, *args, **kwargs), "apply_along_axis") for vector in vectors]
    # The first result says what the others must be.
    shape, dtype = results[0].shape, results[0].dtype
    results = [x if x.shape == shape else _core.broadcast_to(x, shape) for x in results]
    joined = _core.stack(results, 0, None, dtype=dtype, casting="unsafe").reshape(outer + shape)
    first = len(outer)
    return _core.moveaxis(joined, tuple(range(first, joined.ndim)), tuple(range(axis, axis + len(shape))))


def apply_over_axes(func, a, axes):
    """`func(a, axis)` for one axis after the other, each on the result before; the number of axes is kept.

    >>> cp.apply_over_axes(cp.sum, cp.ones((2, 3, 4)), [0, 2])
    array([[[8.],
            [8.],
            [8.]]])
    """
    result = as_array(a, "apply_over_axes", 2)
    ndim = result.ndim
    axes = axes.tolist() if isinstance(axes, (np.ndarray, _core.ndarray)) else axes
    for axis in axes if np.iterable(axes) else (axes,):
        axis = axis + ndim if axis < 0 else axis
        reduced = func(result, axis)
        if reduced.ndim != result.ndim:
            reduced = _core.expand_dims(reduced, axis)
        if reduced.ndim != result.ndim:
            raise ValueError(
                "cuprum.apply_over_axes: function is not returning an array of the correct shape"
            )
        result = reduced
    return result
