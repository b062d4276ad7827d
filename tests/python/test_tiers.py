"""The tiers of a CUDA device give the same bits: interpreted, compiled, fused and operation by operation.

A program prints a digest of every result; it runs in processes of its own for each setting. It needs no CUDA device,
so on a machine without one the settings that mean something there (lazy and eager) are compared.
"""

import os
import subprocess
import sys

import pytest

from devices import HERE

PROGRAM = """
import hashlib
import sys

import numpy as np

import cuprum as cp


def show(name, results):
    digests = []
    if isinstance(results, (tuple, list)):
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


LAYOUTS = [
    lambda a: a,
    lambda a: a[..., 1:],
    lambda a: a[..., ::-2],
    lambda a: a.T,
    lambda a: cp.broadcast_to(a[:, :1], a.shape),
]
UNARY = "sin cos exp log sqrt tanh arctan log1p expm1 square negative absolute".split()
SHAPES = [((100001,), None), ((37, 65), 0), ((37, 65), 1), ((3, 40000), 1), ((4000, 132), 0)]
SHAPES += [((6, 7, 9), (0, 2)), ((5, 4, 3), 1)]


def functions(dtype):
    x = array((1001,), dtype)
    return [getattr(cp, name)(x) for name in UNARY]


def chain(dtype, i):
    x = LAYOUTS[i](array((37, 65), dtype))
    y = cp.exp(cp.sin(x) * cp.cos(x)) + x / 7
    return y, y * 2 - x, x + x[:1] * x[:, :1]


def integers(dtype, i):
    x = LAYOUTS[i](array((37, 65), dtype))
    return x + x, x * 3, x > 1, cp.where(x > 2, x, 5), x.astype("f") / 3


def reductions(dtype, shape, axes, start=0):
    v = array(shape, dtype)[..., start:]
    results = [v.sum(axes), v.max(axes), v.any(axes)]
    if dtype != "?":
        results += [v.mean(axes), v.var(axes), (v * v).sum(axes)]
    if axes is None or isinstance(axes, int):
        results += [v.argmax(axes)]
    return results


def beside(dtype, shape, axes):
    y = cp.sqrt(abs(array(shape, dtype)))
    return y, y.sum(axes), y.std(axes), y - y.mean(axes, keepdims=True)


def broadcast(dtype, shape, axes):
    x = array(shape, dtype)
    return (x * x[:1]).sum(axes), (x.T * 2).sum()


def gathered(dtype, shape, axes):
    table, v = array((700,), dtype), array(shape, dtype)
    i, j = (cp.asarray(rng.integers(-700, 700, shape).astype(t)) for t in ("i4", "i8"))
    k = cp.asarray(rng.integers(-shape[0], shape[0], shape[0]))
    cp.evaluate(table, v, i, j, k)
    # One after the other, or several kernels would read one gather.
    yield from (table[i] * v + v, table[i] - table[j])
    yield (table[j] * v).sum(axes)
    yield (table[i] - v).var(axes)
    yield (v[k] * v).sum(axes)
    yield (v[k] + 1).argmax(axes) if axes is None or isinstance(axes, int) else v[k].max(axes)
    yield table[i] / (table[i] * v).max(axis=-1, keepdims=True)


def drawn(bits, dtype, shape, axes):
    g = cp.random.Generator(getattr(cp.random, bits)(11))
    g.random(3, dtype="f4")
    draw = lambda: g.random(shape, dtype=dtype)
    yield draw() * draw() + draw()
    yield (draw() < 0.25).sum(axes)
    yield (draw() * 3).var(axes)
    yield cp.maximum(g.uniform(-1, 2, shape), 0).mean(axes)
    yield draw()[..., ::-1] * 2
    if bits == "Philox4x3210":
        yield cp.maximum(g.normal(1, 2, shape), 0).sum(axes)
        yield g.standard_normal(shape, dtype=dtype).max(axes)
        yield g.standard_exponential(shape, dtype=dtype) * 2
        yield (g.integers(0, 1000, shape, dtype="i4") * 3).sum(axes)


def cases():
    for shape, axes in SHAPES[:5]:
        for dtype in "fd":
            yield gathered, dtype, shape, axes
            for bits in ("PCG64", "PCG64DXSM", "Philox", "Philox4x3210"):
                yield drawn, bits, dtype, shape, axes
    for dtype in "efdF":
        yield functions, dtype
        for i in range(len(LAYOUTS)):
            yield chain, dtype, i
    for dtype in ["?", "i1", "i4", "q"]:
        for i in range(len(LAYOUTS)):
            yield integers, dtype, i
    for dtype in ["f", "i4", "d", "e", "D", "?"]:
        for shape, axes in SHAPES[: 7 if dtype in ("f", "i4") else 3]:
            yield reductions, dtype, shape, axes
            yield reductions, dtype, shape, axes, 1
            if dtype == "f":
                yield beside, dtype, shape, axes
                yield broadcast, dtype, shape, axes


part, parts = map(int, sys.argv[1:])
for round in range(2):  # the second time kernels may be compiled
    for number, (function, *arguments) in enumerate(cases()):
        if number % parts != part:
            continue
        rng = np.random.default_rng([7, round, number])
        show((round, number, function.__name__, *arguments), function(*arguments))
"""

ON_CUDA = str(HERE).startswith("cuda")
SETTINGS = {"compiled": {"CUPRUM_TIER": "1"}, "eager": {"CUPRUM_TIER": "0", "CUPRUM_EAGER": "1"}}
if ON_CUDA:
    SETTINGS |= {"interpreted": {"CUPRUM_TIER": "0"}, "automatic": {"CUPRUM_TIER": "auto"}}

# Processes that share the cases of a setting. Nearly all the time goes into compiling, one kernel after the other in a
# process; 11 has no divisor in common with the distance of 6 between the dearest cases.
PARTS = {name: min(11 if name == "compiled" else 3, os.cpu_count()) if ON_CUDA else 1 for name in SETTINGS}


def start(name):
    return [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(part), str(PARTS[name])],
            env={**os.environ, **SETTINGS[name]},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for part in range(PARTS[name])
    ]


def lines_of(name, processes):
    outputs = [process.communicate() for process in processes]
    for process, (_, errors) in zip(processes, outputs, strict=True):
        assert process.returncode == 0, f"{name}: {errors}"
    return sorted(line for output, _ in outputs for line in output.splitlines())


@pytest.fixture(scope="module")
def digests():
    """The lines of each setting. `automatic` comes last and finds on disk what `compiled` has made: its first round is
    interpreted all the same, for it does not wait, and its second is compiled."""
    running = {name: start(name) for name in SETTINGS if name != "automatic"}
    found = {name: lines_of(name, processes) for name, processes in running.items()}
    if "automatic" in SETTINGS:
        found["automatic"] = lines_of("automatic", start("automatic"))
    return found


@pytest.mark.parametrize("setting", [name for name in SETTINGS if name != "compiled"])
def test_same_bits(digests, setting):
    compiled, other = digests["compiled"], digests[setting]
    assert len(other) == len(compiled) > 200
    different = [(a, b) for a, b in zip(compiled, other, strict=True) if a != b]
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
    if not str(HERE).startswith("cuda"):
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
