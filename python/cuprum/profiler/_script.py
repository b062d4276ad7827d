"""`python -m cuprum profile script.py`: a whole program, with the page of what it did."""

import argparse
import os
import runpy
import sys

from ._timeline import timeline


def run(arguments):
    """Runs a script as `python script.py` would, and writes its timeline; returns the script's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m cuprum profile",
        description="Runs a program and writes what it did as one page: streams, kernels, copies and waits.",
    )
    parser.add_argument("-o", "--output", default="timeline.html", help="the page (default: timeline.html)")
    parser.add_argument(
        "-m", dest="module", action="store_true", help="script is the name of a module, as for python -m"
    )
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program is given")
    asked = parser.parse_args(arguments)
    if not asked.module and not os.path.isfile(asked.script):
        parser.error(f"there is no file {asked.script}")
    return _run(asked)


def _run(asked):
    sys.argv = [asked.script, *asked.arguments]
    if not asked.module:
        sys.path[0] = os.path.dirname(os.path.abspath(asked.script))
    try:
        with timeline(asked.output, f"Timeline of {os.path.basename(asked.script)}"):
            if asked.module:
                runpy.run_module(asked.script, run_name="__main__", alter_sys=True)
            else:
                runpy.run_path(asked.script, run_name="__main__")
    except SystemExit as exit:  # the page is written whatever happens
        return exit.code
    finally:
        print(f"cuprum: the timeline is in {asked.output}", file=sys.stderr)
    return 0
