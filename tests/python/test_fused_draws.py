"""`rng.random(n) < p` is one kernel, which draws the numbers itself."""

import os

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE, HOST_MEMORY
from kernel_counts import nothing_is_small, work
from test_timeline import contents, spans_of

CUDA = "cuda" in HERE.name


@pytest.fixture(autouse=True)
def lazy():
    with HERE, nothing_is_small():
        yield


def generator(xp, bits="PCG64", seed=7):
    return xp.random.Generator(getattr(xp.random, bits)(seed))


def pi(rng, n=5000):
    x, y = rng.random(n), rng.random(n)
    return (x * x + y * y <= 1).sum()


def payoff(xp, rng, n=5000):
    spot = 100 * (1 + rng.uniform(-0.5, 0.5, n))
    return xp.maximum(spot - 100, 0)


ONE = {
    "compared": lambda xp, g: g.random(5000) < 0.25,
    "counted": lambda xp, g: (g.random(5000) < 0.25).sum(),
    "pi": lambda xp, g: pi(g),
    "payoff": lambda xp, g: payoff(xp, g),
    "single": lambda xp, g: g.random(5001, dtype="f4") * 3,
    "both": lambda xp, g: g.random(3001, dtype="f4") + g.random(3001),
    "uniform": lambda xp, g: g.uniform(-2, 3, 4000) * 2,
    "inverse": lambda xp, g: g.standard_exponential(4000, method="inv") * 2,
    "inverse in single": lambda xp, g: g.standard_exponential(4001, method="inv", dtype="f4") * 2,
    "triangular": lambda xp, g: g.triangular(-1, 0, 4, 4000) * 2,
    "raw": lambda xp, g: g.bit_generator.random_raw(1000) >> xp.uint64(7),
    "rows": lambda xp, g: g.random((30, 200)) * xp.asarray(np.arange(200.0)),
    "short rows": lambda xp, g: g.random((300, 3)) * xp.asarray(np.arange(3.0)),
    "by rows": lambda xp, g: g.random((30, 200)) * xp.asarray(np.arange(30.0))[:, None],
    "turned": lambda xp, g: g.random((30, 200)).T * 2,
    "three axes turned": lambda xp, g: g.random((3, 40, 50)).transpose(1, 0, 2) * 2,
    "reshaped": lambda xp, g: g.random(600).reshape(20, 30) * 2,
    "greatest of columns": lambda xp, g: (g.random((50, 600)) * 2).max(axis=0),
    "greatest of rows": lambda xp, g: (g.random((50, 600)) * 2).max(axis=1),
    "greatest of short rows": lambda xp, g: (g.random((5000, 2)) * 2).max(axis=1),
    "where it is greatest": lambda xp, g: (-g.random((50, 600))).argmax(axis=1),
    "greatest of it": lambda xp, g: g.random(70000).max(),
    "a slice": lambda xp, g: g.random(5000)[3:4000] * 2,
    "a slice of rows": lambda xp, g: g.random((50, 60))[5:40, 7:50] * 2,
    "from its end": lambda xp, g: g.random(5000)[::-1] * 2,
    "halves": lambda xp, g: (lambda r: r[:2500] - r[2500:])(g.random(5000)),
    "halves of single": lambda xp, g: (lambda r: r[:2501] - r[2501:])(g.random(5002, dtype="f4")),
    "read twice": lambda xp, g: (lambda r: r * r + r)(g.random(5000)),
    "several": lambda xp, g: sum(g.random(300) for _ in range(9)),
    "many": lambda xp, g: sum(g.random(70) for _ in range(100)),
    "one number": lambda xp, g: g.random(1) * 2,
    "a copy": lambda xp, g: xp.copy(g.random((30, 20)).T),
    "greatest and more": lambda xp, g: 4 * g.random(5000).max() + 1,
    "rows and more": lambda xp, g: (g.random((40, 600)) * 2).max(axis=1) * g.random(40),
    "a stage of two": lambda xp, g: (lambda w: w * (g.random((40, 600)) * w).max(axis=1, keepdims=True))(
        xp.asarray(np.arange(24000.0).reshape(40, 600))
    ),
    "a stage of two, by columns": lambda xp, g: (lambda w: w * (g.random((40, 600)) * w).max(axis=0))(
        xp.asarray(np.arange(24000.0).reshape(40, 600))
    ),
    "a stage of two, three axes": lambda xp, g: (
        lambda w: w * (g.random((3, 200, 300)) * w).max(axis=2, keepdims=True)
    )(xp.asarray(np.arange(180000.0).reshape(3, 200, 300))),
    "cast": lambda xp, g: g.random(5000).astype("f4"),
}


# Of halves of blocks, where CUDA is faster by calls.
HALVES = {"single", "both", "inverse in single", "halves of single"}


