"""Row programs: reductions whose results go back to the elements of their rows, in one kernel.

Lazy and eager, with any number of threads, give the same bits; NumPy in double precision says what they should be.
"""

import random

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core

SHAPES = [
    (1, 1),
    (7, 5),
    (33, 1),
    (1, 300),
    (40, 129),
    (3, 70_000),
    (2000, 16),
    (5, 6, 7),
    (2, 3, 4, 130),
    (300, 70),
    (64,),
    (5000,),
]


def softmax(xp, x, axis):
    e = xp.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def log_softmax(xp, x, axis):
    z = x - x.max(axis=axis, keepdims=True)
    return z - xp.log(xp.exp(z).sum(axis=axis, keepdims=True))


def standardise(xp, x, axis):
    return (x - x.mean(axis=axis, keepdims=True)) / (x.std(axis=axis, keepdims=True) + 0.5)


def layer_norm(xp, x, axis):
    d = x - x.mean(axis=axis, keepdims=True)
    return d / xp.sqrt((d * d).mean(axis=axis, keepdims=True) + 1e-3)


def rms_norm(xp, x, axis):
    return x / xp.sqrt((x * x).mean(axis=axis, keepdims=True) + 1e-3)


def centred(xp, x, axis):
    return x - x.mean(axis=axis, keepdims=True)


def weighted(xp, x, axis):
    w = xp.exp(-((x - x.mean(axis=axis, keepdims=True)) ** 2))
    return (w * x).sum(axis=axis) / w.sum(axis=axis)


def largest(xp, x, axis):
    return x.max(axis=axis), x.argmax(axis=axis), x - x.max(axis=axis, keepdims=True)


def alive(xp, x, axis):
    m = x.mean(axis=axis, keepdims=True)
    d = x - m
    e = xp.exp(-d * d)
    s = e.sum(axis=axis, keepdims=True)
    return e / s, d, m, s + 1


def three_times(xp, x, axis):
    for _ in range(3):
        x = xp.tanh(x - x.mean(axis=axis, keepdims=True))
    return x


PROGRAMS = [
    softmax,
    log_softmax,
    standardise,
    layer_norm,
    rms_norm,
    centred,
    weighted,
    largest,
    alive,
    three_times,
]


def parts(result):
    return result if isinstance(result, tuple) else (result,)


def values(program, make, axis, eager, threads):
    before = _core.get_num_threads()
    _core.set_num_threads(threads)
    try:
        with cp.eager(eager):
            result = program(cp, make(cp), axis)
            cp.evaluate(*parts(result))
            return [r.get() for r in parts(result)]
    finally:
        _core.set_num_threads(before)


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def check(program, make, axis):
    lazy = values(program, make, axis, False, 2)
    for eager, threads in ((True, 1), (False, 1), (False, 3)):
        for a, b in zip(lazy, values(program, make, axis, eager, threads)):
            assert same_bits(a, b), (program.__name__, eager, threads)
    exact = parts(program(np, np.asarray(make(np), dtype=np.float64), axis))
    for a, b in zip(lazy, exact):
        half = a.dtype == np.float16
        np.testing.assert_allclose(
            np.asarray(a, np.float64), b, rtol=2e-2 if half else 2e-4, atol=2e-2 if half else 1e-5
        )


def numbers(shape, dtype="f4", seed=0):
    return np.random.default_rng(seed).uniform(-2, 2, shape).astype(dtype)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("program", PROGRAMS)
def test_same_bits_along_every_axis(program, shape):
    host = numbers(shape)
    for axis in range(len(shape)):
        check(program, lambda xp: xp.asarray(host), axis)


@pytest.mark.parametrize("program", [softmax, layer_norm, weighted, alive])
def test_several_axes_and_all(program):
    host = numbers((6, 17, 5, 9))
    for axis in ((2, 3), (0, 1), (1, 3), (0, 2), None):
        check(program, lambda xp: xp.asarray(host), axis)


@pytest.mark.parametrize("dtype", ["f2", "f8", "i4", "i2"])
@pytest.mark.parametrize("program", [softmax, standardise, centred, rms_norm])
def test_dtypes(program, dtype):
    host = np.abs(numbers((37, 130), "f8") * 3).astype(dtype)
    if dtype != "f8" and program is rms_norm:
        host = host % 4
    for axis in (0, 1):
        check(program, lambda xp: xp.asarray(host), axis)


@pytest.mark.parametrize("program", [softmax, standardise, alive])
def test_views_and_orders(program):
    host = numbers((60, 44, 6))
    for make in (
        lambda xp: xp.asarray(host)[::2, 3:],
        lambda xp: xp.asarray(host).transpose(2, 0, 1),
        lambda xp: xp.asarray(host)[:, ::-1],
        lambda xp: xp.asarray(np.asfortranarray(host)),
        lambda xp: xp.broadcast_to(xp.asarray(host)[:, :1], host.shape),
        lambda xp: xp.asarray(host) * 2 + 1,
    ):
        for axis in (0, 1, 2, (0, 2)):
            check(program, make, axis)


