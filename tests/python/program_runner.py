"""Random programs on Cuprum: its modes against each other bit for bit, and against NumPy."""

import contextlib
import functools
import threading
from dataclasses import dataclass, replace

import numpy as np

import cuprum as cp
from cuprum import _core
from program_steps import make_program, make_shared
from programs import NO_STREAMS, Runner, chooser, difference, quiet, runnable, shrink, simulate


@dataclass(frozen=True)
class Mode:
    eager: bool
    threads: int
    streams: bool = False

    def __str__(self):
        words = ["eager" if self.eager else "lazy", f"{self.threads} thread{'s' if self.threads > 1 else ''}"]
        return ", ".join(words + ["streams"] * self.streams)


MODES = (Mode(False, 1), Mode(False, 3), Mode(True, 1), Mode(True, 3))
STREAM_MODES = (Mode(False, 1), Mode(False, 1, streams=True), Mode(True, 1, streams=True))


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
        if mode.streams:
            cp.cuda.Stream.null.use()


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


KERNELS = {
    "step": cp.ElementwiseKernel("T x, T y", "T z", "z = x > y ? x - y : x + 1", "step"),
    "total": cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total"),
}


class Lender:
    """Somebody else's array, known by CUDA's protocol alone."""

    def __init__(self, a):
        self.a = a
        self.__cuda_array_interface__ = a.__cuda_array_interface__


@functools.cache
def streams(device=None):
    """Streams of a device, by default the current one, as many as programs name."""
    with cp.Device(device):
        return [cp.cuda.Stream.null] + [cp.cuda.Stream(non_blocking=True) for _ in NO_STREAMS[1:]]


def cuprum_runner(shared=None, stream=NO_STREAMS):
    return Runner(
        cp,
        host=lambda x: cp.asnumpy(x, order="K"),
        sync=cp.evaluate,
        shared=shared,
        # On streams nobody waits: programs without a step that raises.
        wait=wait if stream is NO_STREAMS else lambda: None,
        again=again,
        stream=stream,
        kernel=KERNELS.__getitem__,
    )


def run(program, mode):
    with set_mode(mode), quiet():
        runner = cuprum_runner(stream=streams(_core.device_name()) if mode.streams else NO_STREAMS)
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


def report(program, message, modes=MODES, attempts=1):
    """The shrunk program as a script. What is a matter of time is given several attempts to show."""
    kind = message.split(":")[0]

    def found(candidate):
        outcomes = (check(candidate, modes=modes) for _ in range(attempts))
        return next((m for m in outcomes if m and m.split(":")[0] == kind), None)

    small = shrink(program, found)
    found = found(small) or message
    head = f"{found}\n(seed {program.seed}, {len(program.steps)} steps, shrunk to {len(small.steps)})"
    return f"{head}\n\n{runnable(small, found)}"


def check_seed(seed):
    """Runs the program of a seed in every mode; a report or None."""
    program, outcome, bounds = make_program(seed)
    message = check(program, (outcome, bounds))
    return message and report(program, message)


def check_streams(seed):
    """The program of a seed with each step on one of several streams; a report or None.

    Steps that raise are left out, because a device that finds a bad index late would have to be waited for after each
    of them, and memory that the library cannot know to be the same: its order on streams is the program's business.
    """
    program, outcome, _ = make_program(seed)
    rng = chooser(seed)
    # Leaving a `with` hands over what was recorded in it; `use` leaves it pending.
    form = rng.choice(["with stream[{}]: ", "stream[{}].use(); "])
    program.steps = [
        replace(step, where=form.format(rng.randrange(len(NO_STREAMS))))
        for step, raised in zip(program.steps, outcome.raised)
        if raised is None and "again(" not in step.source
    ]
    message = check(program, modes=STREAM_MODES)
    return message and report(program, message, STREAM_MODES, attempts=20)


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
