"""The interpreter around the library: daemon threads at exit, forks, signals, finalisers.

Each program runs in a process of its own; what is asked is that it ends, in time and in silence.
"""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

PREPARE = "import os, signal, sys, threading, time, types, weakref\nimport numpy as np\nimport cuprum as cp\n"


def start(source):
    return subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-c", PREPARE + textwrap.dedent(source)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(source, timeout=60):
    """(exit status, output, errors) of a program."""
    process = start(source)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail(f"the program hangs: {process.communicate()}")
    return process.returncode, out, err


# What a daemon thread may be doing when the interpreter exits; `i` counts.
WORK = {
    "evaluate": "float((cp.ones(1 << 20) * i).sum())",
    "evaluate several kernels": "cp.evaluate((cp.ones((500, 500)) * i).cumsum(0).sum(1) + 1)",
    "evaluate little": "float((cp.ones(8) * i).sum())",
    "record": "x = cp.ones(8) * i + 1",
    "copy to the host": "cp.asnumpy(cp.ones(1 << 20))",
    "primitives": "cp.sort(cp.ones(1 << 16) * i)",
    "compile": "cp.evaluate(cp.sin(cp.ones(1 << 12) * i) if i % 2 else cp.cos(cp.ones(i % 100 + 1)) * i)",
    "share memory": "share()",
    "call Python": "cp.asarray(Lazy())",
    "call Python by a slot": "cp.ones(3)[Lazy()]",
    "raise": "refuse(lambda: cp.zeros(2) + cp.zeros(3))",
    "hold the last reference": "kept.append(cp.ones(1000) * i); kept[:] = kept[-100:]",
}

DAEMON = """
kept = []

class Lazy:
    def __array__(self, dtype=None, copy=None):
        return np.array([sum(range(1000))])
    def __index__(self):
        return sum(range(1000)) % 3

def share():
    with cp.Device("cpu"):
        cp.asarray(np.ones(1000), copy=False)[1:].sum()

def refuse(call):
    try:
        call()
    except ValueError:
        pass

def work():
    i = 0
    while True:
        i += 1
        {work}

for _ in range({threads}):
    threading.Thread(target=work, daemon=True).start()
time.sleep({seconds})
print('end', flush=True)
"""


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("work", WORK)
def test_daemon_threads_end_with_the_interpreter(work, threads):
    status, out, err = run(DAEMON.format(work=WORK[work], threads=threads, seconds=0.3))
    assert (status, out, err) == (0, "end\n", "")


def test_arrays_are_freed_at_exit_while_a_daemon_thread_holds_the_engine():
    """Module variables go, and finalisers compute, after the threads have been stopped."""
    source = """
    class Last:
        def __init__(self):
            self.array = cp.ones(1 << 20) * 2
        def __del__(self):
            os.write(1, f"{float(self.array.sum())}\\n".encode())

    # In a module of their own: the thread keeps the variables of this one.
    holder = sys.modules['holder'] = types.ModuleType('holder')
    holder.last = Last()
    holder.arrays = [cp.ones(100) + i for i in range(1000)]
    holder.views = [cp.asarray(np.ones(100), copy=None)[1:] for _ in range(100)]
    del holder

    def work():
        while True:
            float((cp.ones(1 << 21) * 3).sum())

    threading.Thread(target=work, daemon=True).start()
    time.sleep(0.3)
    """
    assert run(source) == (0, "2097152.0\n", "")


needs_fork = pytest.mark.skipif(
    not hasattr(os, "fork") or os.environ.get("CUPRUM_DEVICE", "").startswith("cuda"),
    reason="a child cannot use its parent's GPU",
)