@pytest.mark.parametrize("bits", ["PCG64", "PCG64DXSM", "Philox"])
@pytest.mark.parametrize("name", ONE)
def test_is_one_kernel(name, bits):
    g, want = generator(cp, bits), generator(np, bits)
    for _ in range(3):  # the stream goes on
        w = ONE[name](np, want)
        (kernels, calls), got = work(lambda: ONE[name](cp, g))
        if not CUDA or bits != "Philox" or name not in HALVES:
            assert (kernels, calls) == (1, 0)
        assert got.dtype == w.dtype and got.shape == w.shape
        np.testing.assert_array_equal(cp.asnumpy(got), w)
    state, other = g.bit_generator.state, want.bit_generator.state
    assert str(state) == str(other)


@pytest.mark.parametrize("bits", ["PCG64", "PCG64DXSM", "Philox", "Philox4x3210"])
@pytest.mark.parametrize("shape", [(70001,), (300, 211), (211, 300), (20000, 3), (3, 20000), (7, 40, 50)])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_sums_have_the_bits_of_arrays(bits, shape, dtype):
    lazy, eager = generator(cp, bits), generator(cp, bits)
    lazy.random(3, dtype="f4"), eager.random(3, dtype="f4")  # half of a draw is left
    for axis in (None, 0, -1):
        for reduce in ("sum", "mean", "var"):
            got = cp.evaluate(getattr(lazy.random(shape, dtype=dtype) * 3, reduce)(axis=axis))
            with cp.eager(True):
                want = getattr(eager.random(shape, dtype=dtype) * 3, reduce)(axis=axis)
            assert cp.asnumpy(got).tobytes() == cp.asnumpy(want).tobytes()


OWN = {
    "standard_normal": (),
    "normal": (1.0, 2.0),
    "standard_exponential": (),
    "gamma": (2.5, 3.0),
    "standard_gamma": (0.5,),
    "lognormal": (),
    "poisson": (4.0,),
    "binomial": (10, 0.3),
    "hypergeometric": (1000, 1000, 1500),
    "integers": (0, 1000),
    "random": (),
}


EASY = {"standard_normal", "normal", "standard_exponential", "integers", "random"}


@pytest.mark.parametrize("law", OWN)
@pytest.mark.parametrize("n", [1, 2, 257, 5000, 40001])
def test_laws_with_a_stream_for_each_number(law, n):
    lazy, eager = generator(cp, "Philox4x3210"), generator(cp, "Philox4x3210")
    lazy.random(3, dtype="f4"), eager.random(3, dtype="f4")
    for _ in range(2):
        (kernels, calls), got = work(lambda: getattr(lazy, law)(*OWN[law], size=n) * 2)
        if law in EASY or not CUDA:  # where others are calls
            assert (kernels, calls) == (1, 0)
        stored = cp.evaluate(getattr(eager, law)(*OWN[law], size=n))
        np.testing.assert_array_equal(cp.asnumpy(got), cp.asnumpy(stored * 2))
    assert str(lazy.bit_generator.state) == str(eager.bit_generator.state)


@pytest.mark.parametrize("type", ["i1", "u2", "i4", "i8", "?"])
def test_integers_of_the_fastest_generator(type):
    high = 2 if type == "?" else 100
    lazy, eager = generator(cp, "Philox4x3210"), generator(cp, "Philox4x3210")
    for n in (1, 5, 3001):
        got = cp.evaluate(~lazy.integers(0, high, n, dtype=type))
        stored = cp.evaluate(eager.integers(0, high, n, dtype=type))
        np.testing.assert_array_equal(cp.asnumpy(got), ~cp.asnumpy(stored))


CALLS = {
    "it is asked for": lambda xp, g, keep: keep(g.random(5000)) * 2,
    "some are read twice": lambda xp, g, keep: (lambda r: r[1:] - r[:-1])(g.random(5000)),
    "some are left out": lambda xp, g, keep: g.random((500, 2))[:, 0] * 2,
    "it is read often": lambda xp, g, keep: g.random(30) * xp.ones((20, 30)),
    "two kernels read it": lambda xp, g, keep: (lambda b: b.max(axis=0)[:3] + b.max(axis=1)[:3])(
        g.random((30, 40))
    ),
    "it is read in two ways": lambda xp, g, keep: (lambda b: b + b.T)(g.random((30, 30))),
    "a turned copy": lambda xp, g, keep: g.random((30, 20)).T.copy(),
    "across": lambda xp, g, keep: g.random((30, 40)).T + xp.ones((40, 30)),
    "rows are shifted": lambda xp, g, keep: (lambda b: b - b.max(axis=1, keepdims=True))(g.random((40, 60))),
    "parameters are arrays": lambda xp, g, keep: g.triangular(xp.zeros(50), 1.0, 2.0) * 2,
    "one takes what it needs": lambda xp, g, keep: g.standard_normal(50) * 2,
    "a generator is read in turn": lambda xp, g, keep: generator(xp, "SFC64").random(500) * 2,
}


@pytest.mark.parametrize("name", CALLS)
def test_stays_a_call_where(name):
    kept = []
    keep = lambda x: kept.append(x) or x
    g, want = generator(cp), generator(np)
    for _ in range(2):
        (_, calls), got = work(lambda: CALLS[name](cp, g, keep))
        assert calls >= 1
        np.testing.assert_array_equal(cp.asnumpy(got), CALLS[name](np, want, lambda x: x))


