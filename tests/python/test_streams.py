"""Streams and events: CuPy's API, on the device of the tests and on the asynchronous far devices."""

import threading
import weakref

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from stream_devices import DEVICES, HERE, QUEUES, WAIT, blocked, entered

device = pytest.fixture(entered, params=DEVICES)
queues = pytest.fixture(entered, params=QUEUES)


# -- Which stream ---------------------------------------------------------------------------------------


def test_streams_differ(device):
    s, t = cp.cuda.Stream(), cp.cuda.Stream(non_blocking=True)
    null = cp.cuda.Stream.null
    assert len({s, t, null}) == 3 and s != t != null and s != 3
    assert null == cp.cuda.Stream(null=True) == cp.cuda.get_current_stream()
    assert s.device_id == device.id and s.__cuda_stream__() == (0, s.ptr)
    assert str(device) in repr(s)


def test_a_dropped_stream_is_used_again(device):
    seen = set()
    for _ in range(20):
        s = cp.cuda.Stream()
        with s:
            cp.ones(3) + 1
        s.synchronize()
        seen.add(s._handle.number)
        del s
    assert len(seen) <= 2


def test_blocks_nest(device):
    s, t, null = cp.cuda.Stream(), cp.cuda.Stream(), cp.cuda.Stream.null
    with s:
        assert cp.cuda.get_current_stream() == s
        with t:
            assert cp.cuda.get_current_stream() == t
            with s:
                assert cp.cuda.get_current_stream() == s
            assert cp.cuda.get_current_stream() == t
        assert cp.cuda.get_current_stream() == s
    assert cp.cuda.get_current_stream() == null
    assert s.use() is s and cp.cuda.get_current_stream() is s
    assert null.use() is cp.cuda.get_current_stream() is null


def test_a_block_gives_back_the_block_around_it(device):
    """As in CuPy: what `use` has chosen is forgotten."""
    s, t, u, null = cp.cuda.Stream(), cp.cuda.Stream(), cp.cuda.Stream(), cp.cuda.Stream.null
    s.use()
    with t:
        u.use()
        assert cp.cuda.get_current_stream() is u
        with s, pytest.raises(ZeroDivisionError), u:
            1 / 0
        assert cp.cuda.get_current_stream() is t
    assert cp.cuda.get_current_stream() is null is cp.cuda.Stream.null


def test_blocks_of_two_devices():
    with cp.Device("far:0"):
        s, null0 = cp.cuda.Stream(), cp.cuda.Stream.null
    with cp.Device("far:1"):
        t, null1 = cp.cuda.Stream(), cp.cuda.Stream.null
    with cp.Device("far:0"), s:
        with t:
            assert cp.cuda.get_current_stream(1) is t and cp.cuda.get_current_stream(0) is s
        assert cp.cuda.get_current_stream(1) is null1 and cp.cuda.get_current_stream() is s
    with cp.Device("far:1"):
        assert cp.cuda.get_current_stream(0) is null0


def test_the_current_stream_is_the_thread_s(device):
    s, seen = cp.cuda.Stream(), []

    def other():
        with cp.Device(device):
            seen.append(cp.cuda.get_current_stream())
            seen.append(cp.cuda.Stream.ptds)

    with s:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert cp.cuda.get_current_stream() == s
    assert seen[0] == cp.cuda.Stream.null and seen[1] != cp.cuda.Stream.ptds
    assert cp.cuda.Stream.ptds == cp.cuda.Stream(ptds=True) != cp.cuda.Stream.null


def test_each_device_has_its_own_current_stream():
    with cp.Device("far:0"):
        s = cp.cuda.Stream()
    with s, cp.Device("far:1"):
        assert cp.cuda.get_current_stream() == cp.cuda.Stream.null != s
        assert cp.cuda.get_current_stream(0) == s


def test_priorities(device):
    first, last = _core.stream_priorities(device.name)
    assert first <= 0 <= last
    for asked in range(first - 2, last + 3):
        assert cp.cuda.Stream(priority=asked).priority == min(max(asked, first), last)
    assert cp.cuda.Stream().priority == 0
    assert [cp.cuda.Stream(non_blocking=flag).is_non_blocking for flag in (False, True)] == [False, True]


def test_arguments_that_exclude_each_other():
    with pytest.raises(ValueError, match=r"cuda\.Stream: null and ptds"):
        cp.cuda.Stream(null=True, ptds=True)
    with pytest.raises(TypeError, match="priority"):
        cp.cuda.Stream(priority="high")


# -- Handing over ---------------------------------------------------------------------------------------


def test_what_is_pending_is_handed_over(device):
    def waits(s):
        s.synchronize()

    def asks(s):
        while not s.done:
            pass

    for wait in (waits, asks, lambda s: s.record().synchronize(), lambda s: s.launch_host_func(id, 0)):
        s = cp.cuda.Stream()
        with cp.eager(False), s:
            a = cp.ones(1 << 10) + 1
            assert _core.is_pending(a)
            wait(s)
            assert not _core.is_pending(a)
    with cp.eager(False):
        with s:
            a = cp.ones(3) + 1
        assert not _core.is_pending(a)  # left
        b = cp.ones(3) + 1
        s.synchronize()
        assert _core.is_pending(b)  # another stream's
        s.use()
        assert not _core.is_pending(b)
        cp.cuda.Stream.null.use()


