"""The namespace: names, signatures, documentation, and that every documented example is true."""

import doctest
import importlib
import inspect

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core

FAMILIES = [
    "_bits", "_calculus", "_choosing", "_complex_sorting", "_constants", "_controls", "_conversions",
    "_convolution", "_covariance", "_creation", "_dtype_functions", "_dtypes", "_editing", "_einsum", "_elementwise",
    "_grids", "_histograms", "_indexing", "_interop", "_io", "_joining", "_logic", "_manipulation",
    "_order_statistics", "_padding", "_polynomial_roots", "_polynomials", "_positions", "_printing", "_products",
    "_reductions", "_sets", "_sorting", "_windows", "polynomial.polynomial", "polynomial.polyutils",
]  # fmt: skip
OWN = {"asnumpy", "eager", "evaluate", "get_array_module", "get_default_memory_pool", "show_graph", "MemoryPool",
       "OutOfMemoryError", "AxisError", "Device"}  # fmt: skip
FUNCTIONS = sorted(
    name
    for name in cp.__all__
    if inspect.isfunction(getattr(cp, name)) and getattr(cp, name).__module__ != "numpy"
)


def test_all_is_importable():
    for name in cp.__all__:
        assert getattr(cp, name) is not None or name == "newaxis"


def test_names_are_numpys_or_documented_as_own():
    strangers = {name for name in cp.__all__ if not hasattr(np, name)} - OWN
    assert not strangers


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_has_documentation_with_an_example(name):
    function = getattr(cp, name)
    assert function.__doc__, name
    assert ">>>" in function.__doc__ or name in ("concat",), name
    assert function.__module__ == "cuprum"
    inspect.signature(function)


def parameters(function):
    kinds = inspect.Parameter
    return [
        p.name for p in inspect.signature(function).parameters.values() if p.kind not in (kinds.VAR_KEYWORD,)
    ]


# Parameters of NumPy that mean nothing here, and functions whose NumPy signature cannot be read.
DIFFERENT = {
    "from_dlpack",
    "clip",
    "where",
    "can_cast",
    "result_type",
    "promote_types",
    "asarray",
}


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in OWN | DIFFERENT])
def test_signature_is_numpys(name):
    try:
        want = parameters(getattr(np, name))
    except ValueError:
        pytest.skip("NumPy's function has no signature")
    want = [parameter for parameter in want if parameter != "ndmax"]
    assert parameters(getattr(cp, name)) == want


@pytest.mark.parametrize("module", FAMILIES)
def test_examples(module):
    """Every example in the documentation of the functions."""
    module = importlib.import_module(f"cuprum.{module}")
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    count = 0
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isfunction(value):
            for test in finder.find(value, name, module=False, globs={"cp": cp, "np": np}):
                output = []
                runner.run(test, out=output.append)
                assert runner.summarize(verbose=False).failed == 0, "".join(output)
                count += 1
    assert count or module.__name__ in ("cuprum._constants",)


def test_aliases_are_the_same_object():
    pairs = """abs absolute, acos arccos, pow power, conj conjugate, mod remainder, true_divide divide,
        bitwise_not invert, concat concatenate"""
    for alias, name in (pair.split() for pair in pairs.split(",")):
        assert getattr(cp, alias) is getattr(cp, name)


def test_every_ufunc_of_the_table_is_public():
    names = {name for name, value in vars(_core).items() if isinstance(value, _core.ufunc)}
    assert names <= set(cp.__all__)
    for name in names:
        ufunc = getattr(cp, name)
        if name != "clip":
            assert (ufunc.nin, ufunc.nout) == (getattr(np, name).nin, getattr(np, name).nout), name
            assert ufunc.__doc__ and ufunc.__name__ == getattr(np, name).__name__


def test_dtypes_are_numpys():
    assert cp.float32 is np.float32 and cp.bool is np.bool and cp.dtype is np.dtype
    assert cp.ones(2).dtype == np.float64
    assert cp.finfo(cp.float32).eps == np.finfo(np.float32).eps
    assert cp.isdtype(cp.float32, "real floating")


def test_bfloat16():
    x = cp.ones(3, dtype=cp.bfloat16)
    assert x.dtype == cp.bfloat16 and x.dtype.itemsize == 2
    assert cp.promote_types(cp.bfloat16, cp.float16) == cp.float32
    assert cp.result_type(x, 1.5) == x.dtype
    assert cp.finfo(cp.bfloat16).bits == 16


def test_promotion_functions():
    kinds = [np.dtype(c) for c in "?bhiqBHIQefdFD"]
    for a in kinds:
        for b in kinds:
            assert cp.promote_types(a, b) == np.promote_types(a, b)
            for rule in ("no", "equiv", "safe", "same_kind", "unsafe"):
                assert cp.can_cast(a, b, rule) == np.can_cast(a, b, rule), (a, b, rule)
        for scalar in (True, 1, 1.5, 2j):
            assert cp.result_type(a, scalar) == np.result_type(a, scalar)
            assert cp.result_type(cp.ones(2, a), scalar) == np.result_type(a, scalar)
    with pytest.raises(TypeError):
        cp.can_cast(1, "i1")
    with pytest.raises(ValueError):
        cp.result_type()


def test_numpys_functions_are_answered_by_cuprum():
    x = cp.arange(4.0)
    assert isinstance(np.sin(x), cp.ndarray)
    assert isinstance(np.sum(x), cp.ndarray)
    assert isinstance(np.concatenate([x, x]), cp.ndarray)
    assert isinstance(np.add.reduce(x), cp.ndarray)
    with pytest.raises(TypeError, match="asarray"):
        np.ones(4) + x
    with pytest.raises(TypeError, match="asnumpy"):
        np.linalg.inv(cp.eye(2))


def test_get_array_module():
    assert cp.get_array_module(1, cp.ones(1)) is cp
    assert cp.get_array_module(np.ones(1)) is np


def test_show_graph(tmp_path):
    x = cp.ones(4) * 3
    graph = cp.show_graph(cp.sin(x) + x, file=tmp_path / "graph.svg")
    assert "sin" in str(graph) and "sin" in repr(graph)
    assert graph._repr_svg_().lstrip().startswith("<svg") or "<svg" in graph.svg
    assert (tmp_path / "graph.svg").read_text() == graph.svg


def test_memory_pool():
    pool = cp.get_default_memory_pool()
    x = cp.evaluate(cp.ones(100_000) + 1)
    assert pool.used_bytes() >= x.nbytes
    assert pool.total_bytes() >= pool.used_bytes()
    used = pool.used_bytes()
    del x
    assert pool.used_bytes() <= used - 800_000
    pool.free_all_blocks()
    assert pool.free_bytes() == 0


def test_memory_limit():
    pool = cp.get_default_memory_pool()
    pool.set_limit(pool.used_bytes() + 1_000_000)
    try:
        kept = cp.evaluate(cp.zeros(1000) + 1)
        with pytest.raises(MemoryError) as error:
            cp.evaluate(cp.zeros(10_000_000) + 1)
        assert isinstance(error.value, cp.OutOfMemoryError)
        assert float(kept.sum()) == 1000
    finally:
        pool.set_limit(0)
    assert float((cp.zeros(10_000_000) + 1).sum()) == 1e7
