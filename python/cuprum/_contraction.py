"""Contractions of arrays whose axes have labels: what einsum is made of.

Two operands with summed labels in common are one batched matrix product, of views where the layouts allow it. What
sums nothing is a recorded product; dot products of many short vectors are a product and a sum in one kernel.
"""

import itertools
from typing import NamedTuple

from . import _core


class Term(NamedTuple):
    array: object
    labels: tuple  # one per axis, no two equal


def make_term(array, labels):
    """A term without repeated labels: axes with the same one become their diagonal, a view that can be written."""
    if len(set(labels)) == len(labels):
        return Term(array, labels)
    labels = list(labels)
    for label in [x for i, x in enumerate(labels) if x in labels[:i]]:
        first = labels.index(label)
        second = labels.index(label, first + 1)
        writeable = array.flags.writeable
        array = array.diagonal(0, first, second)
        array.flags.writeable = writeable
        del labels[second], labels[first]
        labels.append(label)
    return Term(array, tuple(labels))


def without_stretched(term, sizes):
    """The term without the axes of length 1 that stand for longer ones: its values do not depend on them."""
    shape = term.array.shape
    axes = [i for i, x in enumerate(term.labels) if shape[i] == 1 != sizes[x]] if 1 in shape else ()
    if not axes:
        return term
    kept = tuple(x for i, x in enumerate(term.labels) if i not in axes)
    return Term(_core.squeeze(term.array, tuple(axes)), kept)


def summed(term, keep):
    """The term summed over all labels that are not to be kept, in its own dtype."""
    if keep.issuperset(term.labels):
        return term
    axes = tuple(i for i, x in enumerate(term.labels) if x not in keep)
    array = _core.sum(term.array, axes, term.array.dtype)
    return Term(array, tuple(x for x in term.labels if x in keep))


def transposed(term, labels):
    """The array with its axes in the order of `labels`."""
    if tuple(labels) == term.labels:
        return term.array
    return _core.transpose(term.array, tuple(term.labels.index(x) for x in labels))


def contract(a, b, keep, order):
    """The product of two terms, summed over what is not in `keep`; axes as near to `order` as costs nothing."""
    a, b = summed(a, keep | set(b.labels)), summed(b, keep | set(a.labels))
    inner = [x for x in a.labels if x in b.labels and x not in keep]
    free_a = [x for x in a.labels if x not in b.labels]
    free_b = [x for x in b.labels if x not in a.labels]
    if not inner or not (free_a or free_b):
        return _multiply(a, b, inner, order)
    batch = [x for x in order if x in a.labels and x in b.labels and x not in inner]
    if _position(order, free_a) > _position(order, free_b):
        a, b, free_a, free_b = b, a, free_b, free_a
    return _matmul(a, b, batch, free_a, inner, free_b, order)


def _position(order, labels):
    """Where the last of the labels stands; nothing stands first, as a vector's missing axis."""
    return max((order.index(x) for x in labels), default=-1)


def _multiply(a, b, inner, order):
    """Elementwise, and summed over `inner`: both recorded, so that one kernel does it."""
    labels = [*(x for x in order if (x in a.labels or x in b.labels) and x not in inner), *inner]
    left, right = _aligned(a, labels), _aligned(b, labels)
    kept = len(labels) - len(inner)
    if not inner:
        return Term(_core.multiply(left, right), tuple(labels))
    return Term(sum_of_products(left, right, tuple(range(kept, len(labels)))), tuple(labels[:kept]))


def sum_of_products(left, right, axes):
    """The products of two arrays of one dtype, summed over axes; those of half precision in float32."""
    kind = left.dtype
    if kind.name in ("float16", "bfloat16"):
        left, right = left.astype("f4"), right.astype("f4")
    product = _core.multiply(left, right)
    return _core.sum(product, axes, product.dtype).astype(kind, copy=False)


def _aligned(term, labels):
    """The array with its axes where `labels` has them, of length 1 where it has none."""
    own = [x for x in labels if x in term.labels]
    array = transposed(term, own)
    missing = [i for i, x in enumerate(labels) if x not in own and any(y in own for y in labels[:i])]
    if missing:  # those in front come by themselves; a view of a pending array would compute it
        first = next(i for i, x in enumerate(labels) if x in own)
        array = _core.expand_dims(array, tuple(i - first for i in missing))
    return array


def _matmul(a, b, batch, rows, inner, columns, order):
    rows, columns = _merged_order(a, rows, order), _merged_order(b, columns, order)
    inner = _inner_order(a, b, inner)
    left, right = _grouped(a, batch, (rows, inner)), _grouped(b, batch, (inner, columns))
    product = _core.matmul(left, right, None)
    sizes = {**dict(zip(a.labels, a.array.shape)), **dict(zip(b.labels, b.array.shape))}
    labels = (*batch, *rows, *columns)
    return Term(_core.reshape(product, tuple(sizes[x] for x in labels)), labels)


def _grouped(term, batch, groups):
    """The array with the axes of `batch`, then one axis for each group."""
    array = transposed(term, [*batch, *groups[0], *groups[1]])
    if len(groups[0]) == len(groups[1]) == 1:
        return array
    sizes, shape = (
        dict(zip(term.labels, term.array.shape)),
        [term.array.shape[term.labels.index(x)] for x in batch],
    )
    for group in groups:
        length = 1
        for x in group:
            length *= sizes[x]
        shape.append(length)
    return _core.reshape(array, tuple(shape))


def _merges(term, labels):
    """Do these axes, in this order, lie in memory as one?"""
    steps = [(term.array.shape[i], term.array.strides[i]) for i in map(term.labels.index, labels)]
    steps = [step for step in steps if step[0] != 1]
    return all(s == m * t for (_, s), (m, t) in itertools.pairwise(steps))


def _by_stride(term, labels):
    return sorted(labels, key=lambda x: -abs(term.array.strides[term.labels.index(x)]))


def _merged_order(term, labels, order):
    """The order of the result, unless only the one of memory spares a copy."""
    if len(labels) < 2:
        return labels
    wanted = sorted(labels, key=order.index)
    memory = _by_stride(term, labels)
    return memory if _merges(term, memory) and not _merges(term, wanted) else wanted


def _inner_order(a, b, inner):
    """The order of the summed axes for which the fewest elements have to be copied."""
    if len(inner) < 2:
        return inner
    candidates = [_by_stride(a, inner), _by_stride(b, inner)]
    return min(candidates, key=lambda x: sum(t.array.size for t in (a, b) if not _merges(t, x)))
