"""Random programs of operations, views and writes: lazy = eager bit for bit for any number of threads, and = NumPy.

CUPRUM_PROGRAM_SEED sets the first seed (a new one each run otherwise), CUPRUM_PROGRAM_COUNT the number of programs.
`tools/random_programs.py` runs many more, and one program of a given seed.
"""

import os

import pytest

from program_runner import check_seed, check_threads

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


@pytest.mark.parametrize("chunk", range(10))
def test_programs_in_two_threads(chunk, program_seed):
    n = -(-COUNT // (THREAD_SHARE * 10))
    begin = program_seed + chunk * n
    print(f"pairs of programs of seeds {begin} to {begin + n - 1}")
    for seed in range(begin, begin + n):
        failure = check_threads(seed)
        assert failure is None, failure


# Seeds whose programs found defects.
@pytest.mark.parametrize("seed", [])
def test_found(seed):
    assert check_seed(seed) is None
