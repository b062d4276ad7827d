"""cuprum.random.Generator against numpy.random.Generator: the same numbers, and the same state afterwards."""

import inspect

import numpy as np
import pytest

import cuprum as cp
from random_laws import LAWS, state_of
from test_api import run_examples

KINDS = ["PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"]
SIZES = [1, 2, 7, 100, 4097, 30011]


def pair(kind="PCG64", seed=7):
    """The same generator in Cuprum and in NumPy."""
    return cp.random.Generator(getattr(cp.random, kind)(seed)), np.random.Generator(
        getattr(np.random, kind)(seed)
    )


def same(ours, numpys, rng=None, oracle=None):
    got, expected = cp.asnumpy(ours), np.asarray(numpys)
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    np.testing.assert_array_equal(got, expected)
    if rng is not None:
        assert state_of(rng.bit_generator) == state_of(oracle.bit_generator)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "law", ["random", "standard_normal", "standard_exponential", "inverse", "standard_gamma"]
)
def test_float_laws_in_both_precisions(kind, size, law):
    rng, oracle = pair(kind)
    for dtype in (np.float64, np.float32, np.float64, np.float32):
        if law == "inverse":
            call = lambda g: g.standard_exponential(size, dtype=dtype, method="inv")
        elif law == "standard_gamma":
            call = lambda g: g.standard_gamma(2.5, size, dtype=dtype)
        else:
            call = lambda g: getattr(g, law)(size, dtype=dtype)
        same(call(rng), call(oracle), rng, oracle)


@pytest.mark.parametrize("kind", KINDS)
def test_every_law_of_few_numbers(kind):
    rng, oracle = pair(kind)
    for name, parameters in LAWS:
        same(
            getattr(rng, name)(*parameters, size=(3, 5)),
            getattr(oracle, name)(*parameters, size=(3, 5)),
            rng,
            oracle,
        )


@pytest.mark.parametrize(("name", "parameters"), LAWS)
def test_every_law_of_many_numbers(name, parameters):
    """More than one thread draws them, and the blocks meet."""
    if (name, parameters) == ("binomial", (2000, 0.5)) and np.lib.NumpyVersion(np.__version__) >= "2.5.0":
        pytest.skip("NumPy 2.5 mends a constant of Generator.binomial; Cuprum's numbers are those of 2.4")
    rng, oracle = pair()
    if name == "poisson" and parameters == (1e6,):
        rng.integers(5), oracle.integers(5)  # a half of a draw is held meanwhile
    same(
        getattr(rng, name)(*parameters, size=20011),
        getattr(oracle, name)(*parameters, size=20011),
        rng,
        oracle,
    )
    same(rng.random(3), oracle.random(3), rng, oracle)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_change_nothing(threads):
    before = cp._core.get_num_threads()
    try:
        cp._core.set_num_threads(threads)
        rng, oracle = pair()
        for size in (5, 70001, 3, 400003):
            for name in ("random", "standard_normal", "standard_exponential"):
                same(getattr(rng, name)(size), getattr(oracle, name)(size), rng, oracle)
            same(rng.standard_normal(size, np.float32), oracle.standard_normal(size, np.float32), rng, oracle)
            same(rng.integers(0, 1000, size), oracle.integers(0, 1000, size), rng, oracle)
            same(rng.integers(0, 100, size, np.int8), oracle.integers(0, 100, size, np.int8), rng, oracle)
            same(rng.gamma(0.7, 2, size), oracle.gamma(0.7, 2, size), rng, oracle)
            same(rng.gamma(2.5, 2, size), oracle.gamma(2.5, 2, size), rng, oracle)
            for mean in (4, 12):
                same(rng.poisson(mean, size), oracle.poisson(mean, size), rng, oracle)
            for n in (10, 100):
                same(rng.binomial(n, 0.4, size), oracle.binomial(n, 0.4, size), rng, oracle)
    finally:
        cp._core.set_num_threads(before)


