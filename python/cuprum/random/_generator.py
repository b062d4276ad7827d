"""Generator: NumPy's laws over a bit generator, on the current device."""

import numpy as np

from .. import _core
from .._composite import methods_enter_by_device
from . import _choosing
from ._bit_generators import PCG64, BitGenerator
from ._checks import checked_dtype, closed_bounds, dtype_name

__all__ = ["Generator", "default_rng"]


@methods_enter_by_device
class Generator:
    """Random numbers of many laws, drawn from a bit generator. With PCG64, and with every other generator of NumPy's,
    they are the very numbers that NumPy gives, on every device and for any number of threads. Made by `default_rng`.

    Arrays are made on the current device, or where arrays of parameters are.

    >>> rng = cp.random.default_rng(42)
    >>> rng.random(2)
    array([0.77395605, 0.43887844])
    """

    def __init__(self, bit_generator):
        if not isinstance(bit_generator, BitGenerator):
            raise ValueError(
                "Invalid bit generator. The bit generator must be instantized, and one of cuprum.random, such as "
                f"cuprum.random.PCG64(); given a {type(bit_generator).__name__}"
            )
        self._bit_generator = bit_generator
        self._bits = bit_generator._bits

    def __repr__(self):
        return f"{self} at 0x{id(self):X}"

    def __str__(self):
        return f"{type(self).__name__}({type(self._bit_generator).__name__})"

    def __getstate__(self):
        return None

    def __setstate__(self, state):
        if isinstance(state, dict):
            self._bit_generator.state = state

    def __reduce__(self):
        return type(self), (self._bit_generator,), None

    @property
    def bit_generator(self):
        """The bit generator.

        >>> cp.random.default_rng(1).bit_generator.state["bit_generator"]
        'PCG64'
        """
        return self._bit_generator

    @bit_generator.setter
    def bit_generator(self, bit_generator):
        self.__init__(bit_generator)

    def spawn(self, n_children):
        """New generators whose streams are independent of this one and of each other.

        >>> a, b = cp.random.default_rng(1).spawn(2)
        >>> a.random() == b.random()
        array(False)
        """
        return [type(self)(bits) for bits in self._bit_generator.spawn(n_children)]

    def _draw(self, law, *parameters, size=None, dtype=None, out=None):
        return _core.random_draw(self._bits, law, parameters, size, False, dtype, out)

    # -- Uniform ----------------------------------------------------------------------------------------

    def random(self, size=None, dtype=np.float64, out=None):
        """Numbers in [0, 1), float64 or float32.

        >>> cp.random.default_rng(1).random(2)
        array([0.51182162, 0.9504637 ])
        """
        return self._draw("random", size=size, dtype=checked_dtype(dtype, "random"), out=out)

    def uniform(self, low=0.0, high=1.0, size=None):
        """Numbers in [low, high).

        >>> cp.random.default_rng(1).uniform(2, 4, 2)
        array([3.02364325, 3.90092739])
        """
        return self._draw("uniform", low, high, size=size)

    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        """Integers in [low, high), or [low, high] with `endpoint`; in [0, low) where `high` is left out.

        >>> cp.random.default_rng(1).integers(10, size=4)
        array([4, 5, 7, 9])
        """
        if high is None:
            low, high = 0, low
        dtype = dtype_name(dtype, "integers")
        low, high, endpoint = closed_bounds(low, high, dtype, endpoint)
        return _core.random_integers(self._bits, low, high, size, dtype, endpoint, False)

    def bytes(self, length):
        """Random bytes, of the host.

        >>> len(cp.random.default_rng(1).bytes(3))
        3
        """
        return _choosing.random_bytes(self._bits, length)

    # -- Continuous -------------------------------------------------------------------------------------

    def standard_normal(self, size=None, dtype=np.float64, out=None):
        """Normal numbers of mean 0 and deviation 1, float64 or float32.

        >>> cp.random.default_rng(1).standard_normal(2)
        array([0.34558419, 0.82161814])
        """
        return self._draw(
            "standard_normal", size=size, dtype=checked_dtype(dtype, "standard_normal"), out=out
        )

    def normal(self, loc=0.0, scale=1.0, size=None):
        """Normal numbers of mean `loc` and deviation `scale`.

        >>> cp.random.default_rng(1).normal(10, 2, 2)
        array([10.69116838, 11.64323629])
        """
        return self._draw("normal", loc, scale, size=size)

    def standard_exponential(self, size=None, dtype=np.float64, method="zig", out=None):
        """Exponential numbers of mean 1, by a ziggurat or, with method="inv", by the inverse of the law.

        >>> cp.random.default_rng(1).standard_exponential(2)
        array([1.07302903, 0.30845314])
        """
        law = "standard_exponential" if method == "zig" else "inverse_exponential"
        return self._draw(law, size=size, dtype=checked_dtype(dtype, "standard_exponential"), out=out)

    def exponential(self, scale=1.0, size=None):
        """Exponential numbers of mean `scale`.

        >>> cp.random.default_rng(1).exponential(2, 2)
        array([2.14605805, 0.61690629])
        """
        return self._draw("exponential", scale, size=size)

    def standard_gamma(self, shape, size=None, dtype=np.float64, out=None):
        """Gamma numbers of a shape and scale 1, float64 or float32.

        >>> cp.random.default_rng(1).standard_gamma(2, 3).shape
        (3,)
        """
        return self._draw(
            "standard_gamma", shape, size=size, dtype=checked_dtype(dtype, "standard_gamma"), out=out
        )

    def gamma(self, shape, scale=1.0, size=None):
        """Gamma numbers.

        >>> cp.random.default_rng(1).gamma(2, 3, size=3).shape
        (3,)
        """
        return self._draw("gamma", shape, scale, size=size)

    def beta(self, a, b, size=None):
        """Numbers of the beta law.

        >>> cp.random.default_rng(1).beta(2, 3, size=3).shape
        (3,)
        """
        return self._draw("beta", a, b, size=size)

    def chisquare(self, df, size=None):
        """Sums of `df` squares of normal numbers.

        >>> cp.random.default_rng(1).chisquare(3, size=3).shape
        (3,)
        """
        return self._draw("chisquare", df, size=size)

    def noncentral_chisquare(self, df, nonc, size=None):
        """The same with a centre that is not zero.

        >>> cp.random.default_rng(1).noncentral_chisquare(3, 1, size=3).shape
        (3,)
        """
        return self._draw("noncentral_chisquare", df, nonc, size=size)

    def f(self, dfnum, dfden, size=None):
        """Ratios of two chi-square numbers (Fisher).

        >>> cp.random.default_rng(1).f(3, 4, size=3).shape
        (3,)
        """
        return self._draw("f", dfnum, dfden, size=size)

    def noncentral_f(self, dfnum, dfden, nonc, size=None):
        """The same with a centre that is not zero.

        >>> cp.random.default_rng(1).noncentral_f(3, 4, 1, size=3).shape
        (3,)
        """
        return self._draw("noncentral_f", dfnum, dfden, nonc, size=size)

    def standard_cauchy(self, size=None):
        """Ratios of two normal numbers (Cauchy).

        >>> cp.random.default_rng(1).standard_cauchy(3).shape
        (3,)
        """
        return self._draw("standard_cauchy", size=size)

    def standard_t(self, df, size=None):
        """Student's t with `df` degrees of freedom.

        >>> cp.random.default_rng(1).standard_t(3, size=3).shape
        (3,)
        """
        return self._draw("standard_t", df, size=size)

    def vonmises(self, mu, kappa, size=None):
        """Angles around `mu` (von Mises).

        >>> cp.random.default_rng(1).vonmises(0, 2, size=3).shape
        (3,)
        """
        return self._draw("vonmises", mu, kappa, size=size)

    def pareto(self, a, size=None):
        """Numbers of the Pareto II (Lomax) law.

        >>> cp.random.default_rng(1).pareto(3, size=3).shape
        (3,)
        """
        return self._draw("pareto", a, size=size)

    def weibull(self, a, size=None):
        """Numbers of the Weibull law.

        >>> cp.random.default_rng(1).weibull(2, size=3).shape
        (3,)
        """
        return self._draw("weibull", a, size=size)

    def power(self, a, size=None):
        """Numbers in [0, 1] with a density like x**(a - 1).

        >>> cp.random.default_rng(1).power(2, size=3).shape
        (3,)
        """
        return self._draw("power", a, size=size)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        """Numbers of the double exponential law (Laplace).

        >>> cp.random.default_rng(1).laplace(size=3).shape
        (3,)
        """
        return self._draw("laplace", loc, scale, size=size)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        """Numbers of the law of extreme values (Gumbel).

        >>> cp.random.default_rng(1).gumbel(size=3).shape
        (3,)
        """
        return self._draw("gumbel", loc, scale, size=size)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        """Numbers of the logistic law.

        >>> cp.random.default_rng(1).logistic(size=3).shape
        (3,)
        """
        return self._draw("logistic", loc, scale, size=size)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        """Exponentials of normal numbers.

        >>> cp.random.default_rng(1).lognormal(size=3).shape
        (3,)
        """
        return self._draw("lognormal", mean, sigma, size=size)

    def rayleigh(self, scale=1.0, size=None):
        """Lengths of vectors of two normal numbers (Rayleigh).

        >>> cp.random.default_rng(1).rayleigh(size=3).shape
        (3,)
        """
        return self._draw("rayleigh", scale, size=size)

    def wald(self, mean, scale, size=None):
        """Numbers of the inverse Gaussian law (Wald).

        >>> cp.random.default_rng(1).wald(3, 2, size=3).shape
        (3,)
        """
        return self._draw("wald", mean, scale, size=size)

    def triangular(self, left, mode, right, size=None):
        """Numbers in [left, right] with a density that rises to `mode` and falls.

        >>> cp.random.default_rng(1).triangular(0, 1, 3, size=3).shape
        (3,)
        """
        return self._draw("triangular", left, mode, right, size=size)

    # -- Discrete ---------------------------------------------------------------------------------------

    def poisson(self, lam=1.0, size=None):
        """Counts of mean `lam` (Poisson).

        >>> cp.random.default_rng(1).poisson(4, size=3)
        array([5, 3, 5])
        """
        return self._draw("poisson", lam, size=size)

    def binomial(self, n, p, size=None):
        """Successes among `n` trials of probability `p`.

        >>> cp.random.default_rng(1).binomial(10, 0.5, size=3)
        array([5, 8, 3])
        """
        return self._draw("binomial", n, p, size=size)

    def negative_binomial(self, n, p, size=None):
        """Failures before the n-th success.

        >>> cp.random.default_rng(1).negative_binomial(3, 0.5, size=3).shape
        (3,)
        """
        return self._draw("negative_binomial", n, p, size=size)

    def geometric(self, p, size=None):
        """Trials up to the first success.

        >>> cp.random.default_rng(1).geometric(0.5, size=3)
        array([2, 5, 1])
        """
        return self._draw("geometric", p, size=size)

    def hypergeometric(self, ngood, nbad, nsample, size=None):
        """Good ones among `nsample` that are taken from `ngood` and `nbad`.

        >>> cp.random.default_rng(1).hypergeometric(10, 10, 5, size=3).shape
        (3,)
        """
        return self._draw("hypergeometric", ngood, nbad, nsample, size=size)

    def zipf(self, a, size=None):
        """Counts with probabilities like k**-a (Zipf).

        >>> cp.random.default_rng(1).zipf(2, size=3).shape
        (3,)
        """
        return self._draw("zipf", a, size=size)

    def logseries(self, p, size=None):
        """Counts with probabilities like p**k / k.

        >>> cp.random.default_rng(1).logseries(0.5, size=3).shape
        (3,)
        """
        return self._draw("logseries", p, size=size)

    # -- Vectors ----------------------------------------------------------------------------------------

    def multinomial(self, n, pvals, size=None):
        """How often each of several outcomes comes among `n` trials.

        >>> cp.random.default_rng(1).multinomial(10, [0.5, 0.5]).sum()
        array(10)
        """
        return _core.random_multinomial(self._bits, n, pvals, size)

    def dirichlet(self, alpha, size=None):
        """Shares that sum to one.

        >>> cp.random.default_rng(1).dirichlet([1, 2, 3], 4).shape
        (4, 3)
        """
        return _core.random_dirichlet(self._bits, alpha, size)

    def multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
        """Colors of `nsample` balls that are taken from an urn.

        >>> cp.random.default_rng(1).multivariate_hypergeometric([4, 6], 5).sum()
        array(5)
        """
        return _core.random_multivariate_hypergeometric(self._bits, colors, nsample, size, method)

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
        """Normal vectors with a covariance.

        >>> cp.random.default_rng(1).multivariate_normal([0, 0], [[1, 0], [0, 1]], 3).shape
        (3, 2)
        """
        return _core.random_multivariate_normal(self._bits, mean, cov, size, check_valid, tol, method)

    # -- Orders and choices -----------------------------------------------------------------------------

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """Elements of `a` (or of range(a)) at random, with the probabilities `p`; with replace=False none twice.

        >>> cp.random.default_rng(1).choice(10, 3, replace=False).shape
        (3,)
        """
        return _choosing.choice(self, a, size, replace, p, axis, shuffle)

    def permutation(self, x, axis=0):
        """`x` with its slices along an axis in random order, or range(x) in random order.

        >>> cp.sort(cp.random.default_rng(1).permutation(4))
        array([0, 1, 2, 3])
        """
        return _choosing.permutation(self._bits, x, axis)

    def shuffle(self, x, axis=0):
        """Puts the slices of `x` along an axis in random order, in place.

        >>> x = cp.arange(4)
        >>> cp.random.default_rng(1).shuffle(x)
        >>> cp.sort(x)
        array([0, 1, 2, 3])
        """
        _choosing.shuffle(self._bits, x, axis)

    def permuted(self, x, *, axis=None, out=None):
        """A copy with the elements along an axis (or all of them) in random order, each row by itself.

        >>> cp.sort(cp.random.default_rng(1).permuted(cp.arange(4)))
        array([0, 1, 2, 3])
        """
        return _choosing.permuted(self._bits, x, axis, out)


def default_rng(seed=None):
    """A Generator over PCG64, with NumPy's numbers: from a seed, a SeedSequence, a bit generator, a RandomState; a
    Generator as it is.

    >>> cp.random.default_rng(42).integers(0, 10, 3)
    array([0, 7, 6])
    """
    from ._legacy import RandomState

    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, RandomState):
        return Generator(seed._bit_generator)
    return Generator(seed if isinstance(seed, BitGenerator) else PCG64(seed))