@needs_fork
def test_fork_while_other_threads_evaluate():
    source = """
    import warnings
    warnings.simplefilter("ignore", DeprecationWarning)  # from 3.12 on Python warns of forks beside threads

    def work(stop):
        i = 0
        while not stop.is_set():
            i += 1
            float((cp.ones(1 << 18) * i).sum())
            cp.evaluate(cp.sort(cp.ones(1 << 12) * i))

    stop = threading.Event()
    threads = [threading.Thread(target=work, args=(stop,)) for _ in range(3)]
    x = cp.arange(1000.0)
    pending = x * 2
    for t in threads:
        t.start()
    for _ in range(20):
        pid = os.fork()
        if pid == 0:
            signal.alarm(20)
            ok = float(pending.sum()) == 999000 and float((cp.ones(1 << 18) + x[1]).sum()) == 2 << 18
            os._exit(0 if ok else 1)
        assert os.waitpid(pid, 0)[1] == 0
    stop.set()
    for t in threads:
        t.join()
    print(float(pending.sum()))
    """
    assert run(source) == (0, "999000.0\n", "")


def test_finaliser_of_shared_memory_may_wait_for_a_thread_that_computes():
    source = """
    def finalise():
        t = threading.Thread(target=lambda: print(float(cp.ones(1000).sum())))
        t.start()
        t.join(20)
        print(t.is_alive())

    for build in (
        lambda h: cp.asarray(h, copy=False),
        lambda h: cp.from_dlpack(h),
        lambda h: cp.frombuffer(h),
        lambda h: cp.ndarray(10, 'f8', cp.cuda.MemoryPointer(cp.cuda.UnownedMemory(h.ctypes.data, 80, h), 0)),
    ):
        h = np.arange(10.0)
        weakref.finalize(h, finalise)
        with cp.Device('cpu'):
            a = build(h)
            del h
            b = a[1:]
            del a, b
    """
    assert run(source) == (0, "1000.0\nFalse\n" * 4, "")


def test_finaliser_runs_after_the_statement_that_lets_the_memory_go():
    """An evaluation that frees the last use of shared memory is finished when the owner hears of it."""
    source = """
    h = np.arange(4.0)
    seen = []
    with cp.Device('cpu'):
        a = cp.asarray(h, copy=False)
        weakref.finalize(h, lambda: seen.append(float(total)))
        total = a.sum()
        del h, a
        cp.evaluate(total)
    print(seen, float(total))
    """
    assert run(source) == (0, "[6.0] 6.0\n", "")


LONG = """
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
cp.Device("cpu").use()

def chain(n, side=int(1400 * os.cpu_count() ** 0.5)):
    # One evaluation of many kernels: each reduction ends one. Some seconds, however many cores there are.
    a = cp.ones((side, side))
    for i in range(n):
        a = a / cp.sqrt((a * a).sum(axis=i % 2, keepdims=True)) + 1
    return a

many = chain(300)
"""


def interrupted(source, monkeypatch):
    """Runs a program until it says that it has begun, and then sends it SIGINT: (seconds until it ended, output)."""
    monkeypatch.setenv("CUPRUM_MAX_NODES", "2048")
    process = start(textwrap.dedent(LONG) + textwrap.dedent(source))
    assert process.stdout.readline() == "begin\n", process.stderr.read()
    time.sleep(0.3)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return time.monotonic() - begin, out, err, process.returncode


def test_interrupt_between_the_kernels_of_one_evaluation(monkeypatch):
    source = """
    print('begin', flush=True)
    try:
        cp.evaluate(many)
        print('not interrupted')
    except KeyboardInterrupt:
        print('interrupted', cp._core.is_pending(many), flush=True)
    x = cp.arange(4.0)
    print(float((x * 2).sum()), flush=True)
    os._exit(0)
    """
    seconds, out, err, status = interrupted(source, monkeypatch)
    assert (out, err, status) == ("interrupted True\n12.0\n", "", 0)
    assert seconds < 5  # of 12 on two cores


def test_interrupt_leaves_handlers_of_the_program_to_the_interpreter(monkeypatch):
    source = """
    many = chain(30, 100)
    seen = []
    signal.signal(signal.SIGINT, lambda *_: seen.append(float(many.sum())))
    print('begin', flush=True)
    while not seen:
        cp.evaluate(chain(30, 100))
    print(len(seen), seen[0] == float(many.sum()))
    """
    _, out, err, status = interrupted(source, monkeypatch)
    assert (out, err, status) == ("1 True\n", "", 0)
