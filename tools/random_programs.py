#!/usr/bin/env python3
"""Runs many random programs (tests/python/programs.py) in several processes, with progress.

    tools/random_programs.py 200000              that many, from a new seed
    tools/random_programs.py 1000 --seed 5000    seeds 5000 to 5999
    tools/random_programs.py 1000 --streams      their steps on several streams of the device
    tools/random_programs.py --show 5123         prints the program of a seed and what it gives

A crash of a worker process is reported with the seed that it was running. Exits with 1 when anything was found.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "python"))

import program_farm


def check(seed, streams):
    from program_runner import check_seed, check_streams, check_threads

    if streams:
        return check_streams(seed)
    return (check_threads(seed) if seed % 10 == 0 else None) or check_seed(seed)


def show(seed):
    from program_runner import check_seed
    from program_steps import make_program

    program, outcome, bounds = make_program(seed)
    for step, raised in zip(program.steps, outcome.raised):
        print(step.source + (f"   # {raised}" if raised else ""))
    print({name: bound for name, bound in bounds.items() if bound})
    print(check_seed(seed) or "no difference")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", nargs="?", type=int, default=5000)
    parser.add_argument("--show", type=int)
    parser.add_argument("--streams", action="store_true")
    program_farm.add_options(parser)
    options = parser.parse_args()
    if options.show is not None:
        return show(options.show)
    return program_farm.run(lambda seed: check(seed, options.streams), options.count, options)


if __name__ == "__main__":
    sys.exit(main())
