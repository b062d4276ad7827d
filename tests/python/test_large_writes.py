"""a[index] = v where the array is larger than a GPU's cache, and joins as large: ways that small arrays never go.

The last write of equal indices wins, whatever the order in which a device runs.
"""

import numpy as np
import pytest

import cuprum as cp
from strategies import assert_same

BYTES = 130 << 20  # of the array, and of an entry of 4 bytes per element: twice the cache of an H200


def places_for(dtype):
    return BYTES // (np.dtype(dtype).itemsize + 4) | 1


def values(dtype, n):
    k = np.arange(n)
    return (k % 1999 - k % 7 * 1j).astype(dtype) if dtype == "c16" else (k % 1999).astype(dtype)


def check(dtype, index, n=None):
    n = n or places_for(dtype)
    line = values(dtype, index.size)
    want = np.zeros(n, dtype)
    got = cp.zeros(n, dtype)
    want[index] = line
    got[cp.asarray(index)] = cp.asarray(line)
    assert_same(got, want)


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
def test_last_write_wins(dtype):
    """A third of the indices are multiples of 64, which meet often; one in four is negative."""
    rng = np.random.default_rng(1)
    n = places_for(dtype)
    index = rng.integers(0, n, n // 12)
    index[::3] = index[::3] // 64 * 64
    index[1::4] -= n
    check(dtype, index)


@pytest.mark.parametrize("kind", ["few places", "one place", "one region", "in order", "backwards"])
def test_uneven_indices(kind):
    n, m = places_for("f4"), places_for("f4") // 10
    rng = np.random.default_rng(2)
    index = {
        "few places": lambda: rng.integers(5, 900, m),
        "one place": lambda: np.full(m, n - 1),
        "one region": lambda: rng.integers(n // 2, n // 2 + n // 50, m),
        "in order": lambda: np.sort(rng.integers(0, n, m)),
        "backwards": lambda: np.sort(rng.integers(0, n, m))[::-1],
    }[kind]()
    check("f4", index)


def test_strided_arrays_and_two_indices():
    n, m = 5001, 3301
    rng = np.random.default_rng(3)
    i, j = rng.integers(-n, n, 1_500_000), rng.integers(-m, m, 1_500_000)
    line = np.arange(3_000_000, dtype="f4")[::-2]
    want, got = np.zeros((n, m), "f4"), cp.zeros((n, m), "f4")
    want[i, j] = line
    got[cp.asarray(i), cp.asarray(j)] = cp.asarray(line)
    assert_same(got, want)
    flat, device = np.zeros(2 * n * m, "f4"), cp.zeros(2 * n * m, "f4")
    k = rng.integers(0, n * m, 1_500_000)
    flat[::-2][k] = line
    device[::-2][cp.asarray(k)] = cp.asarray(line)
    assert_same(device, flat)


def test_bad_indices_write_nothing():
    n = places_for("f4")
    index = np.random.default_rng(4).integers(0, n, n // 10)
    index[12345] = n
    index[54321] = -n - 1
    target = cp.zeros(n, "f4")
    around = cp.ones(4096, "f4")
    with pytest.raises(IndexError, match="out of bounds"):
        target[cp.asarray(index)] = cp.ones(index.size, "f4")
        target.sum().item()  # a device may tell when it is waited for
    assert bool((around == 1).all())


@pytest.mark.parametrize("dtype", ["u1", "f4", "c16"])
def test_interleaved_columns(dtype):
    n = (1 << 20) + 5
    columns = [values(dtype, n), values(dtype, n)[::-1], np.ones(2 * n, dtype)[::2]]
    for count in (2, 3):
        got = cp.stack([cp.asarray(c) for c in columns[:count]], axis=1)
        assert_same(got, np.stack(columns[:count], axis=1))
