"""The fastest generator, Philox4x3210, in which every number has a stream of its own: its laws, beside NumPy's numbers
of the same laws; the same numbers in one call and in pieces; orders by random keys."""

import bisect
import math

import numpy as np
import pytest

import cuprum as cp
from random_laws import CONTINUOUS, DISCRETE, state_of

MANY = 100_000
# What one in a thousand samples of one law exceeds: of the statistic of Kolmogorov and Smirnov for two samples, times
# sqrt(n / 2), and of a chi-square, in its deviations from its mean. Seeds are fixed.
KOLMOGOROV, DEVIATIONS = 1.95, 3.3


def generator(seed=11):
    return cp.random.Generator(cp.random.Philox4x3210(seed))


def kolmogorov_smirnov(x, y):
    x, y = np.sort(x), np.sort(y)
    at = np.concatenate([x, y])
    apart = np.searchsorted(x, at, "right") / x.size - np.searchsorted(y, at, "right") / y.size
    return np.abs(apart).max() * math.sqrt(x.size / 2)


def chi_square(x, y):
    values = np.unique(np.concatenate([x, y]))
    a, b = (np.bincount(np.searchsorted(values, z), minlength=values.size) for z in (x, y))
    often = a + b >= 20
    a, b = np.append(a[often], a[~often].sum()), np.append(b[often], b[~often].sum())
    return (((a - b) ** 2 / np.maximum(a + b, 1)).sum() - a.size + 1) / math.sqrt(2 * a.size)


def finite(name, parameters):
    return not any(math.isnan(p) for p in parameters) and (name, parameters) != ("beta", (0.01, 0.01))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("random", ()), ("standard_normal", ()), ("standard_exponential", ())]
    + [(name, p) for name, rows in CONTINUOUS.items() for p in rows if finite(name, p)],
)
def test_continuous_laws(name, parameters):
    got = cp.asnumpy(getattr(generator(), name)(*parameters, size=MANY))
    expected = getattr(np.random.default_rng(5), name)(*parameters, size=MANY)
    assert got.dtype == expected.dtype
    assert kolmogorov_smirnov(got, expected) < KOLMOGOROV


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("random", ()), ("standard_normal", ()), ("standard_exponential", ()), ("standard_gamma", (0.5,))]
    + [("standard_gamma", (3,))],
)
def test_laws_of_float32(name, parameters):
    got = cp.asnumpy(getattr(generator(), name)(*parameters, size=MANY, dtype=np.float32))
    expected = getattr(np.random.default_rng(5), name)(*parameters, size=MANY, dtype=np.float32)
    assert got.dtype == expected.dtype
    assert kolmogorov_smirnov(got, expected) < KOLMOGOROV


@pytest.mark.parametrize(
    ("name", "parameters"), [(name, p) for name, rows in DISCRETE.items() for p in rows if p != (1.1,)]
)
def test_discrete_laws(name, parameters):
    got = cp.asnumpy(getattr(generator(), name)(*parameters, size=MANY))
    expected = getattr(np.random.default_rng(5), name)(*parameters, size=MANY)
    assert got.dtype == expected.dtype
    if np.unique(got).size > 2000:
        assert kolmogorov_smirnov(got, expected) < KOLMOGOROV
    else:
        assert chi_square(got, expected) < DEVIATIONS


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_integers(dtype):
    high = 2 if dtype is np.bool_ else 100
    got = cp.asnumpy(generator().integers(0, high, MANY, dtype))
    assert got.dtype == dtype
    assert chi_square(got.astype(np.int64), np.random.default_rng(5).integers(0, high, MANY)) < DEVIATIONS
    least = 0 if dtype is np.bool_ else np.iinfo(dtype).min
    wide = cp.asnumpy(generator().integers(least, high, MANY, dtype, endpoint=dtype is not np.bool_))
    expected = np.random.default_rng(5).integers(least, high, MANY, dtype, endpoint=dtype is not np.bool_)
    assert wide.min() >= least
    assert kolmogorov_smirnov(wide.astype(np.float64), expected.astype(np.float64)) < KOLMOGOROV


