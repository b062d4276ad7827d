"""Random programs over streams, threads and devices: what a step is, what NumPy makes of it, which steps conflict.

A step is one line of Python, given to a thread, a device and a stream. NumPy runs the same line, or the line of its
`meaning`, without any of the three, in program order: that is the right result. All values are whole numbers, in
integers and in floats, and sums that would round are not made: results are compared for equality.

No name is bound twice: v1, v2, ... are arrays, r1, ... what the host has read, e1, ... events, h1, ... host memory.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from programs import Program, Step, compile_step, make_data, quiet, root

NULL, PTDS = "xp.cuda.Stream.null", "xp.cuda.Stream.ptds"  # of the current device, and of the thread
MADE = {  # once for each device; programs call those of the first one a_s1, a_s2, ..., those of the second b_s1, ...
    "s1": "xp.cuda.Stream()",
    "s2": "xp.cuda.Stream(non_blocking=True)",
    "s3": "xp.cuda.Stream(non_blocking=True)",
    "s4": "xp.cuda.Stream(non_blocking=True)",
}


@dataclass
class StreamStep(Step):
    meaning: str | None = None  # NumPy's line, where it is another one
    looks: bool = True  # whether the memory of the operands is read
    thread: int = 0
    device: str | None = None  # None: that of its arrays
    stream: str | None = None  # None: the one that the thread uses on the device

    @property
    def line(self):
        """The step as Cuprum runs it."""
        if self.device is None:
            return self.source
        stream = f", {self.stream}" if self.stream else ""
        return f'with xp.Device("{self.device}"){stream}: {self.source}'


@dataclass
class StreamProgram(Program):
    devices: tuple = ("far:0", "far:1")
    eager: bool = False
    small: bool = True  # whether short kernels may run under the graph's lock
    slow: bool = False  # whether queues of `far` may be late by more than the host's next steps take
    memory: int = 0  # bytes that each device has, 0: as many as it likes

    def settings(self):
        """Lines of Python that set what is not as usual."""
        lines = ["_core.set_eager(True)"] * self.eager
        lines += ["_core.set_small_bytes(0)"] * (not self.small)
        lines += ["_core.set_far_delays(0.1, 3000)"] * self.slow
        if self.memory:
            lines += [f'limit_memory("{device}", {self.memory})' for device in self.devices]
        return lines


@lru_cache(None)
def _data(dtype, shape, seed):
    return make_data("i8", shape, "small", seed).astype(dtype)


def data(dtype, shape, seed):
    """Host memory with values of its own; the program may write it."""
    return _data(dtype, shape, seed).copy()


class Simulation:
    """A program on NumPy, step by step, and which steps of other threads each step has to wait for.

    Two steps conflict where one of them writes a name or memory that the other one uses. The later one waits until the
    call of the earlier one has returned; whether its device is done is the library's business.
    """

    def __init__(self):
        self.names = {"xp": np, "np": np, "data": data}
        self.steps = []
        self.waits = []
        self.uses = {}  # of a name or of memory: its last writer, and the readers since
        self.roots = {}  # owners of memory by identity; alive, so that these stay theirs

    def apply(self, step):
        """Runs the step. False: it cannot run here (NumPy refuses it, or what it needs is gone), and is left out."""
        names = self.names
        if any(name not in names for name in (*step.operands, *filter(None, (step.target, step.drops)))):
            return False
        reads = list(step.operands)
        if step.looks:
            reads += [self.memory(name) for name in step.operands]
        writes = [name for name in (step.result, step.drops) if name]
        if step.target:
            reads.append(step.target)
            writes.append(self.memory(step.target))
        try:
            exec(compile_step(step.source if step.meaning is None else step.meaning), names)
        except Exception:
            return False
        self.order(step, reads, writes)
        return True

    def memory(self, name):
        owner = root(self.names[name])
        self.roots[id(owner)] = owner
        return id(owner)

    def order(self, step, reads, writes):
        number, uses = len(self.steps), self.uses
        earlier = set()
        for thing in reads:
            writer, readers = uses.setdefault(thing, (None, []))
            earlier.add(writer)
            readers.append(number)
        for thing in writes:
            writer, readers = uses.get(thing, (None, ()))
            earlier.add(writer)
            earlier.update(readers)
            uses[thing] = (number, [])
        self.steps.append(step)
        earlier -= {None, number}
        self.waits.append(sorted(i for i in earlier if self.steps[i].thread != step.thread))

    def values(self):
        """Arrays and what the host has read, by name."""
        return {name: np.asarray(value) for name, value in self.names.items() if name[0] in "vr"}


def simulate(program):
    """NumPy's run of a program, and the program without the steps that cannot run in it."""
    simulated = Simulation()
    with quiet():
        for step in program.steps:
            simulated.apply(step)
    return replace(program, steps=simulated.steps), simulated
