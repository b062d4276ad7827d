"""Random programs over streams, threads and devices on Cuprum: run, compared with NumPy, shrunk, printed.

    python tests/python/stream_programs.py --count 20000 --seed 5000 --devices far:0,far:1 --jobs 2
    python tests/python/stream_programs.py --show 5123            prints the program of a seed and what it gives

Any program gives the result of running its steps in program order (stream_simulation.py), although nothing in it has
to wait for a device: threads wait for calls of each other, and the library keeps the order behind them.
"""

import argparse
import collections
import contextlib
import faulthandler
import queue
import re
import sys
import tempfile
import threading
import time
from dataclasses import replace

import numpy as np

import cuprum as cp
import program_farm
from cuprum import _core
from programs import Outcome, compile_step, difference, quiet, shrink
from stream_simulation import MADE, NULL, data, simulate
from stream_steps import make_stream_program

FAR = ("far:0", "far:1")
PATIENCE = 60  # seconds without an end: the program hangs
ATTEMPTS = 30  # runs of a shorter program before it counts as right: a missing order shows now and then
EXACT = collections.defaultdict(float)  # the error bound of every name: 0


class Hangs(Exception):
    """A program that did not end. Its threads are left to themselves."""


def stacks():
    with tempfile.TemporaryFile("w+") as file:
        faulthandler.dump_traceback(file)
        file.seek(0)
        return file.read()


# -- Running --------------------------------------------------------------------------------------------


class Crew:
    """Threads that programs take turns to use: starting four of them costs as much as a program."""

    def __init__(self):
        self.tasks = []

    def work(self, tasks):
        while True:
            function, done = tasks.get()
            function()
            del function  # what it holds is the program's to drop
            done.release()

    def run(self, functions):
        """Runs each function on a thread of its own, and waits for them."""
        while len(self.tasks) < len(functions):
            self.tasks.append(queue.SimpleQueue())
            threading.Thread(target=self.work, args=(self.tasks[-1],), daemon=True).start()
        done = threading.Semaphore(0)
        for tasks, function in zip(self.tasks, functions):
            tasks.put((function, done))
        for _ in functions:
            if not done.acquire(timeout=PATIENCE):
                self.tasks.clear()
                raise Hangs(f"no end after {PATIENCE} s; the threads are at\n{stacks()}")


crew = Crew()
_streams = {}
CHOOSE_LARGER = cp.RawModule(
    code=r"""template <class T> __global__ void choose_larger(T* x, const T* y, T otherwise, long long n) {
        for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
            x[i] = x[i] < y[i] ? y[i] : otherwise;
    }""",
    name_expressions=[f"choose_larger<{t}>" for t in ("int", "long long", "float", "double")],
)
_OF_DTYPE = {"int32": "int", "int64": "long long", "float32": "float", "float64": "double"}


def choose_larger(x, y, otherwise, stream):
    """`x[...] = where(x < y, y, otherwise)` by a kernel of the program's own; both lie in C order."""
    kernel = CHOOSE_LARGER.get_function(f"choose_larger<{_OF_DTYPE[x.dtype.name]}>")
    kernel((2,), (32,), (x, y, otherwise, x.size), stream=stream)


def streams_of(devices):
    """The streams that all programs of the process share, under the names that programs have for them."""
    if devices not in _streams:
        found = _streams[devices] = {}
        for letter, device in zip("ab", devices):
            with cp.Device(device):
                found.update({f"{letter}_{name}": eval(text, {"xp": cp}) for name, text in MADE.items()})
    return _streams[devices]


