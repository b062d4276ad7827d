"""Settings that are not understood are refused, with their name and what to write; never taken for something else."""

import os
import subprocess
import sys

import pytest

import cuprum as cp

REFUSED = {
    "CUPRUM_NUM_THREADS": ["abc", "0", "-1", "1.5", "2 ", "99999999999999999999"],
    "CUPRUM_MAX_NODES": ["-1", "0", "many", "2049", "4294967296"],
    "CUPRUM_MAX_PINNED": ["2X", "G", "-1", "2 G", "1e9", "99999999T"],
    "CUPRUM_CPU_POOL_LIMIT": ["lots", "-5"],
    "CUPRUM_CUDA_POOL_LIMIT": ["lots", "0x10"],
    "CUPRUM_CACHE_SIZE": ["big"],
    "CUPRUM_EAGER": ["maybe", "2"],
    "CUPRUM_SPILL": ["maybe", "2"],
    "CUPRUM_TRANSFERS": ["maybe", "1"],
    "CUPRUM_DEBUG": ["maybe"],
    "CUPRUM_TRACE": ["foo", "eval,foo", "eval jit"],
    "CUPRUM_SIMD": ["v5", "avx2"],
    "CUPRUM_TIER": ["2"],
    "CUPRUM_DEVICE": ["gpu", "cuda:x", "cuda:-1", "cuda:", "0", "CPU"],
}
BUILD = "import cuprum as cp; b = cp._core.build_info(); print({})"
TAKEN = [
    ("CUPRUM_NUM_THREADS", "3", "b['threads']", "3"),
    ("CUPRUM_NUM_THREADS", "2K", "b['threads']", "1024"),
    ("CUPRUM_MAX_NODES", "7", "b['max_nodes']", "7"),
    ("CUPRUM_MAX_NODES", "", "b['max_nodes']", "256"),
    ("CUPRUM_MAX_PINNED", "2G", "b['max_pinned']", str(2 << 30)),
    ("CUPRUM_MAX_PINNED", "3kB", "b['max_pinned']", "3072"),
    ("CUPRUM_MAX_PINNED", "1MiB", "b['max_pinned']", str(1 << 20)),
    ("CUPRUM_EAGER", "1", "b['eager']", "True"),
    ("CUPRUM_EAGER", "Off", "b['eager']", "False"),
    ("CUPRUM_SIMD", "v4", "b['simd']", cp._core.build_info()["simd"]),
]


def run(source, **environment):
    kept = {k: v for k, v in os.environ.items() if k not in ("CUPRUM_EAGER", "CUPRUM_DEBUG")}
    return subprocess.run(
        [sys.executable, "-c", source], env={**kept, **environment}, capture_output=True, text=True
    )


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_understood_is_refused(name):
    for value in REFUSED[name]:
        found = run("import cuprum", **{name: value})
        last = found.stderr.strip().splitlines()[-1]
        assert found.returncode == 1
        assert last.startswith(f"ValueError: cuprum: the environment variable {name} is '{value}'; "), last


@pytest.mark.parametrize("name, value, asked, answer", TAKEN)
def test_what_is_understood_is_taken(name, value, asked, answer):
    found = run(BUILD.format(asked), **{name: value})
    assert (found.stdout.strip(), found.stderr) == (answer, "")


def test_words_of_trace():
    source = "import cuprum as cp; cp.evaluate(cp.ones(3) + 1)"
    assert "cuprum eval: " in run(source, CUPRUM_TRACE="jit,eval").stderr
    assert "cuprum eval: " not in run(source, CUPRUM_TRACE="jit").stderr


def test_misspelt_names_are_warned_of_and_other_names_are_nobodys_business():
    found = run("import cuprum", CUPRUM_NUM_THREAD="3", CUPRUM_EAGRE="1", CUPRUM_OF_AN_APPLICATION="1")
    assert found.returncode == 0
    assert (
        "RuntimeWarning: cuprum: the environment variable CUPRUM_NUM_THREAD is not a setting" in found.stderr
    )
    assert "did you mean CUPRUM_EAGER?" in found.stderr
    assert "APPLICATION" not in found.stderr


@pytest.mark.parametrize("device", ["gpu", "", "cuda:x", "cuda:-1", "cuda:1x", -1, 10**40, "\ud800", "cpu\0"])
def test_devices_that_are_none_are_refused_when_they_are_named(device):
    with pytest.raises(
        ValueError, match=r"cuprum\.Device: .* is not a device of this library; the devices are 'cpu'"
    ):
        cp.Device(device)
    if isinstance(device, str):
        assert cp.Device("cpu") != device
        with pytest.raises((ValueError, TypeError)):
            cp.zeros(2, device=device)
    with pytest.raises(TypeError):
        cp.Device(1.5)


def test_a_device_has_one_name():
    assert cp.Device("cuda").name == cp.Device("cuda:0").name == cp.Device(0).name == "cuda:0"
    assert cp.Device("cuda") == "cuda" and cp.Device(3) == "cuda:3" and cp.Device("cpu") != "cuda"
    assert cp.Device("cuda:07").id == 7 and cp.Device("cuda:07").name == "cuda:7"
