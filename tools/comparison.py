"""The names of NumPy, CuPy and Cuprum side by side, as a Markdown page. NumPy's and CuPy's are those of
tools/api_names.txt; Cuprum's are asked for in the installed package.
"""

import api_coverage
import api_reference

PARTS = ["", "ndarray", "linalg", "fft", "random", "polynomial", "emath", "lib.stride_tricks", "cuda"]


def section(library, part):
    return f"{library}.{part}" if part else library


def rows(part, names, targets):
    """[name, NumPy, CuPy, Cuprum] of a part of the namespace."""
    numpys, cupys = (set(names.get(section(library, part), ())) for library in ("numpy", "cupy"))
    place = api_coverage.counterpart(section("numpy", part))
    found = []
    for name in sorted((n for n in numpys | cupys if not n.startswith("__")), key=str.lower):
        target = targets.get(section(part, name) if part else name)
        here = f"[✓](reference/{target})" if target else "✓"
        theirs = ["✓" if name in names_ else "" for names_ in (numpys, cupys)]
        found.append([f"`{name}`", *theirs, here if place is not None and hasattr(place, name) else ""])
    return found


def page():
    names, targets = api_coverage.names(), api_reference.link_targets()
    lines = [
        "# Comparison with NumPy and CuPy\n",
        "The public names of NumPy 2.4 and CuPy 15, and which of them Cuprum has; a tick leads to the reference. "
        "[What is missing](coverage.md) has a reason for each name that Cuprum lacks.\n",
    ]
    for part in PARTS:
        table = rows(part, names, targets)
        counts = [sum(bool(row[i]) for row in table) for i in (1, 2, 3)]
        lines.append(f"## {section('cp', part)}\n")
        lines.append(
            f"| {len(table)} names | NumPy ({counts[0]}) | CuPy ({counts[1]}) | Cuprum ({counts[2]}) |"
        )
        lines.append("|---|:-:|:-:|:-:|")
        lines += [f"| {' | '.join(row)} |" for row in table]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())
