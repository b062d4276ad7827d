"""Draws benchmarks/results/h200-dozen.png and cpu-dozen.png: the rows of the benchmark that tell most, those among them
where others are as fast or faster. The figures are those of h200.json and cpu.json.
"""

import json
from pathlib import Path

from cuprum.bench import gpu_plot, report
from cuprum.bench.measure import Result

RESULTS = Path(__file__).resolve().parents[1] / "benchmarks/results"
GPU = [
    "Black-Scholes 64M", "exp(sin(x)*cos(x))", "where(x > .5, x*2, x/2)", "((x - z)**2).mean()",
    "stencil of four slices", "A + A.T", "cumsum axis 1", "x[x > .5]", "median", "sort f32 64M", "softmax of rows",
    "matmul f32",
]  # fmt: skip
CPU = [
    "Black-Scholes", "exp(sin*cos) f64", "where(x>.5, x*2, x/2)", "((x - y)**2).mean()", "stencil of four slices",
    "B + B.T", "cumsum of rows", "x[x > .5]", "sort f32", "softmax of rows", "matmul 2000 f32", "a16 + b16",
]  # fmt: skip


def figures(name):
    return json.loads((RESULTS / name).read_text())


def main():
    gpu = figures("h200.json")
    gpu["rows"] = [row for name in GPU for row in gpu["rows"] if row["name"] == name]
    gpu_plot.plot(RESULTS / "h200-dozen.png", gpu)
    rows = {row["name"]: Result(**row) for row in figures("cpu.json")["rows"]}
    title = "Two cores of an AMD EPYC: plain array code, Cuprum beside NumPy"
    report.plot(RESULTS / "cpu-dozen.png", [rows[name] for name in CPU], "cuprum", "numpy", title)


if __name__ == "__main__":
    main()