def test_done_tells_the_truth(queues):
    def scenario(s, is_blocked):
        with s:
            a = cp.arange(5) + 1
        event = s.record()
        assert not is_blocked or not (s.done or event.done)
        assert cp.cuda.Stream.null.done
        yield
        assert s.done and event.done and a.tolist() == [1, 2, 3, 4, 5]

    assert cp.cuda.Stream().done
    cp.cuda.Stream.null.synchronize()  # what other tests have left there
    blocked(scenario)


@pytest.mark.parametrize("device", ["far:0", "far:1"])
def test_independent_streams_overlap(device):
    """Each waits for the other: on one queue neither would go on. (CUDA has one thread for functions of the host.)"""
    with cp.Device(device):
        streams = [cp.cuda.Stream(non_blocking=True) for _ in range(2)]
    barrier, met = threading.Barrier(2), []
    for s in streams:
        s.launch_host_func(lambda b: met.append(b.wait(WAIT)), barrier)
    for s in streams:
        s.synchronize()
    assert sorted(met) == [0, 1]


def test_work_does_not_wait_for_a_stream_that_it_does_not_need(queues):
    a = cp.evaluate(cp.arange(1 << 16))
    a.get()

    def scenario(s, is_blocked):
        with s:
            b = a * 2
        with cp.cuda.Stream():
            c = cp.cumsum(a)
            a2 = a + 1  # reads what the other reads
            assert int(c[-1]) == (1 << 16) * ((1 << 16) - 1) // 2
            assert a2.get()[-1] == 1 << 16
        other = cp.cuda.Stream()
        with other:
            d = b + 1  # needs what the other writes
        assert not is_blocked or not other.done
        yield
        assert d.get().tolist() == (np.arange(1 << 16) * 2 + 1).tolist()

    blocked(scenario)


def test_writes_come_behind_reads(queues):
    def scenario(s, is_blocked):
        a = cp.evaluate(cp.zeros(1 << 16))
        a.get()
        with s:
            b = cp.evaluate(a + 1)
        a[::2] = 5
        event = cp.cuda.get_current_stream().record()
        assert not is_blocked or not event.done
        yield
        assert set(b.get()) == {1} and set(a.get()) == {0, 5}

    blocked(scenario)


def test_memory_freed_on_one_stream_is_right_on_another(queues):
    n = 1 << 15

    def scenario(s, is_blocked):
        with s:
            kept = cp.evaluate(cp.arange(n) + 0)  # written late
            view = cp.evaluate(kept * 2)
            del kept
        others = [cp.evaluate(cp.full(n, i)) for i in range(4)]  # one may be its memory
        assert [int(o[-1]) for o in others] == [0, 1, 2, 3]
        yield
        assert view.get().tolist() == (np.arange(n) * 2).tolist()
        assert [set(o.get()) for o in others] == [{0}, {1}, {2}, {3}]

    blocked(scenario)


# -- Events and callbacks -------------------------------------------------------------------------------


def test_events(device):
    start, stop = cp.cuda.Event(), cp.cuda.Event(block=True)
    assert start.done
    s = cp.cuda.Stream()
    start.record(s)
    with s:
        a = cp.arange(1000.0) * 2
    assert s.record(stop) is stop
    t = cp.cuda.Stream()
    t.wait_event(stop)
    t.synchronize()
    assert stop.done and cp.cuda.get_elapsed_time(start, stop) >= 0
    assert a[-1] == 1998
    plain = cp.cuda.Event(disable_timing=True)
    plain.record(s)
    with pytest.raises(ValueError, match="disable_timing"):
        cp.cuda.get_elapsed_time(start, plain)
    with pytest.raises(ValueError, match="recorded"):
        cp.cuda.get_elapsed_time(start, cp.cuda.Event())


def test_a_stream_waits_for_an_event(queues):
    def scenario(s, is_blocked):
        event, t = s.record(), cp.cuda.Stream()
        t.wait_event(event)
        with t:
            cp.evaluate(cp.arange(3) + 1)
        assert not is_blocked or not (t.done or event.done)
        yield
        t.synchronize()
        assert t.done and event.done

    blocked(scenario)


def test_events_of_another_device():
    with cp.Device("far:0"):
        event = cp.cuda.Event()
        s = cp.cuda.Stream()
    with cp.Device("far:1"), pytest.raises(ValueError, match="belongs to far"):
        event.record()
    with s:
        event.record(s)
    with cp.Device("far:1"):
        t = cp.cuda.Stream()
        t.wait_event(event)
        t.synchronize()
    with cp.Device("cpu"):
        cp.cuda.Stream().wait_event(event)
    assert event.done


