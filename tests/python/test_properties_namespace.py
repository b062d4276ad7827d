"""Every public function against NumPy: drawn dtypes, shapes, strides, special values and parameters.

`namespace_table.py` holds the expressions. That nothing is left out is a test too: a name of the package is in the
table, or another file draws it, or it says here why no property is to be asked of it.
"""

import ast
import inspect
import io
import pathlib
import re

import numpy as np
import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

import cuprum as cp
import namespace_options as options
import namespace_table as plain
from devices import HERE
from namespace_draws import expressions, into
from oracle import compare, lines, run, run_on_device
from strategies import arrays, assert_same, check
from test_properties_ufuncs import UFUNCS

# (which lines, units in the last place, whether signs of zeros count)
TOLERANCES = [("EXACT", 0, True), ("EQUAL", 0, False), ("CLOSE", 16, False)]


def table():
    """function -> [(expression, units in the last place, whether signs of zeros count)]"""
    rows = {}
    for kind, ulps, zeros in TOLERANCES:
        for line in lines(getattr(plain, kind) + getattr(options, kind)):
            rows.setdefault(re.search(r"xp\.(\w+)", line)[1], []).append((line, ulps, zeros))
    return rows


TABLE = table()


# Drawn by other files, where they need more than an expression: files on disk, a bound of the error, two libraries.
ELSEWHERE = {
    "byte_bounds": "test_memory.py",
    "fromfile": "test_io.py",
    "load": "test_io.py",
    "roots": "test_polynomials.py",
    "save": "test_io.py",
    "savetxt": "test_io.py",
    **dict.fromkeys(["savez", "savez_compressed"], "test_properties_namespace.py"),
    **dict.fromkeys(["asnumpy", "eager", "evaluate", "find_common_type"], "test_properties_namespace.py"),
    **dict.fromkeys(
        ["from_dlpack", "fromDlpack", "get_array_module", "row_stack"], "test_properties_namespace.py"
    ),
}

# Nothing to draw: no array goes in that a result depends on.
UNASKED = {
    "benchmark": "prints",
    "disp": "prints",
    "get_array_wrap": "gives a method back",
    "get_default_memory_pool": "memory of the device",
    "get_default_pinned_memory_pool": "memory of the device",
    "get_printoptions": "state of printing",
    "geterr": "state of floating-point errors",
    "geterrcall": "state of floating-point errors",
    "info": "prints",
    "is_available": "asks the device",
    "printoptions": "state of printing",
    "safe_eval": "reads Python literals",
    "set_printoptions": "state of printing",
    "seterr": "state of floating-point errors",
    "seterrcall": "state of floating-point errors",
    "show_config": "prints",
    "fuse": "calls functions of the program: test_elementwise_kernels.py",
    "map_chunks": "calls functions of the program: test_chunks.py",
    "show_graph": "draws what is pending",
    "show_runtime": "prints",
    "who": "prints",
}


def functions():
    """Names of the package that can be called and are no classes: ufuncs, functions."""
    return {n for n in cp.__all__ if callable(getattr(cp, n)) and not isinstance(getattr(cp, n), type)}


def test_every_function_is_asked():
    asked = [set(TABLE), set(UFUNCS), set(ELSEWHERE), set(UNASKED)]
    assert functions() - set.union(*asked) == set(), "write a line in namespace_table.py"
    assert not (asked[0] | asked[1] | asked[2]) & asked[3], "asked, so nothing is to be explained"
    assert set.union(*asked) <= set(cp.__all__), "not a name of the package"


# Parameters that are no part of a result, or not NumPy's.
UNDRAWN = {
    **dict.fromkeys(["like", "device", "subok"], "test_api.py, test_devices.py, test_subclass.py"),
    **dict.fromkeys(["argsort.descending", "sort.descending"], "NumPy has none: test_sorting.py"),
    **dict.fromkeys(["genfromtxt", "loadtxt"], "NumPy reads the text: test_io.py"),
}


