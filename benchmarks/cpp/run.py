"""The examples in C++ beside the same programs in Eigen and xtensor: lines of code, and time of the whole program.

    python benchmarks/cpp/run.py --prefix build/consumer/prefix [--rounds 7] [--threads 2] [--only heat] [--note TEXT]

Compiles what examples/, eigen/ and xtensor/ hold (Debian: libeigen3-dev, libxtensor-dev, libxsimd-dev), with the same
options, and runs them in turns, a round each, so that what disturbs one disturbs all. The least time counts. With
--first they have the processors to themselves whenever they want them (SCHED_FIFO). Prints a table in Markdown.
"""

import argparse
import os
import platform
import re
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
PROGRAMS = {
    "heat": "heat equation, 512 x 512, 2000 steps",
    "kmeans": "k-means, 200,000 points, 20 steps",
    "black_scholes": "Black-Scholes, 4 x 1,000,000 options",
    "pi": "Monte Carlo, 12,000,000 random numbers",
    "nbody": "N-body, 500 bodies, 50 steps",
    "mandelbrot": "Mandelbrot, 900 x 720, 64 steps, to a PPM file",
    "least_squares": "least squares, 200,000 x 3",
    "spectrum": "spectrum of 1,048,576 samples",
    "image_filter": "image filter, 2000 x 2000 float32, 5 passes",
    "pagerank": "PageRank, 2000 pages",
    "life": "game of life, a kernel of the program's own",
}
OPTIONS = ["-std=c++20", "-O3", "-march=native", "-fopenmp", "-DNDEBUG"]


def libraries(prefix):
    """{name: (folder of the sources, options)}."""
    lib = next(path.parent for path in Path(prefix).resolve().glob("lib*/**/libcuprum.so"))
    cuprum = [f"-I{Path(prefix).resolve()}/include", f"-L{lib}", f"-Wl,-rpath,{lib}", "-lcuprum"]
    return {
        "Cuprum": (EXAMPLES, cuprum),
        "Eigen": (HERE / "eigen", ["-I/usr/include/eigen3"]),
        "xtensor": (HERE / "xtensor", ["-DXTENSOR_USE_XSIMD"]),
    }


def lines_of_code(source):
    """Lines that are neither empty nor a comment."""
    lines = [line.strip() for line in source.read_text().splitlines()]
    return sum(bool(line) and not line.startswith("//") for line in lines)


def compiled(source, options, folder):
    binary = folder / f"{source.parent.name}_{source.stem}"
    subprocess.run(["g++", *OPTIONS, str(source), "-o", str(binary), *options], check=True)
    return binary


def go_first():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))


def seconds(binary, folder, threads, first):
    environment = {**os.environ, "CUPRUM_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}
    begin = time.perf_counter()
    before = go_first if first else None
    subprocess.run(
        [binary], check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL, preexec_fn=before
    )
    return time.perf_counter() - begin


def measured(programs, rounds, threads, folder, first):
    """The least time of each binary, run in turns after a first round that does not count."""
    least = dict.fromkeys(programs, float("inf"))
    for round_number in range(rounds + 1):
        for name, binary in programs.items():
            took = seconds(binary, folder, threads, first)
            if round_number > 0:
                least[name] = min(least[name], took)
    return least


def row(title, codes, times):
    best = min((t for name, t in times.items() if name != "Cuprum"), default=None)
    cells = [title]
    for name in ("Cuprum", "Eigen", "xtensor"):
        cells.append(f"{codes[name]} lines, {1000 * times[name]:.0f} ms" if name in times else "")
    cells.append(f"{best / times['Cuprum']:.2f}" if best else "")
    return "| " + " | ".join(cells) + " |"


def processor():
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return found[1] if found else platform.processor()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=list(PROGRAMS))
    parser.add_argument("--note", default="")
    parser.add_argument(
        "--first", action="store_true", help="before all other programs of the machine (for root)"
    )
    given = parser.parse_args()
    print(
        f"{processor()}, {given.threads} threads, g++ {' '.join(OPTIONS)}; least of {given.rounds} runs in turns."
    )
    print(given.note)
    print(
        "\n| program | Cuprum | Eigen | xtensor | the better of the others / Cuprum |\n|---|---|---|---|---|"
    )
    with tempfile.TemporaryDirectory() as folder:
        for program in given.only:
            binaries, codes = {}, {}
            for name, (sources, options) in libraries(given.prefix).items():
                source = sources / f"{program}.cpp"
                if source.exists():
                    binaries[name] = compiled(source, options, Path(folder))
                    codes[name] = lines_of_code(source)
            times = measured(binaries, given.rounds, given.threads, folder, given.first)
            print(row(PROGRAMS[program], codes, times), flush=True)


if __name__ == "__main__":
    main()
