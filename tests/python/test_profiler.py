"""`cp.profiler` beside its timeline: transfers by line, CuPy's benchmark, ranges, and that nothing is left on."""

import inspect
import re
import threading
import warnings

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from cuprum.profiler import TransferWarning
from cuprum.profiler._recording import Recording
from devices import HERE, HOST_MEMORY


@pytest.fixture(autouse=True)
def on_this_device():
    with HERE:
        yield
    assert not _core.is_recording()


def line():
    """The place of the line that calls this."""
    return f"{__file__}:{inspect.currentframe().f_back.f_lineno}"


# -- Transfers.


def test_each_copy_is_listed_with_its_line():
    host = np.arange(10_000.0)
    with cp.profiler.transfers() as t:
        x = cp.asarray(host); up = line()  # fmt: skip # noqa: E702
        back = cp.asnumpy(x); down = line()  # fmt: skip # noqa: E702
        value = float(x[3]); item = line()  # fmt: skip # noqa: E702
    assert back[5] == 5 and value == 3
    assert [(copy.direction, copy.bytes, copy.place) for copy in t] == [
        (f"host -> {HERE.name}", 80_000, up),
        (f"{HERE.name} -> host", 80_000, down),
        (f"{HERE.name} -> host", 8, item),
    ]
    assert all(copy.pinned == HOST_MEMORY and copy.seconds >= 0 and copy.rate > 0 for copy in t)
    assert t[0].source.startswith("x = cp.asarray(host)") and t.bytes == 160_008
    assert t[0].begin <= t[1].begin <= t[2].begin
    text = str(t)
    assert text.startswith("3 copies, 160 KB") and "test_profiler.py" in text and "80 KB" in text


def test_pinned_memory_is_told_from_other():
    host = cp.cupyx.empty_pinned(1000)
    host[...] = 1
    with cp.profiler.transfers() as t:
        x = cp.asarray(host)
        x.get(out=host[:])
        x.get()
    assert [copy.pinned for copy in t] == [True, True, HOST_MEMORY]


def test_round_trips_are_warned_of():
    x = cp.arange(10_000.0)
    with pytest.warns(TransferWarning) as caught:
        with cp.profiler.transfers() as t:
            for _ in range(3):
                host = np.sin(cp.asnumpy(x)); down = line()  # fmt: skip # noqa: E702
                x = cp.asarray(host); up = line()  # fmt: skip # noqa: E702
    assert t.round_trips == [(down, up, 80_000, 3)]
    text = str(caught[0].message)
    names = [place.rpartition("/")[2] for place in (down, up)]
    assert f"80 KB go to the host at {names[0]} and come back at {names[1]}, 3 times" in text
    assert text in str(t)


def test_memory_that_goes_up_again_and_again_is_warned_of():
    host = np.arange(1000.0)
    with pytest.warns(TransferWarning, match="8 KB of the same host memory go to the device 3 times at"):
        with cp.profiler.transfers():
            for _ in range(3):
                cp.asarray(host)