def test_callbacks(device):
    seen = []
    s = cp.cuda.Stream()
    s.launch_host_func(seen.append, 1)
    s.add_callback(lambda stream, error, argument: seen.append((stream == s, error, argument)), "x")
    s.synchronize()
    assert seen == [1, (True, 0, "x")]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_callback_that_fails_harms_nobody(device):
    s = cp.cuda.Stream()
    s.launch_host_func(lambda _: 1 / 0, None)
    with s:
        a = cp.arange(3) + 1
    assert a.tolist() == [1, 2, 3]


# -- Calls that are given a stream ----------------------------------------------------------------------


def test_get_and_set_on_a_stream(device):
    s = cp.cuda.Stream()
    a = cp.zeros((3, 4), np.float32)
    host = np.arange(12, dtype=np.float32).reshape(3, 4)
    a.set(host, stream=s)
    assert np.array_equal(a.get(stream=s), host) and np.array_equal(cp.asnumpy(a.T, stream=s), host.T)
    out = np.zeros((3, 4), np.float32)
    assert a.get(stream=s, out=out) is out and np.array_equal(out, host)
    other = np.zeros((3, 4), order="F")  # neither the dtype nor the layout
    assert cp.asnumpy(a, out=other, stream=s, blocking=False) is other and np.array_equal(other, host)
    for order in "CFA":
        later = a.get(stream=s, order=order, blocking=False)
        s.synchronize()
        assert np.array_equal(later, host) and later.flags.c_contiguous == (order != "F")
    later = cp.asnumpy(a + 1, blocking=False)
    cp.cuda.get_current_stream().synchronize()
    assert np.array_equal(later, host + 1)
    with pytest.raises(TypeError, match=r"asnumpy: stream is a int"):
        a.get(stream=3)
    with cp.Device("far:2"):
        elsewhere = cp.cuda.Stream()
    with pytest.raises(ValueError, match="the stream is on far:2"):
        a.get(stream=elsewhere)


def test_get_and_set_wait_for_their_stream_alone(queues):
    a = cp.evaluate(cp.arange(4))

    def scenario(s, is_blocked):
        b = cp.evaluate(cp.zeros(4))
        b.set(np.ones(4), stream=s)
        assert not is_blocked or not s.done
        if not is_blocked or queues.name.startswith("far"):  # CUDA's copies to pageable memory may wait
            out = np.zeros(4, np.int64)
            assert a.get(stream=s, blocking=False, out=out) is out
            held = cp.asnumpy(a[::-1], stream=s, blocking=False)
            assert not is_blocked or (not s.done and out.tolist() == [0, 0, 0, 0])
        yield
        assert b.tolist() == [1, 1, 1, 1]
        if not is_blocked or queues.name.startswith("far"):
            assert out.tolist() == [0, 1, 2, 3] and held.tolist() == [3, 2, 1, 0]

    blocked(scenario)


def test_memory_of_the_host_lives_until_its_copy_is_done():
    """A result that nobody keeps is written all the same."""
    with cp.Device("far"):
        a = cp.evaluate(cp.arange(1 << 16))

        def scenario(s, is_blocked):
            out = np.zeros(1 << 16, np.int64)
            watched = weakref.ref(out)
            a.get(stream=s, blocking=False, out=out)
            del out
            assert not is_blocked or watched() is not None
            yield
            assert watched() is None

        blocked(scenario)


def test_copies_between_devices_on_a_stream():
    with cp.Device("far:0"):
        a = cp.evaluate(cp.arange(4))

    def scenario(s, is_blocked):
        b = a.to_device("far:1", stream=s)
        assert not is_blocked or not s.done
        yield
        assert b.device == "far:1" and b.tolist() == [0, 1, 2, 3]

    with cp.Device("far:1"):
        blocked(scenario)


# -- Between devices ------------------------------------------------------------------------------------


@pytest.mark.parametrize("there", ["far:1", "cpu", HERE])
@pytest.mark.parametrize("layout", ["a", "a.T", "a[::2]", "a[0]", "a[:0]"])
def test_copies_between_devices(there, layout):
    with cp.Device("far:0"):
        a = cp.arange(12.0).reshape(3, 4)
    a = eval(layout)
    expected = a.get()
    b = a.to_device(there)
    assert b.device == there and b.dtype == a.dtype and np.array_equal(b.get(), expected)
    with cp.Device(there):
        c = cp.zeros(a.shape, np.float32)
    cp.copyto(c, a)
    assert c.device == there and np.array_equal(c.get(), expected)
    c[...] = 0
    c[...] = a
    assert np.array_equal(c.get(), expected)
    if c.size:
        c[c >= 0] = a[..., :1].reshape(-1)[0]
        assert np.array_equal(c.get(), np.full(a.shape, expected.reshape(-1)[0]))


def test_copies_between_devices_keep_the_order():
    with cp.Device("far:0"):
        s = cp.cuda.Stream()
    with cp.Device("far:1"):
        target = cp.zeros(1 << 12)
    for i in range(20):
        with cp.Device("far:0"), s:
            a = cp.full(1 << 12, float(i)) + 1
        target[...] = a
        with cp.Device("far:0"):
            a[...] = -1
            del a
        target += 1
        assert set(target.get()) == {i + 2.0}
