"""The programs of tests/ecosystem over the libraries that are installed, as tools/ecosystem.py runs them; and
that its table is about them.
"""

import importlib.util
from pathlib import Path

import pytest

import cuprum as cp
from devices import HOST_MEMORY

ROOT = Path(__file__).resolve().parents[2]


def _load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ecosystem = _load("ecosystem", ROOT / "tools" / "ecosystem.py")
compare = _load("compare", ROOT / "tests" / "ecosystem" / "compare.py")

# In this process: small libraries, without settings that must stand before their import.
SMALL = [x for x in ecosystem.LIBRARIES if x.file in ("numpy", "einops", "opt_einsum", "autoray", "pint", "matplotlib",
                                                     "array_api_compat", "array_api_extra")]  # fmt: skip
# What needs a change of the library, or another one beside it: docs/ecosystem.md says which.
KNOWN = {"autoray": {"exponential"}, "matplotlib": {"bars"}}


@pytest.mark.parametrize("library", SMALL, ids=lambda library: library.file)
def test_programs(library):
    if ecosystem.version_of(library) is None:
        pytest.skip(f"{library.package} is not installed")
    with cp.transfer_guard("allow", all_threads=True), cp.transfer_guard("allow"):
        for name, program in compare.programs(compare.load(f"use_{library.file}")).items():
            if name not in KNOWN.get(library.file, ()):
                compare.run(program, cp)


def test_every_library_has_six_programs():
    for library in ecosystem.LIBRARIES:
        text = (ROOT / "tests" / "ecosystem" / f"use_{library.file}.py").read_text()
        assert text.count("\ndef ") - text.count("\ndef _") >= 6, library.file


def test_every_file_is_run():
    files = {path.stem.removeprefix("use_") for path in (ROOT / "tests" / "ecosystem").glob("use_*.py")}
    assert files == {library.file for library in ecosystem.LIBRARIES}


def test_a_difference_is_noticed():
    with pytest.raises(AssertionError):
        compare.same(cp.arange(3), compare.np.arange(3) + 1, cp)
    with pytest.raises(AssertionError, match="instead of"):
        compare.same(cp.arange(3.0), compare.np.arange(3), cp)
    with pytest.raises(AssertionError, match="results"):
        compare.same([cp.ones(1)], [], cp)


def test_the_page_has_every_library():
    page = (ROOT / "docs" / "ecosystem.md").read_text()
    table = page.partition(ecosystem.BEGIN)[2].partition(ecosystem.END)[0]
    for library in ecosystem.LIBRARIES:
        assert f"| {library.title} |" in table


def test_run_in_a_process_of_its_own():
    library = next(x for x in ecosystem.LIBRARIES if x.file == "numpy")
    column = "cpu allow" if HOST_MEMORY else "far allow"
    results = ecosystem.run(library, ecosystem.SETTINGS[column])
    assert len(results) >= 6 and not any(results.values())
