"""Streams by their addresses: those of other libraries, and the handles of `cp.cuda.runtime`."""

import weakref

import pytest

import cuprum as cp
from stream_devices import DEVICES, QUEUES, blocked, entered

device = pytest.fixture(entered, params=DEVICES)
queues = pytest.fixture(entered, params=QUEUES)


class Foreign:
    """A stream of another library."""

    def __init__(self, answer):
        self.answer = answer

    def __cuda_stream__(self):
        return self.answer


def test_streams_by_their_address(queues):
    """The same stream under another name: the order of the program is kept."""

    def scenario(s, is_blocked):
        foreign = Foreign((0, s.ptr))
        other = cp.cuda.Stream.from_external(foreign)
        assert (
            other == s
            and other.ptr == s.ptr
            and other.device_id == -1
            and other._foreign_stream_ref is foreign
        )
        with other:
            assert cp.cuda.get_current_stream() is other
            a = cp.arange(3) + 1
        assert not is_blocked or not (other.done or s.done)
        with pytest.warns(DeprecationWarning, match="ExternalStream is deprecated"):
            assert cp.cuda.ExternalStream(s.ptr, queues.id) == s
        yield
        assert a.tolist() == [1, 2, 3]

    blocked(scenario)
    s = cp.cuda.Stream()
    again = cp.cuda.Stream.from_external(s)
    assert again == s and again._foreign_stream_ref is s and again.device_id == -1


def test_the_foreign_object_lives_as_long_as_its_stream(device):
    foreign = Foreign((0, cp.cuda.Stream.null.ptr))
    watched = weakref.ref(foreign)
    stream = cp.cuda.Stream.from_external(foreign)
    del foreign
    assert watched() is stream._foreign_stream_ref
    del stream
    assert watched() is None


@pytest.mark.filterwarnings("ignore:.*ExternalStream is deprecated")
def test_addresses_of_no_stream():
    with cp.Device("cpu"), pytest.raises(ValueError, match="no streams of others"):
        cp.cuda.ExternalStream(1)


@pytest.mark.parametrize(
    "answer, words",
    [
        (5, "must return a 2-tuple"),
        ((0,), "must return a 2-tuple"),
        (("0", 1), r"must return \(int, int\)"),
        ((0, 1.0), r"must return \(int, int\)"),
        ((7, 0), "unsupported version 7"),
    ],
)
def test_what_from_external_refuses(answer, words):
    with pytest.raises(TypeError, match=f"from_external: .*{words}"):
        cp.cuda.Stream.from_external(Foreign(answer))
    with pytest.raises(TypeError, match="from_external: a int does not implement"):
        cp.cuda.Stream.from_external(5)


def test_handles_of_the_runtime(device):
    runtime = cp.cuda.runtime
    s = runtime.streamCreateWithPriority(runtime.streamNonBlocking, -1)
    with pytest.warns(DeprecationWarning):
        stream = cp.cuda.ExternalStream(s)
    assert (
        stream.ptr == s
        and stream.priority == -1
        and stream.is_non_blocking
        and not runtime.streamIsCapturing(s)
    )
    start, stop = runtime.eventCreate(), runtime.eventCreateWithFlags(runtime.eventBlockingSync)
    seen = []
    runtime.eventRecord(start, s)
    runtime.launchHostFunc(s, seen.append, 1)
    runtime.eventRecord(stop, s)
    runtime.streamWaitEvent(0, stop)
    runtime.streamSynchronize(0)
    assert seen == [1] and runtime.eventQuery(stop) == 0 and runtime.eventElapsedTime(start, stop) >= 0
    runtime.eventSynchronize(stop)
    runtime.streamSynchronize(s)
    assert runtime.streamQuery(s) == 0
    for handle, destroy in (
        (s, runtime.streamDestroy),
        (start, runtime.eventDestroy),
        (stop, runtime.eventDestroy),
    ):
        destroy(handle)
        with pytest.raises(runtime.CUDARuntimeError, match="cudaErrorInvalidResourceHandle"):
            destroy(handle)
    assert cp.cuda.Stream(priority=-1, non_blocking=True).ptr == s  # given back