def kernels(call):
    before = _core.engine_stats()["kernels"]
    with cp.eager(False):
        cp.evaluate(*parts(call()))
    return _core.engine_stats()["kernels"] - before


@pytest.mark.parametrize("program", PROGRAMS)
def test_one_kernel(program):
    x = cp.asarray(numbers((50, 70)))
    for axis in (0, 1):
        assert kernels(lambda: program(cp, x, axis)) == 1, axis


def test_row_values_stay_inside():
    x = cp.asarray(numbers((400, 500)))
    pool = cp.get_default_memory_pool()
    with cp.eager(False):
        y = softmax(cp, x, 1)
        text = str(cp.show_graph(y))
        pool.reset_peak()
        before = pool.used_bytes()
        cp.evaluate(y)
    assert "then computes" in text
    assert pool.peak_bytes() - before < 1.6 * x.nbytes


def test_other_readers_of_row_values():
    """A reduction that another kernel reads too is in memory."""
    host = numbers((30, 40))
    x = cp.asarray(host)
    with cp.eager(False):
        m = x.mean(1)
        d = x - m[:, None]
        outer = m[:, None] * m[None, :]
        del m
        cp.evaluate(d, outer)
    mean = host.mean(1, dtype="f8")
    np.testing.assert_allclose(d.get(), host - mean[:, None], atol=1e-6)
    np.testing.assert_allclose(outer.get(), np.outer(mean, mean), atol=1e-6)


def test_writes_in_place():
    host = numbers((40, 50))
    x = cp.asarray(host.copy())
    with cp.eager(False):
        x -= x.mean(1, keepdims=True)
        x /= x.std(1, keepdims=True)
        x[:, :] = x - x.max(0)
    want = (host - host.mean(1, keepdims=True, dtype="f8")) / host.std(1, keepdims=True, dtype="f8")
    np.testing.assert_allclose(x.get(), want - want.max(0), atol=1e-5)


def test_rows_of_nothing():
    with cp.eager(False):
        x = cp.zeros((0, 5), "f4")
        assert (x - x.mean(1, keepdims=True)).shape == (0, 5)
        y = cp.zeros((5, 0), "f4")
        z = y / (y.sum(1, keepdims=True) + 1)
        assert z.get().shape == (5, 0)
        np.testing.assert_array_equal((y.sum(1) + 1).get(), np.ones(5, "f4"))


ELEMENT = ["x - {m}", "x * {m}", "cp.exp(-abs(x - {m}))", "cp.maximum(x, {m})", "x / (abs({m}) + 1)"]
REDUCE = ["mean", "sum", "max", "min", "var", "std"]


def random_program(seed):
    """Steps of a chain over one space, with some intermediates alive."""
    rng = random.Random(seed)
    shape = tuple(rng.choice([1, 2, 3, 17, 64, 130]) for _ in range(rng.randint(1, 3)))
    axes = tuple(sorted(rng.sample(range(len(shape)), rng.randint(1, len(shape)))))
    steps, live = [], []
    for i in range(rng.randint(1, 5)):
        keep = rng.random() < 0.7
        steps.append(f"m{i} = x.{rng.choice(REDUCE)}(axis={axes}, keepdims={keep})")
        m = f"m{i}" if keep else f"cp.expand_dims(m{i}, {axes})"
        if rng.random() < 0.3:
            steps.append(f"m{i} = cp.sqrt(abs(m{i}) + 0.25)")
        steps.append("x = " + rng.choice(ELEMENT).format(m=m))
        if rng.random() < 0.3:
            steps.append(f"k{i} = x")
            live.append(f"k{i}")
        if rng.random() < 0.3:
            live.append(f"m{i}")
        if rng.random() < 0.2:
            steps.append(f"x[..., :1] = {rng.randint(0, 3)}" if rng.random() < 0.5 else "x = x.copy()")
    return shape, rng.choice(["f4", "f8", "f2"]), steps, ["x", *live]


def run_random(seed, eager, threads):
    shape, dtype, steps, live = random_program(seed)
    before = _core.get_num_threads()
    _core.set_num_threads(threads)
    try:
        with cp.eager(eager), np.errstate(all="ignore"):
            names = {"cp": cp, "x": cp.asarray(numbers(shape, dtype, seed))}
            for step in steps:
                exec(step, names)
            kept = [names[n] for n in live]
            names.clear()
            cp.evaluate(*kept)
            return [k.get() for k in kept]
    finally:
        _core.set_num_threads(before)


@pytest.mark.parametrize("chunk", range(8))
def test_random_chains(chunk):
    for seed in range(chunk * 60, chunk * 60 + 60):
        eager = run_random(seed, True, 1)
        for threads in (1, 2):
            for a, b in zip(run_random(seed, False, threads), eager):
                assert same_bits(a, b), (seed, random_program(seed))
