"""The benchmarks run on whatever device the tests run on, with NumPy for a peer: times mean nothing."""

import json
import re
import time
from pathlib import Path

import pytest

from cuprum.bench import cli, gpu, gpu_first_use, gpu_libraries, gpu_namespace_rows, libraries, report
from cuprum.bench.gpu import ROWS
from cuprum.bench.measure import measure


def test_every_row_computes_what_numpy_computes(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(gpu_libraries.Cuprum, "warm_up", gpu_libraries.Library.warm_up)
    rows = [row for row in ROWS if "f16" not in row.name]  # minutes in NumPy
    assert gpu.run(rows, ["numpy"], 1e-4, 0.001, tmp_path / "figures.json") == 0, capsys.readouterr().out
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert [figure["name"] for figure in figures["rows"]] == [row.name for row in rows]
    assert all(figure["times"]["cuprum"] > 0 for figure in figures["rows"])


def test_every_way_of_an_index_has_a_row():
    """The table at the head of index_strategy.h names a row for every way that CUDA can choose."""
    source = Path(__file__).parents[2] / "src/backend/cuda/primitives/index/index_strategy.h"
    text = source.read_text()
    ways = [way.strip() for way in re.findall(r"enum class \w+Way \{(.*?)\}", text) for way in way.split(",")]
    table = re.findall(r"^//     (\S.*?)  +\S.*?  +(\S.*)$", text, re.MULTILINE)
    assert [way.replace(" ", "_") for way, _ in table] == ways
    named = {name for _, names in table for name in names.split("; ")}
    assert named <= {row.name for row in gpu_namespace_rows.INDEXED}


@pytest.mark.parametrize("row", cli.ROWS, ids=lambda row: row.name)
def test_every_row_of_the_cpu_computes_what_numpy_computes(row):
    libs = [libraries.load("numpy"), libraries.load("cuprum")]
    data = {lib.name: cli.Data(lib.asarray, 1e-3) for lib in libs}
    result = measure(row, libs, data, 0.0)  # compares the results
    assert result.error is None and result.seconds["cuprum"] > 0


def test_a_row_is_compared_with_the_fastest_library_that_has_it():
    pytest.importorskip("scipy")
    libs = [libraries.load(name, 2) for name in ("numpy", "scipy", "cuprum")]
    data = {lib.name: cli.Data(lib.asarray, 1e-3) for lib in libs}
    has = {}
    for row in cli.ROWS:
        if row.name in ("fft 2^10 f64", "eigh 32", "rng.choice"):
            result = measure(row, libs, data, 0.0, time.thread_time)
            result.seconds = dict.fromkeys(result.seconds, 2.0) | {"cuprum": 1.0}
            has[row.name] = "scipy" in result.seconds
            assert result.ratio("cuprum") == 2
            result.seconds["numpy"] = 1.5
            assert result.ratio("cuprum") == 1.5
            table = report.Table("cuprum", "numpy", beside=["scipy"])
            assert len(table.header()) == len(table.line(result))
    assert has == {"fft 2^10 f64": True, "eigh 32": True, "rng.choice": False}


def test_host_times(monkeypatch):
    monkeypatch.setattr(gpu_libraries.Cuprum, "warm_up", gpu_libraries.Library.warm_up)
    libraries = gpu.load(["cuprum", "no such library"])
    assert [library.name for library in libraries] == ["cuprum"]
    for figure in gpu.run_small(libraries, calls=5):
        assert figure["microseconds"]["cuprum"] > 0


def test_first_use(capsys):
    assert set(gpu_first_use.run_cold(["cuprum"])["cuprum"]) >= {"import", "first array", "first sort"}
    figures = gpu_first_use.run_new(["cuprum"], count=3)["cuprum"]
    assert figures["median"] <= figures["longest"]
    assert gpu_first_use.run_new(["no_such_library"]) == {}
    assert "ModuleNotFoundError" in capsys.readouterr().out


def test_targets():
    row = next(row for row in ROWS if row.name == "sum")
    assert gpu.verdict(row, {"cuprum": 1.0, "cupy": 1.0, "torch": 2.0}, None, {}) == (
        pytest.approx(1.1),
        True,
    )
    row = next(row for row in ROWS if row.name == "interp")
    assert gpu.verdict(row, {"cuprum": 1.0, "cupy": 0.9, "torch": 2.0}, None, {}) == (0.9, False)
    row = next(row for row in ROWS if row.name == "var axis 0")
    assert gpu.verdict(row, {"cuprum": 2.0}, None, {"sum axis 0": 1.0}) == (pytest.approx(1.3), False)