def test_what_is_no_round_trip_is_not_warned_of():
    x, host = cp.arange(10_000.0), np.arange(5_000.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with cp.profiler.transfers() as t:
            for _ in range(5):
                float(x.sum())  # values are looked at
            cp.asnumpy(x)
            cp.asarray(host)  # another size
    assert len(t) == 7 and t.round_trips == []


def test_implicit_copies_have_lines_too():
    x = cp.arange(5.0)
    with cp.profiler.transfers() as t:
        if x.sum() > 3:
            str(x)
        sum(float(value) for value in x)
    places = {copy.place for copy in t}
    assert all(place.startswith(__file__) for place in places) and len(places) == 3


def test_peers():
    if not HERE.name.startswith("far"):
        pytest.skip("two devices of one kind are needed")
    x = cp.evaluate(cp.arange(1000.0))
    with cp.profiler.transfers() as t:
        x.to_device("far:1")
    assert [(copy.direction, copy.bytes) for copy in t] == [(f"{HERE.name} -> far:1", 8000)]


# -- What is recorded.


def names_of(recording, *kinds):
    return [span.name for span in recording.spans if span.kind in kinds]


def test_every_kind_of_work_is_recorded():
    x = cp.evaluate(cp.arange(1000.0))
    recording = Recording()
    cp.evaluate(x * 2 + 1)
    x[x > 5]
    cp.median(x).item()
    cp.evaluate(x[cp.asarray([1, 2])])
    cp.cumsum(x).tolist()
    y = cp.zeros(1000)
    y[::2] = x[::2] - 1
    HERE.synchronize()
    recording.stop()
    assert "multiply add" in names_of(recording, "kernel") and "subtract" in names_of(recording, "kernel")
    calls = names_of(recording, "call")
    assert {"count_true", "select", "gather", "scan"} <= {
        re.sub("_.*", "", c) if "scan" in c else c for c in calls
    }
    assert "Device.synchronize" in names_of(recording, "wait")
    assert any(name.startswith("evaluate: ") for name in names_of(recording, "host"))
    for span in recording.spans:
        assert span.begin <= span.end
        if span.kind in ("kernel", "call"):
            assert span.place.startswith(__file__), span


def test_bytes_of_a_kernel():
    a, row = cp.evaluate(cp.ones((100, 50)), cp.ones(50, "f4"))
    recording = Recording()
    cp.evaluate(a * row)
    cp.evaluate((a + 1).sum(axis=0))
    kernels = [span for span in recording.stop().spans if span.kind == "kernel"]
    assert [span.bytes for span in kernels] == [8 * 5000 * 2 + 4 * 50, 8 * 5000 + 8 * 50]


def test_a_launched_graph_is_recorded():
    x = cp.evaluate(cp.arange(100.0))
    stream = cp.cuda.Stream()
    with stream:
        stream.begin_capture()
        y = x * 3
        graph = stream.end_capture()
    recording = Recording()
    graph.launch(stream)
    stream.synchronize()
    assert "multiply" in names_of(recording.stop(), "kernel")
    assert y.tolist()[2] == 6


def test_streams_that_wait_show_it():
    if HOST_MEMORY:
        pytest.skip("streams of this device never wait")
    first, second = cp.cuda.Stream(), cp.cuda.Stream()
    recording = Recording()
    go = threading.Event()
    with first:
        first.launch_host_func(lambda _: go.wait(10), None)
        a = cp.evaluate(cp.arange(100_000.0) * 2)
    with second:
        b = cp.evaluate(a + 1)
    go.set()
    second.synchronize()
    assert b[1].item() == 3
    waits = [span for span in recording.stop().spans if span.kind == "wait" and span.lane >= 0]
    assert f"waits for stream {first._handle.number}" in [span.name for span in waits]
    assert {span.lane for span in waits} == {second._handle.number}


def test_threads_have_lanes_of_their_own():
    recording = Recording()
    threads = [threading.Thread(target=lambda: cp.evaluate(cp.ones(10) + 1), name=f"t{i}") for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spans = recording.stop().spans
    assert len({span.lane for span in spans if span.kind == "host"}) == 3


def test_nothing_is_remembered_when_nobody_records():
    cp.evaluate(cp.ones(10) + 1)
    with cp.profiler.transfers():
        y = cp.ones(10) + 2
    cp.evaluate(y)
    assert Recording().stop().spans == []


def test_errors_are_told_as_ever():
    """The profiler waits for the device; what the device found wrong belongs to the program."""
    if HOST_MEMORY:
        pytest.skip("bad indices are found by the call")
    before = _core.get_debug()
    _core.set_debug(False)
    try:
        with cp.profiler.transfers():
            cp.evaluate(cp.arange(4)[cp.asarray([1, 6]) + cp.arange(2)])
        with pytest.raises(IndexError, match="index 7"):
            HERE.synchronize()
    finally:
        _core.set_debug(before)


def test_values_are_the_same():
    x = cp.asarray(np.linspace(0, 1, 100_001))
    plain = cp.asnumpy(cp.exp(cp.sin(x) ** 2).cumsum())
    recording = Recording()
    watched = cp.asnumpy(cp.exp(cp.sin(x) ** 2).cumsum())
    recording.stop()
    np.testing.assert_array_equal(plain, watched)


# -- CuPy's.


def test_benchmark():
    calls = []

    def work(a, factor=1):
        calls.append(factor)
        return a * factor

    x = cp.ones(1000)
    result = cp.profiler.benchmark(work, (x,), {"factor": 2}, n_repeat=7, n_warmup=2)
    assert calls == [2] * 9
    assert result.name == "work" and result.cpu_times.shape == (7,) and result.gpu_times.shape == (1, 7)
    assert (result.cpu_times > 0).all() and (result.gpu_times >= 0).all()
    number = r" *\d+\.\d{3}"
    part = rf"{number} us   \+/- {number} \(min: {number} / max: {number}\) us"
    assert re.fullmatch(rf"work {{16}}:    CPU: {part}     GPU-\d: {part}", str(result))
    assert re.fullmatch(rf"work {{16}}:    CPU: {part}", result.to_str())
    once = cp.profiler.benchmark(work, (x,), n_repeat=1, name="a name", n_warmup=0)
    assert re.fullmatch(rf"a name {{14}}:    CPU: {number} us     GPU-\d: {number} us", str(once))


def test_benchmark_computes_what_is_returned():
    seen = Recording()
    cp.profiler.benchmark(lambda: (cp.ones(100) + 1, [cp.ones(100) - 1]), n_repeat=3, n_warmup=0)
    assert len(names_of(seen.stop(), "kernel")) == 6


def test_benchmark_ends_in_time():
    result = cp.profiler.benchmark(lambda: None, n_repeat=1_000_000, n_warmup=0, max_duration=0.01)
    assert 1 <= result.cpu_times.size < 1_000_000


@pytest.mark.parametrize(
    "arguments",
    [{"func": 3}, {"args": [1]}, {"kwargs": []}, {"n_repeat": 1.5}, {"name": 3}, {"n_warmup": "a"},
     {"max_duration": "a"}, {"devices": [0]}],
)  # fmt: skip
def test_benchmark_refuses(arguments):
    with pytest.raises(ValueError, match=f"cuprum.profiler.benchmark: {next(iter(arguments))} should be"):
        cp.profiler.benchmark(**{"func": len, **arguments})


def test_cupyx_has_them():
    assert cp.cupyx.profiler.benchmark is cp.profiler.benchmark
    assert set(cp.cupyx.profiler.__all__) == {"benchmark", "profile", "time_range"}


def test_ranges():
    recording = Recording()
    with cp.profiler.time_range("outer"):
        with cp.profiler.time_range("inner", sync=True):
            cp.evaluate(cp.ones(100) + 1)

    @cp.profiler.time_range()
    def function(n):
        """Recurses."""
        return n if n == 0 else function(n - 1)

    assert function(2) == 0 and function.__doc__ == "Recurses."
    spans = {s.name: s for s in recording.stop().spans if s.kind == "range"}
    assert names_of(recording, "range").count("function") == 3
    assert spans["outer"].begin <= spans["inner"].begin < spans["inner"].end <= spans["outer"].end
    with pytest.raises(ValueError, match="needs a name"), cp.profiler.time_range():
        pass
    with pytest.raises(ValueError, match="one of them"):
        cp.profiler.time_range("a", color_id=1, argb_color=2)


def test_profile():
    with cp.profiler.profile():
        x = cp.ones(3) + 1
    assert x.tolist() == [2, 2, 2]
