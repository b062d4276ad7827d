"""The bit generators. NumPy's give NumPy's bits, and their states go to NumPy and back. XORWOW, MRG32k3a and
Philox4x3210 have CuPy's names; their numbers are Cuprum's own, the same on every device."""

import threading

import numpy as np
from numpy.random import SeedSequence
from numpy.random.bit_generator import ISeedSequence, ISpawnableSeedSequence

from .. import _core
from .._interop import asnumpy as to_host

__all__ = [
    "MT19937",
    "PCG64",
    "PCG64DXSM",
    "SFC64",
    "XORWOW",
    "BitGenerator",
    "MRG32k3a",
    "Philox",
    "Philox4x3210",
    "SeedSequence",
]  # fmt: skip

_MASK = 2**64 - 1


def as_seed(seed):
    """A seed as NumPy's SeedSequence takes it: arrays of Cuprum go through the host, and without dimensions they are
    scalars."""
    return to_host(seed)[()] if isinstance(seed, _core.ndarray) else seed


class BitGenerator:
    """A stream of random bits: what a `Generator` draws its numbers from. Use one of the classes derived from it.

    >>> isinstance(cp.random.PCG64(1), cp.random.BitGenerator)
    True
    """

    _words = 0  # of 64 bits, that seed it

    def __init__(self, seed=None):
        if type(self) is BitGenerator:
            # NumPy's type and words.
            raise NotImplementedError("BitGenerator is a base class and cannot be instantized")
        self.lock = threading.RLock()
        seed = as_seed(seed)
        self._seed_seq = seed if isinstance(seed, ISeedSequence) else SeedSequence(seed)
        self._bits = _core.BitGenerator(self._kind(), self._seed_words())

    @classmethod
    def _kind(cls):
        """The name of the class of this package that `cls` is, or is derived from."""
        return next(c.__name__ for c in cls.__mro__ if c.__module__.startswith("cuprum.random"))

    def _seed_words(self):
        return [int(word) for word in self._seed_seq.generate_state(self._words, np.uint64)]

    @property
    def seed_seq(self):
        """The seed sequence that the generator was made from.

        >>> cp.random.PCG64(7).seed_seq.entropy
        7
        """
        return self._seed_seq

    def spawn(self, n_children):
        """New generators whose streams are independent of this one and of each other.

        >>> [child.seed_seq.spawn_key for child in cp.random.PCG64(7).spawn(2)]
        [(0,), (1,)]
        """
        if not isinstance(self._seed_seq, ISpawnableSeedSequence):
            raise TypeError("The underlying SeedSequence does not implement spawning.")
        return [type(self)(seed=child) for child in self._seed_seq.spawn(n_children)]

    def random_raw(self, size=None, output=True):
        """The next draws as they are: uint64. With output=False they are passed over.

        >>> cp.random.PCG64(1).random_raw()
        9441442522235856127
        """
        draws = _core.random_raw(self._bits, () if size is None else size)
        if not output:
            return None
        return int(draws) if size is None else draws

    @property
    def state(self):
        """The state, as NumPy's generator of the same name has it; it can be set.

        >>> bits = cp.random.SFC64(1)
        >>> bits.state["has_uint32"]
        0
        """
        words, held, half, *_ = self._bits.state()
        return {
            "bit_generator": type(self).__name__,
            **self._named(words),
            "has_uint32": int(held),
            "uinteger": half,
        }

    @state.setter
    def state(self, value):
        value = self._checked(value)
        self._set(self._unnamed(value), bool(value["has_uint32"]), int(value["uinteger"]))

    def _checked(self, value):
        if not isinstance(value, dict):
            raise TypeError("state must be a dict")
        if value.get("bit_generator", "") != type(self).__name__:
            raise ValueError(f"state must be for a {type(self).__name__} PRNG")
        return value

    def _set(self, words, held=False, half=0, key=b""):
        words = [int(word) for word in words]
        *_, normal_held, normal, _ = self._bits.state()
        self._bits.set_state(words + [0] * (12 - len(words)), held, half, normal_held, normal, key)

    def _named(self, words):
        return {"state": {"state": np.array(words[: self._state_words], dtype=np.uint64)}}

    def _unnamed(self, value):
        return list(value["state"]["state"])

    def __getstate__(self):
        return self.state, self._seed_seq

    def __setstate__(self, state):
        if isinstance(state, dict):
            state = (state, self._seed_seq)
        self.state, self._seed_seq = state

    def __reduce__(self):
        return type(self), (), self.__getstate__()


