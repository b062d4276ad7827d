"""Arrays put together from nested lists of blocks."""

from . import _core
from ._convert import as_array

__all__ = ["block"]


def block(arrays):
    """One array of nested lists of blocks: the innermost lists are joined along the last axis, those around them
    along the one before, and so on. Every block is copied once, to its place.

    >>> a, b = cp.eye(2), cp.zeros((2, 1))
    >>> cp.block([[a, b], [b.T, 5]])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 5.]])
    """
    depth = _depth(arrays, ())
    blocks = list(_leaves(arrays))
    ndim = max(depth, *(x.ndim for x in blocks))
    dtype = _core.result_type(*(x.dtype for x in blocks))
    shape, places = _layout(arrays, 0, depth, ndim, iter(blocks))
    result = _core.empty(shape, dtype, "F" if _all_fortran(blocks) else "C")
    for x, place in zip(blocks, places):
        result[tuple(slice(begin, end) for begin, end in place)] = x
    return result


def _all_fortran(blocks):
    return all(x.flags.f_contiguous and not x.flags.c_contiguous for x in blocks)


def _name(at):
    return "arrays" + "".join(f"[{i}]" for i in at)


def _depth(arrays, at):
    """How deep the blocks lie, which must be the same for all; `at` is the way to this list."""
    if isinstance(arrays, tuple):
        raise TypeError(
            f"cuprum.block: {_name(at)} is a tuple. Only lists can be used to arrange blocks, and tuples are not "
            "converted to arrays"
        )
    if not isinstance(arrays, list):
        return len(at)
    if not arrays:
        raise ValueError(f"cuprum.block: List at {_name(at)} cannot be empty")
    depths = [_depth(x, (*at, i)) for i, x in enumerate(arrays)]
    for i, depth in enumerate(depths):
        if depth != depths[0]:
            raise ValueError(
                f"cuprum.block: List depths are mismatched. First element was at depth {depths[0]}, but there is an "
                f"element at depth {depth} ({_name((*at, i))})"
            )
    return depths[0]


def _leaves(arrays):
    if isinstance(arrays, list):
        for x in arrays:
            yield from _leaves(x)
    else:
        yield as_array(arrays, "block")


def _layout(arrays, level, depth, ndim, blocks):
    """The shape of these blocks together, and for each the ranges that it takes of it."""
    if not isinstance(arrays, list):
        shape = next(blocks).shape
        shape = (1,) * (ndim - len(shape)) + shape
        return shape, [[(0, n) for n in shape]]
    axis = ndim - depth + level
    length, places, together = 0, [], None
    for x in arrays:
        shape, inner = _layout(x, level + 1, depth, ndim, blocks)
        others = shape[:axis] + shape[axis + 1 :]
        if together not in (None, others):
            raise ValueError(
                f"cuprum.block: Mismatched array shapes in block along axis {axis}: a block has the shape {shape}, "
                f"those before it are {(*together[:axis], '*', *together[axis:])}"
            )
        together = others
        for place in inner:
            place[axis] = (place[axis][0] + length, place[axis][1] + length)
        places += inner
        length += shape[axis]
    return (*together[:axis], length, *together[axis:]), places
