"""The bit generators against NumPy's: raw draws, states, jumps, children, pickles."""

import copy
import pickle

import numpy as np
import pytest

import cuprum as cp
from random_laws import state_of

KINDS = ["PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"]
SEEDS = [0, 1, 2**31, 2**64 + 5, 2**200 + 3, [1, 2, 3], np.arange(9)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS, ids=str)
def test_raw(kind, seed):
    bits, oracle = getattr(cp.random, kind)(seed), getattr(np.random, kind)(seed)
    assert state_of(bits) == state_of(oracle)
    for size in (None, 1, 3, 4, (2, 5), 3000, 0):
        ours, expected = bits.random_raw(size), oracle.random_raw(size)
        if size is None:
            assert ours == expected
        else:
            np.testing.assert_array_equal(cp.asnumpy(ours), expected)
        assert state_of(bits) == state_of(oracle)
    assert bits.random_raw(7, output=False) is None
    oracle.random_raw(7, output=False)
    assert state_of(bits) == state_of(oracle)


@pytest.mark.parametrize("kind", KINDS)
def test_states_go_to_numpy_and_back(kind):
    bits, oracle = getattr(cp.random, kind)(3), getattr(np.random, kind)(4)
    cp.random.Generator(bits).integers(9, size=3)
    oracle.state = bits.state
    assert state_of(bits) == state_of(oracle)
    other = getattr(cp.random, kind)(5)
    other.state = oracle.state
    assert state_of(other) == state_of(oracle)
    np.testing.assert_array_equal(cp.asnumpy(other.random_raw(9)), oracle.random_raw(9))
    with pytest.raises(TypeError, match="dict"):
        bits.state = 3
    with pytest.raises(ValueError, match="state must be for"):
        bits.state = {"bit_generator": "Nothing"}


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "Philox"])
def test_advance_and_jumps(kind):
    for delta in (0, 1, 5, 2**70 + 3, -1, -(2**100)):
        bits, oracle = getattr(cp.random, kind)(3), getattr(np.random, kind)(3)
        cp.random.Generator(bits).integers(9), np.random.Generator(oracle).integers(9)
        assert bits.advance(delta) is bits
        oracle.advance(delta)
        assert state_of(bits) == state_of(oracle)
    for jumps in (1, 2, 7):
        bits, oracle = getattr(cp.random, kind)(3), getattr(np.random, kind)(3)
        assert state_of(bits.jumped(jumps)) == state_of(oracle.jumped(jumps))
        assert state_of(bits) == state_of(oracle)


def test_jumps_of_the_twister():
    bits, oracle = cp.random.MT19937(3), np.random.MT19937(3)
    assert state_of(bits.jumped(2)) == state_of(oracle.jumped(2))


@pytest.mark.parametrize("kind", KINDS)
def test_children(kind):
    bits, oracle = getattr(cp.random, kind)(3), getattr(np.random, kind)(3)
    for ours, theirs in zip(bits.spawn(3), oracle.spawn(3), strict=True):
        assert state_of(ours) == state_of(theirs)
    ours, theirs = cp.random.Generator(bits).spawn(2), np.random.Generator(oracle).spawn(2)
    assert [state_of(g.bit_generator) for g in ours] == [state_of(g.bit_generator) for g in theirs]


@pytest.mark.parametrize("kind", [*KINDS, "XORWOW", "MRG32k3a", "Philox4x3210"])
def test_pickles_and_copies(kind):
    rng = cp.random.Generator(getattr(cp.random, kind)(3))
    rng.integers(9, size=5), rng.standard_normal(3)
    for twin in (pickle.loads(pickle.dumps(rng)), copy.deepcopy(rng)):
        assert twin is not rng
        assert state_of(twin.bit_generator) == state_of(rng.bit_generator)
        expected = cp.asnumpy(copy.deepcopy(rng).standard_normal(9))
        np.testing.assert_array_equal(cp.asnumpy(twin.standard_normal(9)), expected)


def test_philox_from_a_key_and_a_counter():
    for counter in (None, 5, 2**200, [1, 2, 3, 4]):
        bits, oracle = cp.random.Philox(key=77, counter=counter), np.random.Philox(key=77, counter=counter)
        assert state_of(bits) == state_of(oracle)
        np.testing.assert_array_equal(cp.asnumpy(bits.random_raw(9)), oracle.random_raw(9))
    with pytest.raises(ValueError, match="both used"):
        cp.random.Philox(1, key=2)
    with pytest.raises(ValueError, match="counter"):
        cp.random.Philox(counter=-1)


def test_seed_sequences():
    children = cp.random.SeedSequence(5).spawn(2)
    ours = [state_of(cp.random.PCG64(child)) for child in children]
    assert ours == [state_of(np.random.PCG64(child)) for child in np.random.SeedSequence(5).spawn(2)]
    assert state_of(cp.random.PCG64(cp.arange(3))) == state_of(np.random.PCG64([0, 1, 2]))
    with pytest.raises(ValueError):
        cp.random.PCG64(-1)


def test_default_rng():
    rng = cp.random.default_rng(cp.random.Philox(1))
    assert cp.random.default_rng(rng) is rng
    assert str(rng) == "Generator(Philox)"
    assert cp.random.default_rng(cp.random.RandomState(1)).bit_generator.state["bit_generator"] == "MT19937"
    assert cp.random.default_rng().random() != cp.random.default_rng().random()
    with pytest.raises(ValueError, match="Invalid bit generator"):
        cp.random.Generator(3)
    with pytest.raises(NotImplementedError):
        cp.random.BitGenerator()


def test_devices_share_one_stream():
    """Numbers do not depend on where they are made, also where the state is still on its way."""
    rng, oracle = cp.random.default_rng(3), np.random.default_rng(3)
    for device in ("cpu", "far", "far:1", "cpu"):
        with cp.Device(device):
            for name in ("standard_normal", "random", "standard_exponential"):
                x = getattr(rng, name)(5000)
                assert str(x.device) in (device, f"{device}:0")
                np.testing.assert_array_equal(cp.asnumpy(x), getattr(oracle, name)(5000))
    assert state_of(rng.bit_generator) == state_of(oracle.bit_generator)


def test_threads_share_one_generator():
    """Calls of several threads take parts of one stream, each whole."""
    import threading

    rng, parts = cp.random.default_rng(3), []

    def draw():
        for _ in range(20):
            parts.append(cp.asnumpy(rng.random(500)))
            parts.append(cp.asnumpy(rng.standard_normal(500)))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len({part.tobytes() for part in parts}) == 160
