"""Einstein's summation convention. The labels are read by _einsum_subscripts, pairs are contracted by _contraction;
here is what lies between: dtypes, sizes and the order in which operands are contracted, which NumPy's search chooses
by their shapes alone.
"""

import functools
import string

import numpy as np

from . import _core
from ._contraction import contract, make_term, summed, transposed, without_stretched
from ._convert import as_value, gives_plain
from ._einsum_subscripts import parse, split_arguments

__all__ = ["einsum", "einsum_path"]


@gives_plain
def einsum(*operands, out=None, optimize=False, **kwargs):
    """Sums of products over labelled axes: `einsum("ij,jk->ik", a, b)` is a matrix product, "ii->i" a view of the
    diagonal, "ij->" the sum. Also with lists of integers: `einsum(a, [0, 1], b, [1, 2], [0, 2])`.

    Keywords are `dtype`, `order` and `casting`. Three operands and more are contracted in pairs, in the order that
    `optimize` names ("greedy", "optimal" or a path of einsum_path); False lets the library choose.

    >>> a = cp.arange(6).reshape(2, 3)
    >>> cp.einsum("ij,kj->ik", a, a)
    array([[ 5, 14],
           [14, 50]])
    >>> cp.einsum("ij->j", a)
    array([3, 5, 7])
    """
    options = _options(**kwargs) if kwargs else _DEFAULTS
    operands, subscripts = parse(operands)
    if out is None and len(operands) == 1 and set(subscripts.inputs[0]) == set(subscripts.output):
        (x,) = operands  # nothing is summed: a view, which has the dtype and the layout of the operand
        term = make_term(x[...], _checked_labels(x, subscripts.inputs[0], 0))
        return as_value(transposed(term, subscripts.output))
    kind = _common_dtype(operands, out, options)
    terms = [
        make_term(x if x.dtype == kind else x.astype(kind), _checked_labels(x, labels, i))
        for i, (x, labels) in enumerate(zip(operands, subscripts.inputs))
    ]
    sizes = _sizes(terms)
    terms = [without_stretched(term, sizes) for term in terms]
    path = _path(terms, subscripts.output, sizes, optimize)
    result = _evaluate(terms, subscripts.output, path)
    return _delivered(result, operands, out, options)