class Run:
    """One run of a program on Cuprum: a call per step, on the step's thread, after the calls that it waits for."""

    def __init__(self, program, waits):
        self.program = program
        self.waits = waits
        self.names = {"xp": cp, "np": np, "time": time, "data": data, "choose_larger": choose_larger}
        self.names |= streams_of(program.devices)
        self.given = set(self.names)
        self.returned = [threading.Lock() for _ in program.steps]  # held until the call has returned
        self.errors = {}
        self.values = {}
        for lock in self.returned:
            lock.acquire()

    def thread(self, number):
        """The steps of one thread."""
        used = set()
        for i, step in enumerate(self.program.steps):
            if step.thread != number:
                continue
            for earlier in self.waits[i]:
                with self.returned[earlier]:
                    pass
            if not self.errors:
                self.attempt(i, self.call, step)
                if ".use()" in step.source:
                    used.add(step.device)
            self.returned[i].release()
        for device in used:  # the next program finds the thread as this one did
            with cp.Device(device):
                self.attempt(len(self.program.steps), cp.cuda.Stream.null.use)

    def attempt(self, number, function, *args):
        """Runs the step of that number; what it raises is part of what the program gives."""
        try:
            function(*args)
        except Exception as error:
            self.errors.setdefault(number, error)

    def call(self, step):
        """What `step.line` says; as NumPy has run the step itself, it is compiled already."""
        code = compile_step(step.source)
        if step.device is None:
            exec(code, self.names)
            return
        with cp.Device(step.device):
            if step.stream is None:
                exec(code, self.names)
            else:
                with eval(step.stream, self.names):
                    exec(code, self.names)

    def collect(self):
        """The last reads, which wait for every stream that still has to write."""
        for name in sorted(self.names.keys() - self.given):
            if name[0] in "vr":
                self.values[name] = np.asarray(cp.asnumpy(self.names[name]))

    def outcome(self):
        numbers = sorted({step.thread for step in self.program.steps})
        crew.run([lambda n=n: self.thread(n) for n in numbers])
        if not self.errors:
            crew.run([lambda: self.attempt(len(self.program.steps), self.collect)])
        return self.values


def limit_memory(device, nbytes):
    """The device has so many bytes more than are in use."""
    with cp.Device(device):
        pool = cp.get_default_memory_pool()
        pool.free_all_blocks()
        pool.set_limit(pool.total_bytes() + nbytes)


USUAL_DELAYS = (1 / 8, 100)


@contextlib.contextmanager
def settings_of(program):
    eager, small = _core.get_eager(), _core.set_small_bytes(0)
    _core.set_small_bytes(small)
    for line in program.settings():
        exec(compile_step(line), globals())
    try:
        with quiet():
            yield
    finally:
        _core.set_eager(eager)
        _core.set_small_bytes(small)
        if program.slow:
            _core.set_far_delays(*USUAL_DELAYS)
        for device in program.devices if program.memory else ():
            with cp.Device(device):
                cp.get_default_memory_pool().set_limit(0)


def outcome_of(values):
    outcome = Outcome()
    outcome.values = {name: (value, None) for name, value in values.items()}
    return outcome


def check(program, simulated):
    """What is wrong with one run of the program, or None."""
    run = Run(program, simulated.waits)
    with settings_of(program):
        try:
            values = run.outcome()
        except Hangs as error:
            return f"hangs: {error}"
    if run.errors:
        if program.memory and any(isinstance(e, cp.OutOfMemoryError) for e in run.errors.values()):
            return None  # nobody knows how much is enough
        i, error = min(run.errors.items())
        at = f"step {i} `{program.steps[i].source}`" if i < len(program.steps) else "the last reads"
        return f"raised: {type(error).__name__}: {error}, by {at}"
    message = difference(program, outcome_of(values), outcome_of(simulated.values()), EXACT)
    return message and f"differs: {message}"


# -- Shrinking and printing -----------------------------------------------------------------------------


def find(program, attempts=ATTEMPTS):
    """The program without steps that cannot run, and what was wrong with one of several runs of it, or None."""
    program, simulated = simulate(program)
    for _ in range(attempts):
        message = check(program, simulated)
        if message:
            return program, message
        soil(program, simulated)
    return program, None


def soil(program, simulated):
    """Writes over what the program has freed: what the next run reads too early must not be right already."""
    sizes = {value.nbytes for value in simulated.values().values()} - {0}
    streams = {(step.device, step.stream or NULL) for step in program.steps if step.device}
    for device, stream in streams:
        with cp.Device(device), eval(stream, {"xp": cp, **streams_of(program.devices)}):
            for nbytes in sizes:
                cp.evaluate(*[cp.full(nbytes, 113, "u1") for _ in range(8)])


