"""Streams, events and captures: CuPy's API, on the device of the tests and on the asynchronous far devices."""

import threading

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core

HERE = cp.Device().name
DEVICES = sorted({HERE, "cpu", "far"})
WAIT = 20  # seconds that nothing takes


@pytest.fixture(params=DEVICES)
def device(request):
    with cp.Device(request.param) as device:
        yield device


@pytest.fixture(params=[name for name in DEVICES if _core.device_info(name)["asynchronous"]])
def queues(request):
    """A device whose streams are queues."""
    with cp.Device(request.param) as device:
        yield device


def blocked(scenario):
    """Runs `scenario(s, is_blocked)`, a generator, twice: up to its `yield` with a stream that works, then with one
    that does nothing until it is let go, and behind it. The first time loads the kernels: while CUDA does, it may wait
    for all streams."""
    for is_blocked in (False, True):
        stream, gate = cp.cuda.Stream(non_blocking=True), threading.Event()
        if is_blocked:
            stream.launch_host_func(lambda gate: gate.wait(WAIT), gate)
        steps = scenario(stream, is_blocked)
        try:
            next(steps)
        finally:
            gate.set()
        stream.synchronize()
        assert next(steps, "end") == "end"
        _core.finish_compiling()
        cp.Device().synchronize()


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
    assert s.use() is s and cp.cuda.get_current_stream() == s
    assert null.use() == cp.cuda.get_current_stream() == null


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
    for asked in (None, first, last, first - 5, last + 5):
        assert first <= cp.cuda.Stream(priority=asked).priority <= last


def test_arguments_that_exclude_each_other():
    with pytest.raises(ValueError, match=r"cuda\.Stream: null and ptds"):
        cp.cuda.Stream(null=True, ptds=True)
    with pytest.raises(TypeError, match="priority"):
        cp.cuda.Stream(priority="high")


def test_streams_of_others_need_a_device_with_streams():
    with cp.Device("cpu"), pytest.raises(ValueError, match="no streams of others"):
        cp.cuda.ExternalStream(1)

    class Odd:
        def __cuda_stream__(self):
            return (7, 0)

    with pytest.raises(ValueError, match="version 7"):
        cp.cuda.Stream.from_external(Odd())
    s = cp.cuda.Stream()
    assert cp.cuda.Stream.from_external(s) is s


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

    cp.Device().synchronize()
    assert cp.cuda.Stream().done
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


# -- Captures -------------------------------------------------------------------------------------------


def test_a_capture_runs_again_and_again(device):
    a, b = cp.arange(6.0), cp.zeros(6)
    s = cp.cuda.Stream()
    with s:
        assert not s.is_capturing()
        s.begin_capture()
        assert s.is_capturing()
        b += cp.sqrt(a) * 2
        c = cp.sort(-a).reshape(2, 3).sum(axis=0)
        graph = s.end_capture()
        assert not s.is_capturing()
    assert set(b.get()) == {0}
    graph.launch()
    graph.launch(stream=s)
    host = np.arange(6.0)
    assert np.array_equal(b.get(), np.sqrt(host) * 2 + np.sqrt(host) * 2)
    assert np.array_equal(c.get(), np.sort(-host).reshape(2, 3).sum(axis=0))
    a[:] = 4
    b[...] = 1
    graph.launch()
    assert set(b.get()) == {5} and set(c.get()) == {-8}


def test_a_capture_keeps_its_memory(device):
    s = cp.cuda.Stream()
    with s:
        x = cp.evaluate(cp.arange(1000.0))
        s.begin_capture()
        y = x * 2
        z = (y + 1).sum()
        graph = s.end_capture()
    del y
    for _ in range(3):
        [cp.evaluate(cp.full(1000, i)) for i in range(5)]
        graph.launch()
        assert z.get() == np.sum(np.arange(1000.0) * 2 + 1)


def test_indices_and_constants_in_a_capture(device):
    a = cp.arange(10)
    s = cp.cuda.Stream()
    with s:
        s.begin_capture()
        b = a[[1, 3, 5]]
        a[[0, 2]] = cp.asarray([7, 8])
        graph = s.end_capture()
    graph.launch()
    assert b.tolist() == [1, 3, 5] and a.tolist() == [7, 1, 8, 3, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    "step",
    [
        "float(a.sum())",
        "a.get()",
        "a[a > 1]",
        "s.synchronize()",
        "s.done",
        "s.record()",
        "cp.nonzero(a)",
        "bool(a[0])",
    ],
)
def test_a_capture_has_no_values(device, step):
    a = cp.evaluate(cp.arange(3.0))
    s = cp.cuda.Stream()
    with s:
        s.begin_capture()
        with pytest.raises(RuntimeError, match="captures"):
            eval(step)
        s.end_capture()
    assert a.tolist() == [0, 1, 2]


def test_captures_begin_and_end(device):
    s = cp.cuda.Stream()
    with pytest.raises(RuntimeError, match="does not capture"):
        s.end_capture()
    with pytest.raises(RuntimeError, match="null stream"):
        cp.cuda.Stream.null.begin_capture()
    s.begin_capture()
    with pytest.raises(RuntimeError, match="captures already"):
        s.begin_capture()
    graph = s.end_capture()
    graph.launch()
    with cp.Device("far:3"), pytest.raises(ValueError, match="far:3"):
        graph.launch()


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
