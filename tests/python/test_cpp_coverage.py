"""Every public name of Python is there in C++, or tools/cpp_names.py says why not, or that it is missing still."""

import re
import sys
from pathlib import Path

import pytest

import cuprum as cp

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import cpp_coverage

sys.path.pop(0)


def test_python_and_cpp_have_not_parted():
    assert cpp_coverage.problems() == []


def test_names_are_found_in_every_kind_of_declaration():
    names = cpp_coverage.cpp_names()
    for name in (
        "sum",  # a function
        "arange",  # a template with a condition
        "linalg::svd",
        "random::generator::normal",  # a method
        "array",  # a class
        "shape_type",  # an alias
        "newaxis",  # a constant
        "dtype::float32",  # a member of an enumeration
    ):
        assert f"cuprum::{name}" in names
    assert not {"cuprum::requires", "cuprum::return"} & names


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("array sum(const array& a, const reduce_options& options = {});", ["sum"]),
        ("template <class A> requires(std::is_integral_v<A>) array arange(A stop);", ["arange"]),
        ("template <class T> std::span<T> host_span(const array& a);", ["host_span"]),
        ("enum class norm : std::uint8_t = backward, ortho;", ["norm", "norm::backward", "norm::ortho"]),
        ("inline constexpr double pi = 3.14;", ["pi"]),
        ("inline constexpr double pi = 3.14, e = 2.7;", ["pi", "e"]),
        ("using axes_type = std::vector<std::int64_t>;", ["axes_type"]),
        ("struct svd_result", ["svd_result"]),
    ],
)
def test_declarations_are_read(said, names):
    assert cpp_coverage.declared_names(said) == names


def test_each_way_of_parting_is_told(monkeypatch):
    def problems(**tables):
        with monkeypatch.context() as patch:
            for name, value in tables.items():
                patch.setattr(cpp_coverage, name, value)
            return "\n".join(cpp_coverage.problems())

    assert "sum: it is there" in problems(MISSING=cpp_coverage.MISSING + " sum")
    spelled = cpp_coverage.SPELLED
    assert "ndarray: C++ lacks it" in problems(SPELLED={k: v for k, v in spelled.items() if k != "ndarray"})
    assert "include/cuprum has no nowhere" in problems(SPELLED={**spelled, "ndarray": "nowhere"})
    assert "exp: C++ has the same name" in problems(SPELLED={**spelled, "exp": "exp2"})
    assert "gone: Python has no such name" in problems(SPELLED={**spelled, "gone": "exp"})
    assert "sum: C++ has it" in problems(PYTHONS=[*cpp_coverage.PYTHONS, ("sum", "no reason")])


def test_the_page_counts_them():
    page = cpp_coverage.page()
    there, possible = cpp_coverage.share()
    assert f"C++ has {there} of the {possible}" in page and "| `cuprum.linalg` |" in page


def test_the_version_is_one():
    """Of the header, from which CMake takes it, of the package, and of what pip installs."""
    root = Path(__file__).resolve().parents[2]
    header = (root / "include/cuprum/version.h").read_text()
    numbers = re.findall(r"define CUPRUM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
    assert ".".join(numbers) == cp.__version__
    assert f'version = "{cp.__version__}"' in (root / "pyproject.toml").read_text()