def simpler(program):
    """Programs with fewer threads, fewer streams, fewer settings."""
    for number in sorted({step.thread for step in program.steps} - {0}, reverse=True):
        yield replace(
            program, steps=[replace(s, thread=0) if s.thread == number else s for s in program.steps]
        )
    for name in sorted({step.stream for step in program.steps} - {None, NULL}):
        yield replace(
            program, steps=[replace(s, stream=NULL) if s.stream == name else s for s in program.steps]
        )
    for usual in ({"eager": False}, {"small": True}, {"slow": False}, {"memory": 0}):
        if (candidate := replace(program, **usual)) != program:
            yield candidate


def shrunk(program, message):
    """The shortest program that was found to fail in the same manner, and how."""
    kind = message.split(":")[0]

    def fails(candidate):
        found = find(candidate)[1]
        return found is not None and found.split(":")[0] == kind

    before = None
    while program != before:
        before = program
        program = simulate(shrink(program, fails))[0]
        for candidate in simpler(program):
            if fails(candidate):
                program = candidate
                break
    return program, find(program)[1] or message


HEAD = """\
# seed {seed}: {message}
import sys, threading, time
sys.path.insert(0, "tests/python")
import numpy as np
import cuprum as xp
from cuprum import _core
from stream_programs import choose_larger, limit_memory
from stream_simulation import data

{settings}
"""


def runnable(program, message):
    """The program as a script; one function per thread where there are several."""
    program, simulated = simulate(program)
    lines = [step.line for step in program.steps]
    text = "\n".join(lines)
    streams = [
        f'with xp.Device("{device}"): {letter}_{name} = {make}'
        for letter, device in zip("ab", program.devices)
        for name, make in MADE.items()
        if f"{letter}_{name}" in text
    ]
    threads = sorted({step.thread for step in program.steps})
    if len(threads) > 1:
        bound = sorted(set(re.findall(r"\b[vreh]\d+\b", text)))
        body = [f"done = [threading.Event() for _ in range({len(lines)})]"]
        for number in threads:
            body += [f"def thread_{number}():", f"    global {', '.join(bound)}"]
            for i, step in enumerate(program.steps):
                if step.thread == number:
                    body += [f"    done[{earlier}].wait({PATIENCE})" for earlier in simulated.waits[i]]
                    body += [f"    {lines[i]}", f"    done[{i}].set()"]
        body.append(
            f"threads = [threading.Thread(target=f) for f in ({', '.join(f'thread_{n}' for n in threads)})]"
        )
        body += ["for t in threads: t.start()", "for t in threads: t.join()"]
        text = "\n".join(body)
    prints = [f"print({name!r}, repr(xp.asnumpy({name})))" for name in simulated.values()]
    head = HEAD.format(
        seed=program.seed,
        message=message.splitlines()[0],
        settings="\n".join(program.settings() + streams),
    )
    return "\n".join([head + text, *prints, ""])


def report(program, message):
    """What was found, and the shrunk program as a script."""
    small, found = (program, message) if message.startswith("hangs") else shrunk(program, message)
    head = f"{found}\n(seed {program.seed}, devices {','.join(program.devices)}, {len(program.steps)} steps"
    return f"{head}, shrunk to {len(small.steps)})\n\n{runnable(small, found)}"


# -- Many of them ---------------------------------------------------------------------------------------


def find_seed(seed, devices):
    """The program of a seed, and what was wrong with its run, or None."""
    program, simulated = make_stream_program(seed, devices)
    return program, check(program, simulated)


def check_seed(seed, devices):
    """Runs the program of a seed; a report or None."""
    program, message = find_seed(seed, devices)
    return message and report(program, message)


def show(seed, devices):
    program, _ = make_stream_program(seed, devices)
    message = find(program)[1] or "no difference"
    print(runnable(program, message) + "\n" + message)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--devices", default=",".join(FAR), help="two of them, or one")
    parser.add_argument("--show", type=int, metavar="SEED")
    parser.add_argument(
        "--plant", action="store_true", help="streams do not wait for each other: is it found?"
    )
    program_farm.add_options(parser, limit=5)
    options = parser.parse_args()
    devices = tuple(options.devices.split(","))
    if options.plant:
        _core.plant_missing_order(True)
    if options.show is not None:
        return show(options.show, devices)
    return program_farm.run(lambda seed: check_seed(seed, devices), options.count, options, chunk=2000)


if __name__ == "__main__":
    sys.exit(main())
