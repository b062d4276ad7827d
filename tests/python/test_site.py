"""The site's pages that are made from the package: every public name has its place, every declaration its sentence."""

import re
import sys
from pathlib import Path

import cuprum as cp

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import api_reference
import comparison
import cpp_examples
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
    assert "private" not in page and "#include" not in page
    said = [d[1] for path in cpp_reference.HEADERS.glob("*.h") for d in cpp_reference.declarations(path)]
    assert not [text for text in said if re.search(r"\breturn\b", text)]


def test_cpp_functions_have_examples():
    """Every function and method, constructors and operators too; overloads share one. And none is of something else."""
    without, strange = [], []
    for path in cpp_reference.HEADERS.glob("*.h"):
        said = [(scopes, text) for scopes, text, _ in cpp_reference.declarations(path)]
        wanted = {cpp_reference.qualified(*d) for d in said if cpp_reference.needs_example(*d)}
        constants = {m[1] for _, text in said if (m := re.match(r"inline constexpr double (\w+)", text))}
        named = {name for names, _ in cpp_examples.examples(path) for name in names}
        without += sorted(f"{path.name}: {name}" for name in wanted - named)
        strange += sorted(f"{path.name}: {name}" for name in named - wanted - constants)
    assert not without, "write them into tests/cpp/examples"
    assert not strange


def test_cpp_options_say_what_they_mean():
    silent = [
        f"{path.name}: {scopes[-1]}: {text}"
        for path in cpp_reference.HEADERS.glob("*.h")
        for scopes, text, doc in cpp_reference.declarations(path)
        if scopes and scopes[-1].endswith("_options") and not cpp_reference.INSIDE.match(text)
        if "// " not in text and not doc
    ]
    assert not silent


def test_cpp_page_shows_parameters_and_examples():
    page = cpp_reference.page()
    for part in (
        "- `q`: The fractions to look for, from 0 to 1.\n\n```cpp\nconst cp::array a{{10.0, 7.0, 4.0},",
        'cp::quantile(a, 0.5, {.method = "lower"})  // 3.0\n```',
        "- `ngood`, `nbad`, `nsample`: ",
        "cp::tri(3)\n// [[1. 0. 0.]\n//  [1. 1. 0.]\n//  [1. 1. 1.]]\n```",
    ):
        assert part in page
    assert "shows(" not in page and "#ifdef" not in page