def test_names_that_live_are_numbers():
    g, want = generator(cp), generator(np)
    x = g.random(1000)
    y = x * 2
    z = g.random(1000)
    total = (y + z).max()
    a, c = want.random(1000), want.random(1000)
    assert float(total) == (a * 2 + c).max()
    for got, numbers in ((x, a), (y, a * 2), (z, c)):
        np.testing.assert_array_equal(cp.asnumpy(got), numbers)


def test_nothing_is_written_to_memory():
    g = generator(cp)
    pool = cp.get_default_memory_pool()
    cp.evaluate((g.random(1000) < 0.5).sum())
    HERE.synchronize()
    pool.reset_peak()
    before = pool.used_bytes()
    n = 3_000_000
    count = int((g.random(n) < 0.5).sum() + pi(g, n))
    want = generator(np)
    want.random(1000)
    assert count == (want.random(n) < 0.5).sum() + pi(want, n)
    if (
        not CUDA or os.environ.get("CUPRUM_TIER") == "1"
    ):  # else they wait in memory while the kernel is compiled
        assert pool.peak_bytes() - before < 1 << 18


def test_pending_numbers_are_no_bytes():
    """Numbers that nobody has drawn keep no memory alive: the limit on that evaluates nothing."""
    g = generator(cp)
    parts = [g.random(2**28) for _ in range(8)]  # of 16 GB
    before = _core.engine_stats()
    kept = [(r * 2) for r in parts]
    after = _core.engine_stats()
    assert before["evaluations"] == after["evaluations"] and after["pinned_bytes"] == before["pinned_bytes"]
    del parts, kept


def test_graph():
    g = generator(cp)
    a = cp.evaluate(cp.ones(1000))
    text = str(cp.show_graph((g.random(1000) * a + g.random(1000)).sum()))
    assert text.count("draw(") == 2
    assert "1 kernel\n" in text and "reads 1, draws 2," in text and "[view]" not in text


def test_the_timeline_names_them(tmp_path):
    g = generator(cp)
    with HERE, cp.profiler.timeline(tmp_path / "out.html"):
        cp.evaluate((g.random(100_000) < 0.5).sum())
        HERE.synchronize()
    spans = [s for s in spans_of(contents(tmp_path / "out.html")) if s["kind"] == "kernel"]
    assert len(spans) == 1 and "sum" in spans[0]["name"]
    assert "draw" in spans[0]["name"] and spans[0]["bytes"] < 100


WRITES = {
    "a part": lambda g, a: a.__setitem__(slice(10, None), g.random(a.size - 10)),
    "every second": lambda g, a: a.__setitem__(slice(None, None, 2), g.random((a.size + 1) // 2) * 3),
    "backwards": lambda g, a: a.__setitem__(slice(None, None, -1), g.random(a.size)),
    "all": lambda g, a: a.__setitem__(Ellipsis, g.random(a.size) * 2),
    "added": lambda g, a: a.__setitem__(slice(1, None), a[:-1] + g.random(a.size - 1)),
    "in place": lambda g, a: a.__iadd__(g.random(a.size)),
    "out": lambda g, a: g.random(out=a),
}


@pytest.mark.parametrize("name", WRITES)
def test_writes(name):
    g, want = generator(cp), generator(np)
    a, b = cp.zeros(3001), np.zeros(3001)
    for _ in range(2):
        before, also = a * 2, b * 2
        WRITES[name](g, a), WRITES[name](want, b)
        np.testing.assert_array_equal(cp.asnumpy(before), also)
        np.testing.assert_array_equal(cp.asnumpy(a), b)


def test_captured():
    g = generator(cp)
    out = cp.evaluate(cp.zeros(3))
    stream = cp.cuda.Stream()
    with stream:
        stream.begin_capture()
        out[:] = g.random(3) * 2
        graph = stream.end_capture()
    want = generator(np).random(3) * 2
    for _ in range(2):
        out[:] = 0
        graph.launch(stream)
        stream.synchronize()
        assert out.tolist() == want.tolist()


@pytest.mark.skipif(not HOST_MEMORY, reason="the host's threads compute")
@pytest.mark.parametrize("bits", ["PCG64", "Philox", "Philox4x3210"])
def test_threads_change_no_bit(bits):
    def results():
        g = generator(cp, bits)
        g.random(1, dtype="f4")
        yield g.random(300_001) * 3
        yield (g.random(300_001, dtype="f4") * 3).sum()
        yield (g.random((700, 301)) * 3).sum(axis=0)
        yield (g.random((301, 700)) * 3).sum(axis=1)
        yield g.random((301, 700)) * cp.arange(700.0)

    before = _core.get_num_threads()
    try:
        seen = set()
        for threads in (1, 2, 4):
            _core.set_num_threads(threads)
            seen.add(tuple(cp.asnumpy(cp.evaluate(r)).tobytes() for r in results()))
        assert len(seen) == 1
    finally:
        _core.set_num_threads(before)
