"""The benchmark on a GPU, beside CuPy, PyTorch and JAX where they are installed.

A figure is the median of times between two device events (JAX: of the clock, after waiting), each around one call whose
result is evaluated; every library is warm. The libraries take turns row by row, on the same numbers.
"""

import gc
import json
import statistics
import time

import numpy as np

from .. import _core
from . import gpu_first_use, gpu_plot
from .gpu_costs import run_small, run_transfers
from .gpu_fft_rows import ROWS as FFT_ROWS
from .gpu_libraries import load, parts
from .gpu_linalg_rows import ROWS as LINALG_ROWS
from .gpu_namespace_rows import ROWS as NAMESPACE_ROWS
from .gpu_namespace_rows import HostData
from .gpu_random_rows import ROWS as RANDOM_ROWS
from .gpu_rows import ROWS as BASIC_ROWS
from .gpu_rows import Data
from .row_programs import GPU_ROWS as ROW_PROGRAMS

ROWS = BASIC_ROWS + ROW_PROGRAMS + NAMESPACE_ROWS + LINALG_ROWS + FFT_ROWS + RANDOM_ROWS


def measure(row, library, data, seconds):
    """(median milliseconds, a sample of the result) or None where the library has no such row."""
    program = library.program(row)
    if program is None:
        return None

    def call():
        result = program(data)
        library.settle(result)
        return result

    library.warm_up(call)
    times, end = [], time.perf_counter() + seconds
    while len(times) < 5 or (len(times) < 50 and time.perf_counter() < end):
        times.append(library.milliseconds(call))
    sample = _sample(library, call()) if row.compared else None
    return statistics.median(times), sample


def _sample(library, result):
    """Up to a thousand elements of the (first) result, on the host."""
    array = parts(result)[0]
    flat = array.reshape(-1)
    step = max(1, flat.shape[0] // 1000)
    return np.asarray(library.asnumpy(flat[::step]))


def _agree(ours, theirs):
    if ours is None or theirs is None:
        return True
    if ours.shape != theirs.shape:
        return False
    wide = np.complex128 if ours.dtype.kind == "c" else np.float64
    return np.allclose(ours.astype(wide), theirs.astype(wide), rtol=2e-2, atol=1e-3, equal_nan=True)


def verdict(row, times, limit, ours_by_row):
    """(what the target allows in milliseconds, was it met); None where there is nothing to compare with."""
    ours, peers = times.get("cuprum"), [t for name, t in times.items() if name not in ("cuprum", "jax")]
    if row.target is None or ours is None:
        return None
    of, factor = row.target.of, row.target.factor
    base = (
        limit if of == "limit"
        else (min(peers) if peers else None) if of == "best"
        else times.get(of) if of in ("torch", "cupy")
        else 1.0 if of == "ms"
        else ours_by_row.get(of)
    )  # fmt: skip
    return None if base is None else (base * factor, ours <= base * factor)


def run_rows(rows, libraries, scale, seconds):
    host = HostData(scale)
    data = {library.name: Data(host, library.asarray) for library in libraries}
    large = 4 * host.side**2
    copies = [measure(ROWS[0], library, data[library.name], seconds) for library in libraries]
    bandwidth = 2 * large / min(copy[0] for copy in copies if copy)  # bytes per millisecond
    ours_by_row, figures = {}, []
    names = "".join(f"{library.name:>10}" for library in libraries)
    print(f"{'milliseconds':<32}{names}{'limit':>9}{'share':>7}  target")
    for row in rows:
        times, samples, errors = {}, {}, {}
        for library in (*libraries, *reversed(libraries)):  # forth and back: a clock that falls falls for all
            try:
                measured = measure(row, library, data[library.name], seconds / 2)
                if measured:
                    times[library.name] = min(measured[0], times.get(library.name, measured[0]))
                    samples[library.name] = measured[1]
            except Exception as error:
                errors[library.name] = f"{type(error).__name__}: {error}"
            gc.collect()
            library.release()
        limit = row.bytes * large / bandwidth if row.bytes else None
        ours_by_row[row.name] = times.get("cuprum")
        allowed = verdict(row, times, limit, ours_by_row)
        figures.append(
            {"name": row.name, "times": times, "limit": limit, "target": allowed and allowed[0],
             "met": allowed and allowed[1], "errors": errors}
        )  # fmt: skip
        reference = next((samples[name] for name in ("cupy", "torch", "numpy") if name in samples), None)
        if "cuprum" in samples and not _agree(samples["cuprum"], reference):
            figures[-1]["errors"]["result"] = "differs"
        print(_line(figures[-1], libraries), flush=True)
    return figures


def _line(figure, libraries):
    text = f"{figure['name']:<32}"
    for library in libraries:
        time_ = figure["times"].get(library.name)
        text += f"{time_:>10.3f}" if time_ is not None else f"{'-':>10}"
    if figure["limit"] and "cuprum" in figure["times"]:
        text += f"{figure['limit']:>9.3f}{figure['limit'] / figure['times']['cuprum']:>7.0%}"
    else:
        text += " " * 16
    if figure["target"]:
        text += f"  {figure['target']:.3f} {'met' if figure['met'] else 'MISSED'}"
    for name, error in figure["errors"].items():
        text += f"\n    {name}: {error[:300]}"
    return text


def run(rows, peers, scale, seconds, json_path=None, plot_path=None):
    """The whole benchmark; returns the exit status."""
    libraries = load(["cuprum", *peers])
    if not libraries or libraries[0].name != "cuprum":
        return 1
    device = _core.device_info(_core.device_name())
    print(f"{device['name']}: {device['description']}")
    versions = {library.name: getattr(library.xp, "__version__", "") for library in libraries}
    print(", ".join(f"{name} {version}" for name, version in versions.items()) + "\n")
    figures = {"device": device, "versions": versions, "scale": scale}
    figures["rows"] = run_rows(rows, libraries, scale, seconds)
    if len(rows) == len(ROWS):
        figures["host"] = run_small(libraries)
        print()
        figures["transfers"] = run_transfers(libraries, scale)
        cold = [library.name for library in libraries if library.name in ("cuprum", "cupy")]
        figures["cold start"] = gpu_first_use.run_cold(cold)
        figures["never seen"] = gpu_first_use.run_new(cold)
    aimed = [f for f in figures["rows"] if f["met"] is not None]
    missed = [f["name"] for f in aimed if not f["met"]]
    failed = [f["name"] for f in figures["rows"] if "cuprum" not in f["times"] or "result" in f["errors"]]
    print(f"\ntargets met: {len(aimed) - len(missed)} of {len(aimed)}")
    if missed:
        print(f"missed: {', '.join(missed)}")
    if failed:
        print(f"failed or different: {', '.join(failed)}")
    if json_path:
        with open(json_path, "w") as file:
            json.dump(figures, file, indent=1)
        print(f"figures: {json_path}")
    if plot_path and gpu_plot.plot(plot_path, figures):
        print(f"plot: {plot_path}")
    return 1 if failed else 0
