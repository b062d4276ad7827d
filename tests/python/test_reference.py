"""What `help` shows of every public function: its parameters, its result and an example (python/cuprum/_reference)."""

import importlib
import inspect
import pydoc
import re

import pytest

import cuprum as cp
from cuprum import _reference

MODULES = [
    "emath", "fft", "lib.stride_tricks", "linalg", "polynomial", "polynomial.chebyshev", "polynomial.hermite",
    "polynomial.hermite_e", "polynomial.laguerre", "polynomial.legendre", "polynomial.polynomial",
    "polynomial.polyutils", "random",
]  # fmt: skip


def is_function(value):
    numpys = (getattr(value, "__module__", None) or "").partition(".")[0] == "numpy"
    return (inspect.isroutine(value) or isinstance(value, cp.ufunc)) and not numpys


def public_functions():
    """{name as a user writes it: function}"""
    found = {f"cp.{name}": getattr(cp, name) for name in cp.__all__}
    for path in MODULES:
        module = importlib.import_module(f"cuprum.{path}")
        found |= {f"cp.{path}.{name}": getattr(module, name) for name in module.__all__}
    for cls in (cp.ndarray, cp.random.Generator, cp.random.RandomState):
        found |= {f"{cls.__name__}.{name}": getattr(cls, name) for name in dir(cls) if name[0] != "_"}
    return {name: value for name, value in found.items() if is_function(value)}


FUNCTIONS = public_functions()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_documentation_is_complete(name):
    doc = inspect.getdoc(FUNCTIONS[name])
    assert "\nReturns\n-------\n" in doc, f"{name} has no entry in _reference/returns.py"
    assert "\n>>> " in doc, f"{name} has no example"
    section = re.search(r"\nParameters\n-+\n(.*?)\n\n", doc, re.DOTALL)
    heads = re.findall(r"^(\S.*?) : ", section[1], re.MULTILINE) if section else []
    described = [p.lstrip("*") for head in heads for p in head.split(", ")]
    wanted = [p for p in inspect.signature(FUNCTIONS[name]).parameters if p != "self"]
    assert sorted(described) == sorted(wanted), f"{name}: write the others into _reference/parameters.py"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_documentation_fits_a_terminal(name):
    lines = inspect.getdoc(FUNCTIONS[name]).splitlines()
    assert max(map(len, lines[1:])) <= 116  # the first one of a ufunc is its signature


def test_help_shows_it():
    for function in (cp.sum, cp.percentile, cp.sin, cp.ndarray.sort, cp.linalg.svd, cp.random.normal):
        shown = pydoc.render_doc(function, renderer=pydoc.plaintext)
        assert "Parameters\n" in shown and "Returns\n" in shown and ">>>" in shown


def test_tables_speak_of_functions_that_exist():
    packages = {name.split(".")[1] for name in FUNCTIONS if name.startswith("cp.") and name.count(".") > 1}
    known = {name.removeprefix("cp.") for name in FUNCTIONS} | {f"{p}.*" for p in packages} | {"*", "ufunc.*"}
    known |= {f"random.{name}" for name in known}
    known |= {f"ufunc.{name}" for name, value in vars(cp).items() if isinstance(value, cp.ufunc)}
    known |= {
        f"polynomial.{name.rpartition('.leg')[2]}" for name in known if ".leg" in name
    }  # of all families
    for table in (_reference._PARAMETERS, _reference._RETURNS, _reference._DIFFERENCES):
        assert set(table) <= known, "these are gone, or misspelt"


def test_a_text_is_made_once():
    doc = cp.percentile.__doc__
    assert cp.percentile.__doc__ == doc and doc.count("Parameters\n---") == 1
