"""Random programs whose memory fails: an allocation raises, and every array keeps its value; or memory is short, and
what does not fit is spilled.

    python tests/python/fault_programs.py --count 2000         every allocation of so many programs fails in turn
    python tests/python/fault_programs.py --count 2000 --spill half of the memory that a program needs, and spill

Runs on `far`, which fails on demand. Exits with 1 when anything was found.
"""

import argparse
import contextlib
import gc
import sys

import numpy as np

import cuprum as cp
import program_farm
from cuprum import _core
from program_runner import Mode, cuprum_runner, set_mode
from program_steps import make_program
from programs import Outcome, Program, Runner, difference, quiet, root, runnable

MODES = (Mode(False, 1), Mode(True, 1))
ALL = 64 << 30  # bytes of a far device


@contextlib.contextmanager
def failing(n):
    """The n-th allocation from now on fails; 0: none."""
    _core.set_far_memory(0, ALL, n)
    try:
        yield
    finally:
        _core.set_far_memory(0, ALL, 0)


def read(runner):
    """All arrays of a runner. The failure may hit here: the second attempt must succeed."""
    with contextlib.suppress(cp.OutOfMemoryError):
        return runner.finish()
    return runner.finish()


def run(program):
    """The outcome, and the number of the step that ran out of memory or None."""
    runner = cuprum_runner()
    runner.wait = lambda: _core.wait("far")  # the usual one allocates
    for i, step in enumerate(program.steps):
        runner.run(step)
        if runner.outcome.raised[-1] == "OutOfMemoryError":
            runner.outcome.raised.pop()
            runner.outcome.texts.pop()
            return read(runner), i
    return read(runner), None


def families(program):
    """Of each step, the names that it may leave otherwise than they were: those that share memory with the one that it
    writes, as NumPy tells, and `t`, which a swap uses."""
    runner = Runner(np, host=np.array)
    shared = []
    for step in program.steps:
        arrays = runner.arrays()
        target = root(arrays.get(step.target))
        shared.append(
            {"t", *(name for name, value in arrays.items() if step.target and root(value) is target)}
        )
        runner.run(step)
    return shared


def without(outcome, names):
    some = Outcome()
    some.raised, some.texts, some.own_layout = outcome.raised, outcome.texts, outcome.own_layout
    some.values = {name: value for name, value in outcome.values.items() if name not in names}
    return some


def check_failures(program, mode):
    """What is wrong, or None: every allocation of the program fails in turn."""
    pool = cp.get_default_memory_pool()
    prefixes = {}

    def undisturbed(steps):
        if steps not in prefixes:
            prefixes[steps] = run(Program(program.steps[:steps]))[0]
        return prefixes[steps]

    before = pool.n_allocations()
    whole = undisturbed(len(program.steps))
    count = pool.n_allocations() - before
    written = families(program)
    for n in range(1, count + 1):
        with failing(n):
            try:
                got, failed = run(program)
            except Exception as error:
                return f"allocation {n}: {type(error).__name__}: {error}"
        if failed is None:
            want, names = whole, set()
        else:
            want, names = undisturbed(failed), written[failed]
        message = difference(Program(program.steps[:failed]), without(got, names), without(want, names))
        if message:
            at = "read at the end" if failed is None else f"raised by `{program.steps[failed].source}`"
            return f"allocation {n} of {count} fails ({at}): {message}"
    return None


def check_seed(seed):
    """The program of a seed, in every mode; a report or None."""
    program, _, _ = make_program(seed)
    for mode in MODES:
        with cp.Device("far"), set_mode(mode), quiet():
            used = cp.get_default_memory_pool().used_bytes()
            message = check_failures(program, mode)
            gc.collect()
            left = cp.get_default_memory_pool().used_bytes() - used
        if message or left > 0:
            message = message or f"{left} bytes are left in use"
            return f"{mode}: {message} (seed {seed})\n\n{runnable(program, message)}"
    return None


# -- Spill ----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def spilling(limit):
    pool = cp.get_default_memory_pool()
    pool.free_all_blocks()
    before, least = _core.get_spill(), _core.set_spill_least(1)
    _core.set_spill(True)
    pool.set_limit(pool.used_bytes() + limit)
    try:
        yield
    finally:
        pool.set_limit(0)
        _core.set_spill(before)
        _core.set_spill_least(least)


def check_spill(seed):
    """The program of a seed with half the memory that it needs, or as much more as it cannot do without; a report or
    None. What was spilled is added to `check_spill.bytes`."""
    program, _, _ = make_program(seed)
    with cp.Device("far"), set_mode(Mode(seed % 2 == 1, 1)), quiet():
        pool = cp.get_default_memory_pool()
        gc.collect()
        before = pool.used_bytes()
        pool.reset_peak()
        want, _ = run(program)
        needs = pool.peak_bytes() - before
        limit = max(needs // 2, 2048)
        spilled = _core.spill_stats()["to_host"]
        while True:
            with spilling(limit):
                try:
                    got, failed = run(program)
                except cp.OutOfMemoryError:
                    failed = 0
            if failed is None:
                break
            limit *= 2
            if limit > 8 * needs + (1 << 20):
                return f"with spill a limit of {limit} bytes is too little for {needs} (seed {seed})"
        check_spill.bytes += _core.spill_stats()["to_host"] - spilled
        message = difference(program, got, want)
    return message and f"with spill: {message} (seed {seed})\n\n{runnable(program, message)}"


check_spill.bytes = 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--spill", action="store_true")
    program_farm.add_options(parser)
    options = parser.parse_args()
    return program_farm.run(check_spill if options.spill else check_seed, options.count, options)


if __name__ == "__main__":
    sys.exit(main())
