#!/usr/bin/env python3
"""Runs many random programs (tests/python/programs.py) in several processes, with progress.

    tools/random_programs.py 200000              that many, from a new seed
    tools/random_programs.py 1000 --seed 5000    seeds 5000 to 5999
    tools/random_programs.py --show 5123         prints the program of a seed and what it gives

A crash of a worker process is reported with the seed that it was running. Exits with 1 when anything was found.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests" / "python"
CHUNK = 500


def work(begin, count, threads):
    """In a worker: one line `ok seed`, `found seed` + report per program; the seed is written before it runs."""
    from program_runner import check_seed, check_threads

    for seed in range(begin, begin + count):
        print(f"@{seed}", flush=True)
        report = check_threads(seed) if threads and seed % 10 == 0 else None
        report = report or check_seed(seed)
        if report:
            print(f"!{seed}\n{report}\n!end", flush=True)


def show(seed):
    from program_runner import check_seed
    from program_steps import make_program

    program, outcome, bounds = make_program(seed)
    for step, raised in zip(program.steps, outcome.raised):
        print(step.source + (f"   # {raised}" if raised else ""))
    print({name: bound for name, bound in bounds.items() if bound})
    print(check_seed(seed) or "no difference")


class Worker:
    """A process that runs one chunk of seeds; its output is read as it comes."""

    def __init__(self, begin, count):
        command = [sys.executable, "-X", "faulthandler", __file__, "--work", str(begin), str(count)]
        self.output = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the process)
        self.process = subprocess.Popen(command, stdout=self.output, stderr=subprocess.STDOUT)

    def result(self):
        """(seeds run, [(seed, report)]) of a finished process."""
        self.output.seek(0)
        text = self.output.read().decode(errors="replace")
        self.output.close()
        seeds, found, report = [], [], None
        for line in text.splitlines():
            if line.startswith("@") and report is None:
                seeds.append(int(line[1:]))
            elif line.startswith("!end"):
                found.append((seeds[-1], "\n".join(report)))
                report = None
            elif line.startswith("!") and report is None:
                report = []
            elif report is not None:
                report.append(line)
        if self.process.returncode:
            tail = "\n".join(text.splitlines()[-30:])
            found.append(
                (seeds[-1] if seeds else -1, f"process ended with {self.process.returncode}\n{tail}")
            )
        return len(seeds), found


def run_all(count, first, jobs, limit):
    start = time.time()
    chunks = [(first + i, min(CHUNK, count - i)) for i in range(0, count, CHUNK)]
    print(f"{count} programs, seeds {first} to {first + count - 1}, {jobs} processes", flush=True)
    running, done, failures = [], 0, []
    while chunks or running:
        while chunks and len(running) < jobs and len(failures) < limit:
            begin, n = chunks.pop(0)
            running.append(Worker(begin, n))
        if not running:
            break
        time.sleep(0.1)
        for worker in [w for w in running if w.process.poll() is not None]:
            running.remove(worker)
            n, found = worker.result()
            done += n
            for seed, report in found:
                failures.append(seed)
                print(f"\n==== seed {seed}\n{report}\n", flush=True)
            rate = done / (time.time() - start)
            left = (count - done) / rate if rate else 0
            print(
                f"{done}/{count}  {rate:.0f} programs/s  {left / 60:.1f} min left  {len(failures)} failures",
                flush=True,
            )
    print(f"{done} programs in {time.time() - start:.0f} s, {len(failures)} failures: {failures[:20]}")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", nargs="?", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 1_000_000 * 1000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=int, default=20, help="stop after this many failures")
    parser.add_argument("--show", type=int)
    parser.add_argument("--work", nargs=2, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path.insert(0, str(TESTS))
    if options.work:
        return work(*options.work, threads=True)
    if options.show is not None:
        return show(options.show)
    return run_all(options.count, options.seed, options.jobs, options.limit)


if __name__ == "__main__":
    sys.exit(main())
