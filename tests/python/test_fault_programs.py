"""A sample of random programs on `far` whose memory fails, or is spilled (fault_programs.py runs many more)."""

import pytest

import fault_programs
from cuprum import _core

CHUNKS = 5
COUNT = 4


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_allocation_fails_in_turn(chunk, program_seed):
    for seed in range(program_seed + chunk * COUNT, program_seed + (chunk + 1) * COUNT):
        failure = fault_programs.check_seed(seed)
        assert failure is None, failure


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_programs_with_spill(chunk, program_seed):
    before = _core.spill_stats()["to_host"]
    for seed in range(program_seed + chunk * 40, program_seed + (chunk + 1) * 40):
        failure = fault_programs.check_spill(seed)
        assert failure is None, failure
    assert _core.spill_stats()["to_host"] > before
