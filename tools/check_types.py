"""Checks the type stubs: mypy accepts typed user code and rejects mistakes, stubtest compares with the package.

Run by `make types`, with the package installed. The stubs are taken from a folder with nothing else in it, because the
sources of the package carry no types.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STUBS = ROOT / "build/stubs"
CODE = ROOT / "tests/types"


def collect_stubs():
    shutil.rmtree(STUBS, ignore_errors=True)
    for path in sorted((ROOT / "python/cuprum").rglob("*.pyi")):
        target = STUBS / path.relative_to(ROOT / "python")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


def mypy(module, *arguments):
    """Output of mypy or of stubtest, with the stubs first on its path."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    environment = {**os.environ, "MYPYPATH": str(STUBS), "MYPY_CACHE_DIR": str(ROOT / "build/mypy")}
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=STUBS)


ACCEPTED = ["accepted.py", "accepted_interop.py"]


def accepted():
    result = mypy("mypy", "--strict", *(CODE / name for name in ACCEPTED))
    return [] if result.returncode == 0 else [result.stdout + result.stderr]


def accepted_by_pyright():
    """Where basedpyright is installed, whose wheel brings all that it needs; `pyright` would download Node."""
    command = shutil.which("basedpyright") or shutil.which("pyright")
    if not command:
        return []
    settings = {
        "include": [str(CODE / name) for name in ACCEPTED],
        "stubPath": str(STUBS),
        "typeCheckingMode": "standard",
    }
    project = STUBS / "pyrightconfig.json"
    project.write_text(json.dumps(settings))
    result = subprocess.run(
        [command, "--project", str(project), "--pythonpath", sys.executable], capture_output=True, text=True
    )
    return [] if result.returncode == 0 else [result.stdout + result.stderr]


def rejected():
    path = CODE / "rejected.py"
    wanted = {n for n, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("# rejected")}
    output = mypy("mypy", path).stdout
    got = {int(n) for n in re.findall(r"rejected\.py:(\d+): error", output)}
    problems = [f"{path.name}:{n}: mypy finds no mistake" for n in sorted(wanted - got)]
    return problems + [f"{path.name}:{n}: mypy finds a mistake\n{output}" for n in sorted(got - wanted)]


def as_the_package():
    allowed = ROOT / "tests/types/allowed.txt"
    result = mypy("mypy.stubtest", "--concise", "--ignore-missing-stub", "--allowlist", allowed, "cuprum")
    return [] if result.returncode == 0 else [result.stdout + result.stderr]


def main():
    collect_stubs()
    problems = [
        problem for check in (accepted, accepted_by_pyright, rejected, as_the_package) for problem in check()
    ]
    print(
        "\n".join(problems) or "types: user code accepted and rejected as it should be, stubs as the package"
    )
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
