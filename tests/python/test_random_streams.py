"""Numbers that many threads or a device draw: at the ends of blocks, over several rounds, from every state."""

import numpy as np
import pytest

import cuprum as cp
from random_laws import state_of

# A device makes draws in groups of 1, 2 or 4, numbers in segments of 1024 units; the CPU in blocks of 4096 numbers.
SIZES = [31, 32, 33, 1021, 1023, 1024, 1025, 2049, 4095, 8193, 65537]
LAWS = {
    "random": lambda g, n: g.random(n),
    "random_f": lambda g, n: g.random(n, np.float32),
    "uniform": lambda g, n: g.uniform(-2, 3, n),
    "normal": lambda g, n: g.normal(2, 3, n),
    "normal_f": lambda g, n: g.standard_normal(n, np.float32),
    "exponential": lambda g, n: g.exponential(3, n),
    "exponential_f": lambda g, n: g.standard_exponential(n, np.float32),
    "inverse": lambda g, n: g.standard_exponential(n, method="inv"),
    "inverse_f": lambda g, n: g.standard_exponential(n, np.float32, "inv"),
    "gamma": lambda g, n: g.standard_gamma(2.5, n),
    "poisson": lambda g, n: g.poisson(4, n),
    "large_poisson": lambda g, n: g.poisson(40, n),
    "binomial": lambda g, n: g.binomial(100, 0.4, n),
    "bool": lambda g, n: g.integers(0, 2, n, bool),
    "int8": lambda g, n: g.integers(-5, 95, n, np.int8),
    "uint16": lambda g, n: g.integers(0, 40000, n, np.uint16),
    "int32": lambda g, n: g.integers(0, 3 << 29, n, np.int32),
    "int64": lambda g, n: g.integers(0, 1000, n),
    "wide": lambda g, n: g.integers(0, 3 << 60, n),
}


def numpys(kind):
    return np.random.Generator(getattr(np.random, kind)(3))


def ours(kind):
    return cp.random.Generator(getattr(cp.random, kind)(3))


def agree(g, oracle, law, n):
    np.testing.assert_array_equal(cp.asnumpy(LAWS[law](g, n)), cp.asnumpy(LAWS[law](oracle, n)))


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "Philox"])
@pytest.mark.parametrize("law", LAWS)
def test_ends_of_blocks(kind, law):
    """Each size from the state that the one before has left, and again with a half of a draw held."""
    g, oracle = ours(kind), numpys(kind)
    for n in SIZES:
        agree(g, oracle, law, n)
        agree(g, oracle, "random_f", 1)
    assert state_of(g.bit_generator) == state_of(oracle.bit_generator)


@pytest.mark.parametrize("law", LAWS)
def test_a_generator_of_our_own_is_the_same_on_every_device(law):
    g = ours("Philox4x3210")
    with cp.Device("cpu"):
        oracle = ours("Philox4x3210")
    for n in SIZES:
        for name, size in ((law, n), ("random_f", 1), ("random", 1)):
            mine = cp.asnumpy(LAWS[name](g, size))
            with cp.Device("cpu"):
                np.testing.assert_array_equal(mine, cp.asnumpy(LAWS[name](oracle, size)))
    assert state_of(g.bit_generator) == state_of(oracle.bit_generator)


@pytest.mark.parametrize("law", ["normal", "normal_f", "exponential", "int64", "gamma"])
def test_numbers_in_pieces_are_those_of_one_call(law):
    pieces = [3, 1, 1000, 0, 70001, 29, 500009]
    g = ours("PCG64")
    got = np.concatenate([cp.asnumpy(LAWS[law](g, n)) for n in pieces])
    np.testing.assert_array_equal(got, LAWS[law](numpys("PCG64"), sum(pieces)))


@pytest.mark.parametrize("law", ["random", "normal", "normal_f", "exponential", "exponential_f", "int64"])
def test_many_numbers(law):
    """More than a round of a device, with a thousand numbers of the tails: their logarithms are the C library's."""
    g, oracle = ours("PCG64"), numpys("PCG64")
    agree(g, oracle, law, 17_000_003)
    agree(g, oracle, "random", 3)
    assert state_of(g.bit_generator) == state_of(oracle.bit_generator)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_out_is_a_part_of_an_array(dtype):
    g, oracle = ours("PCG64"), numpys("PCG64")
    whole, numpys_whole = cp.zeros(5003, dtype), np.zeros(5003, dtype)
    for law in ("random", "standard_normal", "standard_exponential"):
        for begin, end in ((1, 5002), (3, 4), (0, 5003)):
            getattr(g, law)(out=whole[begin:end], dtype=dtype)
            getattr(oracle, law)(out=numpys_whole[begin:end], dtype=dtype)
            np.testing.assert_array_equal(cp.asnumpy(whole), numpys_whole)


def test_a_buffer_of_philox_that_a_program_has_set():
    g, oracle = ours("Philox"), numpys("Philox")
    for held in (0, 1):
        for at in range(5):
            state = oracle.bit_generator.state
            state.update(
                buffer=np.arange(5, 9, dtype=np.uint64) << 33, buffer_pos=at, has_uint32=held, uinteger=77
            )
            g.bit_generator.state = oracle.bit_generator.state = state
            for law in ("random_f", "random", "normal", "int64"):
                agree(g, oracle, law, 9)
                assert state_of(g.bit_generator) == state_of(oracle.bit_generator)


def test_the_state_goes_from_call_to_call():
    """Laws whose draws nobody has counted yet, then laws of other widths, and a look at the state in the end."""
    g, oracle = ours("PCG64"), numpys("PCG64")
    got, expected = [], []
    for law in ("normal", "random", "normal_f", "random_f", "int64", "bool", "poisson", "random"):
        got.append(LAWS[law](g, 1001))
        expected.append(LAWS[law](oracle, 1001))
    assert state_of(g.bit_generator) == state_of(oracle.bit_generator)
    for mine, theirs in zip(got, expected, strict=True):
        np.testing.assert_array_equal(cp.asnumpy(mine), theirs)
