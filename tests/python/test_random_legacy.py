"""RandomState and the functions of the module against NumPy's: the same numbers, and the same state afterwards."""

import pickle

import numpy as np
import pytest

import cuprum as cp
from random_laws import CONTINUOUS, LAWS


def pair(seed=7):
    return cp.random.RandomState(seed), np.random.RandomState(seed)


def same(ours, numpys, state=None, oracle=None):
    got, expected = cp.asnumpy(ours), np.asarray(numpys)
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    np.testing.assert_array_equal(got, expected)
    if state is not None:
        mine, theirs = state.get_state(), oracle.get_state()
        assert (mine[0], *mine[2:]) == (theirs[0], *theirs[2:])
        np.testing.assert_array_equal(mine[1], theirs[1])


# RandomState refuses what Generator allows here.
LEGACY_LAWS = [
    (name, p)
    for name, p in LAWS
    if (name, p)
    not in [("geometric", (1e-12,)), ("vonmises", (1, 1e7)), ("binomial", (0, 0.5)), ("binomial", (10, 0))]
]


@pytest.mark.parametrize(("name", "parameters"), LEGACY_LAWS)
def test_every_law(name, parameters):
    state, oracle = pair()
    for size in (3, (40, 50), None):
        same(
            getattr(state, name)(*parameters, size=size),
            getattr(oracle, name)(*parameters, size=size),
            state,
            oracle,
        )


def test_simple_names():
    state, oracle = pair()
    for name in ("standard_normal", "standard_exponential", "random_sample", "random"):
        for size in (None, 1, 7, 2000):
            same(getattr(state, name)(size), getattr(oracle, name)(size), state, oracle)
    for shape in ((), (3,), (2, 3)):
        same(state.rand(*shape), oracle.rand(*shape), state, oracle)
        same(state.randn(*shape), oracle.randn(*shape), state, oracle)
    same(state.tomaxint(4), oracle.tomaxint(4), state, oracle)
    assert state.bytes(5) == oracle.bytes(5)
    same(state.normal(cp.arange(4.0), 2), oracle.normal(np.arange(4.0), 2), state, oracle)
    same(state.gamma(cp.arange(1, 4.0)), oracle.gamma(np.arange(1, 4.0)), state, oracle)


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
)
def test_randint(dtype):
    state, oracle = pair()
    most = 2 if dtype == "bool" else np.iinfo(dtype).max + 1
    for low, high in ((0, most), (0, min(most, 100)), (1, 2), (0, most // 2 + 1)):
        for size in (None, 1, 7, 5000):
            same(state.randint(low, high, size, dtype), oracle.randint(low, high, size, dtype), state, oracle)
    if dtype != "bool":
        high = np.array([2, 100, 17])
        same(
            state.randint(0, cp.asarray(high), dtype=dtype),
            oracle.randint(0, high, dtype=dtype),
            state,
            oracle,
        )


def test_orders_and_choices():
    state, oracle = pair()
    x, p = np.arange(12).reshape(4, 3), [0.1, 0, 0.3, 0.6]
    same(state.permutation(50), oracle.permutation(50), state, oracle)
    same(state.permutation(cp.asarray(x)), oracle.permutation(x), state, oracle)
    ours, numpys = cp.asarray(x), x.copy()
    state.shuffle(ours), oracle.shuffle(numpys)
    same(ours, numpys, state, oracle)
    for args, kwargs in (
        ((10, 5), {}), ((10, 4, False), {}), ((4, 30), {"p": p}), ((4, 3, False), {"p": p}), ((10,), {}),
        ((10, (2, 2), False), {}),
    ):  # fmt: skip
        same(state.choice(*args, **kwargs), oracle.choice(*args, **kwargs), state, oracle)
    same(state.choice(cp.arange(5.0), 3), oracle.choice(np.arange(5.0), 3), state, oracle)
    same(state.multinomial(20, [0.2, 0.3, 0.5], 9), oracle.multinomial(20, [0.2, 0.3, 0.5], 9), state, oracle)
    same(state.dirichlet([1, 2, 0.5], 9), oracle.dirichlet([1, 2, 0.5], 9), state, oracle)
    ours = cp.asnumpy(state.multivariate_normal([1, 2], [[2, 0.5], [0.5, 1]], 4))
    np.testing.assert_allclose(
        ours, oracle.multivariate_normal([1, 2], [[2, 0.5], [0.5, 1]], 4), rtol=0, atol=1e-14
    )


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, [1, 2, 3], np.arange(700), np.int64(5)])
def test_seeds(seed):
    same(cp.random.RandomState(seed).rand(5), np.random.RandomState(seed).rand(5))
    state = cp.random.RandomState()
    state.standard_normal()
    state.seed(seed)
    same(state.randn(5), np.random.RandomState(seed).randn(5))


def test_bad_seeds():
    for seed in (-1, 2**32, [2**32], [-1]):
        with pytest.raises(ValueError, match="between 0 and"):
            cp.random.RandomState(seed)
    with pytest.raises(ValueError, match="non-empty"):
        cp.random.RandomState([])
    with pytest.raises(ValueError, match="1-d"):
        cp.random.RandomState([[1, 2]])
    with pytest.raises(TypeError):
        cp.random.RandomState(1.5)
    with pytest.raises(TypeError, match="re-seed"):
        cp.random.RandomState(cp.random.PCG64(1)).seed(2)


