"""The documentation says what the sources say: settings, links, commands."""

import contextlib
import doctest
import io
import linecache
import re
from pathlib import Path

import numpy
import pytest

import cuprum

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_every_environment_variable_is_documented():
    folders = [ROOT / name for name in ("src", "python", "tests/python", "tools")]
    paths = [p for folder in folders for p in folder.rglob("*") if p.suffix in (".cpp", ".h", ".py")]
    text = "\n".join(path.read_text() for path in paths)
    read = set(re.findall(r"environ(?:\.get)?[\[(]\s*[\"'](CUPRUM_\w+)", text))
    read |= set(re.findall(r'"(CUPRUM_\w+)"', (ROOT / "src/runtime/settings.cpp").read_text()))
    documented = set(
        re.findall(r"^\| `(CUPRUM_\w+)`", (ROOT / "docs/environment.md").read_text(), re.MULTILINE)
    )
    assert read, "no variable was found: has the way of reading them changed?"
    assert read <= documented
    assert documented <= set(re.findall(r"CUPRUM_\w+", text))


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)  # no code
    for target in re.findall(r"\]\(([^)#]+)\)", prose):
        if "://" not in target and not target.startswith("reference/"):  # made when the site is built
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_make_targets_named_in_the_documentation_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        for named in re.findall(r"^make ([a-z -]+?)(?:\s+#|$)", page.read_text(), re.MULTILINE):
            assert set(named.split()) <= targets


def fenced(page, language):
    """The code blocks of a page, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if fenced(page, "pycon")], ids=lambda p: p.name)
def test_sessions_in_the_pages_are_true(page):
    """What a page shows after >>> is what Python answers; a page is one session."""
    text = "\n".join(fenced(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    output = []
    assert runner.run(test, out=output.append).failed == 0, "".join(output)


@pytest.mark.parametrize("page", [page for page in PAGES if fenced(page, "python")], ids=lambda p: p.name)
def test_programs_in_the_pages_run(page):
    host = numpy.arange(12.0, dtype=numpy.float32).reshape(3, 4)
    names = {"host": host, "host_array": host, "numpy": numpy, "np": numpy, "cp": cuprum}
    with cuprum.Device("cpu"), contextlib.redirect_stdout(io.StringIO()):  # one block shares host memory
        for number, block in enumerate(fenced(page, "python")):
            name = f"<{page.name}, block {number}>"  # Python kernels are translated from their text
            linecache.cache[name] = len(block), None, block.splitlines(keepends=True), name
            exec(compile(block, name, "exec"), names)


def test_headers_of_the_cpp_page_hold_what_it_says():
    rows = re.findall(r"^\| `(cuprum/\w+\.h)` \| (.*) \|$", (ROOT / "docs/cpp.md").read_text(), re.MULTILINE)
    assert {header for header, _ in rows} | {"cuprum/cuprum.h"} == {
        f"cuprum/{path.name}" for path in (ROOT / "include/cuprum").glob("*.h")
    }
    for header, text in rows:
        declared = (ROOT / "include" / header).read_text()
        for name in re.findall(r"`(\w+)`", text):
            assert re.search(rf"\b{name}\b", declared), f"{header} has no {name}"
