"""What runs, and when: counts of kernels, what never touches memory, what forces evaluation, value semantics."""

import contextlib
import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core

N = 1000


class Counted:
    """What the engine did inside a `with counted()` block."""

    kernels = evaluations = nodes = None


@contextlib.contextmanager
def counted():
    before = _core.engine_stats()
    result = Counted()
    yield result
    after = _core.engine_stats()
    result.kernels = after["kernels"] - before["kernels"]
    result.evaluations = after["evaluations"] - before["evaluations"]
    result.nodes = after["nodes_recorded"] - before["nodes_recorded"]
    result.reasons = {
        k: v - before["by_reason"][k] for k, v in after["by_reason"].items() if v != before["by_reason"][k]
    }


@pytest.fixture(autouse=True)
def lazy():
    """These tests count kernels of the lazy mode, whatever the environment says."""
    with cp.eager(False):
        yield


@pytest.fixture
def x():
    return cp.asarray(np.linspace(0, 1, N, dtype=np.float32))


@pytest.fixture
def y():
    return cp.asarray(np.linspace(1, 2, N, dtype=np.float32))


def test_recording_runs_nothing(x, y):
    with counted() as c:
        z = cp.exp(cp.sin(x) * cp.cos(y)) + 1
    assert c.kernels == 0 and _core.is_pending(z)
    with counted() as c:
        z.get()
    assert c.kernels == 1 and not _core.is_pending(z)
    with counted() as c:
        z.get()
    assert c.kernels == 0


def test_reduction_takes_its_operand_along(x, y):
    with counted() as c:
        value = float(((x - y) ** 2).mean())
    assert c.kernels == 1
    assert value == pytest.approx(1.0)


def test_a_root_of_a_sum_is_a_stage_of_its_kernel(x):
    with counted() as c:
        float(cp.sqrt((x * x).sum()) + 1)
    assert c.kernels == 1


def test_several_outputs_in_one_kernel(x, y):
    s, d = x + y, x - y
    with counted() as c:
        cp.evaluate(s, d)
    assert c.kernels == 1


def test_live_intermediate_is_an_output_of_the_same_kernel(x):
    t = cp.sin(x)
    z = t * 2
    with counted() as c:
        z.get()
        t.get()
    assert c.kernels == 1


def test_dead_intermediates_never_touch_memory():
    pool = cp.get_default_memory_pool()
    x = cp.evaluate(cp.ones(1_000_000) * 2)
    gc.collect()
    pool.reset_peak()
    before = pool.used_bytes()
    z = x
    for _ in range(10):
        z = z * 1.5 + x
    cp.evaluate(z)
    assert pool.peak_bytes() - before < 1.6 * x.nbytes


def test_common_subexpressions_are_computed_once(x):
    a = cp.sin(x) * cp.sin(x)
    text = str(cp.show_graph(a))
    assert text.count("sin") <= 2
    with counted() as c:
        got = a.get()
    assert c.kernels == 1
    assert np.array_equal(got, (cp.sin(x).get()) ** 2)


def test_in_place_chain_is_one_kernel_and_keeps_the_buffer():
    a = cp.evaluate(cp.ones(N))
    with counted() as c:
        a *= 2
        a += 5
        cp.evaluate(a)
    assert c.kernels == 1
    assert float(a[0]) == 7


def test_in_place_seen_by_a_pending_reader(x):
    a = cp.evaluate(cp.ones(N))
    before = a * 3
    a *= 2
    a += 5
    assert float(before[0]) == 3 and float(a[0]) == 7


def test_pending_reader_of_a_slice_that_is_written():
    a = cp.evaluate(cp.arange(6.0))
    before = a * 10
    a[2:4] = -1
    assert before.tolist() == [0, 10, 20, 30, 40, 50]
    assert a.tolist() == [0, 1, -1, -1, 4, 5]


def test_overlap():
    a, b = np.arange(6.0), cp.arange(6.0)
    a[1:] += a[:-1]
    b[1:] += b[:-1]
    assert b.tolist() == a.tolist()
    a[::-1] -= a
    b[::-1] -= b
    assert b.tolist() == a.tolist()


def test_view_of_a_pending_array_sees_its_writes():
    a = cp.arange(6.0) * 2
    v = a[1:4]
    v += 100
    assert a.tolist() == [0, 102, 104, 106, 8, 10]
    a *= 0
    assert v.tolist() == [0, 0, 0]


def test_zeros_need_no_memory(x):
    pool = cp.get_default_memory_pool()
    used = pool.used_bytes()
    z = cp.zeros(10_000_000)
    assert pool.used_bytes() == used
    assert float((z[:N] + 1).sum()) == N


def test_values_are_snapshots():
    a = cp.arange(3.0)
    t = a[0]
    a[0] = a[1]
    a[1] = t
    assert a.tolist() == [1, 0, 2]
    s = a.sum()
    best = s
    s += 1
    assert float(best) == 3 and float(s) == 4


