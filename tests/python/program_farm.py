"""Many seeds of random programs in several processes, with progress.

A script describes its options, adds those of `add_options`, and calls `run` with a function that takes a seed and
gives a report or None. The script itself is the worker: it is started again with the same arguments and some seeds.
A crash, or a worker that hangs, is reported with the seed that it was running.
"""

import argparse
import faulthandler
import os
import subprocess
import sys
import tempfile
import time

HANGS = 600  # seconds for a group of seeds, most of them for shrinking what was found


def add_options(parser, limit=20):
    parser.add_argument("--seed", type=int, default=int(time.time()) % 1_000_000 * 1000, help="the first one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=int, default=limit, help="stop after this many failures")
    parser.add_argument("--work", nargs=2, type=int, help=argparse.SUPPRESS)


def work(check, begin, count, limit):
    """In a worker: a line `@seed` before each program, and `!seed`, the report, `!end` where something was found."""
    failures = 0
    for seed in range(begin, begin + count):
        if seed % 50 == begin % 50:
            faulthandler.dump_traceback_later(HANGS, exit=True)
        print(f"@{seed}", flush=True)
        report = check(seed)
        if report:
            print(f"!{seed}\n{report}\n!end", flush=True)
            failures += 1
        if failures == limit:
            break
    faulthandler.cancel_dump_traceback_later()


class Worker:
    """A process that runs one chunk of seeds; its output is read when it has ended."""

    def __init__(self, begin, count):
        command = [sys.executable, "-X", "faulthandler", *sys.argv, "--work", str(begin), str(count)]
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
            tail = "\n".join([line for line in text.splitlines() if line[:1] != "@"][-100:])
            found.append(
                (seeds[-1] if seeds else -1, f"process ended with {self.process.returncode}\n{tail}")
            )
        return len(seeds), found


def run_all(count, options, chunk):
    start, first = time.time(), options.seed
    chunks = [(first + i, min(chunk, count - i)) for i in range(0, count, chunk)]
    print(f"{count} programs, seeds {first} to {first + count - 1}, {options.jobs} processes", flush=True)
    running, done, failures = [], 0, []
    while chunks or running:
        while chunks and len(running) < options.jobs and len(failures) < options.limit:
            running.append(Worker(*chunks.pop(0)))
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
    return 1 if failures or done < count else 0


def run(check, count, options, chunk=500):
    """Runs `count` programs from the seed that the options name; the exit status of the script."""
    if options.work:
        return work(check, *options.work, options.limit)
    return run_all(count, options, chunk)