def parameters(function):
    """Those that can be named in a call."""
    kinds = inspect.Parameter
    found = inspect.signature(function).parameters.values()
    return [p.name for p in found if p.kind not in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD)]


def given_to(name, line):
    """The parameters of the function that a line of the table gives, by position or by name."""
    positions = parameters(getattr(cp, name))
    for node in ast.walk(ast.parse(re.sub(r"\{=?\w+\}", "0", line), mode="eval")):
        if not isinstance(node, ast.Call):
            continue
        function, args, names = node.func, node.args, {k.arg for k in node.keywords}
        if isinstance(function, ast.Name) and function.id == "into":
            function, args, names = args[1], args[3:], names | {"out"}
        if isinstance(function, ast.Attribute) and function.attr == name:
            yield from names.union(positions[: len(args)])


@pytest.mark.parametrize("name", sorted(name for name in TABLE if inspect.isroutine(getattr(cp, name))))
def test_every_parameter_is_drawn(name):
    given = {p for line, *_ in TABLE[name] for p in given_to(name, line)}
    asked = {p for p in parameters(getattr(cp, name)) if not {p, f"{name}.{p}", name} & set(UNDRAWN)}
    assert asked - given == set(), "write a line in namespace_options.py"


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_the_other_file_draws(name):
    """Some test of the file that draws calls the function."""
    text = (pathlib.Path(__file__).parent / ELSEWHERE[name]).read_text()
    tests = re.split(r"\n\n\n", text)
    assert any("@given" in test and re.search(rf"[cx]p\.{name}\b", test) for test in tests)


def changed(name, got, want):
    """Where NumPy 2.5 has another answer than NumPy 2.4, which is the one given here."""
    if np.lib.NumpyVersion(np.__version__) < "2.5.0":
        return False
    return (
        (name == "cross" and isinstance(want, ValueError))  # vectors of two elements
        or (name == "where" and isinstance(want, OverflowError))  # Python's integers that do not fit
        or (name in ("take", "compress") and isinstance(got, TypeError))  # the dtype of `out`
    )


@pytest.mark.parametrize("name", sorted(TABLE))
@settings(max_examples=max(settings().max_examples // 4, 1))
@given(data=st.data())
def test_function(name, data):
    tolerances = {line: rest for line, *rest in TABLE[name]}
    template = data.draw(st.sampled_from(sorted(tolerances)))
    source, host, device = data.draw(expressions(template))
    note(source)
    ulps, zeros = tolerances[template]
    want = run(source, {"np": np, "xp": np, "into": into, **host})
    got = run_on_device(source, {"np": np, "xp": cp, "into": into, **device}, want)
    assume(not changed(name, got, want))
    compare(got, want, texts=False, ulps=ulps, zeros=zeros)


@given(arrays(), arrays(), st.booleans())
def test_archives(first, second, compressed):
    file = io.BytesIO()
    (cp.savez_compressed if compressed else cp.savez)(file, first[1], named=second[1])
    file.seek(0)
    with np.load(file) as found:
        np.testing.assert_array_equal(found["arr_0"], first[0], strict=True)
        np.testing.assert_array_equal(found["named"], second[0], strict=True)


@pytest.mark.skipif(HERE == "far", reason="its memory cannot be shared")
@given(arrays())
def test_dlpack(pair):
    a, b = pair
    assert_same(cp.from_dlpack(b), a)
    assert_same(cp.fromDlpack(b), a)


@given(arrays())
def test_names_that_numpy_has_not(pair):
    a, b = pair
    np.testing.assert_array_equal(cp.asnumpy(b), a, strict=True)
    assert cp.evaluate(b) is b
    with cp.eager():
        check(None, (a,), (b,), xp_functions=(lambda x: (x == x) & (x != 0),) * 2)
    assert cp.get_array_module(a) is np and cp.get_array_module(a, b) is cp
    assert cp.find_common_type([a.dtype], []) == cp.find_common_type([a.dtype, a.dtype], [bool]) == a.dtype
    check(None, ((a, a),), ((b, b),), xp_functions=(np.vstack, cp.row_stack))
