"""The namespace: names, signatures, documentation, and that every documented example is true."""

import doctest
import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core

OWN = {"asnumpy", "eager", "evaluate", "get_array_module", "get_default_memory_pool", "show_graph", "MemoryPool",
       "OutOfMemoryError", "AxisError", "Device", "DataSource", "disp", "find_common_type", "format_parser",
       "get_array_wrap", "is_available", "safe_eval", "byte_bounds", "who",
       "get_default_pinned_memory_pool", "fromDlpack", "map_chunks", "ChunkError", "benchmark", "transfer_guard",
       "RawKernel", "RawModule", "ElementwiseKernel", "ReductionKernel", "fuse"}  # fmt: skip


def is_numpys(value):
    return (getattr(value, "__module__", None) or "").partition(".")[0] == "numpy"


def is_documented(value):
    """Functions, ufuncs, classes and helper objects; constants, dtypes and exceptions need no example."""
    exception = isinstance(value, type) and issubclass(value, BaseException)
    constant = value is None or isinstance(value, (float, int, str, tuple, dict, np.bool))
    return not (is_numpys(value) or exception or constant or inspect.ismodule(value))


NAMES = sorted(name for name in cp.__all__ if is_documented(getattr(cp, name)) and name != "ufunc")
CALLED = [name for name in NAMES if callable(getattr(cp, name)) and not inspect.isclass(getattr(cp, name))]
METHODS = sorted(
    name
    for name in dir(cp.ndarray)
    if not name.startswith("_")
    and callable(getattr(cp.ndarray, name))
    and not inspect.isclass(getattr(cp.ndarray, name))
)
SUBMODULES = [
    module.name
    for module in pkgutil.walk_packages(cp.__path__, "cuprum.")
    if "._" not in module.name and not module.name.startswith(("cuprum.bench", "cuprum.libcuprum"))
]


def test_all_is_importable():
    for name in cp.__all__:
        assert getattr(cp, name) is not None or name == "newaxis"


def test_names_are_numpys_or_documented_as_own():
    strangers = {name for name in cp.__all__ if not hasattr(np, name)} - OWN - GONE
    assert not strangers


