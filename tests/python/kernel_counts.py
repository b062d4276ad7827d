"""How many kernels and calls a program takes, where no array is so small that calls compute with it themselves."""

import contextlib

import cuprum as cp
from cuprum import _core


@contextlib.contextmanager
def nothing_is_small():
    """Everything is recorded and planned: not at once, not eagerly, not debugged."""
    before = _core.get_debug(), _core.set_small_bytes(0)
    _core.set_debug(False)
    try:
        with cp.eager(False):
            yield
    finally:
        _core.set_debug(before[0])
        _core.set_small_bytes(before[1])


def work(f):
    """Kernels and calls that f() takes beside what is in memory already, and its result."""
    before = _core.engine_stats()
    result = cp.evaluate(f())
    after = _core.engine_stats()
    return (after["kernels"] - before["kernels"], after["calls"] - before["calls"]), result
