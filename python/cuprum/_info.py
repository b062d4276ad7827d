"""`python -m cuprum info`: what this process would run on, and which settings are in force."""

import os
import platform
import sys

import numpy as np

from . import __version__, _core, get_default_memory_pool


def _bytes(n):
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if n < 1024 or unit == "GiB":
            return f"{n:.0f} {unit}" if n == int(n) else f"{n:.1f} {unit}"
        n /= 1024
    return None


def _python():
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    return f"Python {platform.python_version()}" + ("" if has_gil else " without the GIL")


def describe():
    """The lines of the report, as (topic, text)."""
    build = _core.build_info()
    pool = get_default_memory_pool()
    limit = pool.get_limit()
    mode = "eager: every operation runs at once" if build["eager"] else "lazy"
    if not build["eager"]:
        mode += f", graphs of up to {build['max_nodes']} nodes that keep up to {_bytes(build['max_pinned'])} alive"
    settings = [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("CUPRUM_")]
    lines = [
        ("cuprum", f"{__version__}, {os.path.dirname(__file__)}"),
        ("device", f"{build['device']}, {build['threads']} threads, {build['simd']}"),
        ("mode", mode),
        (
            "memory",
            f"{_bytes(pool.used_bytes())} in use, {_bytes(pool.free_bytes())} kept for reuse, "
            + (f"limit {_bytes(limit)}" if limit else "no limit"),
        ),
        ("settings", ", ".join(settings) or "none (docs/environment.md lists them)"),
        ("built with", f"{build['compiler']}, nanobind {'.'.join(map(str, build['nanobind']))}"),
        ("running on", f"{_python()}, NumPy {np.__version__}, {platform.platform()}"),
    ]
    for name, description, problem in _core.device_reports():
        works = f"cannot be used: {problem}" if problem else "works"
        lines.append((name, f"{description}; {works}" if description else works))
    lines += [("cuda", note) for note in _core.cuda_notes()]
    return lines


def text():
    """The report."""
    return "".join(f"{topic:<11} {line}\n" for topic, line in describe())


def show(file=sys.stdout):
    file.write(text())
    return 0
