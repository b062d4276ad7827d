"""Layers include downwards only: the includes of the sources against the order that docs/architecture.md gives."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Includes that break the order, each with its reason. One that is gone must leave this list too.
KNOWN = {
    ("src/backend/cuda/transfer.cpp", "backend/cpu/threads.h"): "the host's threads fill the pinned chunks",
    (
        "src/backend/reference/element.h",
        "backend/cpu/loops.h",
    ): "one table of loops: bits are compared, not loops",
}


def _page():
    return (ROOT / "docs/architecture.md").read_text()


def _order():
    """The layers, lowest first."""
    line = re.search(r"Layers include downwards only: (.*?)\.", _page(), re.DOTALL)[1]
    return re.findall(r"`(\w+)`", line)


def _front():
    """The headers of the engine and of the CPU that the bindings may include."""
    sentence = re.search(r"the bindings see(.*?\.h`)\. ", _page(), re.DOTALL)[1]
    return set(re.findall(r"`([\w/]+\.h)`", sentence))


def _room(path):
    """The layer of a file or an include: a folder of src, or of src/backend."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "backend" else parts[0]


def _includes(folder):
    """(file, what it includes) for the project's own headers; CUDA's files may leave out backend/cuda."""
    for file in sorted((ROOT / folder).rglob("*")):
        if file.suffix not in {".h", ".cpp", ".cu", ".cuh"}:
            continue
        for included in re.findall(r'^#include "([^"]+)"', file.read_text(), re.MULTILINE):
            if (ROOT / "src" / included).exists():
                yield file.relative_to(ROOT).as_posix(), included


def _allowed(room, included, order):
    if room.startswith("backend"):
        return included == room or included in order[: order.index("runtime") + 1]
    return included in order and order.index(included) <= order.index(room)


def test_layers_include_downwards_only():
    order = _order()
    assert order == ["kernels", "core", "runtime", "expr", "ops", "api"]
    rooms = {p.name for p in (ROOT / "src").iterdir()}
    assert rooms == {*order, "backend"}, "a folder without a place in the order"
    upwards = {
        (file, included)
        for file, included in _includes("src")
        if not _allowed(_room(file.removeprefix("src/")), _room(included), order)
    }
    assert upwards == set(KNOWN)


def test_bindings_see_the_front_of_the_engine():
    below = ("expr", "kernels", "backend/cpu", "backend/reference", "backend/cuda")
    seen = {included for _, included in _includes("python/src") if _room(included) in below}
    assert seen == _front()


def test_indexing_is_in_layers():
    """Each file of the family includes only those that stand before it in the list of src/ops/index.h."""
    text = (ROOT / "src/ops/index.h").read_text()
    order = re.findall(r"^//   (\w+)  ", text, re.MULTILINE)
    assert len(order) == 6
    files = {name: name for name in order} | {"index_fold": "index_advanced"}
    for file, included in _includes("src/ops"):
        module, other = files.get(Path(file).stem), files.get(Path(included).stem)
        if module and other and _room(included) == "ops":
            assert order.index(other) <= order.index(module), f"{file} includes {included}"


def test_only_the_public_api_and_the_binding_read_the_current_device():
    asking = {
        path.relative_to(ROOT / "src").parts[0]
        for path in (ROOT / "src").rglob("*")
        if path.suffix in {".h", ".cpp", ".cu", ".cuh"} and "default_backend()" in path.read_text()
    }
    assert asking == {"api", "runtime"}
