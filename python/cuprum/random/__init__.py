"""Random numbers: NumPy's, on every device.

    rng = cp.random.default_rng(42)
    rng.standard_normal((1000, 1000))

A `Generator` over a bit generator of NumPy's gives the very numbers that NumPy gives. The functions of this module are
those of one `RandomState`, as in NumPy: `cp.random.seed(0)`, `cp.random.rand(3)`.
"""

import functools
import inspect

from .._reference import describe_all
from . import _bit_generators, _generator, _legacy
from ._bit_generators import *
from ._generator import *
from ._legacy import RandomState

_state = None


def get_random_state():
    """The RandomState that the functions of this module draw from (CuPy).

    >>> isinstance(cp.random.get_random_state(), cp.random.RandomState)
    True
    """
    global _state
    if _state is None:
        _state = RandomState()
    return _state


def set_random_state(rs):
    """Lets the functions of this module draw from another RandomState (CuPy).

    >>> cp.random.set_random_state(cp.random.RandomState(1))
    """
    global _state
    if not isinstance(rs, RandomState):
        raise ValueError(f"Random state must be an instance of RandomState. Actual: {type(rs)}")
    _state = rs


def reset_states():
    """Lets the functions of this module begin anew, from a seed of the system (CuPy).

    >>> cp.random.reset_states()
    """
    global _state
    _state = None


def seed(seed=None):
    """Lets the functions of this module begin anew from a seed.

    >>> cp.random.seed(1)
    >>> cp.random.rand()
    array(0.417022)
    """
    state = get_random_state()
    bits = state._bit_generator
    if isinstance(bits, _bit_generators.MT19937):
        state.seed(seed)
    else:
        bits.state = type(bits)(seed).state


def get_bit_generator():
    """The bit generator that the functions of this module draw from.

    >>> isinstance(cp.random.get_bit_generator(), cp.random.BitGenerator)
    True
    """
    return get_random_state()._bit_generator


def set_bit_generator(bitgen):
    """Lets the functions of this module draw from a bit generator.

    >>> cp.random.set_bit_generator(cp.random.MT19937(1))
    """
    get_random_state()._draw_from(bitgen)


def _function(name, method):
    """A function of the module: that method of the current RandomState."""
    own = getattr(RandomState, method)

    def function(*args, **kwargs):
        return getattr(get_random_state(), method)(*args, **kwargs)

    functools.update_wrapper(function, own)
    parameters = list(inspect.signature(own).parameters.values())[1:]
    function.__signature__ = inspect.Signature(parameters)
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    del function.__wrapped__
    return function


_METHODS = [
    *_legacy._LAWS, "bytes", "choice", "dirichlet", "get_state", "multinomial", "multivariate_normal", "permutation",
    "rand", "randint", "randn", "random", "random_integers", "random_sample", "set_state", "shuffle",
]  # fmt: skip
for _name in _METHODS:
    globals()[_name] = _function(_name, _name)
describe_all(
    globals(),
    ["default_rng", "get_bit_generator", "get_random_state", "reset_states", "seed", "set_bit_generator",
     "set_random_state"],
)  # fmt: skip
ranf = _function("ranf", "random_sample")
sample = _function("sample", "random_sample")
del _name

__all__ = sorted(
    [
        *_bit_generators.__all__, *_generator.__all__, *_legacy.__all__, *_METHODS, "get_bit_generator",
        "get_random_state", "ranf", "reset_states", "sample", "seed", "set_bit_generator", "set_random_state",
    ]
)  # fmt: skip

for _name in (*_bit_generators.__all__, *_generator.__all__, *_legacy.__all__):
    if globals()[_name].__module__.startswith("cuprum."):
        globals()[_name].__module__ = __name__
del _name
