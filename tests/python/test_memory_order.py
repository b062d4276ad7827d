"""The memory order of results is NumPy's: it decides whether `reshape` gives a view, and what later writes change."""

import itertools

import numpy as np
import pytest

import cuprum as cp

FUNCTIONS = {
    "sort": lambda xp, a, axis: xp.sort(a, axis=axis),
    "argsort": lambda xp, a, axis: xp.argsort(a, axis=axis),
    "partition": lambda xp, a, axis: xp.partition(a, 1, axis=axis),
    "cumsum": lambda xp, a, axis: xp.cumsum(a, axis=axis),
    "cumsum of float64": lambda xp, a, axis: xp.cumsum(a, axis=axis, dtype="f8"),
    "cumprod": lambda xp, a, axis: xp.cumprod(a, axis=axis),
    "nancumsum": lambda xp, a, axis: xp.nancumsum(a, axis=axis),
    "maximum.accumulate": lambda xp, a, axis: xp.maximum.accumulate(a, axis=axis),
    "cumulative_sum": lambda xp, a, axis: xp.cumulative_sum(a, axis=axis, include_initial=True),
    "reduceat": lambda xp, a, axis: xp.add.reduceat(a, xp.asarray([0, 1]), axis=axis),
    "sum": lambda xp, a, axis: xp.sum(a, axis=axis, keepdims=True),
    "diff": lambda xp, a, axis: xp.diff(a, axis=axis),
    "gradient": lambda xp, a, axis: xp.gradient(a, axis=axis),
    "roll": lambda xp, a, axis: xp.roll(a, 1, axis=axis),
    "repeat": lambda xp, a, axis: xp.repeat(a, 2, axis=axis),
    "take": lambda xp, a, axis: xp.take(a, xp.asarray([0, 1, 0]), axis=axis),
    "take_along_axis": lambda xp, a, axis: xp.take_along_axis(a, xp.argsort(a, axis=axis), axis=axis),
    "compress": lambda xp, a, axis: xp.compress(xp.asarray([True, False, True]), a, axis=axis),
    "delete": lambda xp, a, axis: xp.delete(a, 1, axis=axis),
    "insert": lambda xp, a, axis: xp.insert(a, 1, 5, axis=axis),
    "append": lambda xp, a, axis: xp.append(a, a, axis=axis),
    "concatenate": lambda xp, a, axis: xp.concatenate([a, a], axis=axis),
    "pad": lambda xp, a, axis: xp.pad(a, 1),
    "tile": lambda xp, a, axis: xp.tile(a, 2),
    "where": lambda xp, a, axis: xp.where(a > 0, a, 0),
    "clip": lambda xp, a, axis: xp.clip(a, 0, 1),
    "nan_to_num": lambda xp, a, axis: xp.nan_to_num(a),
}


def axes_from_slow_to_fast(a):
    return [i for i in sorted(range(a.ndim), key=lambda i: (-abs(a.strides[i]), i)) if a.shape[i] > 1]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["f8", "i4"])
def test_memory_order_of_results(name, dtype):
    host = (np.random.default_rng(0).random((3, 4, 5)) * 10).astype(dtype)
    for axes, axis in itertools.product(itertools.permutations(range(3)), range(3)):
        expected = FUNCTIONS[name](np, host.transpose(axes), axis)
        result = FUNCTIONS[name](cp, cp.asarray(host).transpose(axes), axis)
        assert axes_from_slow_to_fast(result) == axes_from_slow_to_fast(expected), (axes, axis)


def test_a_write_does_not_reach_a_flattened_scan():
    a = cp.cumsum((cp.arange(24, dtype="f4").reshape(2, 3, 4) * 2).T, axis=-1)
    flat = a.reshape(-1)
    before = flat.copy()
    a[a > 0] = 6
    assert cp.asnumpy(flat).tolist() == cp.asnumpy(before).tolist()
