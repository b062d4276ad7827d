"""MkDocs hook: the site shows the repository's own files where they are, without a second copy.

CONTRIBUTING.md, the examples and the results of the benchmark are pages. The references are made from the docstrings
and the C++ headers, the tables of names by tools/api_coverage.py and tools/comparison.py. A link in any of them is
written as it works in the repository (`../examples/`); it is turned into the site's here, and MkDocs' strict mode
refuses one that leads nowhere.
"""

import posixpath
import re
from pathlib import Path

import api_coverage
import api_reference
import comparison
import cpp_reference
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = {  # files outside docs/ and where the site has them
    "README.md": "index.md",  # which is docs/index.md
    "CONTRIBUTING.md": "contributing.md",
    "LICENSE": "LICENSE.txt",
    "examples": "examples.md",
    "benchmarks/results": "benchmarks.md",
    **{
        path.relative_to(ROOT).as_posix(): path.relative_to(ROOT).as_posix()
        for path in sorted(ROOT.glob("benchmarks/results/*"))
    },
}


def on_config(config):
    """The navigation of the reference has the pages that there are."""
    reference = [{"Overview": "reference/index.md"}]
    for folder, pages in api_reference.folders():
        reference.append(
            {folder: [{api_reference.page_title(text): f"reference/{path}"} for path, text in pages.items()]}
        )
    reference += [{"C++": "reference/cpp.md"}, {"NumPy, CuPy, Cuprum": "comparison.md"}]
    reference.append({"What is missing": "coverage.md"})
    at = [next(iter(part)) for part in config.nav].index("Inside")
    config.nav.insert(at, {"Reference": reference})
    return config


def on_files(files, config):
    for path, text in api_reference.pages().items():
        files.append(File.generated(config, f"reference/{path}", content=text))
    files.append(File.generated(config, "reference/cpp.md", content=cpp_reference.page()))
    files.append(File.generated(config, "comparison.md", content=comparison.page()))
    files.append(File.generated(config, "examples.md", content=examples()))
    files.append(File.generated(config, "coverage.md", content=api_coverage.page()))
    for path, target in OUTSIDE.items():
        if (ROOT / path).is_file() and path != "README.md":
            files.append(File.generated(config, target, abs_src_path=str(ROOT / path)))
    return files


def examples():
    """A page with the text of the programs in examples/."""
    parts = ["# Examples\n\nWhole programs, from the folder `examples/`.\n"]
    for path in sorted((ROOT / "examples").iterdir()):
        if path.suffix in (".py", ".cpp"):
            language = {".py": "python", ".cpp": "cpp"}[path.suffix]
            parts.append(f"## {path.name}\n\n```{language}\n{path.read_text().rstrip()}\n```\n")
    return "\n".join(parts)


def on_page_markdown(markdown, page, config, files):
    """Links from a file of the repository to another become links between pages."""
    inside = {target: path for path, target in OUTSIDE.items() if path != "README.md"}
    source = inside.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def rewrite(match):
        target, anchor = match[1], match[2] or ""
        if "://" in target or target.startswith("mailto:"):
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        place = path.removeprefix("docs/") if path.startswith("docs/") else OUTSIDE.get(path, target)
        return f"]({posixpath.relpath(place, posixpath.dirname(page.file.src_uri) or '.')}{anchor})"

    return re.sub(r"\]\(([^)#\s]+)(#[^)]*)?\)", rewrite, markdown)
