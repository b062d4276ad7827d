"""Captures: work that a stream keeps, to be launched again and again."""

import weakref

import numpy as np
import pytest

import cuprum as cp
from stream_devices import DEVICES, entered

device = pytest.fixture(entered, params=DEVICES)


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


@pytest.mark.parametrize("step", ["float(a.sum())", "a.get()", "a[a > 1]", "cp.nonzero(a)", "bool(a[0])"])
def test_a_capture_has_no_values(device, step):
    a = cp.evaluate(cp.arange(3.0))
    s = cp.cuda.Stream()
    with s:
        s.begin_capture()
        with pytest.raises(RuntimeError, match="is capturing"):
            eval(step)
        b = a + 1
        graph = s.end_capture()
    graph.launch()
    assert a.tolist() == [0, 1, 2] and b.tolist() == [1, 2, 3]


def test_what_breaks_a_capture(device):
    error = cp.cuda.runtime.CUDARuntimeError
    outside = cp.cuda.Stream().record()
    s = cp.cuda.Stream()

    def asks_whether_it_is_done():
        assert not s.done

    def synchronizes():
        with pytest.raises(error, match=r"synchronize: .*cudaErrorStreamCaptureUnsupported"):
            s.synchronize()

    def waits_for_others():
        with pytest.raises(error, match="cudaErrorStreamCaptureIsolation"):
            s.wait_event(outside)

    def is_joined_by_the_null_stream():
        with pytest.raises(error, match="cudaErrorStreamCaptureImplicit"):
            cp.cuda.Stream.null.wait_event(s.record())

    for step in (asks_whether_it_is_done, synchronizes, waits_for_others, is_joined_by_the_null_stream):
        with s:
            s.begin_capture()
            step()
            with pytest.raises(error, match="cudaErrorStreamCaptureInvalidated"):
                s.end_capture()
            assert not s.is_capturing()
            assert (cp.arange(3) + 1).tolist() == [1, 2, 3]
        s.synchronize()


def test_captures_begin_and_end(device):
    s, error = cp.cuda.Stream(), cp.cuda.runtime.CUDARuntimeError
    with pytest.raises(error, match=r"does not capture.*cudaErrorIllegalState"):
        s.end_capture()
    with pytest.raises(error, match="null stream"):
        cp.cuda.Stream.null.begin_capture()
    s.begin_capture()
    with pytest.raises(error, match="capturing already"):
        s.begin_capture()
    graph = s.end_capture()
    graph.launch()
    with cp.Device("far:3"), pytest.raises(ValueError, match="far:3"):
        graph.launch()


def test_functions_of_the_host_in_a_capture(device):
    a, seen = cp.arange(3.0), []

    class Watched:
        def __call__(self, argument):
            seen.append(argument)

    function = Watched()
    watched = weakref.ref(function)
    s = cp.cuda.Stream()
    with s:
        s.begin_capture()
        a += 1
        s.launch_host_func(function, "x")
        s.add_callback(lambda stream, error, argument: seen.append((stream == s, error, argument)), "y")
        graph = s.end_capture()
    del function
    assert seen == [] and watched() is not None
    for _ in range(2):
        graph.launch(s)
    s.synchronize()
    assert seen == ["x", (True, 0, "y")] * 2 and a.tolist() == [2, 3, 4]
    del graph
    assert watched() is None


def test_streams_join_a_capture_by_events(device):
    a = cp.arange(6.0)
    s, t = cp.cuda.Stream(), cp.cuda.Stream()
    fork, join = cp.cuda.Event(), cp.cuda.Event()
    with s:
        s.begin_capture()
        b = a * 100
        fork.record(s)
        t.wait_event(fork)
        assert t.is_capturing()
        with t:
            c = 3 * b + 1
            join.record(t)
        s.wait_event(join)
        d = c.sum()
        graph = s.end_capture()
    assert not s.is_capturing() and not t.is_capturing()
    for k in range(2):
        a[...] = np.arange(6.0) + k
        graph.launch()
        assert np.array_equal(c.get(), 3 * (np.arange(6.0) + k) * 100 + 1) and d.get() == c.get().sum()
    with t:
        assert (a + 1)[0] == 2
    # A point in a capture is none in time, and nobody can wait for it when the capture has ended.
    assert not fork.done
    for use in (fork.synchronize, lambda: t.wait_event(fork), lambda: cp.cuda.get_elapsed_time(fork, join)):
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="cudaErrorCapturedEvent"):
            use()
    fork.record(s)
    fork.synchronize()
    assert fork.done


def test_a_stream_that_joined_does_not_end_the_capture(device):
    s, t, error = cp.cuda.Stream(), cp.cuda.Stream(), cp.cuda.runtime.CUDARuntimeError
    s.begin_capture()
    t.wait_event(s.record())
    with pytest.raises(error, match="cudaErrorStreamCaptureUnmatched"):
        t.end_capture()
    with pytest.raises(error, match="cudaErrorStreamCaptureInvalidated"):
        s.end_capture()
    assert not s.is_capturing() and not t.is_capturing()
    t.synchronize()


def test_a_launch_can_be_captured(device):
    a, seen = cp.zeros(3), []
    s = cp.cuda.Stream()
    with s:
        s.begin_capture()
        a += 1
        s.launch_host_func(seen.append, 1)
        once = s.end_capture()
        s.begin_capture()
        once.launch()
        once.launch()
        twice = s.end_capture()
        assert seen == []
        twice.launch()
    s.synchronize()
    assert a.tolist() == [2, 2, 2] and seen == [1, 1]


def test_a_dropped_stream_leaves_its_capture(device):
    s = cp.cuda.Stream(priority=-2)
    with s:
        t = cp.cuda.Stream(priority=-3)
        s.begin_capture()
        t.wait_event(s.record())
        del t
        assert not cp.cuda.Stream(priority=-3).is_capturing()
    del s
    s = cp.cuda.Stream(priority=-2)
    assert not s.is_capturing()
    with s:
        assert (cp.arange(3) + 1).tolist() == [1, 2, 3]
