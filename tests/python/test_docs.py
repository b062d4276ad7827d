"""The documentation says what the sources say: settings, links, commands."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_every_environment_variable_is_documented():
    folders = [ROOT / name for name in ("src", "python", "tests/python", "tools")]
    paths = [p for folder in folders for p in folder.rglob("*") if p.suffix in (".cpp", ".h", ".py")]
    text = "\n".join(path.read_text() for path in paths)
    read = set(re.findall(r"(?:getenv\(|environ(?:\.get)?[\[(])\s*[\"'](CUPRUM_\w+)", text))
    documented = set(
        re.findall(r"^\| `(CUPRUM_\w+)`", (ROOT / "docs/environment.md").read_text(), re.MULTILINE)
    )
    assert read, "no variable was found: has the way of reading them changed?"
    assert read <= documented
    assert documented <= set(re.findall(r"CUPRUM_\w+", text))


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_make_targets_named_in_the_documentation_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        for named in re.findall(r"^make ([a-z -]+?)(?:\s+#|$)", page.read_text(), re.MULTILINE):
            assert set(named.split()) <= targets
