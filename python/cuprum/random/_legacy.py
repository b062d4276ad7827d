"""RandomState: NumPy's numbers of before 1.17, by MT19937. The laws are those of Generator under the names of then,
each with a `dtype` that CuPy added."""

import inspect

import numpy as np

from .. import _core
from .._composite import methods_enter_by_device
from . import _choosing
from ._bit_generators import MT19937, BitGenerator
from ._checks import FOREIGN_BYTES, closed_bounds, dtype_name, tell, whole

__all__ = ["RandomState"]

# name: parameters, example, what it draws. `size` and `dtype` follow.
_LAWS = {
    "beta": ("a, b", "2, 3", "Numbers of the beta law."),
    "binomial": ("n, p", "10, 0.5", "Successes among `n` trials of probability `p`."),
    "chisquare": ("df", "3", "Sums of `df` squares of normal numbers."),
    "exponential": ("scale=1.0", "2.0", "Exponential numbers of mean `scale`."),
    "f": ("dfnum, dfden", "3, 4", "Ratios of two chi-square numbers (Fisher)."),
    "gamma": ("shape, scale=1.0", "2, 3", "Gamma numbers."),
    "geometric": ("p", "0.5", "Trials up to the first success."),
    "gumbel": ("loc=0.0, scale=1.0", "0, 1", "Numbers of the law of extreme values (Gumbel)."),
    "hypergeometric": ("ngood, nbad, nsample", "9, 9, 5", "Good ones among `nsample` that are taken."),
    "laplace": ("loc=0.0, scale=1.0", "0, 1", "Numbers of the double exponential law (Laplace)."),
    "logistic": ("loc=0.0, scale=1.0", "0, 1", "Numbers of the logistic law."),
    "lognormal": ("mean=0.0, sigma=1.0", "0, 1", "Exponentials of normal numbers."),
    "logseries": ("p", "0.5", "Counts with probabilities like p**k / k."),
    "negative_binomial": ("n, p", "3, 0.5", "Failures before the n-th success."),
    "noncentral_chisquare": ("df, nonc", "3, 1", "Chi-square numbers with a centre that is not zero."),
    "noncentral_f": ("dfnum, dfden, nonc", "3, 4, 1", "F numbers with a centre that is not zero."),
    "normal": ("loc=0.0, scale=1.0", "0, 1", "Normal numbers of mean `loc` and deviation `scale`."),
    "pareto": ("a", "3", "Numbers of the Pareto II (Lomax) law."),
    "poisson": ("lam=1.0", "4", "Counts of mean `lam` (Poisson)."),
    "power": ("a", "2", "Numbers in [0, 1] with a density like x**(a - 1)."),
    "rayleigh": ("scale=1.0", "2", "Lengths of vectors of two normal numbers (Rayleigh)."),
    "standard_cauchy": ("", "", "Ratios of two normal numbers (Cauchy)."),
    "standard_exponential": ("", "", "Exponential numbers of mean 1."),
    "standard_gamma": ("shape", "2", "Gamma numbers of scale 1."),
    "standard_normal": ("", "", "Normal numbers of mean 0 and deviation 1."),
    "standard_t": ("df", "3", "Student's t with `df` degrees of freedom."),
    "triangular": ("left, mode, right", "0, 1, 3", "Numbers with a density that rises to `mode` and falls."),
    "uniform": ("low=0.0, high=1.0", "2, 3", "Numbers in [low, high)."),
    "vonmises": ("mu, kappa", "0, 2", "Angles around `mu` (von Mises)."),
    "wald": ("mean, scale", "3, 2", "Numbers of the inverse Gaussian law (Wald)."),
    "weibull": ("a", "2", "Numbers of the Weibull law."),
    "zipf": ("a", "2", "Counts with probabilities like k**-a (Zipf)."),
}


