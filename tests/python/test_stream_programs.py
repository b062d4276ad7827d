"""Random programs over streams, threads and devices give what running their steps in program order gives.

CUPRUM_PROGRAM_SEED sets the first seed, CUPRUM_PROGRAM_COUNT the number: a tenth of it for each pair of devices.
`python tests/python/stream_programs.py` runs many more, and shows one program of a given seed.
"""

import faulthandler
import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import cuprum as cp
import stream_programs
from devices import HERE
from program_runner import check_streams
from stream_programs import FAR, check_seed, find_seed, report, runnable, settings_of, shrunk
from stream_simulation import StreamProgram, StreamStep, simulate
from stream_steps import make_stream_program

COUNT = int(os.environ.get("CUPRUM_PROGRAM_COUNT", "5000")) // 10
CHUNKS = 10
PAIRS = [FAR, (HERE.name, "far")] if "far" not in HERE.name else [FAR]


@pytest.fixture(autouse=True)
def no_test_hangs():
    """A thread that waits with the interpreter's lock in its hands stops whoever would complain."""
    faulthandler.dump_traceback_later(300, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("devices", PAIRS, ids=" and ".join)
def test_programs(devices, chunk, program_seed):
    n = -(-COUNT // CHUNKS)
    begin = program_seed + chunk * n
    print(f"programs of seeds {begin} to {begin + n - 1} on {devices}")
    for seed in range(begin, begin + n):
        failure = check_seed(seed, devices)
        assert failure is None, failure


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_programs_of_everything(chunk, program_seed):
    """The programs of test_programs.py, their steps on several streams of one device."""
    n = -(-COUNT // CHUNKS)
    begin = program_seed + chunk * n
    print(f"programs of seeds {begin} to {begin + n - 1}")
    with cp.Device(FAR[0]):
        for seed in range(begin, begin + n):
            failure = check_streams(seed)
            assert failure is None, failure


def test_a_missing_order_is_found(program_seed):
    """In a process of its own: a library that forgets the order may as well crash."""
    command = [
        sys.executable,
        stream_programs.__file__,
        "--plant",
        "--count",
        "500",
        "--jobs",
        "1",
        "--limit",
        "1",
    ]
    command += ["--seed", str(program_seed), "--devices", ",".join(FAR)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 1 and "==== seed " in found.stdout, found.stdout + found.stderr
    seed = int(found.stdout.partition("==== seed ")[2].split()[0])
    assert check_seed(seed, FAR) is None


def test_a_wrong_operation_is_found_and_the_program_shrunk(program_seed, monkeypatch):
    monkeypatch.setattr(cp, "sort", lambda a, axis=-1: a.copy())
    seeds = range(program_seed, program_seed + 500)
    program, message = next((p, m) for p, m in (find_seed(seed, FAR) for seed in seeds) if m)
    assert "values differ" in message
    text = report(program, message)
    small, _ = shrunk(program, message)
    assert f"shrunk to {len(small.steps)})" in text
    # Some programs need an operand made in several steps before a sort can be seen to be wrong.
    assert len(small.steps) <= 8 and {step.thread for step in small.steps} == {0}
    assert "xp.sort" in text and not small.eager and small.small


def test_a_step_that_raises_ends_the_program(program_seed, monkeypatch):
    def refuse(*args, **kwargs):
        raise ValueError("not today")

    monkeypatch.setattr(cp, "cumsum", refuse)
    seeds = range(program_seed, program_seed + 500)
    message = next(m for _, m in (find_seed(seed, FAR) for seed in seeds) if m)
    assert message.startswith("raised: ValueError: not today, by step ") and "xp.cumsum" in message


@pytest.mark.parametrize("threads", [1, 3])
def test_a_program_prints_as_a_script(threads, program_seed):
    made = (make_stream_program(seed, FAR) for seed in range(program_seed, program_seed + 100))
    for program, simulated in made:
        if len({step.thread for step in program.steps}) != threads or program.memory:
            continue
        names = {}
        with settings_of(program), ThreadPoolExecutor(1) as thread:  # whose current streams end with it
            thread.submit(exec, runnable(program, "a message"), names).result()
        for name, want in simulated.values().items():
            np.testing.assert_array_equal(cp.asnumpy(names[name]), want)


def test_threads_wait_for_calls_that_conflict():
    """Only for those: of other threads, and where one of the two writes."""
    lines = [
        (0, StreamStep("v1 = xp.arange(4)", result="v1"), []),
        (1, StreamStep("v2 = v1 + 1", result="v2", operands=("v1",)), [0]),
        (0, StreamStep("v3 = v1 * 2", result="v3", operands=("v1",)), []),  # two readers
        (1, StreamStep("v4 = v1[1:]", result="v4", operands=("v1",), looks=False), [0]),
        (0, StreamStep("v1 += 1", target="v1", operands=("v1",)), [1]),  # a reader, not the view
        (1, StreamStep("v4 += 1", target="v4", operands=("v4",)), [4]),  # the memory of v1
        (0, StreamStep("del v4", drops="v4"), [3, 5]),
        (1, StreamStep("r5 = float(v9)", result="r5", operands=("v9",)), None),  # what it needs is not there
    ]
    steps = [StreamStep(**{**vars(step), "thread": thread}) for thread, step, _ in lines]
    program, simulated = simulate(StreamProgram(steps))
    assert simulated.waits == [waits for _, _, waits in lines if waits is not None]
    assert [step.source for step in program.steps] == [
        step.source for _, step, waits in lines if waits is not None
    ]


# Programs that never ended, with the result of the last line. A process of its own each: nobody here could stop it.
ENDLESS = {
    "memory given back while a function of the host waits for the interpreter": (
        """
        del a  # read by two streams
        cp.get_default_memory_pool().free_all_blocks()
        print(float(b), float(c))
        """,
        "1000.0 1.0",
    ),
    "memory that is free only behind a function of the host": (
        """
        cp.get_default_memory_pool().set_limit(20_000)
        del a
        with t:
            d = cp.ones(2000) * 2
            cp.evaluate(d)
        print(float(b), float(c), float(d[5]))
        """,
        "1000.0 1.0 2.0",
    ),
}
OPENING = """
import time
import cuprum as cp

cp.Device("far:0").use()
s, t = cp.cuda.Stream(), cp.cuda.Stream()
a = cp.ones(1000)
cp.evaluate(a)
with t:
    b = a.sum()
    cp.evaluate(b)
with s:
    s.launch_host_func(time.sleep, 0.05)
    c = a.max()
    cp.evaluate(c)
"""


@pytest.mark.parametrize("name", ENDLESS)
def test_programs_that_never_ended(name):
    body, want = ENDLESS[name]
    command = [sys.executable, "-c", OPENING + textwrap.dedent(body)]
    assert (
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip() == want
    )
