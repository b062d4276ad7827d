"""Which names of the Python package a C++ program has, read from the public headers (include/cuprum).

A public name of `cuprum`, `linalg`, `fft`, `random` and `cuda` is one of four things: C++ has it under the same name,
or under one of its own (SPELLED), or it is Python's by nature, for a reason (PYTHONS), or it is missing (MISSING).
The tables are in tools/cpp_names.py. `problems()` tells where they and the headers have parted.
"""

import fnmatch
import re
from typing import NamedTuple

import cpp_reference
from cpp_names import MISSING, PYTHONS, SPELLED

import cuprum as cp

PLACES = {  # where a Python name is looked for: the module or class, and its C++ scope
    "cuprum": (cp, "cuprum"),
    "cuprum.linalg": (cp.linalg, "cuprum::linalg"),
    "cuprum.fft": (cp.fft, "cuprum::fft"),
    "cuprum.random": (cp.random, "cuprum::random"),
    "cuprum.random.Generator": (cp.random.Generator, "cuprum::random::generator"),
    "cuprum.cuda": (cp.cuda, "cuprum"),
}


class Standing(NamedTuple):
    """What C++ has for a name of Python."""

    name: str  # as cuprum.linalg.svd
    cpp: str  # its C++ name; empty: none
    reason: str  # why it has none; empty: it is missing


def without_heads(said):
    """A declaration without `template <...>` and `requires(...)`."""
    said = re.sub(r"^template <[^()]*?> (?=requires|[\w:])", "", said)
    if not said.startswith("requires"):
        return said
    depth = 0
    for at, sign in enumerate(said):
        depth += (sign == "(") - (sign == ")")
        if sign == ")" and depth == 0:
            return said[at + 1 :].strip()
    return said


def declared_names(said):
    """The names that a declaration brings into its scope: one, or those of an enumeration with its own."""
    said = without_heads(said)
    if match := re.match(r"enum class (\w+)[^=]*= (.*);", said):
        members = re.findall(r"(\w+)(?: = [^,]+)?(?:,|$)", match[2])
        return [match[1], *(f"{match[1]}::{member}" for member in members)]
    if match := re.match(r"(?:class|struct|using) (\w+)", said):
        return [match[1]]
    if match := re.match(r"[^(=]*?(\w+)\(", said):
        return [match[1]]
    constants = re.match(r"(?:inline |static )*constexpr [\w:<>]+ (.*);", said)
    return re.findall(r"(\w+)(?: = [^,]+|\{[^}]*\})?(?:,|$)", constants[1]) if constants else []


def cpp_names():
    """Every name that the public headers declare, with its scope: cuprum::linalg::svd."""
    found = set()
    for path in sorted(cpp_reference.HEADERS.glob("*.h")):
        for scopes, said, _ in cpp_reference.declarations(path):
            found.update("::".join([*scopes, name]) for name in declared_names(said.rstrip(" {")))
    return found


def python_names():
    """{full name: the C++ name that it would have}."""
    names = {}
    for place, (value, scope) in PLACES.items():
        members = getattr(value, "__all__", None) or [m for m in vars(value) if not m.startswith("_")]
        names |= {f"{place}.{member}": f"{scope}::{member}" for member in members}
    return names


def reason_for(name):
    """Why a name is Python's alone; empty: it need not be."""
    for patterns, reason in PYTHONS:
        if any(fnmatch.fnmatchcase(name, f"cuprum.{pattern}") for pattern in patterns.split()):
            return reason
    return ""


def standings():
    """What every public name of Python is in C++."""
    declared, found = cpp_names(), []
    for name, same in python_names().items():
        spelled = SPELLED.get(name.removeprefix("cuprum."), "")
        candidates = [f"cuprum::{spelled}"] if spelled else [same]
        cpp = next((c for c in candidates if c in declared), "")
        found.append(Standing(name, cpp, "" if cpp else reason_for(name)))
    return found


def problems():
    """Where the tables and the headers have parted, in sentences."""
    table, declared, names = standings(), cpp_names(), python_names()
    short = {name.removeprefix("cuprum.") for name in names}
    listed = set(MISSING.split())
    gone = {x.name.removeprefix("cuprum.") for x in table if not x.cpp and not x.reason}
    said = [f"{name}: C++ lacks it; declare it in include/cuprum, or give a reason" for name in gone - listed]
    said += [f"{name}: it is there or explained, its place in MISSING can go" for name in listed - gone]
    said += [f"{name}: Python has no such name, its place in SPELLED can go" for name in set(SPELLED) - short]
    said += [
        f"{name}: include/cuprum has no {cpp}"
        for name, cpp in SPELLED.items()
        if f"cuprum::{cpp}" not in declared
    ]
    said += [
        f"{name}: C++ has the same name, its place in SPELLED can go"
        for name in set(SPELLED) & short
        if names[f"cuprum.{name}"] in declared
    ]
    unneeded = [x.name for x in table if not x.cpp]
    for patterns, _ in PYTHONS:
        for pattern in patterns.split():
            if not fnmatch.filter(unneeded, f"cuprum.{pattern}"):
                said.append(f"{pattern}: C++ has it, or Python has not; its reason can go")
    return sorted(said)


def share():
    """(names that C++ has, names that it could have)."""
    table = [x for x in standings() if not x.reason]
    return sum(bool(x.cpp) for x in table), len(table)


def page():
    """The part of the page of names that speaks of C++, as Markdown."""
    table = standings()
    there, possible = share()
    lines = [
        "## In C++",
        "",
        f"C++ has {there} of the {possible} names that do not speak of Python ({100 * there / possible:.0f} %), "
        "under the same name or one of C++'s ([reference](reference/cpp.md)).",
        "",
        "| namespace | names | in C++ | Python's by nature | missing |",
        "|---|---|---|---|---|",
    ]
    for place in PLACES:
        of_place = [x for x in table if x.name.rpartition(".")[0] == place]
        there, explained = sum(bool(x.cpp) for x in of_place), sum(bool(x.reason) for x in of_place)
        missing = len(of_place) - there - explained
        lines.append(f"| `{place}` | {len(of_place)} | {there} | {explained} | {missing} |")
    lines += ["", "| Python's | why |", "|---|---|"]
    groups = {}
    for x in table:
        if x.reason or not x.cpp:
            groups.setdefault(x.reason or "missing in C++", []).append(x.name.removeprefix("cuprum."))
    lines += [f"| {', '.join(f'`{name}`' for name in names)} | {why} |" for why, names in groups.items()]
    spelled = ", ".join(f"`{name}`: `{cpp}`" for name, cpp in SPELLED.items())
    return "\n".join([*lines, "", f"Spelled otherwise: {spelled}.", ""])