def _method(name, parameters, example, doc):
    """The method of a law, with the signature that the table says."""
    given = f"{parameters}, " if parameters else ""
    template = eval(f"lambda self, {given}size=None, dtype=None: None")
    signature = inspect.signature(template)
    names = list(signature.parameters)[1:-2]

    def method(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        values = bound.arguments
        return self._draw(name, *(values[key] for key in names), size=values["size"], dtype=values["dtype"])

    method.__name__ = name
    method.__qualname__ = f"RandomState.{name}"
    method.__signature__ = signature
    call = f"{example}, size=3" if example else "size=3"
    method.__doc__ = f"{doc}\n\n>>> cp.random.RandomState(1).{name}({call}).shape\n(3,)"
    return method


def _as_dtype(numbers, dtype):
    return numbers if dtype is None else numbers.astype(dtype, copy=False)


@methods_enter_by_device
class RandomState:
    """NumPy's older generator: the same numbers as numpy.random.RandomState with the same seed. The functions of this
    module draw from one. New programs use `default_rng`, which is faster.

    >>> cp.random.RandomState(1).rand(2)
    array([0.417022  , 0.72032449])
    """

    def __init__(self, seed=None):
        bits = seed if isinstance(seed, BitGenerator) else MT19937(0)
        if bits is not seed:
            bits._legacy_seeding(seed)
        self._draw_from(bits)

    def _draw_from(self, bit_generator):
        self._bit_generator = bit_generator
        self._bits = bit_generator._bits

    for _name, _row in _LAWS.items():
        locals()[_name] = _method(_name, *_row)
    del _name, _row

    def __repr__(self):
        return f"{self} at 0x{id(self):X}"

    def __str__(self):
        return f"{type(self).__name__}({type(self._bit_generator).__name__})"

    def __getstate__(self):
        return self.get_state(legacy=False)

    def __setstate__(self, state):
        self.set_state(state)

    def __reduce__(self):
        return type(self), (self._bit_generator,), self.get_state(legacy=False)

    def _draw(self, law, *parameters, size=None, dtype=None):
        drawn = _core.random_draw(self._bits, law, parameters, size, True)
        return _as_dtype(drawn, dtype)

    # -- The state --------------------------------------------------------------------------------------

    def seed(self, seed=None):
        """Begins anew from a seed.

        >>> state = cp.random.RandomState()
        >>> state.seed(1)
        >>> state.rand()
        array(0.417022)
        """
        if not isinstance(self._bit_generator, MT19937):
            raise TypeError("can only re-seed a MT19937 BitGenerator")
        self._bit_generator._legacy_seeding(seed)
        self._hold(False, 0.0)

    def _hold(self, held, normal):
        words, half_held, half, *_, key = self._bits.state()
        self._bits.set_state(list(words), half_held, half, bool(held), float(normal), key)

    def get_state(self, legacy=True):
        """The state, as a tuple of NumPy's, or as a dict.

        >>> cp.random.RandomState(1).get_state()[0]
        'MT19937'
        """
        state = self._bit_generator.state
        twister = state["bit_generator"] == "MT19937"
        if legacy and not twister:
            tell(
                "get_state and legacy can only be used with the MT19937 BitGenerator. To silence this warning, set "
                "`legacy` to False.",
                RuntimeWarning,
            )
            legacy = False
        _, _, _, held, normal, _ = self._bits.state()
        state["has_gauss"] = int(held)
        state["gauss"] = normal
        if legacy:
            return (
                "MT19937",
                state["state"]["key"],
                state["state"]["pos"],
                state["has_gauss"],
                state["gauss"],
            )
        return state

    def set_state(self, state):
        """Sets what get_state gave, here or in NumPy.

        >>> state = cp.random.RandomState(1)
        >>> state.set_state(cp.random.RandomState(2).get_state())
        """
        if isinstance(state, dict):
            if "bit_generator" not in state or "state" not in state:
                raise ValueError("state dictionary is not valid.")
            value = state
        else:
            if not isinstance(state, (tuple, list)):
                raise TypeError("state must be a dict or a tuple.")
            if state[0] != "MT19937":
                raise ValueError("set_state can only be used with legacy MT19937 state instances.")
            value = {"bit_generator": state[0], "state": {"key": state[1], "pos": state[2]}}
            if len(state) > 3:
                value["has_gauss"], value["gauss"] = state[3], state[4]
        self._bit_generator.state = value
        self._hold(value.get("has_gauss", 0), value.get("gauss", 0.0))

    # -- Uniform ----------------------------------------------------------------------------------------

    def random_sample(self, size=None, dtype=None):
        """Numbers in [0, 1).

        >>> cp.random.RandomState(1).random_sample(2)
        array([0.417022  , 0.72032449])
        """
        return self._draw("random", size=size, dtype=dtype)

    def random(self, size=None, dtype=None):
        """The same.

        >>> cp.random.RandomState(1).random(2)
        array([0.417022  , 0.72032449])
        """
        return self.random_sample(size, dtype)

    def rand(self, *args, dtype=None):
        """Numbers in [0, 1), of a shape that is given by several arguments.

        >>> cp.random.RandomState(1).rand(2, 3).shape
        (2, 3)
        """
        return self.random_sample(args or None, dtype)

    def randn(self, *args, dtype=None):
        """Normal numbers, of a shape that is given by several arguments.

        >>> cp.random.RandomState(1).randn(2)
        array([ 1.62434536, -0.61175641])
        """
        return self.standard_normal(args or None, dtype)

    def randint(self, low, high=None, size=None, dtype=int):
        """Integers in [low, high), or [0, low) where `high` is left out.

        >>> cp.random.RandomState(1).randint(10, size=3)
        array([5, 8, 9])
        """
        if high is None:
            low, high = 0, low
        dtype = np.dtype(dtype)
        if not dtype.isnative:
            tell(
                f"{FOREIGN_BYTES}\nIn future version, providing byteorder will raise a ValueError",
                DeprecationWarning,
            )
            dtype = dtype.newbyteorder("=")
        dtype = dtype_name(dtype, "randint")
        low, high, endpoint = closed_bounds(low, high, dtype, False)
        return _core.random_integers(self._bits, low, high, size, dtype, endpoint, True)

    def random_integers(self, low, high=None, size=None):
        """Integers in [low, high], or [1, low] where `high` is left out. NumPy calls it deprecated.

        >>> cp.random.RandomState(1).random_integers(10, size=3).shape
        (3,)
        """
        if high is None:
            low, high = 1, low
        tell(
            f"This function is deprecated. Please call randint({low}, {high} + 1) instead", DeprecationWarning
        )
        return self.randint(low, int(high) + 1, size=size)

    def tomaxint(self, size=None):
        """Integers in [0, 2**63).

        >>> cp.random.RandomState(1).tomaxint(3).dtype
        dtype('int64')
        """
        drawn = _core.random_integers(self._bits, 0, 2**64, size, np.dtype(np.uint64), False, True)
        return (drawn >> 1).astype(np.int64)

    def bytes(self, length):
        """Random bytes, of the host.

        >>> len(cp.random.RandomState(1).bytes(3))
        3
        """
        return _choosing.random_bytes(self._bits, length)

    # -- Vectors, orders and choices --------------------------------------------------------------------

    def multinomial(self, n, pvals, size=None):
        """How often each of several outcomes comes among `n` trials.

        >>> cp.random.RandomState(1).multinomial(10, [0.5, 0.5]).sum()
        array(10)
        """
        return _core.random_multinomial(self._bits, whole(n), pvals, size, True)

    def dirichlet(self, alpha, size=None, dtype=None):
        """Shares that sum to one.

        >>> cp.random.RandomState(1).dirichlet([1, 2, 3], 4).shape
        (4, 3)
        """
        return _as_dtype(_core.random_dirichlet(self._bits, alpha, size, True), dtype)

    def multivariate_normal(
        self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd", dtype=None
    ):
        """Normal vectors with a covariance.

        >>> cp.random.RandomState(1).multivariate_normal([0, 0], [[1, 0], [0, 1]], 3).shape
        (3, 2)
        """
        numbers = _core.random_multivariate_normal(
            self._bits, mean, cov, size, check_valid, tol, method, True
        )
        return _as_dtype(numbers, dtype)

    def choice(self, a, size=None, replace=True, p=None):
        """Elements of `a` (or of range(a)) at random, with the probabilities `p`; with replace=False none twice.

        >>> cp.random.RandomState(1).choice(10, 3, replace=False).shape
        (3,)
        """
        return _choosing.choice_legacy(self, a, size, replace, p)

    def permutation(self, x):
        """`x` with its slices in random order, or range(x) in random order.

        >>> cp.sort(cp.random.RandomState(1).permutation(4))
        array([0, 1, 2, 3])
        """
        if np.ndim(x) == 0 and not _choosing.is_integer(x):
            raise IndexError("x must be an integer or at least 1-dimensional")
        return _choosing.permutation(self._bits, x)

    def shuffle(self, x):
        """Puts the slices of `x` in random order, in place.

        >>> x = cp.arange(4)
        >>> cp.random.RandomState(1).shuffle(x)
        >>> cp.sort(x)
        array([0, 1, 2, 3])
        """
        _choosing.shuffle(self._bits, x)