def run_examples(name, value):
    """Runs what stands after >>> in a docstring; returns how many examples there were."""
    text = inspect.getdoc(value) or ""
    test = doctest.DocTestParser().get_doctest(text, {"cp": cp, "np": np}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    output = []
    assert runner.run(test, out=output.append).failed == 0, "".join(output)
    return len(test.examples)


@pytest.mark.parametrize("name", NAMES)
def test_documentation_has_an_example_that_is_true(name):
    value = getattr(cp, name)
    assert run_examples(name, value) > 0, f"the docstring of cp.{name} has no example"
    assert not inspect.isfunction(value) or value.__module__ == "cuprum"


@pytest.mark.parametrize("name", METHODS)
def test_documentation_of_methods_has_an_example_that_is_true(name):
    assert run_examples(name, getattr(cp.ndarray, name)) > 0, f"x.{name} has no example"


@pytest.mark.parametrize("name", SUBMODULES)
def test_public_modules_are_documented(name):
    module = importlib.import_module(name)
    assert module.__doc__
    for member in module.__all__:
        value = getattr(module, member)
        if is_documented(value):
            assert inspect.getdoc(value), f"{name}.{member} has no docstring"
            run_examples(member, value)


def numpys_signature(function):
    """Of older functions in C only the first line of the documentation tells it."""
    try:
        return inspect.signature(function)
    except ValueError:
        line = function.__doc__.lstrip().partition("\n")[0]
        parameters = line[line.index("(") + 1 : line.rindex(")")]
        return inspect.signature(eval(f"lambda {parameters}: None", {}))


# Names that NumPy 2.5 has taken away, and a default that it has changed (None means float too).
GONE = {"row_stack"} if np.lib.NumpyVersion(np.__version__) >= "2.5.0" else set()
CHANGED = GONE | {"fromstring"} if GONE else set()

# Of the array API and of NumPy 2.5: the installed NumPy may not have them.
LATER = {"sort": ["descending"], "argsort": ["descending"]}


def difference(ours, numpys, extra=()):
    """What is not equal in two signatures, as text. NumPy's `**kwargs` may be spelled out, and where it marks a default
    as `<no value>`, any default will do."""
    kinds = inspect.Parameter
    mine = [p for p in ours.parameters.values() if p.name not in extra]
    want = [p for p in numpys.parameters.values() if p.kind != kinds.VAR_KEYWORD and p.name not in extra]
    if len(want) < len(numpys.parameters):
        mine = mine[: len(want)]
    if [(p.name, p.kind) for p in mine] != [(p.name, p.kind) for p in want]:
        return f"{ours} is not {numpys}"
    for p, q in zip(mine, want):
        marked = repr(q.default) == "<no value>"
        if not marked and repr(p.default) != repr(q.default):
            return f"{p} is not {q}"
    return None


# Signatures that are not NumPy's, and why.
DIFFERENT = {
    "arange": "NumPy takes dtype by position too, which its signature does not say; step is None: of the others' dtype",
    "info": "names are looked for in this package",
    "where": "NumPy's None stands for an argument that was not given",
}


@pytest.mark.parametrize(
    "name", [n for n in CALLED if n not in OWN and n not in DIFFERENT and n not in CHANGED]
)
def test_signature_is_numpys(name):
    ours, numpys = inspect.signature(getattr(cp, name)), numpys_signature(getattr(np, name))
    problem = difference(ours, numpys, LATER.get(name, ()))
    assert problem is None, f"cp.{name}: {problem}"


@pytest.mark.parametrize("name", DIFFERENT)
def test_listed_difference_is_one(name):
    assert difference(inspect.signature(getattr(cp, name)), numpys_signature(getattr(np, name)))


OWN_METHODS = {"get", "ptp", "reduced_view", "scatter_add", "scatter_max", "scatter_min", "set", "toDlpack"}
OWN_PARAMETERS = {"astype": ["device"], **LATER}  # the array API's


@pytest.mark.parametrize("name", METHODS)
def test_signature_of_method_is_numpys(name):
    ours = inspect.signature(getattr(cp.ndarray, name))
    if name in OWN_METHODS:
        assert not hasattr(np.ndarray, name)
        return
    numpys = numpys_signature(getattr(np.ndarray, name))
    if name == "view":  # NumPy says *args, **kwargs
        assert list(ours.parameters) == ["self", "dtype", "type"]
        return
    problem = difference(ours, numpys, OWN_PARAMETERS.get(name, ()))
    assert problem is None, f"x.{name}: {problem}"


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
        np.is_busday(x)


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
    x = cp.evaluate(cp.ones(8_000_000) + 1)  # large: a segment of its own, which no other test's array keeps
    assert pool.used_bytes() >= x.nbytes
    assert pool.total_bytes() >= pool.used_bytes()
    used = pool.used_bytes()
    del x
    assert pool.used_bytes() <= used - 64_000_000
    free = pool.free_bytes()
    pool.free_all_blocks()
    assert pool.free_bytes() <= free - 64_000_000


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


def test_missing_names_say_why():
    for module, name, why in (
        (cp, "matrix", "2-d arrays"),
        (cp, "ma", "no masked arrays"),
        (cp.cuda, "nccl", "milestone 'CUDA'"),
    ):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}': .*{why}") as caught:
            getattr(module, name)
        assert caught.value.name == name and caught.value.obj is module
    with pytest.raises(AttributeError, match=r"has no attribute 'nonsense'$"):
        cp.nonsense


def test_dir_has_what_a_user_may_name():
    assert {"cuda", "cupyx", "lib", "emath", "polynomial", "linalg", "fft", "random", "testing"} <= set(
        dir(cp)
    )
    assert set(cp.__all__) <= set(dir(cp))
    for name in dir(cp):
        value = getattr(cp, name)
        assert (
            name.startswith("__")
            or not inspect.ismodule(value)
            or value.__name__.partition(".")[0]
            in (
                "cuprum",
                "numpy",
            )
        ), name


def test_benchmark_tells_recording_from_computing(capsys):
    x = cp.ones(1000)
    calls = []

    def double(y, times=2):
        calls.append(times)
        return [y * times, y.sum()]

    assert cp.benchmark(double, x, times=3) is None
    text = capsys.readouterr().out
    assert text.startswith("double: evaluated in ") and "recorded in" in text and "kernel" in text
    assert set(calls) == {3}
    with pytest.raises(TypeError, match=r"cuprum\.benchmark: a function is needed, given a ndarray"):
        cp.benchmark(x)
