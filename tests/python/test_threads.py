"""Arrays used from several Python threads at once."""

import sys
import threading
import time

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE
from together import together

# A kernel over the longer ones runs without the graph's lock.
LENGTHS = [1000, 30_000]


pytestmark = pytest.mark.usefixtures("switch_often")


@pytest.mark.parametrize("n", LENGTHS)
def test_one_pending_array_evaluated_by_all(n):
    for _ in range(50):
        x = cp.arange(float(n))
        y = cp.sin(x) * 2 + x
        want = np.sin(np.arange(float(n))) * 2 + np.arange(float(n))

        def check(y=y, want=want):
            np.testing.assert_allclose(cp.asnumpy(y), want, rtol=1e-13)

        together(check, check, check)


@pytest.mark.parametrize("n", LENGTHS)
def test_shared_operand_of_many_graphs(n):
    x = cp.arange(float(n)) + 1
    shared = cp.sqrt(x) * 3

    def work(k):
        def run():
            z = (shared + k) * k
            assert float(z.sum()) == pytest.approx(
                float(((np.sqrt(np.arange(float(n)) + 1) * 3 + k) * k).sum())
            )

        return run

    together(*[work(k) for k in range(4)], repeat=30)


@pytest.mark.parametrize("n", LENGTHS)
def test_writer_and_readers_never_see_half_a_write(n):
    """Each write of the whole array is atomic to expressions recorded before or after it."""
    a = cp.zeros(n)
    stop = threading.Event()

    def write():
        for k in range(300):
            a[...] = float(k)
        stop.set()

    def read():
        while not stop.is_set():
            snapshot = cp.asnumpy(a + 0)
            assert (snapshot == snapshot[0]).all(), "a torn write"

    together(write, read, read)


@pytest.mark.parametrize("n", LENGTHS)
def test_creation_and_destruction(n):
    """Graphs die in one thread while another evaluates what it shared with them."""

    def work():
        base = cp.arange(float(n))
        for _ in range(200):
            t = base * 2
            u = t + base
            del t
            v = u - base
            del u
            if np.random.rand() < 0.3:
                v.get()

    together(work, work, work)


@pytest.mark.parametrize("n", LENGTHS)
def test_in_place_from_threads_on_own_slices(n):
    a = cp.zeros(4 * n)

    def work(k):
        part = a[k * n : (k + 1) * n]

        def run():
            nonlocal part
            part += k + 1

        return run

    together(*[work(k) for k in range(4)], repeat=50)
    got = cp.asnumpy(a).reshape(4, n)
    assert (got == np.array([[50], [100], [150], [200]])).all()


def test_evaluation_releases_the_interpreter():
    """Another Python thread goes on while kernels run: on a busy machine it is seen to at one try of many."""
    x = cp.evaluate(cp.ones(4_000_000))
    ticks, done = 0, threading.Event()

    def tick():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0)  # lets others have the interpreter

    def ticks_while_computing():
        z = x
        for _ in range(40):
            z = cp.sin(z) + x
        before = ticks
        float(z.sum())
        return ticks - before

    thread = threading.Thread(target=tick)
    thread.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)  # nobody is asked to give the interpreter away: it is released or it is not
    try:
        assert any(ticks_while_computing() for _ in range(50))
    finally:
        sys.setswitchinterval(interval)
        done.set()
        thread.join()


def slow_sum(x):
    for _ in range(60):
        x = cp.sin(x)
    return x.sum()


@pytest.mark.skipif(
    _core.device_info(HERE.name)["asynchronous"], reason="both threads wait for one stream, in order"
)
@pytest.mark.parametrize(
    "slow", [slow_sum, lambda x: cp.sort(cp.sin(x * 1e6))[5]], ids=["kernel", "primitive"]
)
def test_long_work_of_one_thread_stops_nobody(slow):
    """While one thread waits for its result, another records and evaluates thousands of arrays."""
    x = cp.evaluate(cp.arange(2_000_000.0))
    begun, done = threading.Event(), threading.Event()

    def work():
        begun.set()
        float(slow(x))
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    evaluated = 0
    y = cp.ones(16)
    while not done.is_set():
        assert float((y + evaluated).sum()) == 16 * (evaluated + 1)
        evaluated += 1
    thread.join()
    assert evaluated > 20


def test_changing_the_number_of_threads_while_working():
    before = _core.get_num_threads()

    def change():
        for n in (1, 2, 3, 1):
            _core.set_num_threads(n)
            time.sleep(0.001)

    def work():
        x = cp.arange(50_000.0)
        assert float((x * 2 + 1).sum()) == 50_000.0 * 49_999 + 50_000

    try:
        together(change, work, work, repeat=10)
    finally:
        _core.set_num_threads(before)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_results_do_not_depend_on_the_number_of_threads(n):
    before = _core.get_num_threads()
    rng = np.random.default_rng(5)
    data = cp.asarray(rng.normal(size=(300, 1001)).astype("f4"))

    def compute():
        flat = data.ravel()
        values = [data.sum(), data.sum(axis=0), data.sum(axis=1), data.mean(axis=(0, 1)), data.std(axis=1)]
        values += [
            data.max(axis=0),
            data.argmax(axis=1),
            (data.T * 2).sum(axis=0),
            data.prod(axis=0),
            flat.cumsum(),
        ]
        values += [cp.exp(data) * 2, data.T + 1, cp.sort(data, axis=0), cp.sort(flat), cp.argsort(flat)]
        values += [data[data > 0.5], (data.T @ data)[:5, :5]]
        return [cp.asnumpy(v) for v in values]

    try:
        _core.set_num_threads(1)
        want = compute()
        _core.set_num_threads(n)
        got = compute()
    finally:
        _core.set_num_threads(before)
    for i, (g, w) in enumerate(zip(got, want)):
        assert g.tobytes() == w.tobytes(), i


def test_fork_does_not_hang():
    """A child that forks after threads have computed can compute; on a GPU it is told that it cannot."""
    import os

    float((cp.arange(200_000.0) * 2).sum())
    pid = os.fork()
    if pid == 0:
        try:
            ok = float((cp.arange(100_000.0) + 1).sum()) == 100_000.0 * 99_999 / 2 + 100_000
        except RuntimeError as error:
            ok = "fork" in str(error)
        os._exit(0 if ok else 1)
    deadline = time.time() + 20
    while time.time() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.01)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    pytest.fail("the child hangs")


def test_one_array_read_by_several_threads():
    shared = cp.arange(1000.0)

    def reader(k):
        def work():
            for i in range(200):
                y = shared * k + i
                assert float((y + shared)[10]) == 10 * k + i + 10

        return work

    together(*(reader(k) for k in range(4)))
