"""What all Python tests share: the seed of the random programs, hypothesis profiles, a clean engine after each test."""

import os
import sys
import time

import hypothesis
import pytest

sys.path.insert(0, os.path.dirname(__file__))

hypothesis.settings.register_profile("ci", deadline=None, max_examples=60, derandomize=False, print_blob=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2000, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("CUPRUM_HYPOTHESIS", "ci"))

_seed = os.environ.get("CUPRUM_PROGRAM_SEED")
if _seed is None:
    # Set before xdist starts its workers, so that all of them share it.
    _seed = os.environ["CUPRUM_PROGRAM_SEED"] = str(int(time.time()) % 1_000_000 * 1000)


def pytest_report_header(config):
    return f"random programs: CUPRUM_PROGRAM_SEED={_seed}"


@pytest.fixture(scope="session")
def program_seed():
    return int(_seed)
