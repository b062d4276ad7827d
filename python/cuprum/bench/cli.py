"""`python -m cuprum bench` and `python -m cuprum demo`."""

import argparse
import dataclasses
import fnmatch
import sys
import time

from .. import _core
from . import demo, libraries, report
from .fft_rows import ROWS as FFT_ROWS
from .linalg_rows import ROWS as LINALG_ROWS
from .linalg_rows import Data
from .measure import Memory, Result, cores, measure
from .namespace_rows import ROWS as NAMESPACE_ROWS
from .row_programs import ROWS as ROW_PROGRAMS
from .rows import ROWS as BASIC_ROWS
from .small_rows import SMALL_ROWS

ROWS = BASIC_ROWS + ROW_PROGRAMS + NAMESPACE_ROWS + LINALG_ROWS + FFT_ROWS


def _parser(name, description):
    parser = argparse.ArgumentParser(prog=f"python -m cuprum {name}", description=description)
    parser.add_argument("--quick", action="store_true", help="smaller arrays, fewer repeats")
    parser.add_argument(
        "--rows", default="*", help="only rows whose name matches, such as 'sort*' or sin,exp"
    )
    parser.add_argument("--seconds", type=float, help="time for each row and library")
    parser.add_argument("--json", metavar="FILE", help="write all figures to a file")
    parser.add_argument("--plot", metavar="FILE", help="save a bar chart (PNG, SVG or PDF)")
    parser.add_argument("--module", default="cuprum", help="the module to measure (default: cuprum)")
    parser.add_argument("--base", default="numpy", help="the module it is compared with (default: numpy)")
    parser.add_argument(
        "--beside", default="", help="further modules, such as scipy: the fastest is compared with"
    )
    parser.add_argument(
        "--processor-time",
        action="store_true",
        help="that of the calling thread, which other programs hardly disturb (set CUPRUM_NUM_THREADS=1 and "
        "OPENBLAS_NUM_THREADS=1)",
    )
    return parser


def _chosen(rows, patterns):
    patterns = [pattern.strip().lower() for pattern in patterns.split(",")]
    return [
        row
        for row in rows
        if any(row.name.lower() == p or fnmatch.fnmatchcase(row.name.lower(), p) for p in patterns)
    ]


def _progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def _load(options):
    base, ours = libraries.load(options.base), libraries.load(options.module)
    if ours.name == base.name:  # a library against itself shows the noise of the machine
        ours.name += "*"
    threads = 1 if options.processor_time else cores()
    beside = [libraries.load(name, threads) for name in options.beside.split(",") if name]
    return base, *beside, ours


def _run(rows, libs, data, table, options, seconds):
    """Measures and prints each row; a row that fails is reported, and the others go on."""
    results = []
    clock = time.thread_time if options.processor_time else time.perf_counter
    print(table.header())
    for number, row in enumerate(rows, 1):
        _progress(f"[{number}/{len(rows)}] {row.name}")
        try:
            result = measure(row, libs, data, seconds, clock)
        except Exception as error:
            result = Result(row.name, {}, error=f"{type(error).__name__}: {error}")
        results.append(result)
        _progress("")
        print(table.line(result), flush=True)
    return results


def _finish(results, table, options, libs, title):
    """Prints the summary and writes what was asked for; returns the exit status."""
    print()
    for line in table.summary(results):
        print(line)
    if options.json:
        report.write_json(options.json, results, libs, table.memory)
        print(f"figures: {options.json}")
    if options.plot and any(not r.error for r in results):
        if report.plot(options.plot, results, table.ours, table.base, title):
            print(f"plot: {options.plot}")
        else:
            print("matplotlib is not installed (pip install matplotlib); here is the plot as text")
            report.text_plot(results, table.ours, table.base)
    return 1 if any(r.error for r in results) else 0


def _title(what, libs):
    facts = report.machine()
    others = ", ".join(lib.name for lib in libs[:-1])
    return f"{what}: {libs[-1].name} against {others}, {facts['processor']}, {facts['cores']} cores"


def _bench_gpu(options):
    from . import gpu

    rows = _chosen(gpu.ROWS, options.rows)
    if not rows:
        print(f"no row matches {options.rows!r}; there are: " + "; ".join(r.name for r in gpu.ROWS))
        return 2
    scale = options.scale or (1 / 16 if options.quick else 1.0)
    peers = [name for name in options.peers.split(",") if name]
    seconds = options.seconds or (0.05 if options.quick else 0.15)
    return gpu.run(rows, peers, scale, seconds, options.json, options.plot)


def bench(arguments):
    """Every row of the benchmark, beside NumPy; on a CUDA device beside CuPy, PyTorch and JAX."""
    parser = _parser("bench", bench.__doc__)
    parser.add_argument("--gpu", action="store_true", help="the GPU's rows, whatever the device is")
    parser.add_argument("--peers", default="cupy,torch,jax", help="libraries beside Cuprum on a GPU")
    parser.add_argument("--scale", type=float, help="size of the GPU's arrays, 1: 1 GiB")
    options = parser.parse_args(arguments)
    if options.gpu or (options.module == "cuprum" and _core.device_name().startswith("cuda")):
        return _bench_gpu(options)
    libs = _load(options)
    rows = _chosen(ROWS + SMALL_ROWS, options.rows)
    if not rows:
        print(f"no row matches {options.rows!r}; there are: " + "; ".join(r.name for r in ROWS + SMALL_ROWS))
        return 2
    scale = 0.1 if options.quick else 1.0
    data = {lib.name: Data(lib.asarray, scale) for lib in libs}
    memory = Memory.probe(int(4e7 * scale))
    print(_title("benchmark", libs))
    print(
        f"arrays of {scale * 1e7:.0e} elements unless named; limit and share: of the memory bus, which reads"
    )
    print(f"{memory.read / 1e9:.1f} GB/s and copies {memory.copy / 1e9:.1f} GB/s here\n")
    if (
        options.quick or options.processor_time
    ):  # they are meant for arrays that exceed the cache, and all cores
        rows = [dataclasses.replace(row, target=None) for row in rows]
    table = report.Table(
        libs[-1].name,
        libs[0].name,
        memory,
        targets=not (options.quick or options.processor_time),
        beside=[lib.name for lib in libs[1:-1]],
    )
    results = _run(rows, libs, data, table, options, options.seconds or (0.2 if options.quick else 1.0))
    return _finish(results, table, options, libs, _title("array programs", libs))


def run_demo(arguments):
    """The same unmodified array programs on Cuprum and on NumPy."""
    options = _parser("demo", run_demo.__doc__).parse_args(arguments)
    libs = _load(options)
    scale = 0.1 if options.quick else 1.0
    data = {lib.name: demo.DemoData(lib.asarray, scale) for lib in libs}
    print(_title("demo", libs) + "\n")
    table = report.Table(libs[-1].name, libs[0].name, beside=[lib.name for lib in libs[1:-1]])
    results = _run(
        _chosen(demo.ROWS, options.rows),
        libs,
        data,
        table,
        options,
        options.seconds or (0.2 if options.quick else 1.5),
    )
    return _finish(results, table, options, libs, _title("array programs", libs))