def _options(dtype=None, order="K", casting="safe"):
    if order not in ("C", "F", "A", "K", "c", "f", "a", "k"):
        raise ValueError(f"cuprum.einsum: order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    if casting not in ("no", "equiv", "safe", "same_kind", "unsafe"):
        raise ValueError(
            "cuprum.einsum: casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' "
            f"(got {casting!r})"
        )
    return {"dtype": None if dtype is None else np.dtype(dtype), "order": order.upper(), "casting": casting}


_DEFAULTS = _options()


def _common_dtype(operands, out, options):
    """The dtype that everything is computed in; `out` counts as an operand."""
    if out is not None and not isinstance(out, _core.ndarray):
        raise TypeError(f"cuprum.einsum: out must be a cuprum array, given a {type(out).__name__}")
    first = operands[0].dtype
    if options is _DEFAULTS and out is None and all(x.dtype == first for x in operands):
        return first
    involved = operands if out is None else [*operands, out]
    kind = _core.result_type(*(x.dtype for x in involved)) if options["dtype"] is None else options["dtype"]
    pairs = [(x.dtype, kind) for x in operands] + ([] if out is None else [(kind, out.dtype)])
    for i, (source, target) in enumerate(pairs):
        if not _core.can_cast(source, target, options["casting"]):
            raise TypeError(
                f"cuprum.einsum: Iterator operand {i} dtype could not be cast from {source!r} to {target!r} "
                f"according to the rule '{options['casting']}'"
            )
    return kind


def _checked_labels(x, labels, operand):
    """Labels that one operand repeats have one length in it."""
    if len(set(labels)) == len(labels):
        return labels
    for i, label in enumerate(labels):
        first = labels.index(label)
        if x.shape[i] != x.shape[first]:
            raise ValueError(
                f"cuprum.einsum: dimensions in operand {operand} for collapsing index '{label}' don't match "
                f"({x.shape[first]} != {x.shape[i]})"
            )
    return labels


def _sizes(terms):
    """The length of every label; 1 stretches."""
    sizes = {}
    for term in terms:
        for label, n in zip(term.labels, term.array.shape):
            known = sizes.setdefault(label, n)
            if known == 1:
                sizes[label] = n
            elif n not in (1, known):
                shapes = " ".join(str(t.array.shape) for t in terms)
                index = f"index '{label}'" if isinstance(label, str) else "the ellipsis"
                raise ValueError(
                    f"cuprum.einsum: operands could not be broadcast together: {index} has the lengths {known} "
                    f"and {n} in operands of the shapes {shapes}"
                )
    return sizes


def _path(terms, output, sizes, optimize):
    """Which operands are contracted in each step, by their places in the list that shrinks from step to step."""
    named = isinstance(optimize, (bool, str)) or optimize is None
    if len(terms) < 3 and named:
        return [tuple(range(len(terms)))]
    letters = dict(zip(sizes, string.ascii_letters))
    if len(letters) < len(sizes):
        return [(0, 1)] * (len(terms) - 1)
    text = ",".join("".join(letters[x] for x in term.labels) for term in terms)
    text += "->" + "".join(letters[x] for x in output)
    if optimize is False or optimize is None:
        optimize = "greedy"
    shapes = tuple(term.array.shape for term in terms)
    return _searched(text, shapes, optimize) if named else _search(text, shapes, optimize)


def _search(text, shapes, optimize):
    return np.einsum_path(text, *(_stand_in(shape) for shape in shapes), optimize=optimize)[0][1:]


_searched = functools.lru_cache(maxsize=512)(_search)  # a search takes 50 us and more


def _stand_in(shape):
    """A NumPy array of a shape, of one element's memory."""
    return np.broadcast_to(np.float64(0), shape)


def _evaluate(terms, output, path):
    for places in path:
        places = sorted(places, reverse=True)
        group = [terms.pop(i) for i in places][::-1]
        terms.append(_contract_group(group, terms, output))
    (result,) = terms
    return transposed(result, output)


def _contract_group(group, others, output):
    """The terms of a group contracted into one, from the left."""
    order = list(output)
    for term in (*others, *group):
        order += [x for x in term.labels if x not in order]
    result, *rest = group
    for i, term in enumerate(rest):
        needed = {x for other in (*others, *rest[i + 1 :]) for x in other.labels}
        result = contract(result, term, needed | set(output), order)
    return summed(result, {x for other in others for x in other.labels} | set(output))


def _delivered(result, operands, out, options):
    if out is not None:
        if out.shape != result.shape:
            raise ValueError(
                f"cuprum.einsum: operands could not be broadcast together: out has the shape {out.shape}, "
                f"the result {result.shape}"
            )
        _core.copyto(out, result, "unsafe")
        return out
    order = options["order"]
    if order == "A":
        order = "F" if all(x.flags.f_contiguous for x in operands) else "C"
    return as_value(result if order == "K" else _core.asarray(result, None, order))


def einsum_path(*operands, optimize="greedy", einsum_call=False):
    """The order in which einsum should contract its operands, and a text that explains it: NumPy's.

    >>> a, b, c = cp.ones((2, 10)), cp.ones((10, 10)), cp.ones((10, 3))
    >>> cp.einsum_path("ij,jk,kl->il", a, b, c)[0]
    ['einsum_path', (0, 1), (0, 1)]
    """
    text, arrays = split_arguments(operands)
    arrays, _ = parse((text, *arrays))
    stand_ins = [_stand_in(x.shape) for x in arrays]
    first, second = np.einsum_path(text, *stand_ins, optimize=optimize, einsum_call=einsum_call)
    return (arrays if einsum_call else first), second