class _Skipping(BitGenerator):
    """Generators that can be entered anywhere."""

    def advance(self, delta):
        """Moves `delta` draws on (Philox: blocks of four), as if they had been drawn; returns the generator.

        >>> a, b = cp.random.PCG64(1), cp.random.PCG64(1)
        >>> int(a.random_raw(3)[2]) == b.advance(2).random_raw()
        True
        """
        delta = int(delta) % 2**256
        self._bits.advance([delta >> 64 * i & _MASK for i in range(4)])
        return self

    def jumped(self, jumps=1):
        """A new generator, as far away as no program ever draws.

        >>> cp.random.PCG64(1).jumped() is None
        False
        """
        other = type(self)(seed=0)
        other.state = self.state
        other._seed_seq = self._seed_seq
        return other.advance(self._jump * int(jumps))


class PCG64(_Skipping):
    """NumPy's default: a linear congruence of 128 bits (O'Neill). Any thread can enter it anywhere.

    >>> cp.random.Generator(cp.random.PCG64(1)).random()
    array(0.51182162)
    """

    _words = 4
    _jump = 0x9E3779B97F4A7C15F39CC0605CEDC835

    def _named(self, words):
        return {"state": {"state": words[0] << 64 | words[1], "inc": words[2] << 64 | words[3]}}

    def _unnamed(self, value):
        numbers = int(value["state"]["state"]), int(value["state"]["inc"])
        return [half for number in numbers for half in (number >> 64, number & _MASK)]


class PCG64DXSM(PCG64):
    """PCG64 with a cheaper step and a stronger output, for very many parallel streams.

    >>> cp.random.Generator(cp.random.PCG64DXSM(1)).random()
    array(0.27114667)
    """


class Philox(_Skipping):
    """A counter of 256 bits, mixed with a key (Salmon et al.), as NumPy has it: Philox4x64-10.

    >>> cp.random.Generator(cp.random.Philox(1)).random()
    array(0.06680201)
    """

    _words = 2
    _jump = 2**128

    def __init__(self, seed=None, counter=None, key=None):
        if seed is not None and key is not None:
            raise ValueError("seed and key cannot be both used")
        super().__init__(seed)
        words, *_ = self._bits.state()
        if key is not None:
            words = words[:4] + tuple(_as_words(key, "key", 2)) + words[6:]
            self._seed_seq = None
        if counter is not None:
            words = tuple(_as_words(counter, "counter", 4)) + words[4:]
        self._set(words)

    def _named(self, words):
        as_array = [np.array(part, dtype=np.uint64) for part in (words[:4], words[4:6], words[6:10])]
        return {
            "state": {"counter": as_array[0], "key": as_array[1]},
            "buffer": as_array[2],
            "buffer_pos": words[10],
        }

    def _unnamed(self, value):
        state = value["state"]
        return [*state["counter"], *state["key"], *value["buffer"], value["buffer_pos"]]


def _as_words(value, name, count):
    """An integer, or its words, the lowest first."""
    if np.ndim(value) == 0:
        value = int(value)
        if not 0 <= value < 2 ** (64 * count):
            raise ValueError(f"{name} must be positive and less than 2**{64 * count}.")
        return [value >> 64 * i & _MASK for i in range(count)]
    words = [int(word) for word in np.asarray(value).ravel()]
    if len(words) != count or any(not 0 <= word <= _MASK for word in words):
        raise ValueError(f"{name} must have {count} elements when using array form")
    return words


