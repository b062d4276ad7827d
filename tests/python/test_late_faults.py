"""A bad index that a device finds after the call has returned is told to the thread that made the call."""

import threading
import time

import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE, HOST_MEMORY

LATE = not HOST_MEMORY
DEADLINE = 20  # seconds in which a thread that has been joined is gone for the system too

pytestmark = pytest.mark.skipif(not LATE, reason="every index is checked by the call here")


@pytest.fixture(autouse=True)
def not_debugging():
    before = _core.get_debug()
    _core.set_debug(False)
    yield
    _core.set_debug(before)


def wait():
    _core.wait(HERE.name)


def bad_index(value=7, n=3):
    """An index of the device, out of bounds, that nobody has been told of yet."""
    cp.evaluate(cp.take(cp.arange(n), cp.array([value - 1]) + 1))


class Worker:
    """A thread that does one thing after the other, and hands the error back."""

    def __init__(self):
        self.go, self.done = threading.Semaphore(0), threading.Semaphore(0)
        self.work = self.error = None
        self.thread = threading.Thread(target=self.loop)
        self.thread.start()

    def loop(self):
        while self.go.acquire() and self.work is not None:
            try:
                self.work()
            except Exception as error:
                self.error = error
            self.done.release()

    def __call__(self, work):
        self.work, self.error = work, None
        self.go.release()
        self.done.acquire()
        return self.error

    def end(self):
        self.work = None
        self.go.release()
        self.thread.join()


@pytest.fixture
def workers():
    made = [Worker() for _ in range(3)]
    yield made
    for worker in made:
        worker.end()


@pytest.mark.parametrize(
    "waiting",
    [wait, lambda: HERE.synchronize(), lambda: cp.arange(3).get(), lambda: float(cp.arange(3.0).sum()),
     lambda: cp.nonzero(cp.arange(3)), lambda: cp.cuda.Event().synchronize()],
)  # fmt: skip
def test_another_thread_that_waits_is_not_told(workers, waiting):
    first, second, _ = workers
    assert first(bad_index) is None
    assert second(waiting) is None
    waiting()
    assert "index 7 is out of bounds for axis 0 with size 3" in str(first(wait))
    assert first(wait) is None and second(wait) is None


def test_each_thread_is_told_of_its_own(workers):
    for k, worker in enumerate(workers):
        assert worker(lambda k=k: bad_index(10 + k)) is None
    bad_index(99)
    for k, worker in reversed([*enumerate(workers)]):
        assert f"index {10 + k} is out" in str(worker(wait))
    with pytest.raises(IndexError, match="index 99 is out"):
        wait()
    wait()


def test_giving_lent_memory_back_takes_no_error_away():
    x = cp.evaluate(cp.arange(10))
    memory = cp.cuda.UnownedMemory(x.data.ptr, x.nbytes, x)
    y = cp.ndarray(10, "i8", cp.cuda.MemoryPointer(memory, 0))
    assert y.sum() == 45
    bad_index()
    del y, memory
    with pytest.raises(IndexError, match="index 7 is out"):
        wait()


def test_who_has_recorded_it_is_told_whoever_computes_it(workers):
    first, second, _ = workers
    made = []
    assert first(lambda: made.append(cp.take(cp.arange(3), cp.array([6]) + 1))) is None
    assert first(wait) is None  # nobody has asked for it yet
    assert second(lambda: cp.evaluate(*made)) is None and second(wait) is None
    assert "index 7 is out of bounds for axis 0 with size 3 (in take" in str(first(wait))
    assert first(wait) is None and made[0].tolist() == [0]


def test_what_nobody_asks_for_is_not_found(workers):
    assert workers[0](lambda: [cp.take(cp.arange(3), cp.array([6]) + 1)].clear()) is None
    assert workers[0](wait) is None


def test_a_thread_is_told_of_the_first(workers):
    first = workers[0]

    def twice():
        bad_index(5)
        bad_index(6)

    assert first(twice) is None
    assert "index 5 is out" in str(first(wait))
    assert first(wait) is None


def test_what_a_thread_leaves_behind_is_told_to_whoever_waits_next():
    worker = Worker()
    assert worker(lambda: bad_index(8)) is None
    worker.end()
    end = time.monotonic() + DEADLINE
    with pytest.raises(IndexError, match="index 8 is out"):
        while time.monotonic() < end:
            wait()
    wait()


def test_many_threads_one_after_the_other():
    """Each is told of its own, none of what the others before it were told."""

    def work():
        try:
            for k in range(3):
                bad_index(10 + k)
                with pytest.raises(IndexError, match=f"index {10 + k} is out"):
                    wait()
                wait()
        except Exception as error:
            errors.append(error)

    errors = []
    for _ in range(30):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert not errors
    wait()


def test_threads_at_once():
    def work(k):
        try:
            barrier.wait()
            for i in range(50):
                bad_index(1000 * (k + 1) + i)
                with pytest.raises(IndexError, match=f"index {1000 * (k + 1) + i} is out"):
                    cp.arange(4).get()
                assert cp.take(cp.arange(5), cp.array([2]) + 1).tolist() == [3]
        except Exception as error:
            errors.append(error)

    errors, barrier = [], threading.Barrier(4)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