LAWS = [(name, p) for table in (CONTINUOUS, DISCRETE) for name, rows in table.items() for p in rows[:2]]


@pytest.mark.parametrize(("name", "parameters"), [law for law in LAWS if law[1]])
def test_arrays_of_parameters(name, parameters):
    """Numbers of the same law: the very same, where the law has no table of quantiles."""
    arrays = [cp.full((3, MANY // 4), p) for p in parameters[:1]] + [*parameters[1:]]
    got = getattr(generator(), name)(*arrays)
    assert got.shape == (3, MANY // 4)
    got = cp.asnumpy(got).ravel()
    expected = getattr(np.random.default_rng(5), name)(*parameters, size=got.size)
    assert kolmogorov_smirnov(got, expected) < KOLMOGOROV
    if name in CONTINUOUS and got.dtype == np.float64:
        np.testing.assert_allclose(
            got, cp.asnumpy(getattr(generator(), name)(*parameters, size=got.size)), rtol=1e-12
        )


def test_every_number_has_parameters_of_its_own():
    means = np.linspace(0.5, 200, 12)[:, None]
    got = cp.asnumpy(generator().poisson(cp.asarray(means), (12, 20_000)))
    assert (abs(got.mean(1) - means[:, 0]) < 4.5 * np.sqrt(means[:, 0] / 20_000)).all()
    highs = np.array([1, 7, 300, 2**40])
    got = cp.asnumpy(generator().integers(0, cp.asarray(highs), (50_000, 4)))
    assert (got >= 0).all() and (got < highs).all()
    spread = highs / math.sqrt(12 * 50_000)
    assert (abs(got.mean(0) - (highs - 1) / 2) < 4.5 * spread).all()


PIECES = [1, 3, 0, 1000, 5, 4096, 17, 70_001]


@pytest.mark.parametrize(
    "law",
    [
        lambda g, n: g.random(n),
        lambda g, n: g.random(n, np.float32),
        lambda g, n: g.normal(2, 3, n),
        lambda g, n: g.standard_normal(n, np.float32),
        lambda g, n: g.standard_exponential(n, np.float32),
        lambda g, n: g.gamma(2.5, 2, n),
        lambda g, n: g.standard_gamma(0.4, n),
        lambda g, n: g.poisson(3, n),
        lambda g, n: g.poisson(1e7, n),
        lambda g, n: g.integers(0, 3 << 29, n),
        lambda g, n: g.integers(0, 3 << 60, n),
        lambda g, n: g.integers(0, 3 << 29, n, np.int32),
        lambda g, n: g.zipf(2.0, n),
    ],
)
def test_numbers_in_pieces_are_those_of_one_call(law):
    g, whole = generator(), generator()
    got = np.concatenate([cp.asnumpy(law(g, n)) for n in PIECES])
    np.testing.assert_array_equal(got, cp.asnumpy(law(whole, sum(PIECES))))
    assert state_of(g.bit_generator) == state_of(whole.bit_generator)


def test_a_number_takes_one_unit_whatever_comes():
    for law in ("standard_normal", "standard_exponential", "standard_cauchy", "standard_gamma", "poisson"):
        g, other = generator(), generator()
        getattr(g, law)(*[0.3] * (law in ("standard_gamma", "poisson")), size=1001)
        other.random(1001)
        assert state_of(g.bit_generator) == state_of(other.bit_generator)


def test_laws_are_recorded():
    """The state behind a call is known before the numbers are drawn."""
    if not cp._core.is_pending(cp.ones(3) + 1):
        pytest.skip("every operation runs at once here")
    g = generator()
    for x in (
        g.standard_normal(1000),
        g.poisson(4.0, 1000),
        g.integers(0, 1000, 1000),
        g.gamma(2.5, 1, 1000),
    ):
        assert cp._core.is_pending(x)
    moved = generator().bit_generator.advance(3500)  # integers of few bits take half a draw
    assert state_of(g.bit_generator)["state"] == state_of(moved)["state"]


def test_neighbours_are_independent():
    """Of numbers that take second tries too: the correlation of neighbours in a row."""
    for x in (
        generator().standard_gamma(1.5, MANY),
        generator().standard_gamma(0.5, MANY),
        generator().standard_cauchy(MANY),
    ):
        ranks = cp.asnumpy(x).argsort().argsort() / MANY
        assert abs(np.corrcoef(ranks[:-1], ranks[1:])[0, 1]) < 4 / math.sqrt(MANY)


@pytest.mark.parametrize("n", [0, 1, 2, 1000, 65537])
def test_permutations_are_by_random_keys(n):
    draws = generator().bit_generator.random_raw(n)
    below = (1 << max(n - 1, 0).bit_length()) - 1
    keys = cp.asnumpy(draws) & ~np.uint64(below)
    expected = keys.argsort(kind="stable")
    g = generator()
    got = g.permutation(n)
    assert got.dtype == np.int64
    np.testing.assert_array_equal(cp.asnumpy(got), expected)
    x = cp.arange(float(n))
    generator().shuffle(x)
    np.testing.assert_array_equal(cp.asnumpy(x), expected)
    if n:
        np.testing.assert_array_equal(
            cp.asnumpy(generator().choice(n, n // 2, replace=False)), expected[: n // 2]
        )


ORDERED = 2**20  # positions; of more, an order is a bijection by a key


def order_by_key(n, state, places):
    """kernels/random/order.h in NumPy: where an order of n positions puts `places`."""
    columns = 1 << ((n - 1).bit_length() + 1) // 2
    rows = -(-n // columns)
    y, x = (a.astype(np.uint64) for a in np.divmod(places, columns))
    keys = keys_of_order(state)

    def turned(x, y, key, count):
        low = np.uint64(0xFFFFFFFF)
        h = (y * np.uint64(0x9E3779B1) + np.uint64(key)) & low
        h = ((h ^ h >> np.uint64(15)) * np.uint64(0x85EBCA77)) & low
        return (x + np.uint64(count) - (h * np.uint64(count) >> np.uint64(32))) % np.uint64(count)

    for k in range(0, 8, 2):
        x = turned(x, y, keys[k], columns)
        y = turned(y, x, keys[k + 1], rows)
    place = (y * np.uint64(columns) + x).astype(np.int64)
    again = place >= n
    if again.any():
        place[again] = order_by_key(n, state, place[again])
    return place


def keys_of_order(state):
    """The eight words of 32 bits that begin the next unit's own stream (kernels/random/element.h)."""
    counter, stream, key, read = (int(word) for word in state["state"]["state"])
    words = []
    for k in range(2):
        own = generator().bit_generator
        at = [counter, (stream + (k << 7 | 64 * read)) % 2**64, key ^ 0x9B97F4A7C15F39CC, 0]
        own.state = {**own.state, "state": {"state": np.array(at, np.uint64)}}
        words += cp.asnumpy(own.random_raw(2)).view(np.uint32).tolist()
    return words


@pytest.mark.parametrize("n", [ORDERED + 1, 2_000_003, 2**22, 2**22 + 1])
def test_orders_of_many_positions(n):
    g = generator()
    got = cp.asnumpy(g.permutation(n))
    assert got.dtype == np.int64
    np.testing.assert_array_equal(got, order_by_key(n, generator().bit_generator.state, np.arange(n)))
    np.testing.assert_array_equal(np.sort(got), np.arange(n))
    assert state_of(g.bit_generator) == state_of(generator().bit_generator.advance(n))
    # Part of an order is its beginning, by any call.
    np.testing.assert_array_equal(cp.asnumpy(generator().choice(n, 5000, replace=False)), got[:5000])
    x = cp.arange(float(n))
    generator().shuffle(x)
    np.testing.assert_array_equal(cp.asnumpy(x), got)
    fused = cp.asnumpy((generator().permutation(n) * 3)[7:9000:2])
    np.testing.assert_array_equal(fused, got[7:9000:2] * 3)
    assert (cp.asnumpy(g.permutation(n)) == got).mean() < 1e-4


def test_orders_look_like_orders():
    """Fixed points, neighbours, cells of a grid that is not the order's own, and the longest rising subsequence."""
    n = ORDERED + 12345
    orders = [cp.asnumpy(generator(seed).permutation(n)) for seed in range(12)]
    fixed = sum((order == np.arange(n)).sum() for order in orders)
    assert abs(fixed - 12) < 4.5 * math.sqrt(12)
    for order in orders:
        cells = np.histogram2d(np.arange(n), order, 100)[0]
        expected = n / 10_000
        chi = ((cells - expected) ** 2 / expected).sum()
        assert abs(chi - 99**2) < 4.5 * math.sqrt(2 * 99**2)
        for step in (1, 2, 1024, 2048):  # neighbours in a row, and in a column
            apart = (order[step:] - order[:-step]) % n
            counts = np.bincount(apart * 1000 // n, minlength=1000)
            chi = ((counts - counts.mean()) ** 2 / counts.mean()).sum()
            assert abs(chi - 999) < 4.5 * math.sqrt(2 * 999)
    tails = []
    for place in orders[0][:200_000].tolist():
        at = bisect.bisect(tails, place)
        tails[at : at + 1] = [place]
    assert abs(len(tails) - 2 * math.sqrt(200_000)) < 6 * 200_000 ** (1 / 6)


def test_every_order_is_as_likely():
    orders = cp.asnumpy(generator().permuted(cp.tile(cp.arange(4), (48_000, 1)), axis=1))
    np.testing.assert_array_equal(np.sort(orders, 1), np.tile(np.arange(4), (48_000, 1)))
    counts = np.unique(orders @ np.array([64, 16, 4, 1]), return_counts=True)[1]
    assert counts.size == 24
    assert ((counts - 2000) ** 2 / 2000).sum() < 49.7  # one in a thousand of 23 degrees of freedom


def test_choices_without_replacement():
    few = cp.asnumpy(generator().choice(10**12, 1000, replace=False))
    assert np.unique(few).size == 1000 and few.min() >= 0 and few.max() < 10**12
    many = cp.asnumpy(generator().choice(cp.arange(1000) * 2, (10, 30), replace=False))
    assert np.unique(many).size == 300 and (many % 2 == 0).all()
    counts = sum(
        np.bincount(cp.asnumpy(generator(seed).choice(20, 5, replace=False)), minlength=20)
        for seed in range(400)
    )
    assert ((counts - 100) ** 2 / 75).sum() < 43.8  # one in a thousand of 19 degrees of freedom


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda g: g.standard_gamma(-1.0), "shape < 0"),
        (lambda g: g.poisson(-1.0, 4), "lam < 0"),
        (lambda g: g.poisson(cp.array([1.0, -1.0])), "lam < 0"),
        (lambda g: g.binomial(10, 1.5, 4), "p < 0, p > 1"),
        (lambda g: g.integers(5, 5, 4), "low >= high"),
        (lambda g: g.choice(3, 4, replace=False), "larger sample"),
    ],
)
def test_errors_are_those_of_any_generator(call, words):
    with pytest.raises(ValueError, match=words):
        call(generator())
    with pytest.raises(ValueError, match=words):
        call(cp.random.default_rng(1))


def test_vectors_and_legacy_laws_read_in_turn():
    g, again = generator(), generator()
    for _ in range(2):
        for draw in (
            lambda g: g.multinomial(100, [0.2, 0.3, 0.5], 50),
            lambda g: g.standard_normal(11),
            lambda g: g.dirichlet([1.0, 2.0, 3.0], 50),
            lambda g: cp.random.RandomState(g.bit_generator).standard_normal(7),
        ):
            np.testing.assert_array_equal(cp.asnumpy(draw(g)), cp.asnumpy(draw(again)))
    assert state_of(g.bit_generator) == state_of(again.bit_generator)
