"""The checked mode of a program's own kernels (CUPRUM_CHECK_KERNELS=1)."""

import json
import os
import subprocess
import sys

import checked_programs
import pytest
import right_kernels
from kernel_texts import DEVICES

import cuprum as cp

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


SEVERAL = r"""
import cuprum as cp
x = cp.arange(8.0)
kernel = cp.RawKernel(r'''
extern "C" __global__ void wrong(double* x) {
    __shared__ double tile[8];
    tile[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = tile[threadIdx.x ^ 1];
    x[threadIdx.x + 4] = 1;
}''', "wrong")
try:
    kernel((1,), (8,), (x,))
except RuntimeError as error:
    print(error)
print(x)
"""


def test_several_findings_and_the_array_afterwards():
    text = run_checked("-c", SEVERAL)
    report, array = text[: text.index("[")], text[text.index("[") :]
    assert report.startswith("cuprum: kernel wrong, line 5, block (0, 0, 0), thread ")
    assert ">    5 |     x[threadIdx.x] = tile[threadIdx.x ^ 1];" in report
    assert "found too:" in report
    assert "line 6, block (0, 0, 0), thread (4, 0, 0): writes 8 bytes out of bounds" in report
    assert array.startswith("[")


def test_the_setting_is_checked():
    done = subprocess.run(
        [sys.executable, "-c", "import cuprum as cp; cp.ones(1) + 1"],
        env=os.environ | {"CUPRUM_CHECK_KERNELS": "maybe"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "CUPRUM_CHECK_KERNELS is 'maybe'; write 1 (on) or 0 (off)" in done.stderr
