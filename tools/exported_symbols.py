"""The symbols that libcuprum.so shows to a program, compared with the list in tests/consumer/symbols.txt.

    python tools/exported_symbols.py build/package/libcuprum.so [--update]

A line that goes breaks programs that were compiled before: it needs a new version (include/cuprum/version.h). A line
that comes is a new function. `--update` writes the list anew.
"""

import re
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).resolve().parents[1] / "tests/consumer/symbols.txt"
SHORTER = [
    (r"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"),
    (r"std::basic_string_view<char, std::char_traits<char> >", "std::string_view"),
    (r", std::allocator<[^<>]*(?:<[^<>]*>)?[^<>]*> ?(?=>)", ""),
    (r"\[abi:cxx11\]", ""),
]


def symbols(library):
    """Demangled names of what the library defines for others, with the version of each."""
    told = subprocess.run(
        ["nm", "-D", "-C", "--defined-only", "--with-symbol-versions", library],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for line in told.splitlines():
        kind, name = line[17:18], line[19:]
        if kind == "A":  # the version itself
            continue
        name, _, version = name.partition("@@")
        for pattern, short in SHORTER:
            name = re.sub(pattern, short, name)
        yield name, version


def main():
    found = dict(symbols(sys.argv[1]))
    foreign = [name for name, version in found.items() if version in ("", "CUPRUM_PRIVATE")]
    api = sorted(name for name in found if name not in foreign)
    if "--update" in sys.argv:
        LIST.write_text("\n".join(api) + "\n")
    listed = LIST.read_text().splitlines()
    for name in foreign:
        print(f"{name}: is shown, and is no part of the API")
    for name in sorted(set(listed) - set(api)):
        print(f"{name}: is gone")
    for name in sorted(set(api) - set(listed)):
        print(f"{name}: is new; write python tools/exported_symbols.py {sys.argv[1]} --update")
    print(f"{len(api)} symbols of the API")
    return 1 if foreign or api != listed else 0


if __name__ == "__main__":
    sys.exit(main())
