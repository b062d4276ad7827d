"""Einstein's summation convention. The interleaved form of a call is written as a string here, and NumPy's search for a
path is asked where a call names one; the rest is C++ (src/ops/einsum.h).
"""

import itertools
import string

import numpy as np

from . import _core
from ._convert import as_array, gives_plain

__all__ = ["einsum", "einsum_path"]

_LETTERS = string.ascii_uppercase + string.ascii_lowercase  # what the integers 0 to 51 mean
_MOST = 65  # of one operand: its axes, and an ellipsis


@gives_plain
def einsum(*operands, out=None, optimize=False, dtype=None, order="K", casting="safe"):
    """Sums of products over labelled axes: `einsum("ij,jk->ik", a, b)` is a matrix product, "ii->i" a view of the
    diagonal, "ij->" the sum. Also with lists of integers: `einsum(a, [0, 1], b, [1, 2], [0, 2])`.

    Three operands and more are contracted in pairs, in the order that
    `optimize` names ("greedy", "optimal" or a path of einsum_path); False lets the library choose.

    >>> a = cp.arange(6).reshape(2, 3)
    >>> cp.einsum("ij,kj->ik", a, a)
    array([[ 5, 14],
           [14, 50]])
    >>> cp.einsum("ij->j", a)
    array([3, 5, 7])
    """
    text, operands = _split_arguments(operands)
    path = None if optimize is False or optimize is None else _named_path(text, operands, optimize)
    return _core.einsum(text, operands, out, dtype, order, casting, path)


def _named_path(text, operands, optimize):
    """The steps that NumPy's search finds, or those that the caller has written, checked."""
    named = isinstance(optimize, (bool, str))
    if named and len(operands) < 3:
        return None
    shapes = [as_array(x, "einsum", i + 1).shape for i, x in enumerate(operands)]
    return np.einsum_path(text, *map(_stand_in, shapes), optimize=optimize)[0][1:]


def _stand_in(shape):
    """A NumPy array of a shape, of one element's memory."""
    return np.broadcast_to(np.float64(0), shape)


def einsum_path(*operands, optimize="greedy", einsum_call=False):
    """The order in which einsum should contract its operands, and a text that explains it: NumPy's.

    >>> a, b, c = cp.ones((2, 10)), cp.ones((10, 10)), cp.ones((10, 3))
    >>> cp.einsum_path("ij,jk,kl->il", a, b, c)[0]
    ['einsum_path', (0, 1), (0, 1)]
    """
    text, arrays = _split_arguments(operands)
    arrays = [as_array(x, "einsum_path", i + 1) for i, x in enumerate(arrays)]
    stand_ins = [_stand_in(x.shape) for x in arrays]
    first, second = np.einsum_path(text, *stand_ins, optimize=optimize, einsum_call=einsum_call)
    return (arrays if einsum_call else first), second


def _split_arguments(arguments):
    """(subscripts, operands): the interleaved form is translated into the one with a string."""
    if not arguments:
        raise ValueError(
            "cuprum.einsum: must specify the einstein sum subscripts string and at least one operand, "
            "or at least one operand and its corresponding subscripts list"
        )
    if isinstance(arguments[0], str):
        if len(arguments) == 1:
            raise ValueError(
                "cuprum.einsum: must specify the einstein sum subscripts string and at least one operand"
            )
        return arguments[0], arguments[1:]
    pairs = len(arguments) // 2
    operands = tuple(arguments[0 : 2 * pairs : 2])
    if not operands:
        raise ValueError("cuprum.einsum: at least one operand and its corresponding subscripts list")
    text = ",".join(_from_list(labels) for labels in arguments[1 : 2 * pairs : 2])
    if len(arguments) % 2:
        text += "->" + _from_list(arguments[-1])
    return text, operands


def _from_list(labels):
    if isinstance(labels, (str, bytes)) or not hasattr(labels, "__iter__"):
        raise TypeError("cuprum.einsum: subscripts for each operand must be a sequence of integers")
    labels = list(itertools.islice(labels, _MOST + 1))
    if len(labels) > _MOST:
        raise ValueError("cuprum.einsum: subscripts list is too long")
    return "".join("..." if label is Ellipsis else _letter(label) for label in labels)


def _letter(label):
    try:
        number = label.__index__()
    except AttributeError:
        raise TypeError(
            f"cuprum.einsum: each subscript must be either an integer or an ellipsis, given {label!r}"
        ) from None
    if not 0 <= number < 52:
        raise ValueError(f"cuprum.einsum: subscript is not within the valid range [0, 52), given {number}")
    return _LETTERS[number]
