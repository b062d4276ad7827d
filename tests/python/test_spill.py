"""Spill: what does not fit goes to the host and comes back. On `far`, and on a GPU."""

import gc
import threading
import warnings

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE, HOST_MEMORY

MEGA = 1 << 20
pytestmark = [
    pytest.mark.skipif(HOST_MEMORY, reason="the device's memory is the host's"),
    pytest.mark.filterwarnings("ignore:cuprum. memory of:RuntimeWarning"),
]


@pytest.fixture
def limited():
    """A function that limits the memory that may be used from now on, with spill."""
    gc.collect()
    with HERE:
        pool = cp.get_default_memory_pool()
        pool.free_all_blocks()
        before = _core.get_spill()

        def limit(nbytes, spill=True):
            pool.set_limit(pool.used_bytes() + nbytes)
            cp.cuda.set_spill(spill)

        yield limit
        pool.set_limit(0)
        cp.cuda.set_spill(before)


def moved():
    return cp.cuda.spill_stats()


def test_off_by_default(limited):
    assert not cp.cuda.get_spill()
    limited(4 * MEGA, spill=False)
    kept = []
    with pytest.raises(cp.OutOfMemoryError):
        for _ in range(8):
            kept.append(cp.evaluate(cp.ones(MEGA // 8)))
    assert 1 <= len(kept) <= 4


def test_twice_as_much_as_there_is_room(limited):
    limited(10 * MEGA)
    before = moved()
    arrays = [cp.evaluate(cp.arange(MEGA // 8) + float(i)) for i in range(20)]
    assert moved()["to_host"] - before["to_host"] >= 8 * MEGA
    assert moved()["on_host"] - before["on_host"] >= 8 * MEGA
    for _ in range(3):
        for i in range(20):
            arrays[i] = arrays[i] * 2 + arrays[(i + 7) % 20]
            cp.evaluate(arrays[i])
    want = [np.arange(MEGA // 8) + float(i) for i in range(20)]
    for _ in range(3):
        for i in range(20):
            want[i] = want[i] * 2 + want[(i + 7) % 20]
    for got, x in zip(arrays, want):
        np.testing.assert_array_equal(got.get(), x)
    assert moved()["from_host"] > before["from_host"]
    del arrays, got
    gc.collect()
    assert moved()["on_host"] == before["on_host"]


def test_the_longest_unused_goes_first(limited):
    limited(4 * MEGA + 65536)
    a, b, c = (cp.evaluate(cp.ones(MEGA // 8) * i) for i in range(3))
    cp.evaluate(a + b.sum())  # c is the one that was not used
    before = moved()
    d = cp.evaluate(cp.ones(2 * MEGA // 8))
    after = moved()
    went = after["to_host"] - before["to_host"]
    assert MEGA <= went <= 2 * MEGA
    cp.evaluate(a.sum(), b.sum())
    assert (a.sum() + b.sum() + c.sum() + d.sum()).item() == (0 + 1 + 2 + 2) * MEGA // 8


def test_what_others_know_stays(limited):
    limited(4 * MEGA)
    a = cp.evaluate(cp.ones(MEGA // 8))
    address = a.data.ptr
    others = [cp.evaluate(cp.ones(MEGA // 8) * i) for i in range(8)]
    assert a.data.ptr == address
    memory = cp.cuda.UnownedMemory(address, a.nbytes, a)
    assert cp.ndarray(MEGA // 8, "f8", cp.cuda.MemoryPointer(memory, 0)).sum().item() == MEGA // 8
    assert sum(x.sum().item() for x in others) == 28 * MEGA // 8


def test_an_exported_array_comes_back_first(limited):
    limited(4 * MEGA)
    arrays = [cp.evaluate(cp.ones(MEGA // 8) * i) for i in range(8)]
    for i, a in enumerate(arrays[:3]):
        memory = cp.cuda.UnownedMemory(a.data.ptr, a.nbytes, a)
        assert cp.ndarray(MEGA // 8, "f8", cp.cuda.MemoryPointer(memory, 0)).sum().item() == i * MEGA // 8


def test_more_than_fits_at_a_time_is_an_error_and_nothing_is_lost(limited):
    limited(4 * MEGA)
    arrays = [cp.evaluate(cp.ones(MEGA // 8) * i) for i in range(8)]
    with pytest.raises(cp.OutOfMemoryError):
        cp.evaluate(cp.zeros(5 * MEGA // 8))
    with pytest.raises(cp.OutOfMemoryError):
        cp.evaluate(cp.concatenate(arrays))
    for i, a in enumerate(arrays):
        assert a.sum().item() == i * MEGA // 8


def test_it_can_be_turned_off_again(limited):
    limited(4 * MEGA)
    arrays = [cp.evaluate(cp.ones(MEGA // 8) * i) for i in range(8)]
    cp.get_default_memory_pool().set_limit(0)
    cp.cuda.set_spill(False)
    assert cp.stack(arrays).sum().item() == 28 * MEGA // 8


def test_views_and_writes(limited):
    limited(4 * MEGA)
    x = np.arange(MEGA // 8, dtype=float)
    a = cp.asarray(x)
    view = a[::2]
    others = [cp.evaluate(cp.ones(MEGA // 8) * i) for i in range(8)]
    view += 1
    a[5:9] = others[3][:4]
    x[::2] += 1
    x[5:9] = 3
    a[cp.asarray([0, 2])] *= 2
    x[[0, 2]] *= 2
    np.testing.assert_array_equal(a.get(), x)
    np.testing.assert_array_equal((others[7] + 0).get(), np.full(MEGA // 8, 7.0))


def test_streams(limited):
    limited(8 * MEGA)
    streams = [cp.cuda.Stream.null, cp.cuda.Stream(), cp.cuda.Stream()]
    arrays = [cp.evaluate(cp.ones(MEGA // 8) * i) for i in range(16)]
    want = [float(i) for i in range(16)]
    for k in range(60):
        i, j = k * 5 % 16, k * 7 % 16
        with streams[k % 3]:
            arrays[i] = arrays[i] + arrays[j]
        want[i] += want[j]
    for got, x in zip(arrays, want):
        assert (got == x).all().item()


def test_threads(limited):
    limited(12 * MEGA)
    wrong = []

    def work(seed):
        with HERE:
            arrays = [cp.evaluate(cp.ones(MEGA // 16) * i) for i in range(10)]
            for k in range(30):
                i, j = (k * 3 + seed) % 10, (k + seed) % 10
                arrays[i] = cp.evaluate(arrays[i] * 1 + arrays[j] * 0)
            wrong.extend(i for i, a in enumerate(arrays) if a.mean().item() != i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not wrong


def test_a_warning_where_the_same_bytes_go_back_and_forth(limited):
    limited(4 * MEGA)
    arrays = [cp.evaluate(cp.ones(MEGA // 8) * i) for i in range(8)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _core.set_spill_warned(False)
        for _ in range(6):
            for a in arrays:
                a.sum().item()
    assert len(caught) == 1 and "again and again" in str(caught[0].message)
    assert moved()["again"] >= 8 * MEGA
