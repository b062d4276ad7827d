"""What einsum's subscripts mean: the labels of every operand's axes and of the result's.

A label is a letter; the axes that an ellipsis stands for are labelled by integers, -1 the last, so that those of
different operands broadcast from the right. A list of integers 0 to 51 means the letters A to Z, a to z.
"""

import functools
import itertools
import string
from typing import NamedTuple

from ._convert import as_array

_LETTERS = string.ascii_uppercase + string.ascii_lowercase
_MOST = 65  # of one operand: its axes, and an ellipsis


class Subscripts(NamedTuple):
    inputs: list  # of one tuple of labels per operand
    output: tuple  # of labels


def parse(arguments):
    """The operands and the subscripts of a call of einsum, in either of its forms."""
    text, operands = split_arguments(arguments)
    operands = [as_array(x, "einsum", i + 1) for i, x in enumerate(operands)]
    return operands, parse_text(text, tuple(x.ndim for x in operands))


@functools.lru_cache(maxsize=512)
def parse_text(text, ndims):
    """The labels of operands with these numbers of dimensions."""
    head, arrow, tail = text.partition("->")
    if "-" in head or ">" in head:
        raise ValueError(
            "cuprum.einsum: einstein sum subscript string does not contain proper '->' output specified"
        )
    terms = head.split(",")
    if len(terms) != len(ndims):
        which = "more" if len(terms) > len(ndims) else "fewer"
        raise ValueError(
            f"cuprum.einsum: {which} operands provided to einstein sum function than specified in the subscripts "
            f"string: {len(terms)} terms in {text!r} for {len(ndims)} operands"
        )
    inputs = [_input_labels(term, ndim, i) for i, (term, ndim) in enumerate(zip(terms, ndims))]
    return Subscripts(inputs, _output_labels(tail, inputs) if arrow else _implied(inputs))


def split_arguments(arguments):
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
        return arguments[0].replace(" ", ""), list(arguments[1:])
    pairs = len(arguments) // 2
    operands = list(arguments[0 : 2 * pairs : 2])
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


def _check_letters(text, where):
    for letter in text:
        if letter == ".":
            raise ValueError(
                "cuprum.einsum: einstein sum subscripts string contains a '.' that is not part of an ellipsis "
                f"('...') in {where}"
            )
        if letter not in _LETTERS:
            raise ValueError(
                f"cuprum.einsum: invalid subscript '{letter}' in einstein sum subscripts string, "
                "subscripts must be letters"
            )


def _input_labels(term, ndim, operand):
    before, ellipsis, after = term.partition("...")
    _check_letters(before + after, f"operand {operand}")
    extra = ndim - len(before) - len(after)
    if extra < 0:
        raise ValueError(
            "cuprum.einsum: einstein sum subscripts string contains too many subscripts for operand "
            f"{operand}: {term!r} for {ndim} dimensions"
        )
    if extra and not ellipsis:
        raise ValueError(
            "cuprum.einsum: operand has more dimensions than subscripts given in einstein sum, but no '...' "
            f"ellipsis provided to broadcast the extra dimensions: {term!r} for {ndim} dimensions"
        )
    return (*before, *range(-extra, 0), *after)


def _broadcast_labels(inputs):
    """The axes of the ellipses together: those of the operand that has most."""
    return range(min([x for labels in inputs for x in labels if isinstance(x, int)], default=0), 0)


def _output_labels(term, inputs):
    before, ellipsis, after = term.partition("...")
    letters = before + after
    _check_letters(letters, "the output")
    for letter in letters:
        if letters.count(letter) > 1:
            raise ValueError(
                f"cuprum.einsum: einstein sum subscripts string includes output subscript '{letter}' multiple times"
            )
        if not any(letter in labels for labels in inputs):
            raise ValueError(
                f"cuprum.einsum: einstein sum subscripts string included output subscript '{letter}' which never "
                "appeared in an input"
            )
    broadcast = _broadcast_labels(inputs)
    if broadcast and not ellipsis:
        raise ValueError(
            "cuprum.einsum: output has more dimensions than subscripts given in einstein sum, but no '...' "
            "ellipsis provided to broadcast the extra dimensions"
        )
    return (*before, *broadcast, *after)


def _implied(inputs):
    """Without an arrow: the ellipsis, then the letters that occur once, in the order of the alphabet."""
    letters = [x for labels in inputs for x in labels if isinstance(x, str)]
    return (*_broadcast_labels(inputs), *sorted(x for x in letters if letters.count(x) == 1))
