"""Joins along inner axes: parts that lie side by side in the result are written together, whatever they are made of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from cuprum import _core
from strategies import DTYPES, arrays, assert_same, dtypes


@given(st.data())
def test_stack(data):
    """Arrays of one shape, of any layouts and dtypes, pending or not, along every axis."""
    shape = tuple(data.draw(st.lists(st.integers(0, 7), max_size=3)))
    pairs = [data.draw(arrays(dtypes, st.just(shape))) for _ in range(data.draw(st.integers(1, 5)))]
    axis = data.draw(st.integers(-len(shape) - 1, len(shape)))
    want, got = (module.stack([p[k] for p in pairs], axis=axis) for k, module in enumerate((np, cp)))
    assert_same(got, want)


@given(st.data())
def test_concatenate(data):
    """Arrays of different lengths, which are cut into slices where the joined axis is short and the fastest."""
    shape = data.draw(st.lists(st.integers(1, 7), min_size=1, max_size=3))
    axis = data.draw(st.integers(0, len(shape) - 1))
    pairs = []
    for length in data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=5)):
        shape[axis] = length
        pairs.append(data.draw(arrays(dtypes, st.just(tuple(shape)))))
    want, got = (module.concatenate([p[k] for p in pairs], axis=axis) for k, module in enumerate((np, cp)))
    assert_same(got, want)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("count", [2, 3, 4, 7, 16, 17, 40])
def test_many_columns(dtype, count):
    columns = [((np.arange(1001) * (k + 3)) % 119).astype(dtype) for k in range(count)]
    want = np.stack(columns, axis=1)
    assert_same(cp.stack([cp.asarray(c) for c in columns], axis=1), want)
    assert_same(cp.column_stack([cp.asarray(c)[::-1] for c in columns]), want[::-1])
    pending = [cp.asarray(c) + cp.asarray(c) for c in columns]
    assert_same(cp.stack(pending, axis=1), np.stack([c + c for c in columns], axis=1))


def test_planes_of_images():
    planes = [np.arange(7 * 5, dtype="u1").reshape(7, 5) + 40 * k for k in range(3)]
    on_device = [cp.asarray(p) for p in planes]
    assert_same(cp.dstack(on_device), np.dstack(planes))
    assert_same(cp.stack([p.T for p in on_device], axis=-1), np.stack([p.T for p in planes], axis=-1))
    assert_same(cp.c_[on_device[0], on_device[1][:, :1]], np.c_[planes[0], planes[1][:, :1]])
    assert_same(
        cp.concatenate([p[..., None] for p in on_device], axis=2, dtype="f4"),
        np.concatenate([p[..., None] for p in planes], axis=2, dtype="f4"),
    )


def test_what_a_join_reads_stays_as_it_is():
    n = np.arange(6.0)
    a = cp.asarray(n)
    doubled = a * 2
    joined = cp.stack([a, doubled, a + doubled], axis=1)
    a[:] = -1
    want = np.stack([n, n * 2, n * 3], axis=1)
    assert_same(joined, want)
    assert_same(doubled, n * 2)
    assert_same(cp.stack([joined[:, 0], joined[:, 2]], axis=-1), want[:, ::2])


def test_one_kernel_writes_all_columns():
    """And one computes those that are pending: they have names until the call is over."""
    a, b = np.arange(100.0), np.arange(100.0) + 3
    x, y = cp.asarray(a), cp.asarray(b)
    with cp.eager(False):
        before = _core.engine_stats()["kernels"]
        joined = cp.stack([x, y, x], axis=1)
        assert _core.engine_stats()["kernels"] - before == 1
        pending = cp.stack([x, y + 1, x * y], axis=1)
        assert _core.engine_stats()["kernels"] - before == 3
    assert_same(joined, np.stack([a, b, a], axis=1))
    assert_same(pending, np.stack([a, b + 1, a * b], axis=1))