@pytest.mark.parametrize("law", ["random", "standard_normal", "standard_exponential"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_pieces_are_one_stream(law, dtype):
    pieces = np.concatenate(
        [cp.asnumpy(getattr(g, law)(n, dtype=dtype)) for g in [pair()[0]] for n in (3, 1, 9000, 0, 7)]
    )
    np.testing.assert_array_equal(pieces, getattr(pair()[1], law)(pieces.size, dtype=dtype))


INTEGERS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def bounds(dtype):
    if dtype == "bool":
        return [(0, 2), (0, 1), (1, 2)]
    info = np.iinfo(dtype)
    ends = [(0, 100), (info.min, info.max + 1), (5, 6), (0, info.max), (max(info.min, -100), 97), (0, 3)]
    return ends + ([(0, 2**32), (3, 2**32 + 2), (0, 2**62 + 2**61)] if info.bits == 64 else [])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("size", [None, 1, 5, 1023, 40001])
def test_integers(kind, dtype, size):
    rng, oracle = pair(kind)
    for low, high in bounds(dtype):
        same(rng.integers(low, high, size, dtype), oracle.integers(low, high, size, dtype), rng, oracle)
        same(
            rng.integers(low, high - 1, size, dtype, True), oracle.integers(low, high - 1, size, dtype, True)
        )
        same(rng.random(dtype="f4"), np.asarray(oracle.random(dtype="f4"), np.float32), rng, oracle)


@pytest.mark.parametrize("dtype", INTEGERS[1:])
def test_integers_between_arrays(dtype):
    rng, oracle = pair()
    low = np.arange(40) % 7
    high = np.ascontiguousarray(
        (low[:, None] % 5 + 8 + np.arange(30)).T
    )  # NumPy mixes up the order of others
    for args in ((low, high), (3, high), (low, 60)):
        same(
            rng.integers(*map(cp.asarray, args), dtype=dtype),
            oracle.integers(*args, dtype=dtype),
            rng,
            oracle,
        )
    same(
        rng.integers(cp.asarray(low), 20, (2, 40), dtype),
        oracle.integers(low, 20, (2, 40), dtype),
        rng,
        oracle,
    )
    same(rng.integers([0, 1], [2, 3], dtype=dtype), oracle.integers([0, 1], [2, 3], dtype=dtype), rng, oracle)
    if dtype == "uint64":  # bounds that no dtype of ours has
        same(
            rng.integers([0, 5], [2**64, 9], dtype=dtype),
            oracle.integers([0, 5], [2**64, 9], dtype=dtype),
            rng,
            oracle,
        )
    if dtype in ("int64", "uint64"):
        high = 2 ** np.arange(1, 63)
        same(
            rng.integers(0, cp.asarray(high), dtype=dtype), oracle.integers(0, high, dtype=dtype), rng, oracle
        )


def test_arrays_of_parameters():
    rng, oracle = pair()
    a, b = np.linspace(0.1, 4, 12).reshape(3, 4), np.array([0.5, 1, 2, 8.0])
    for name in ("normal", "gamma", "beta", "uniform", "laplace", "wald", "f", "lognormal"):
        high = b + 4 if name == "uniform" else b
        same(getattr(rng, name)(cp.asarray(a), cp.asarray(high)), getattr(oracle, name)(a, high), rng, oracle)
        same(
            getattr(rng, name)(0.05, cp.asarray(high), (2, 3, 4)),
            getattr(oracle, name)(0.05, high, (2, 3, 4)),
        )
    n = np.array([0, 3, 100, 10000])
    same(rng.binomial(cp.asarray(n), cp.asarray(a / 5)), oracle.binomial(n, a / 5), rng, oracle)
    same(rng.poisson(cp.asarray(a * 5)), oracle.poisson(a * 5), rng, oracle)
    same(rng.negative_binomial(3, cp.asarray(a / 5)), oracle.negative_binomial(3, a / 5), rng, oracle)
    same(rng.negative_binomial(cp.asarray(a), 0.3), oracle.negative_binomial(a, 0.3), rng, oracle)
    same(rng.hypergeometric(cp.asarray(n), 10, 5), oracle.hypergeometric(n, 10, 5), rng, oracle)
    same(rng.triangular(cp.asarray(-b), 0, cp.asarray(a)), oracle.triangular(-b, 0, a), rng, oracle)
    same(rng.exponential(cp.asarray(b), (3, 4)), oracle.exponential(b, (3, 4)), rng, oracle)
    same(rng.normal(cp.asarray(a), 2), oracle.normal(a, 2), rng, oracle)
    same(rng.normal([1, 2], [3, 4]), oracle.normal([1, 2], [3, 4]), rng, oracle)
    same(rng.standard_gamma(cp.asarray(a), dtype="f4"), oracle.standard_gamma(a, dtype="f4"), rng, oracle)


def test_out():
    rng, oracle = pair()
    for order in "CF":
        for dtype in (np.float64, np.float32):
            ours, numpys = cp.empty((3, 5), dtype, order), np.empty((3, 5), dtype, order)
            for law in ("random", "standard_normal", "standard_exponential"):
                assert getattr(rng, law)(out=ours, dtype=dtype) is ours
                same(ours, getattr(oracle, law)(out=numpys, dtype=dtype), rng, oracle)
    with pytest.raises(TypeError, match="wrong type"):
        rng.random(out=cp.empty(3, np.float32))
    with pytest.raises(ValueError, match="contiguous"):
        rng.random(out=cp.empty(6)[::2])
    with pytest.raises(ValueError, match="size must match"):
        rng.random(4, out=cp.empty(3))
    with pytest.raises(ValueError, match="C-contiguous"):
        rng.standard_gamma(1, out=cp.empty((3, 5), order="F"))


def test_numbers_without_a_size_are_values():
    rng, oracle = pair()
    for name, parameters in (("random", ()), ("normal", (1, 2)), ("poisson", (3,)), ("integers", (9,))):
        ours = getattr(rng, name)(*parameters)
        assert ours.shape == ()
        assert ours.item() == getattr(oracle, name)(*parameters)
    assert rng.random(()).shape == ()


def test_empty_results_draw_nothing():
    rng, oracle = pair()
    for name, parameters in LAWS:
        assert getattr(rng, name)(*parameters, size=(2, 0)).shape == (2, 0)
    assert rng.integers(5, size=0).shape == (0,)
    assert state_of(rng.bit_generator) == state_of(oracle.bit_generator)


def test_bytes():
    rng, oracle = pair()
    for length in (0, 1, 3, 4, 5, 100):
        assert rng.bytes(length) == oracle.bytes(length)
        assert state_of(rng.bit_generator) == state_of(oracle.bit_generator)


@pytest.mark.parametrize("kind", KINDS)
def test_permutations(kind):
    rng, oracle = pair(kind)
    x = np.arange(60).reshape(5, 4, 3)
    for n in (0, 1, 2, 10, 20000):
        same(rng.permutation(n), oracle.permutation(n), rng, oracle)
    for axis in (0, 1, -1):
        same(rng.permutation(cp.asarray(x), axis), oracle.permutation(x, axis), rng, oracle)
        same(rng.permuted(cp.asarray(x), axis=axis), oracle.permuted(x, axis=axis), rng, oracle)
        ours, numpys = cp.asarray(x), x.copy()
        rng.shuffle(ours, axis), oracle.shuffle(numpys, axis)
        same(ours, numpys, rng, oracle)
    same(rng.permuted(cp.asarray(x)), oracle.permuted(x), rng, oracle)
    same(rng.permuted(cp.asarray(x.T)), oracle.permuted(x.T), rng, oracle)
    same(rng.permutation([3, 1, 2]), oracle.permutation([3, 1, 2]), rng, oracle)
    ours, numpys = cp.zeros(x.shape), np.zeros(x.shape)
    assert rng.permuted(cp.asarray(x), axis=1, out=ours) is ours
    same(ours, oracle.permuted(x, axis=1, out=numpys), rng, oracle)
    ours, numpys = list("abcdef"), list("abcdef")
    rng.shuffle(ours), oracle.shuffle(numpys)
    assert ours == numpys


@pytest.mark.parametrize("kind", KINDS)
def test_choice(kind):
    rng, oracle = pair(kind)
    x = np.arange(12.0).reshape(4, 3)
    p = np.array([0.1, 0, 0.3, 0.6])
    for args, kwargs in (
        ((10,), {}), ((10, 5), {}), ((10, (2, 3)), {}), ((10, 4), {"replace": False}),
        ((10, 4), {"replace": False, "shuffle": False}), ((20000, 10000), {"replace": False}),
        ((20000, 700), {"replace": False}), ((20000, 700), {"replace": False, "shuffle": False}),
        ((20000, 30), {"replace": False}), ((4, 50), {"p": p}), ((4, 3), {"p": p, "replace": False}),
        ((4,), {"p": p}), ((5, 0), {}), ((0, 0), {}), ((5, 0), {"replace": False}),
    ):  # fmt: skip
        same(rng.choice(*args, **kwargs), oracle.choice(*args, **kwargs), rng, oracle)
    same(rng.choice(cp.asarray(x), 5), oracle.choice(x, 5), rng, oracle)
    same(
        rng.choice(cp.asarray(x), 2, axis=1, replace=False),
        oracle.choice(x, 2, axis=1, replace=False),
        rng,
        oracle,
    )
    same(rng.choice([5, 6, 7]), oracle.choice([5, 6, 7]), rng, oracle)
    same(rng.choice(4, 3, p=cp.asarray(p)), oracle.choice(4, 3, p=p), rng, oracle)


def test_vectors():
    rng, oracle = pair()
    same(rng.multinomial(20, [0.2, 0.3, 0.5], 100), oracle.multinomial(20, [0.2, 0.3, 0.5], 100), rng, oracle)
    n, p = np.array([[5], [1000]]), np.array([[0.2, 0.8], [0.5, 0.5], [1, 0]])
    same(rng.multinomial(cp.asarray(n), cp.asarray(p)), oracle.multinomial(n, p), rng, oracle)
    same(rng.multinomial(n, p, (4, 2, 3)), oracle.multinomial(n, p, (4, 2, 3)), rng, oracle)
    same(rng.multinomial(3, [1.0]), oracle.multinomial(3, [1.0]), rng, oracle)
    for alpha in ([1, 2, 3.5], [0.01, 0.02, 0.03], [0.0, 0.05, 0.0], [0.0, 0.0], [5.0]):
        same(rng.dirichlet(alpha, (3, 4)), oracle.dirichlet(alpha, (3, 4)), rng, oracle)
        same(rng.dirichlet(alpha), oracle.dirichlet(alpha), rng, oracle)
    for method in ("marginals", "count"):
        for colors, taken in (
            ([4, 6, 2], 5),
            ([4, 6, 2], 10),
            ([4, 0, 0], 2),
            ([3], 2),
            ([20, 30, 40], 60),
            ([1, 2], 0),
        ):
            args = (colors, taken, (7,), method)
            same(
                rng.multivariate_hypergeometric(*args), oracle.multivariate_hypergeometric(*args), rng, oracle
            )
    same(
        rng.multivariate_hypergeometric([2, 3], 2), oracle.multivariate_hypergeometric([2, 3], 2), rng, oracle
    )


@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_multivariate_normal(method):
    """The last step is a product of matrices, whose sums may be rounded in another order: 4 eps of the largest term."""
    rng, oracle = pair()
    mean, cov = [1.0, -2, 3], np.array([[4.0, 1, 0.5], [1, 3, 0], [0.5, 0, 2]])
    for size in (None, 5, (2, 3)):
        ours = cp.asnumpy(rng.multivariate_normal(cp.asarray(mean), cp.asarray(cov), size, method=method))
        np.testing.assert_allclose(
            ours, oracle.multivariate_normal(mean, cov, size, method=method), rtol=0, atol=2e-14
        )
        assert state_of(rng.bit_generator) == state_of(oracle.bit_generator)
    with pytest.warns(RuntimeWarning, match="positive-semidefinite") as told:
        rng.multivariate_normal([0, 0], [[1, 2], [2, 1]])
    assert told[0].filename == __file__
    with pytest.raises(ValueError, match="positive-semidefinite"):
        rng.multivariate_normal([0, 0], [[1, 2], [2, 1]], check_valid="raise", method="eigh")


@pytest.mark.parametrize("kind", ["XORWOW", "MRG32k3a", "Philox4x3210"])
def test_generators_with_numbers_of_their_own(kind):
    """Their moments, and a chi-square of 256 cells, which exceeds 330 by chance once in a thousand seeds."""
    rng = cp.random.Generator(getattr(cp.random, kind)(5))
    x = cp.asnumpy(rng.random(200000))
    assert abs(x.mean() - 0.5) < 4 / np.sqrt(12 * x.size)
    counts = np.bincount((x * 256).astype(int), minlength=256)
    assert ((counts - x.size / 256) ** 2 / (x.size / 256)).sum() < 330
    low = np.bincount(cp.asnumpy(rng.bit_generator.random_raw(100000)) % 256, minlength=256)
    assert ((low - 100000 / 256) ** 2 / (100000 / 256)).sum() < 330
    normal = cp.asnumpy(rng.standard_normal(100000))
    assert abs(normal.mean()) < 4 / np.sqrt(normal.size)
    assert abs(normal.std() - 1) < 4 / np.sqrt(2 * normal.size)
    again = cp.random.Generator(getattr(cp.random, kind)(5))
    pieces = np.concatenate([cp.asnumpy(again.random(n)) for n in (1, 4, 100, 50000, 149895)])
    np.testing.assert_array_equal(pieces, x)


def test_random_is_recorded():
    """A law with one draw for each number is not computed by the call."""
    if not cp._core.is_pending(cp.ones(3) + 1):
        pytest.skip("every operation runs at once here")
    rng, oracle = pair()
    x = rng.random(1000)
    assert cp._core.is_pending(x)
    oracle_x = oracle.random(1000)
    assert state_of(rng.bit_generator) == state_of(oracle.bit_generator)
    assert cp._core.is_pending(x)
    same((x < 0.5).sum(), np.asarray((oracle_x < 0.5).sum()))


def test_names_are_numpys():
    public = {name for name in dir(np.random.Generator) if name[0] != "_"}
    assert public <= set(dir(cp.random.Generator))
    assert set(np.random.__all__) - {"test"} <= set(cp.random.__all__) | {"BitGenerator"}


CLASSES = [cp.random.Generator, cp.random.RandomState, cp.random.PCG64, cp.random.Philox, cp.random.MT19937]


@pytest.mark.parametrize("cls", CLASSES)
def test_examples_of_methods_are_true(cls):
    for name in dir(cls):
        if name[0] != "_":
            assert run_examples(name, inspect.getattr_static(cls, name)) > 0, name


@pytest.mark.parametrize("cls", ["Generator", "RandomState"])
def test_signatures_are_numpys(cls):
    """But for `dtype` and `method` at the end of RandomState's, which are CuPy's."""
    for name in dir(getattr(np.random, cls)):
        if name[0] == "_" or not callable(getattr(getattr(cp.random, cls), name)):
            continue
        ours = list(inspect.signature(getattr(getattr(cp.random, cls), name)).parameters.values())
        try:
            numpys = list(inspect.signature(getattr(getattr(np.random, cls), name)).parameters.values())
        except ValueError:
            continue
        if cls == "RandomState":
            ours = [p for p in ours if p.name in [q.name for q in numpys]]
        assert [(p.name, repr(p.default)) for p in ours] == [(p.name, repr(p.default)) for p in numpys], name
