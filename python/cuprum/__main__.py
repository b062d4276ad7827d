"""`python -m cuprum <command>`: info, profile, bench, demo."""

import sys

_USAGE = """usage: python -m cuprum <command> [options]

  info    the device, the instruction set, the threads and the settings that this process would use
  profile runs a script and writes a page of what it did (--help tells the options)
  bench   the benchmark, beside NumPy (--help tells the options)
  demo    a few whole programs, beside NumPy"""


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command == "info":
        from ._info import show

        return show()
    if command == "profile":
        from .profiler._script import run

        return run(rest)
    if command in ("bench", "demo"):
        from .bench import cli

        return (cli.bench if command == "bench" else cli.run_demo)(rest)
    print(_USAGE)
    return 0 if command in ("-h", "--help") else 2


if __name__ == "__main__":
    sys.exit(main())
