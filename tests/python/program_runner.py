"""Random programs on Cuprum: its modes against each other bit for bit, and against NumPy."""

import contextlib
import threading
from dataclasses import dataclass

import numpy as np

import cuprum as cp
from cuprum import _core
from program_steps import make_program, make_shared
from programs import Runner, difference, quiet, runnable, shrink, simulate


@dataclass(frozen=True)
class Mode:
    eager: bool
    threads: int

    def __str__(self):
        return f"{'eager' if self.eager else 'lazy'}, {self.threads} thread{'s' if self.threads > 1 else ''}"


MODES = (Mode(False, 1), Mode(False, 3), Mode(True, 1), Mode(True, 3))


@contextlib.contextmanager
def set_mode(mode):
    eager, threads = _core.get_eager(), _core.get_num_threads()
    _core.set_eager(mode.eager)
    _core.set_num_threads(mode.threads)
    try:
        yield
    finally:
        _core.set_eager(eager)
        _core.set_num_threads(threads)


def wait():
    """Waits for the device without evaluating anything: late index errors are raised, and laziness stays."""
    _core.wait(cp.empty(0).device.name)


def again(a, way):
    """The memory of `a` as an array of its own: lent to somebody outside, and taken back by one of the protocols."""
    if way == "numpy" and a.device == "cpu":
        return cp.asarray(np.asarray(a), copy=False)
    if way == "dlpack" and a.device != "far":
        return cp.from_dlpack(a.__dlpack__(max_version=(1, 0)))
    if way == "buffer" and a.device == "cpu" and a.flags.c_contiguous and a.ndim and a.size:
        b = cp.frombuffer(memoryview(a).cast("B"), a.dtype).reshape(a.shape)
        b.flags.writeable = a.flags.writeable
        return b
    if way == "interface" and str(a.device).startswith("cuda"):
        return cp.asarray(Lender(a))
    block = a.data.mem
    memory = cp.cuda.UnownedMemory(block.ptr, block.size, a)
    b = cp.ndarray(a.shape, a.dtype, cp.cuda.MemoryPointer(memory, _core.block_of(a)[1]), strides=a.strides)
    b.flags.writeable = a.flags.writeable
    return b


class Lender:
    """Somebody else's array, known by CUDA's protocol alone."""

    def __init__(self, a):
        self.a = a
        self.__cuda_array_interface__ = a.__cuda_array_interface__


def cuprum_runner(shared=None):
    return Runner(
        cp,
        host=lambda x: cp.asnumpy(x, order="K"),
        sync=cp.evaluate,
        shared=shared,
        wait=wait,
        again=again,
    )


def run(program, mode):
    with set_mode(mode), quiet():
        runner = cuprum_runner()
        for step in program.shared:
            runner.run(step)
        if program.shared:
            shared = runner.arrays()
            runner = cuprum_runner(shared)
        for step in program.steps:
            runner.run(step)
        return runner.finish()


def check(program, expected=None, modes=MODES):
    """What is wrong with the program on Cuprum, or None."""
    outcome, bounds = expected or simulate(program)
    first = None
    for mode in modes:
        try:
            got = run(program, mode)
        except Exception as error:
            return f"{mode}: {type(error).__name__}: {error}"
        if first is None:
            message = difference(program, got, outcome, bounds)
            message = message and f"{mode} and NumPy: {message}"
            first = got
        else:
            message = difference(program, got, first)
            message = message and f"{mode} and {modes[0]}: {message}"
        if message:
            return message
    return None


def report(program, message):
    """The shrunk program as a script."""
    kind = message.split(":")[0]

    def fails(candidate):
        found = check(candidate)
        return found is not None and found.split(":")[0] == kind

    small = shrink(program, fails)
    found = check(small) or message
    head = f"{found}\n(seed {program.seed}, {len(program.steps)} steps, shrunk to {len(small.steps)})"
    return f"{head}\n\n{runnable(small, found)}"


def check_seed(seed):
    """Runs the program of a seed in every mode; a report or None."""
    program, outcome, bounds = make_program(seed)
    message = check(program, (outcome, bounds))
    return message and report(program, message)


def check_threads(seed):
    """Two programs at once, over shared arrays that are pending when the threads start; a report or None."""
    shared = make_shared(seed)
    pairs = [make_program(seed * 2 + i, shared) for i in range(2)]
    alone = [run(program, Mode(False, 1)) for program, _, _ in pairs]
    with set_mode(Mode(False, 3)), quiet():
        owner = cuprum_runner()
        for step in shared:
            owner.run(step)
        names = owner.arrays()
        runners = [cuprum_runner(names) for _ in pairs]
        start = threading.Barrier(len(pairs))
        outcomes = [None] * len(pairs)

        def work(i):
            start.wait()
            for step in pairs[i][0].steps:
                runners[i].run(step)
            outcomes[i] = runners[i].finish()

        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(pairs))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for i, (program, outcome, bounds) in enumerate(pairs):
        message = difference(program, alone[i], outcome, bounds)
        if message:
            return report(program, f"{Mode(False, 1)} and NumPy: {message}")
        message = difference(program, outcomes[i], alone[i])
        if message:
            return f"seed {seed}, thread {i} and the same program alone: {message}\n\n{runnable(program, message)}"
    return None
