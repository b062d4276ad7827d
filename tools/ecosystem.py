"""Runs the programs of tests/ecosystem over other libraries, and writes the table of docs/ecosystem.md.

    python tools/ecosystem.py                       # all libraries that are installed; prints the table and what fails
    python tools/ecosystem.py scipy dask            # some of them
    python tools/ecosystem.py --write               # writes the table into the page
    python tools/ecosystem.py --json figures.json   # keeps the figures; --before figures.json puts them beside new ones

Nothing is installed: a library that is missing is named and left out. Every library runs in a process of its own per
device and state of the transfer guard, so that no setting of one reaches another.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "ecosystem.md"
BEFORE = ROOT / "tests" / "ecosystem" / "before.json"
BEGIN, END = "<!-- made by tools/ecosystem.py -->", "<!-- end -->"
TIMEOUT = 900  # seconds per library and setting; numba and JAX compile


class Library(NamedTuple):
    title: str
    file: str  # use_<file>.py
    package: str  # what must be installed
    settings: dict | None = None  # of the environment


ARRAY_API = {"SCIPY_ARRAY_API": "1"}
LIBRARIES = [
    Library("NumPy", "numpy", "numpy"),
    Library("SciPy", "scipy", "scipy"),
    Library("SciPy, `SCIPY_ARRAY_API=1`", "scipy", "scipy", ARRAY_API),
    Library("scikit-learn, dispatch on", "sklearn", "scikit-learn", ARRAY_API),
    Library("xarray", "xarray", "xarray"),
    Library("dask", "dask", "dask"),
    Library("einops", "einops", "einops"),
    Library("opt_einsum", "opt_einsum", "opt_einsum"),
    Library("autoray", "autoray", "autoray"),
    Library("tensorly", "tensorly", "tensorly"),
    Library("POT", "ot", "POT"),
    Library("PyLops", "pylops", "pylops"),
    Library("pint", "pint", "pint"),
    Library("matplotlib", "matplotlib", "matplotlib"),
    Library("pandas", "pandas", "pandas"),
    Library("numba", "numba", "numba"),
    Library("JAX", "jax", "jax"),
    Library("h5py", "h5py", "h5py"),
    Library("zarr", "zarr", "zarr"),
    Library("array-api-compat", "array_api_compat", "array-api-compat"),
    Library("array-api-extra", "array_api_extra", "array-api-extra"),
    Library("joblib, threads, cloudpickle", "python", "joblib"),
]
# The columns: the device and the guard. `allow` is the default on `cpu`, `error` on every other device.
SETTINGS = {
    "cpu error": {"CUPRUM_DEVICE": "cpu", "CUPRUM_TRANSFERS": "error"},
    "cpu allow": {"CUPRUM_DEVICE": "cpu", "CUPRUM_TRANSFERS": "allow"},
    "far error": {"CUPRUM_DEVICE": "far", "CUPRUM_TRANSFERS": "error"},
    "far allow": {"CUPRUM_DEVICE": "far", "CUPRUM_TRANSFERS": "allow"},
}


def version_of(library):
    """The version that is installed; None: it is not."""
    try:
        return importlib.metadata.version(library.package)
    except importlib.metadata.PackageNotFoundError:
        return None


def run_here(file):
    """{program: what went wrong, empty if nothing did} of one file, in this process."""
    import cuprum as cp

    spec = importlib.util.spec_from_file_location("compare", ROOT / "tests" / "ecosystem" / "compare.py")
    compare = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compare)
    results = {}
    for name, program in compare.programs(compare.load(f"use_{file}")).items():
        try:
            compare.run(program, cp)
            results[name] = ""
        except Exception as error:
            lines = f"{type(error).__name__}: {error}".split("\n")
            results[name] = " ".join(line.strip() for line in lines if line.strip())[:300]
    return results


def run(library, settings):
    """The same in a process with these settings."""
    environment = {**os.environ, "PYTHONWARNINGS": "ignore", **(library.settings or {}), **settings}
    command = [sys.executable, str(Path(__file__).resolve()), "--here", library.file]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            return json.loads(line)
    raise RuntimeError(f"{library.title}: the process ended with {done.returncode}\n{done.stderr[-2000:]}")


def measure(libraries):
    """{title: {column: {program: error}}}"""
    figures = {}
    for library in libraries:
        if version_of(library) is None:
            print(f"{library.title}: {library.package} is not installed, left out", file=sys.stderr)
            continue
        print(library.title, file=sys.stderr)
        figures[library.title] = {column: run(library, settings) for column, settings in SETTINGS.items()}
    return figures


def counts(figures):
    """The figures of `measure` without the errors: {title: {column: [programs that work, programs]}}"""
    return {
        title: {column: [sum(not e for e in errors.values()), len(errors)] for column, errors in row.items()}
        for title, row in figures.items()
    }


def table(now, before):
    """The table as Markdown: `before -> now` of how many programs, per device and guard."""
    columns = list(SETTINGS)
    head = [f"`{c.split()[0]}`, `{c.split()[1]}`" for c in columns]
    lines = [
        f"| library | version | programs | {' | '.join(head)} |",
        "|---|---|---" + "|---" * len(columns) + "|",
    ]
    total = {column: [0, 0, 0] for column in columns}
    for library in LIBRARIES:
        if library.title not in now:
            continue
        row, old = now[library.title], before.get(library.title, {})
        cells = []
        for column in columns:
            works, programs = row[column]
            was = old.get(column, ["?"])[0]
            cells.append(f"{was} → {works}")
            total[column] = [
                x + y for x, y in zip(total[column], (was if was != "?" else 0, works, programs))
            ]
        lines.append(
            f"| {library.title} | {version_of(library)} | {row[columns[0]][1]} | {' | '.join(cells)} |"
        )
    shares = [f"{was / n:.0%} → {works / n:.0%}" for was, works, n in total.values()]
    lines.append(f"| **all** | | {total[columns[0]][2]} | {' | '.join(shares)} |")
    return "\n".join(lines)


def write(text):
    """Puts the table into the page, between the marks."""
    page = PAGE.read_text()
    head, _, rest = page.partition(BEGIN)
    tail = rest.partition(END)[2]
    PAGE.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("libraries", nargs="*", help="files of tests/ecosystem without use_ and .py")
    parser.add_argument("--here", metavar="FILE", help="run one file in this process and print JSON")
    parser.add_argument("--json", metavar="PATH", help="write the figures to a file")
    parser.add_argument("--before", metavar="PATH", default=BEFORE, help="the figures to compare with")
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.name}")
    options = parser.parse_args()
    if options.here:
        print(json.dumps(run_here(options.here)))
        return
    chosen = [x for x in LIBRARIES if not options.libraries or x.file in options.libraries]
    figures = measure(chosen)
    for title, row in figures.items():
        for column, errors in row.items():
            for program, error in errors.items():
                if error:
                    print(f"{title}, {column}: {program}: {error}")
    now = counts(figures)
    if options.json:
        Path(options.json).write_text(json.dumps(now, indent=1) + "\n")
    before = json.loads(Path(options.before).read_text()) if Path(options.before).exists() else {}
    text = table(now, before)
    print(text)
    if options.write:
        write(text)


if __name__ == "__main__":
    main()
