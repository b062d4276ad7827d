"""The binding under random objects, shapes, dtypes and indices: exceptions are answers, a crash or a hang is not.

CUPRUM_FUZZ_SEED (one per commit otherwise) and CUPRUM_FUZZ_COUNT set the first seed and the number of calls. What was
found is kept below.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

WORKER = Path(__file__).with_name("fuzz_worker.py")
COUNT = int(os.environ.get("CUPRUM_FUZZ_COUNT", "12000"))
BATCHES = 8
SEED = int(os.environ.get("CUPRUM_FUZZ_SEED", os.environ["CUPRUM_PROGRAM_SEED"]))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_calls(batch, tmp_path):
    log = tmp_path / "call"
    command = [sys.executable, str(WORKER), str(log), f"{SEED + batch}", str(-(-COUNT // BATCHES))]
    # In a folder of its own: some calls write files, and x.dump(1) writes to the output.
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=600,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode == 0:
        return
    last = log.read_text(errors="replace") if log.exists() else "(the process did not start)"
    pytest.fail(
        f"{' '.join(command[1:])} ended with {done.returncode}; the last call was\n\n{last}\n\n"
        f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    )


# Calls that once crashed, hung or raised what no caller can use.
FOUND = [
    "cp.ldexp.accumulate(cp.arange(3))",
    "cp.ldexp.reduce(cp.arange(3))",
    "cp.array_equiv(cp.ones((1,) * 64), cp.ones(3))",
    "cp.broadcast_shapes((1,) * 64, (3,))",
    "cp.rot90(cp.ones((2, 3)), 10**40, Odd('wrong'))",
]


@pytest.mark.parametrize("source", FOUND)
def test_found(source):
    from fuzz_worker import run

    assert run(source) is None
