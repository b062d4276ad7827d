"""Random programs of operations, views and writes: lazy = eager bit for bit for any number of threads, and = NumPy.

CUPRUM_PROGRAM_SEED sets the first seed (one per commit otherwise), CUPRUM_PROGRAM_COUNT the number of programs.
`tools/random_programs.py` runs many more, and one program of a given seed.
"""

import os

import numpy as np
import pytest

from cuprum import _core
from program_runner import check, check_seed, check_threads
from programs import Program, Step

COUNT = int(os.environ.get("CUPRUM_PROGRAM_COUNT", "5000"))
CHUNKS = 50
THREAD_SHARE = 10  # one pair of threads per this many programs


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_programs(chunk, program_seed):
    n = -(-COUNT // CHUNKS)
    begin = program_seed + chunk * n
    print(f"programs of seeds {begin} to {begin + n - 1}")
    for seed in range(begin, begin + n):
        failure = check_seed(seed)
        assert failure is None, failure


@pytest.fixture
def nothing_is_small():
    """Every kernel runs without the graph's lock."""
    before = _core.set_small_bytes(0)
    yield
    _core.set_small_bytes(before)


@pytest.mark.parametrize("chunk", range(10))
@pytest.mark.usefixtures("nothing_is_small")
def test_programs_in_two_threads(chunk, program_seed):
    n = -(-COUNT // (THREAD_SHARE * 10))
    begin = program_seed + chunk * n
    print(f"pairs of programs of seeds {begin} to {begin + n - 1}")
    for seed in range(begin, begin + n):
        failure = check_threads(seed)
        assert failure is None, failure


# Programs that found defects, shrunk.
FOUND = [
    "a = data('f8', (130, 37), 'small', 1); b = a @ a.T; del a",
    "a = data('i4', (), 'small', 2); b = xp.ptp(a); c = xp.expand_dims(b, 0); c[...] -= a",
    "a = data('f8', (4,), 'small', 3); b = a * 3; a *= 2; a += 5; c = host(a)[0] + b",
    "a = data('u4', (2, 2, 2), 'small', 4).T; b = xp.where(a > -1, xp.sqrt(a), -2)",
    "a = xp.zeros((2, 1, 4), order='F'); b = xp.add(a, 7)",
    "a = data('c8', (2, 3, 4), 'special', 5); b = xp.searchsorted(xp.sort(a, axis=None), a)",
    "a = xp.arange(10); b = a[::2].ravel(); b[0] = 99",
    "a = data('i1', (), 'small', 6); b = xp.where(a > 0, a, a); c = b[...]; c += 3",
    "a = xp.arange(2, dtype='i4'); b = xp.where(a > 0, a, -2**63)",
    "a = data('i8', (2, 0), 'small', 7); b = a ** -1",
    "a = data('f8', (6, 5), 'small', 8); b = np.int16(2) < a",
    "a = data('f4', (1,), 'small', 9); b = xp.percentile(a, 100, axis=0, method='lower'); b -= a",
    "a = data('f4', (0, 3), 'small', 11); b = a @ a.T; c = xp.take(b, [7, -3, 8], axis=0, mode='clip')",
    "a = data('f4', (0, 3), 'small', 12); b = a @ a.T; c = xp.take(b, [7, -3, 8], axis=0)",
    "a = data('c16', (0, 1), 'positive', 10); b = a @ a.T; c = xp.take(b, [5, 7, -4], axis=1, mode='wrap')",
]


@pytest.mark.parametrize("source", FOUND)
def test_found(source):
    if "-2**63" in source and np.lib.NumpyVersion(np.__version__) >= "2.5.0":
        pytest.skip("NumPy refuses this integer since 2.5")
    program = Program([Step(line.strip(), result="a") for line in source.split(";")])
    assert check(program) is None