def test_arrays_of_the_user_are_windows():
    a = cp.arange(3.0)
    w = a[0, ...]
    w += 5
    assert a.tolist() == [5, 1, 2]
    z = cp.array(3.0)
    other = z
    z += 1
    assert float(other) == 4


def test_values_work_where_numbers_do():
    a = cp.arange(10)
    n = a[3]
    assert list(range(10))[n] == 3
    assert a[: a[4]].tolist() == [0, 1, 2, 3]
    assert f"{a.sum():>5d}" == "   45" and f"{(a / 2).sum():.2f}" == "22.50"
    assert round(a[5] / 2) == 2 and int(n) == 3 and float(n) == 3.0 and complex(n) == 3
    import math

    assert math.sqrt(a[4]) == 2.0
    assert bool(a[1]) and not a[0]


def test_graph_size_is_bounded(x):
    """A long loop is evaluated in pieces; its destruction does not recurse."""
    z = x
    with counted() as c:
        for _ in range(2000):
            z = z * 1.0001 + 0.001
        z.get()
    assert 2 <= c.kernels <= 200
    assert c.reasons.get("graph_size", 1) > 0
    deep = x
    for _ in range(20_000):
        deep = deep + 1
    del deep


def test_pinned_bytes_are_bounded():
    """Temporaries that live only in pending graphs count: the loop's memory does not grow."""
    pool = cp.get_default_memory_pool()
    total = cp.zeros(1000)
    gc.collect()
    pool.reset_peak()
    start = pool.used_bytes()
    for i in range(200):
        big = cp.evaluate(cp.full(1_000_000, float(i)))
        total = total + big[:1000]
    cp.evaluate(total)
    assert float(total[0]) == sum(range(200))
    assert pool.peak_bytes() - start < 1.5 * 2**30


def test_evaluation_of_a_part_leaves_the_rest_pending(x, y):
    a, b = cp.sin(x), cp.cos(y)
    a.get()
    assert not _core.is_pending(a) and _core.is_pending(b)


def test_eager_runs_at_once(x):
    with cp.eager():
        y = x + 1
        assert not _core.is_pending(y)
    assert _core.is_pending(x + 1)


def test_softmax_is_few_kernels():
    a = cp.asarray(np.random.default_rng(0).normal(size=(64, 257)).astype("f4"))
    with counted() as c:
        e = cp.exp(a - a.max(axis=1, keepdims=True))
        s = e / e.sum(axis=1, keepdims=True)
        del e
        got = s.get()
    assert c.kernels <= 4
    assert np.allclose(got.sum(axis=1), 1, atol=1e-5)


def test_one_kernel_over_broadcast_and_strided_operands():
    a = cp.asarray(np.arange(12.0).reshape(3, 4))
    b = cp.asarray(np.arange(3.0))
    c2 = cp.asarray(np.arange(24.0).reshape(4, 6))[:, ::2].T
    with counted() as c:
        got = ((a + b[:, None]) * c2 - 1).get()
    assert c.kernels == 1
    want = (np.arange(12.0).reshape(3, 4) + np.arange(3.0)[:, None]) * np.arange(24.0).reshape(4, 6)[
        :, ::2
    ].T - 1
    assert np.array_equal(got, want)


def test_where_and_comparisons_fuse(x):
    with counted() as c:
        cp.where(x > 0.5, x * 2, x / 2).get()
    assert c.kernels == 1


def test_composites_fuse(x):
    with counted() as c:
        cp.isclose(x, x * 1.0000001).get()
    assert c.kernels == 1
    with counted() as c:
        assert cp.allclose(x, x)
    assert c.kernels == 1


LARGE_GRAPHS = """
import cuprum as cp, numpy as np
x = cp.arange(6.0)
a = x
for i in range({nodes}):  # a new scalar in every step
    a = a + float(i)
assert a.tolist() == [k + sum(range({nodes})) for k in range(6)]
if "cuda" in str(x.device):
    raise SystemExit  # its kernels take no more than 32764 bytes of arguments, and say so
rows, many = cp.asarray(np.arange({rows} * 6.0).reshape({rows}, 6)), []
for j in range(20):  # outputs of one kernel: each has a thousand leaves and scalars of its own
    b = x
    for i in range(j % 3, {rows}, 3):
        b = b + rows[i] * float(i + 1)
    many.append(b)
cp.evaluate(many)
host = np.arange({rows} * 6.0).reshape({rows}, 6)
for j, b in enumerate(many):
    want = np.arange(6.0)
    for i in range(j % 3, {rows}, 3):
        want = want + host[i] * float(i + 1)
    assert np.array_equal(b.get(), want), j
"""


@pytest.mark.parametrize("nodes, rows", [(70_000, 3_000), (40_000, 9_000)])
def test_graphs_of_any_size_are_right(nodes, rows):
    """The setting asks for as many nodes as it may."""
    source = LARGE_GRAPHS.format(nodes=nodes, rows=rows)
    done = subprocess.run(
        [sys.executable, "-c", source],
        env={**os.environ, "CUPRUM_MAX_NODES": "2048", "CUPRUM_EAGER": "0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
