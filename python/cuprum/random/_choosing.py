"""Orders and choices: what a Generator and a RandomState share of them. The integers that decide are drawn by the
core."""

import math
import operator
from collections.abc import Sequence

import numpy as np

from .. import _core
from .._checks import as_axis
from .._interop import asnumpy
from ._checks import as_shape, kahan_sum, on_device, tell


def random_bytes(bits, length):
    length = operator.index(length)
    if length < 0:
        raise ValueError(f"cuprum.random.bytes: negative length, {length}")
    words = asnumpy(
        _core.random_words(bits, max(-(-length // 4), 1))
    )  # one is drawn for no bytes too, as in NumPy
    return words.astype("<u4").tobytes()[:length]


def is_integer(x):
    return isinstance(x, (int, np.integer)) and not isinstance(x, np.bool_)


def permutation(bits, x, axis=0):
    if is_integer(x):
        return _core.random_shuffled(bits, (), max(operator.index(x), 0))
    x = on_device(x)
    axis = as_axis(axis, x.ndim, "random.permutation")
    return _core.take(x, _core.random_shuffled(bits, (), x.shape[axis]), axis)


def shuffle(bits, x, axis=0):
    if isinstance(x, (_core.ndarray, np.ndarray)):
        if not x.flags.writeable:
            raise ValueError("array is read-only")
        if x.ndim == 0:
            raise TypeError(
                "cuprum.random.shuffle: an array of at least one dimension is needed, given shape ()"
            )
        axis = as_axis(axis, x.ndim, "random.shuffle")
        if x.size == 0:
            return
        order = _core.random_shuffled(bits, (), x.shape[axis])
        x[...] = x.take(asnumpy(order) if isinstance(x, np.ndarray) else order, axis)
        return
    if not isinstance(x, Sequence):
        tell(
            f"you are shuffling a '{type(x).__name__}' object which is not a subclass of 'Sequence'; `shuffle` is not "
            "guaranteed to behave correctly. E.g., non-numpy array/tensor objects with view semantics may contain "
            "duplicates after shuffling.",
            UserWarning,
        )
    if axis != 0:
        # NumPy's type and words: a list has no second axis.
        raise NotImplementedError("Axis argument is only supported on ndarray objects")
    items = [x[i] for i in range(len(x))]
    for i, j in enumerate(asnumpy(_core.random_shuffled(bits, (), len(items))).tolist()):
        x[i] = items[j]


def permuted(bits, x, axis, out):
    x = on_device(x)
    if out is None:
        out = x.copy(order="K")
    else:
        if not isinstance(out, _core.ndarray):
            raise TypeError("out must be a cuprum array")
        if not out.flags.writeable:
            raise ValueError("output array is read-only")
        if out.shape != x.shape:
            raise ValueError("out must have the same shape as x")
        if not np.can_cast(x.dtype, out.dtype, "safe"):
            raise TypeError(
                f"cuprum.random.permuted: Cannot cast array data from {x.dtype!r} to {out.dtype!r} according to the "
                "rule 'safe'"
            )
        out[...] = x
    if axis is None:
        rows = out.T if out.flags.f_contiguous and not out.flags.c_contiguous else out
        rows[...] = rows.ravel()[_core.random_shuffled(bits, (), out.size)].reshape(rows.shape)
        return out
    rows = _core.moveaxis(out, as_axis(axis, out.ndim, "random.permuted"), -1)
    if out.size:
        rows[...] = _core.take_along_axis(
            rows, _core.random_shuffled(bits, rows.shape[:-1], rows.shape[-1]), -1
        )
    return out


def choice(generator, a, size, replace, p, axis, shuffle):
    """Generator.choice."""
    a, population = _population(
        a, size, axis, "a must be a sequence or an integer", "a must be a positive integer"
    )
    if p is not None:
        p = _probabilities(p, population, "{}")
    shape = as_shape(size)
    count = math.prod(shape)
    if replace:
        if p is not None:
            index = _by_probability(p, generator.random(shape))
        else:
            index = generator.integers(0, population, shape)
    else:
        if count > population:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        if count < 0 or any(n < 0 for n in shape):
            raise ValueError("negative dimensions are not allowed")
        if p is not None:
            index = _distinct(p, count, generator.random).reshape(shape)
        else:
            index = _core.random_sampled(generator._bits, population, count, shuffle).reshape(shape)
    return _chosen(a, index, size, axis)


def choice_legacy(state, a, size, replace, p):
    """RandomState.choice."""
    a, population = _population(
        a, size, 0, "a must be 1-dimensional or an integer", "a must be greater than 0"
    )
    if a is not None and a.ndim != 1:
        raise ValueError("a must be 1-dimensional")
    if p is not None:
        p = _probabilities(p, population, "'{}'")
    shape = as_shape(size)
    count = math.prod(shape)
    if replace:
        index = (
            state.randint(0, population, shape)
            if p is None
            else _by_probability(p, state.random_sample(shape))
        )
    else:
        if count > population:
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        if any(n < 0 for n in shape):
            raise ValueError("Negative dimensions are not allowed")
        if p is not None:
            index = _distinct(p, count, state.random_sample).reshape(shape)
        else:
            index = state.permutation(population)[:count].reshape(shape)
    return _chosen(a, index, size, 0)


def _population(a, size, axis, not_integer, not_positive):
    """The array (None for a number) and how many there are to choose from."""
    if not isinstance(a, _core.ndarray):
        if np.ndim(a) == 0:
            a = np.asarray(a)
        else:
            a = on_device(a)
    samples = size is None or np.prod(size) != 0
    if a.ndim > 0:
        population = a.shape[as_axis(axis, a.ndim, "random.choice")]
        if population == 0 and samples:
            raise ValueError("a cannot be empty unless no samples are taken")
        return a, population
    try:
        population = operator.index(a.item())
    except TypeError:
        raise ValueError(f"{not_integer}, not {type(a.item())}") from None
    if population <= 0 and samples:
        raise ValueError(f"{not_positive} unless no samples are taken")
    return None, population


def _probabilities(p, population, quoted):
    """Checked on the host, as float64."""
    given = asnumpy(p)
    epsilon = np.finfo(given.dtype if given.dtype.kind == "f" else np.float64).eps
    p = given.astype(np.float64, casting="safe")
    if p.ndim != 1:
        raise ValueError(f"{quoted.format('p')} must be 1-dimensional")
    if p.size != population:
        raise ValueError(f"{quoted.format('a')} and {quoted.format('p')} must have same size")
    total = kahan_sum(p) if p.size < 1 << 16 else math.fsum(p)
    if math.isnan(total):
        raise ValueError("Probabilities contain NaN")
    if (p < 0).any():
        raise ValueError("Probabilities are not non-negative")
    if abs(total - 1.0) > max(math.sqrt(np.finfo(np.float64).eps), math.sqrt(epsilon)):
        raise ValueError(
            "Probabilities do not sum to 1. See Notes section of docstring for more information."
        )
    return p


def _by_probability(p, uniform):
    cumulated = p.cumsum()
    cumulated /= cumulated[-1]
    return _core.searchsorted(on_device(cumulated), uniform, "right")


def _distinct(p, count, random):
    """`count` positions, none twice: those that come again are drawn anew among the rest."""
    if np.count_nonzero(p > 0) < count:
        raise ValueError("Fewer non-zero entries in p than size")
    p = p.copy()
    found = np.zeros(count, dtype=np.int64)
    n = 0
    while n < count:
        uniform = asnumpy(random((count - n,)))
        p[found[:n]] = 0
        cumulated = np.cumsum(p)
        cumulated /= cumulated[-1]
        new = cumulated.searchsorted(uniform, side="right")
        new = new[np.sort(np.unique(new, return_index=True)[1])]
        found[n : n + new.size] = new
        n += new.size
    return on_device(found)


def _chosen(a, index, size, axis):
    if a is None:
        return index[()] if size is None else index
    taken = _core.take(a, index, axis)
    return taken[()] if size is None else taken
