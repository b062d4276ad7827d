"""What NumPy's and CuPy's namespaces have and Cuprum has not, each missing name with the reason or the milestone of
docs/roadmap.md that brings it; and which names of the Python package C++ has (tools/cpp_coverage.py).

`python tools/api_coverage.py` prints the page that the site shows and fails if a name is missing without a reason;
`--update` takes the names of NumPy's parts anew from the NumPy that is installed. The names are in tools/api_names.txt,
the reasons in python/cuprum/_missing.py, those of C++ in tools/cpp_names.py.
"""

import fnmatch
import functools
import inspect
import re
import sys
import textwrap
from pathlib import Path

import cpp_coverage
import numpy

import cuprum as cp
from cuprum._missing import REASONS, explained

ROOT = Path(__file__).resolve().parents[1]
NAMES = ROOT / "tools" / "api_names.txt"


def names():
    """{section: names}, as they stand in the file."""
    sections = {}
    for line in NAMES.read_text().splitlines():
        if line.startswith("["):
            sections[line[1:-1]] = []
        elif line and not line.startswith("#"):
            sections[next(reversed(sections))] += line.split()
    return sections


def counterpart(section):
    """The module or class of Cuprum that stands for one of theirs; None if there is none."""
    place = cp
    for part in section.split(".")[1:]:
        place = getattr(place, part, None)
    return place


def missing():
    """All missing names; without a reason both texts are empty."""
    found = []
    for section, members in names().items():
        place = counterpart(section)
        for member in members:
            if place is None or not hasattr(place, member):
                found.append(explained(f"{section}.{member}"))
    return found


def unneeded():
    """Patterns of REASONS that explain no missing name any more."""
    gone = [x.name for x in missing()]
    patterns = [pattern for group, _, _ in REASONS for pattern in group.split()]
    return [pattern for pattern in patterns if not fnmatch.filter(gone, pattern)]


def milestones():
    """The titles in the roadmap."""
    return re.findall(r"^\d+\. \*\*(.*?)\*\*", (ROOT / "docs" / "roadmap.md").read_text(), re.MULTILINE)


def page():
    """The table as Markdown."""
    gone, sections = missing(), names()
    lines = [
        "# What is there and what is not",
        "",
        "Names of NumPy 2.4 and CuPy 15 that Cuprum has, and for every other one the reason, or the milestone of the",
        "[roadmap](roadmap.md) that brings it. Made by `tools/api_coverage.py`.",
        "",
        "| namespace | names | there |",
        "|---|---|---|",
    ]
    for section, members in sections.items():
        absent = sum(x.name.rpartition(".")[0] == section for x in gone)
        lines.append(f"| `{section}` | {len(members)} | {len(members) - absent} |")
    lines += ["", "| missing | why, or when |", "|---|---|"]
    groups = {}
    for x in gone:
        groups.setdefault((x.name.rpartition(".")[0], x.reason, x.milestone), []).append(
            x.name.rpartition(".")[2]
        )
    for (section, reason, milestone), members in groups.items():
        when = f"milestone *{milestone}*" if milestone else ""
        why = "; ".join(text for text in (when, reason) if text) or "**no reason**"
        lines.append(f"| `{section}`: {', '.join(f'`{name}`' for name in members)} | {why} |")
    return "\n".join([*lines, "", cpp_coverage.page()])


def update():
    """Writes the file anew with the names of the installed NumPy; CuPy's stay."""
    sections = names()
    for section in sections:
        if section.startswith("numpy"):
            sections[section] = numpys_names(section)
    heading = [line for line in NAMES.read_text().splitlines() if line.startswith("#")]
    parts = ["\n".join(heading)]
    for section, members in sections.items():
        text = textwrap.fill(" ".join(sorted(members)), 150, break_long_words=False, break_on_hyphens=False)
        parts.append(f"[{section}]\n{text}")
    NAMES.write_text("\n\n".join(parts) + "\n")


def numpys_names(section):
    place = functools.reduce(getattr, section.split(".")[1:], numpy)
    if inspect.isclass(place):
        special = [name for name in vars(place) if name.startswith("__") and name in vars(object)]
        own = [name for name in dir(place) if name not in dir(object)] + special
        return [name for name in own if not name.startswith("_") or place is numpy.ndarray]
    listed = getattr(place, "__all__", None) if place is not numpy else None
    return [name for name in listed or dir(place) if not name.startswith("_")]


def main():
    if "--update" in sys.argv:
        update()
    print(page())
    unexplained = [x.name for x in missing() if not (x.reason or x.milestone)]
    for name in unexplained:
        print(f"{name}: missing without a reason", file=sys.stderr)
    for pattern in unneeded():
        print(f"{pattern}: is there, its reason can go", file=sys.stderr)
    parted = cpp_coverage.problems()
    for sentence in parted:
        print(sentence, file=sys.stderr)
    return 1 if unexplained or parted else 0


if __name__ == "__main__":
    sys.exit(main())
