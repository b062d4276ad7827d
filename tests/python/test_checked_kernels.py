"""The checked mode of a program's own kernels (CUPRUM_CHECK_KERNELS=1)."""

import json
import os
import subprocess
import sys

import pytest

import checked_programs
import cuprum as cp
import right_kernels
from kernel_texts import CUDA

DEVICES = ["cpu", "far"]  # that know the checked mode
HERE = os.path.dirname(os.path.abspath(__file__))


def run_checked(*arguments, **environment):
    """What a program prints in the checked mode."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"CUPRUM_CHECK_KERNELS": "1", "CUPRUM_DEVICE": "cpu"} | environment,
        cwd=HERE, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def found():
    return json.loads(run_checked("checked_programs.py", *DEVICES))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("case", checked_programs.CASES, ids=lambda case: case[0])
def test_planted_error_is_found(found, device, case):
    kernel, *_, words, block, thread = case
    text = found[device]["planted"][kernel]
    assert text is not None
    headline = text.splitlines()[0]
    assert headline.startswith(
        f"CUDARuntimeError: cuprum: kernel {kernel}, line {checked_programs.marked_line(kernel)}, "
        f"block ({block}, 0, 0), thread ({thread}, 0, 0): "
    )
    for word in words:
        assert word in headline
    assert any(line.startswith("> ") and "// here" in line for line in text.splitlines())


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", right_kernels.PROGRAMS)
def test_right_kernel_is_not_blamed(found, device, name):
    assert found[device]["right"][name] is None


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", ["tiled_product", "last_block", "grid_barrier", "spin_lock"])
def test_right_kernel_without_checks(device, name):
    with cp.Device(device):
        assert right_kernels.PROGRAMS[name](cp)


@pytest.mark.parametrize("device", CUDA)
@pytest.mark.parametrize("name", right_kernels.PROGRAMS)
def test_right_kernel_is_right_on_a_gpu(device, name):
    with cp.Device(device):
        assert right_kernels.PROGRAMS[name](cp)


SEVERAL = r"""
import cuprum as cp
x, y = cp.zeros(8), cp.zeros(8)
kernel = cp.RawKernel(r'''
extern "C" __global__ void wrong(double* x, double* y) {
    __shared__ double tile[8];
    x[threadIdx.x] = tile[threadIdx.x] > 0 ? 4 : 3;
    y[threadIdx.x + 4] = 1;
}''', "wrong")
try:
    kernel((1,), (8,), (x, y))
except RuntimeError as error:
    print(error)
print(x, y)
"""


def test_several_findings_and_the_arrays_afterwards():
    """The first is told in full; right writes are done, wrong ones are not."""
    assert run_checked("-c", SEVERAL).splitlines() == [
        "cuprum: kernel wrong, line 5, block (0, 0, 0), thread (4, 0, 0): writes 8 bytes out of bounds: "
        "element 8 of argument 2 (8 elements) (4 times)",
        "     3 |     __shared__ double tile[8];",
        "     4 |     x[threadIdx.x] = tile[threadIdx.x] > 0 ? 4 : 3;",
        ">    5 |     y[threadIdx.x + 4] = 1;",
        "     6 | }",
        "found too:",
        "  line 4, block (0, 0, 0), thread (0, 0, 0): reads byte 0 of shared variable tile (64 bytes), which no "
        "thread of the block has written: uninitialised shared memory (8 times)",
        "[3. 3. 3. 3. 3. 3. 3. 3.] [0. 0. 0. 0. 1. 1. 1. 1.]",
    ]


def test_the_example_of_the_guide():
    """Its text says what the program ends with."""
    with open(os.path.join(HERE, "..", "..", "docs", "guide", "kernels.md")) as file:
        section = file.read().split("## Debugging: the checked mode")[1]
    program = section.split("```python\n")[1].split("```")[0]
    shown = section.split("```text\n")[1].split("```")[0]
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"CUPRUM_CHECK_KERNELS": "1", "CUPRUM_DEVICE": "cpu"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr.endswith(shown)


def test_the_setting_is_checked():
    done = subprocess.run(
        [sys.executable, "-c", "import cuprum as cp; cp.ones(1) + 1"],
        env=os.environ | {"CUPRUM_CHECK_KERNELS": "maybe"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "CUPRUM_CHECK_KERNELS is 'maybe'; write 1 (on) or 0 (off)" in done.stderr
