"""The type stubs: current, complete, right about what functions return. tools/check_types.py asks mypy the rest."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import cuprum as cp

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture(scope="module")
def make_stubs():
    sys.path.insert(0, str(TOOLS))
    try:
        spec = importlib.util.spec_from_file_location("make_stubs", TOOLS / "make_stubs.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(TOOLS))


def test_stubs_are_those_of_the_package(make_stubs):
    for path, text in make_stubs.stubs().items():
        assert path.is_file() and path.read_text() == text, f"{path.name}: run python tools/make_stubs.py"


def matches(value, declared):
    """Is a value what a stub's type says? Types that say nothing match everything."""
    if declared == "Any":
        return True
    if declared.startswith("tuple[") and declared.endswith(", ...]"):
        return isinstance(value, tuple) and all(matches(v, declared[6:-6]) for v in value)
    if declared.startswith("list["):
        return isinstance(value, list) and all(matches(v, declared[5:-1]) for v in value)
    if declared.startswith("tuple["):
        return isinstance(value, tuple)
    if declared.startswith("AbstractContextManager"):
        return hasattr(value, "__enter__")
    if declared == "None":
        return value is None
    kinds = {
        "ndarray": cp.ndarray, "_bool": bool, "bool": bool, "str": str, "int": int, "bytes": bytes,
        "npt.NDArray[Any]": np.ndarray,
        "np.dtype[Any]": np.dtype, "type[Any]": type, "dict[str, Any]": dict, "MemoryPool": cp.MemoryPool,
        "ModuleType": type(np),
    }  # fmt: skip
    return isinstance(value, kinds[declared])


def test_examples_return_what_the_stubs_say(make_stubs):
    for name, results in make_stubs.returned().items():
        declared = make_stubs.result_type(name)
        for result in results:
            several = name in make_stubs.SEVERAL and isinstance(result, tuple)
            assert several or matches(result, declared), f"cp.{name} returned {type(result)}, not {declared}"