def test_states_go_to_numpy_and_back():
    state, oracle = pair()
    state.randn(3)
    oracle.set_state(state.get_state())
    same(state.randn(3), oracle.randn(3), state, oracle)
    state.set_state(np.random.RandomState(3).get_state(legacy=False))
    same(state.rand(3), np.random.RandomState(3).rand(3))
    again = pickle.loads(pickle.dumps(state))
    same(again.randn(3), cp.asnumpy(state.randn(3)))
    with pytest.raises(ValueError, match="legacy MT19937"):
        state.set_state(("PCG64", 1))
    with pytest.raises(TypeError, match="dict or a tuple"):
        state.set_state(3)


def test_other_bit_generators():
    state = cp.random.RandomState(cp.random.PCG64(5))
    oracle = np.random.RandomState(np.random.PCG64(5))
    for name, rows in CONTINUOUS.items():
        if (name, rows[0]) in LEGACY_LAWS:
            same(getattr(state, name)(*rows[0], size=50), getattr(oracle, name)(*rows[0], size=50))
    with pytest.warns(RuntimeWarning, match="legacy"):
        state.get_state()


def test_module_functions():
    cp.random.seed(5)
    oracle = np.random.RandomState(5)
    for name in ("rand", "randn"):
        same(getattr(cp.random, name)(2, 3), getattr(oracle, name)(2, 3))
    for name in ("random_sample", "ranf", "sample", "random", "standard_normal"):
        twin = "random_sample" if name in ("ranf", "sample") else name
        same(getattr(cp.random, name)(4), getattr(oracle, twin)(4))
        same(getattr(cp.random, name)(4, dtype="f4"), getattr(oracle, twin)(4).astype("f4"))
    same(cp.random.randint(0, 9, 5), oracle.randint(0, 9, 5))
    same(cp.random.choice(9, 5), oracle.choice(9, 5))
    same(cp.random.normal(1, 2, 3), oracle.normal(1, 2, 3))
    state = cp.random.get_state()
    first = cp.asnumpy(cp.random.rand(3))
    cp.random.set_state(state)
    same(cp.random.rand(3), first)
    with pytest.warns(DeprecationWarning, match="randint") as told:
        same(cp.random.random_integers(1, 6, 3) <= 6, np.array([True] * 3))
    assert told[0].filename == __file__


def test_module_functions_over_another_generator():
    """The module's RandomState stays, and takes its bits from elsewhere; a seed is then one of the new generator's."""
    state, before = cp.random.get_random_state(), cp.random.get_bit_generator()
    try:
        cp.random.set_bit_generator(cp.random.PCG64(1))
        assert cp.random.get_random_state() is state
        cp.random.seed(5)
        same(cp.random.randint(0, 99, 4), np.random.RandomState(np.random.PCG64(5)).randint(0, 99, 4))
        with pytest.raises(TypeError, match="re-seed"):
            state.seed(5)
        with pytest.raises(ValueError, match="PCG64"):
            cp.random.set_state(np.random.RandomState(1).get_state())
    finally:
        cp.random.set_bit_generator(before)


def test_older_functions_take_what_they_took():
    state, oracle = pair()
    same(state.multinomial(20.7, [0.5, 0.5]), oracle.multinomial(20.7, [0.5, 0.5]), state, oracle)
    same(state.multinomial(3, [], (2, 3)), oracle.multinomial(3, [], (2, 3)), state, oracle)
    for pvals in ([[0.0, 1]], [[0], [1]], 1.0):
        with pytest.raises((ValueError, TypeError)) as expected:
            oracle.multinomial(3, pvals)
        with pytest.raises(expected.type):
            state.multinomial(3, pvals)
    for n in ("3", None, [3, 4]):
        with pytest.raises(TypeError):
            state.multinomial(n, [0.5, 0.5])
    with pytest.warns(DeprecationWarning, match="byteorder"):
        ours = state.randint(0, 200, 5, dtype=">i4")
    same(ours, oracle.randint(0, 200, 5, dtype="i4"), state, oracle)
    same(cp.random.RandomState(cp.array(3)).rand(2), np.random.RandomState(3).rand(2))
    with pytest.warns(UserWarning, match="dict") as told:
        cp.random.shuffle({0: 1, 1: 2})
    assert told[0].filename == __file__


def test_cupys_names():
    before = cp.random.get_random_state()
    try:
        cp.random.set_random_state(cp.random.RandomState(3))
        same(cp.random.rand(2), np.random.RandomState(3).rand(2))
        cp.random.reset_states()
        assert cp.random.get_random_state() is not before
        with pytest.raises(ValueError, match="RandomState"):
            cp.random.set_random_state(3)
    finally:
        cp.random.set_random_state(before)
    assert cp.random.rand(3, dtype="f4").dtype == np.float32
    assert cp.random.normal(0, 1, 3, dtype="f4").dtype == np.float32
    assert cp.random.poisson(4, 3, dtype="i4").dtype == np.int32
    assert cp.random.RandomState(1).uniform(0, 1, 3, "f4").dtype == np.float32
