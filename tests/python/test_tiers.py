"""The tiers of a CUDA device give the same bits: interpreted, compiled, fused and operation by operation.

A program prints a digest of every result; it runs in a process per setting. It needs no CUDA device, so on a machine
without one the settings that mean something there (lazy and eager) are compared.
"""

import os
import subprocess
import sys

import pytest

import cuprum as cp

PROGRAM = """
import hashlib

import numpy as np

import cuprum as cp

rng = np.random.default_rng(7)


def show(name, *results):
    digests = []
    cp.evaluate(*results)  # together: fused as far as they can be
    for r in results:
        r = cp.asnumpy(r)
        if r.dtype.kind in "fc":
            r = np.where(np.isnan(r), np.array(np.nan, r.dtype), r)
        digests.append(hashlib.sha1(np.ascontiguousarray(r).tobytes()).hexdigest()[:12])
    print(name, *digests)


def array(shape, dtype):
    if np.dtype(dtype).kind in "iu":
        return cp.asarray(rng.integers(0, 100, shape).astype(dtype))
    if dtype == "?":
        return cp.asarray(rng.integers(0, 2, shape).astype(bool))
    a = rng.normal(3, 10, shape)
    return cp.asarray((a + 1j * rng.normal(0, 1, shape) if np.dtype(dtype).kind == "c" else a).astype(dtype))


def layouts(a):
    yield a
    yield a[..., 1:]
    yield a[..., ::-2]
    if a.ndim > 1:
        yield a.T
        yield cp.broadcast_to(a[:, :1], a.shape)


UNARY = "sin cos exp log sqrt tanh arctan log1p expm1 square negative absolute".split()
SHAPES = [((100001,), None), ((37, 65), 0), ((37, 65), 1), ((3, 40000), 1), ((4000, 132), 0)]
SHAPES += [((6, 7, 9), (0, 2)), ((5, 4, 3), 1)]


def reduced(v, axes, truth):
    results = [v.sum(axes), v.max(axes), v.any(axes)]
    if not truth:
        results += [v.mean(axes), v.var(axes), (v * v).sum(axes)]
    if axes is None or isinstance(axes, int):
        results += [v.argmax(axes)]
    return results


for round in range(2):  # the second time kernels may be compiled
    for dtype in "efdF":
        x = array((1001,), dtype)
        show(("functions", dtype), *[getattr(cp, name)(x) for name in UNARY])
        for i, x in enumerate(layouts(array((37, 65), dtype))):
            y = cp.exp(cp.sin(x) * cp.cos(x)) + x / 7
            show(("chain", dtype, i), y, y * 2 - x, x + x[:1] * x[:, :1])
    for dtype in ["?", "i1", "i4", "q"]:
        for i, x in enumerate(layouts(array((37, 65), dtype))):
            show(("integers", dtype, i), x + x, x * 3, x > 1, cp.where(x > 2, x, 5), x.astype("f") / 3)
    for dtype in ["f", "i4", "d", "e", "D", "?"]:
        for shape, axes in SHAPES[: 7 if dtype in ("f", "i4") else 3]:
            x = array(shape, dtype)
            show(("reductions", dtype, shape, axes), *reduced(x, axes, dtype == "?"))
            show(("of a slice", dtype, shape, axes), *reduced(x[..., 1:], axes, dtype == "?"))
            if dtype == "f":
                y = cp.sqrt(abs(x))
                show(("beside", shape, axes), y, y.sum(axes), y.std(axes), y - y.mean(axes, keepdims=True))
                show(("broadcast", shape, axes), (x * x[:1]).sum(axes), (x.T * 2).sum())
"""


SETTINGS = {"compiled": {"CUPRUM_TIER": "1"}, "eager": {"CUPRUM_TIER": "0", "CUPRUM_EAGER": "1"}}
if str(cp.Device()).startswith("cuda"):
    SETTINGS |= {"interpreted": {"CUPRUM_TIER": "0"}, "automatic": {"CUPRUM_TIER": "auto"}}


@pytest.fixture(scope="module")
def digests():
    """The lines of each setting; all of them run at the same time, because compiling takes a minute."""
    running = {
        name: subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, environment in SETTINGS.items()
    }
    outputs = {name: process.communicate() for name, process in running.items()}
    for name, process in running.items():
        assert process.returncode == 0, f"{name}: {outputs[name][1]}"
    return {name: output.splitlines() for name, (output, _) in outputs.items()}


@pytest.mark.parametrize("setting", [name for name in SETTINGS if name != "compiled"])
def test_same_bits(digests, setting):
    compiled, other = digests["compiled"], digests[setting]
    assert len(other) == len(compiled) > 100
    different = [(a, b) for a, b in zip(compiled, other) if a != b]
    assert not different, different[:5]


TOLD = """
import re

import cuprum as cp
from cuprum import _core

x = cp.evaluate(cp.arange(12_345, dtype="f4").reshape(3, -1))


def told(y):
    return re.findall(r"^kernel .*\\[(.*)\\]$", cp.show_graph(y).text, re.M)


for make in (lambda: cp.sin(x) * 3 + 1, lambda: (x * x).sum(axis=1), lambda: cp.sqrt((x - 1).mean()) + x[:, :1]):
    y = make()
    before = told(y)
    assert before == told(y) and _core.is_pending(y)  # asking changes nothing
    cp.evaluate(y)
    _core.finish_compiling()
    print(before, told(make()), sep="|")
"""


def told(cache, tier):
    done = subprocess.run(
        [sys.executable, "-c", TOLD],
        env={**os.environ, "CUPRUM_CACHE_DIR": str(cache), "CUPRUM_TIER": tier, "CUPRUM_EAGER": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    pairs = [tuple(set(eval(part)) for part in line.split("|")) for line in done.stdout.splitlines()]
    assert len(pairs) == 3
    return pairs


def test_the_graph_tells_the_tier(tmp_path):
    """The second kernel of each pair is looked for as it would be run: what it finds is what the first run has made."""
    if not str(cp.Device()).startswith("cuda"):
        assert told(tmp_path, "auto") == [({"cpu"}, {"cpu"})] * 3
        return
    assert told(tmp_path, "0") == [({"interpreted"}, {"interpreted"})] * 3
    assert told(tmp_path, "auto") == [({"interpreted"}, {"compiled"})] * 3
    later = told(
        tmp_path, "auto"
    )  # another process: NVRTC is opened, and with it the cache, by the first compilation
    assert later[0][0] == {"interpreted"}
    assert [after for _, after in later] == [{"compiled, from the on-disk cache"}] * 3
    assert told(tmp_path, "1")[0][0] == {"compiled, from the on-disk cache"}
