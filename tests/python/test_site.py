"""The site's pages that are made from the package: every public name has its place, every declaration its sentence."""

import re
import sys
from pathlib import Path

import cuprum as cp

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import api_reference
import comparison
import cpp_reference

sys.path.pop(0)


def test_every_public_name_is_under_a_heading():
    placed = [name for names in api_reference.placed().values() for name in names]
    wanted = {name for name in cp.__all__ if api_reference.is_shown(name)}
    assert wanted <= set(placed), "write them into tools/reference_headings.py"
    assert len(placed) == len(set(placed))


def test_an_entry_has_all_that_help_shows():
    text = api_reference.entry("percentile", cp.percentile)
    for part in (
        "cp.percentile(a, q, axis=None",
        "**`q`** : *array_like of floats*",
        "**Returns**",
        "```pycon\n>>> ",
    ):
        assert part in text
    assert "[parameters of all ufuncs]" in api_reference.entry("sin", cp.sin)


def test_links_of_the_comparison_lead_to_entries():
    pages = api_reference.pages()
    for name in ("sum", "linalg.svd", "ndarray.sort", "random.normal", "fft.fft"):
        path, anchor = api_reference.link_targets()[name].split("#")
        assert f"{{ #{anchor} }}" in pages[path]
    page = comparison.page()
    assert "| `sum` | ✓ | ✓ | [✓](reference/mathematical-functions.md#sum) |" in page
    assert "| `matrix` | ✓ |  |  |" in page


def test_cpp_declarations_have_sentences():
    """Functions of the namespaces; operators, constructors and members may share the sentence before them, and so do
    names that say it all."""
    plain = (
        "is_bool",
        "is_signed_integer",
        "is_unsigned_integer",
        "is_integer",
        "is_floating",
        "is_complex",
        "memory",
    )
    silent = []
    for path in cpp_reference.HEADERS.glob("*.h"):
        for scopes, said, doc in cpp_reference.declarations(path):
            function = "(" in said and not said.endswith("{") and "operator" not in said
            at_top = "::".join(scopes) in ("cuprum", "cuprum::linalg", "cuprum::fft", "cuprum::random")
            known = cpp_reference.INSIDE.match(said) or doc or cpp_reference.pythons_sentence(scopes, said)
            called = re.search(r"([\w:]+)\(", said)
            if function and at_top and not known and called[1] not in (*plain, "array::at"):
                silent.append(f"{path.name}: {said}")
    assert not silent


def test_cpp_page_shows_declarations_without_bodies():
    page = cpp_reference.page()
    assert "```cpp\narray exp(const operand& a);\n```\n\nExponential" in page
    assert "private" not in page and "#include" not in page and "{ return" not in page