class SFC64(BitGenerator):
    """A small chaotic generator (Doty-Humphrey). Its stream is read by one thread.

    >>> cp.random.Generator(cp.random.SFC64(1)).random()
    array(0.99562005)
    """

    _words = 3
    _state_words = 4


class MT19937(BitGenerator):
    """The Mersenne twister (Matsumoto and Nishimura), which `RandomState` draws from. Its stream is read by one
    thread.

    >>> cp.random.Generator(cp.random.MT19937(1)).random()
    array(0.24067554)
    """

    _words = 312

    @property
    def state(self):
        """The state, as NumPy's generator of the same name has it; it can be set, also from RandomState.get_state's
        tuple.

        >>> cp.random.MT19937(1).state["state"]["pos"]
        623
        """
        words, *_, key = self._bits.state()
        return {
            "bit_generator": type(self).__name__,
            "state": {"key": np.frombuffer(key, dtype=np.uint32).copy(), "pos": words[0]},
        }

    @state.setter
    def state(self, value):
        if isinstance(value, tuple):
            if value[0] != "MT19937" or len(value) not in (3, 5):
                raise ValueError("state is not a legacy MT19937 state")
            value = {"bit_generator": "MT19937", "state": {"key": value[1], "pos": value[2]}}
        state = self._checked(value)["state"]
        self._set([state["pos"]], key=np.asarray(to_host(state["key"]), dtype=np.uint32).tobytes())

    def _legacy_seeding(self, seed):
        """RandomState.seed: one number, or several."""
        if seed is None:
            self._seed_seq = SeedSequence()
            self._bits.seed_words(self._seed_words())
            return
        seed = as_seed(seed)
        if hasattr(seed, "squeeze"):
            seed = seed.squeeze()
        try:
            number = int(seed) if isinstance(seed, np.bool_) else seed.__index__()
        except (AttributeError, TypeError):
            words = np.asarray(seed)
            if words.size == 0:
                raise ValueError("Seed must be non-empty") from None
            words = words.astype(np.int64, casting="safe")
            if words.ndim != 1:
                raise ValueError("Seed array must be 1-d") from None
            if ((words > 2**32 - 1) | (words < 0)).any():
                raise ValueError("Seed must be between 0 and 2**32 - 1") from None
            self._bits.seed_legacy(words.tolist())
        else:
            if not 0 <= number < 2**32:
                raise ValueError("Seed must be between 0 and 2**32 - 1")
            self._bits.seed_legacy_number(number)
        self._seed_seq = None

    def jumped(self, jumps=1):
        """A new generator, 2**128 draws away for each jump.

        >>> cp.random.MT19937(1).jumped().state["state"]["pos"]
        588
        """
        numpys = np.random.MT19937(0)
        numpys.state = {**self.state, "bit_generator": "MT19937"}
        other = type(self)(seed=0)
        other.state = {**numpys.jumped(jumps).state, "bit_generator": type(self).__name__}
        return other


class XORWOW(BitGenerator):
    """Marsaglia's xorwow: shifts, xors and a Weyl sequence. CuPy's name; the numbers are Cuprum's own.

    >>> cp.random.Generator(cp.random.XORWOW(1)).random(3).shape
    (3,)
    """

    _words = 3
    _state_words = 6

    def __init__(self, seed=None, *, size=-1):
        super().__init__(seed)


class MRG32k3a(BitGenerator):
    """L'Ecuyer's combination of two recurrences. CuPy's name; the numbers are Cuprum's own.

    >>> cp.random.Generator(cp.random.MRG32k3a(1)).random(3).shape
    (3,)
    """

    _words = 6
    _state_words = 6

    def __init__(self, seed=None, *, size=-1):
        super().__init__(seed)


class Philox4x3210(_Skipping):
    """A counter of 64 bits, mixed in 32-bit words (Salmon et al.): the fastest generator. CuPy's name; the numbers
    are Cuprum's own.

    >>> cp.random.Generator(cp.random.Philox4x3210(1)).random(3).shape
    (3,)
    """

    _words = 2
    _state_words = 4
    _jump = 2**48

    def __init__(self, seed=None, *, size=-1):
        super().__init__(seed)
