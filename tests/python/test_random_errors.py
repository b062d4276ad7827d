"""Parameters that NumPy refuses are refused with its exception and its words."""

import numpy as np
import pytest

import cuprum as cp

NAN = float("nan")
BAD = {
    "normal": [(0, -1), (0, -0.0)],
    "uniform": [(1, 0), (-1.7e308, 1.7e308), (0, NAN)],
    "exponential": [(-1,)],
    "standard_gamma": [(-1,)],
    "gamma": [(-1, 1), (1, -1)],
    "beta": [(0, 1), (1, 0), (-1, 2)],
    "chisquare": [(0,), (-1,)],
    "noncentral_chisquare": [(0, 1), (1, -1)],
    "f": [(0, 1), (1, 0)],
    "noncentral_f": [(0, 1, 1), (1, 0, 1), (1, 1, -1)],
    "standard_t": [(0,), (-3,)],
    "vonmises": [(0, -1)],
    "pareto": [(0,)],
    "weibull": [(-1,)],
    "power": [(0,), (-1,)],
    "laplace": [(0, -1)],
    "gumbel": [(0, -1)],
    "logistic": [(0, -1)],
    "lognormal": [(0, -1)],
    "rayleigh": [(-1,)],
    "wald": [(0, 1), (1, 0)],
    "triangular": [(2, 1, 3), (1, 4, 3), (1, 1, 1)],
    "poisson": [(-1,), (NAN,), (1e20,)],
    "negative_binomial": [(0, 0.5), (1, -0.1), (1, 2), (NAN, 0.5), (1e300, 1e-10)],
    "binomial": [(-1, 0.5), (1, -0.1), (1, 1.5), (1, NAN)],
    "geometric": [(0,), (1.5,), (NAN,)],
    "zipf": [(1,), (0,), (NAN,)],
    "logseries": [(-0.1,), (1,), (NAN,)],
    "hypergeometric": [(-1, 2, 1), (2, -1, 1), (1, 2, -1), (1, 2, 4), (10**9, 1, 1)],
}
CASES = [(name, p) for name, rows in BAD.items() for p in rows]


def fails_alike(ours, numpys):
    """The same exception, with NumPy's words in ours."""
    try:
        with np.errstate(all="ignore"):
            numpys()
    except Exception as error:
        with pytest.raises(type(error)) as caught:
            ours()
        assert str(error) in str(caught.value)
        return
    ours()


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_numbers(name, parameters):
    for ours, numpys in (
        (cp.random.default_rng(1), np.random.default_rng(1)),
        (cp.random.RandomState(1), np.random.RandomState(1)),
    ):
        if (name, parameters) == ("hypergeometric", (10**9, 1, 1)) and isinstance(
            ours, cp.random.RandomState
        ):
            continue  # as slow as it is there
        if (
            name == "negative_binomial"
            and isinstance(ours, cp.random.RandomState)
            and parameters in ((NAN, 0.5), (1e300, 1e-10))
        ):
            continue
        if name == "hypergeometric" and isinstance(ours, cp.random.RandomState) and parameters[2] < 1:
            continue
        fails_alike(
            lambda: getattr(ours, name)(*parameters, size=3),
            lambda: getattr(numpys, name)(*parameters, size=3),
        )


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_arrays(name, parameters):
    ours, numpys = cp.random.default_rng(1), np.random.default_rng(1)
    given = [np.array([p, p]) for p in parameters]
    fails_alike(lambda: getattr(ours, name)(*map(cp.asarray, given)), lambda: getattr(numpys, name)(*given))


def test_shapes():
    rng, oracle = cp.random.default_rng(1), np.random.default_rng(1)
    for size in (2, (2, 2), (3, 1)):
        with pytest.raises(ValueError):
            oracle.normal(np.zeros(3), 1, size)
        with pytest.raises(ValueError):
            rng.normal(cp.zeros(3), 1, size)
    with pytest.raises(ValueError, match="not compatible with broadcast dimensions"):
        rng.normal(cp.zeros(3), 1, (1,))
    with pytest.raises(ValueError):
        rng.normal(cp.zeros(3), cp.ones(2))
    for size in (-1, (2, -1)):
        with pytest.raises(ValueError):
            rng.random(size)
    with pytest.raises(TypeError):
        rng.random(1.5)


def test_dtypes():
    rng = cp.random.default_rng(1)
    for name in ("random", "standard_normal", "standard_exponential"):
        with pytest.raises(TypeError, match="Unsupported dtype"):
            getattr(rng, name)(3, dtype=np.int64)
    for dtype in (np.float64, "c16"):
        with pytest.raises(TypeError, match="Unsupported dtype"):
            rng.integers(3, dtype=dtype)
    with pytest.raises(TypeError, match="safe"):
        rng.normal(1j)
    with pytest.raises(TypeError, match="safe"):
        rng.binomial(cp.array([1.5]), 0.5)
    assert rng.binomial(1.5, 1).item() == 1  # Python's numbers lose their fraction, as in NumPy


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
)
def test_bounds(dtype):
    ours, numpys = cp.random.default_rng(1), np.random.default_rng(1)
    info = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    for low, high in ((info[0] - 1, 1), (0, info[1] + 2), (1, 1), (0, 0), (1, 0), (5, 3)):
        for endpoint in (False, True):
            fails_alike(
                lambda: ours.integers(low, high, 3, dtype, endpoint),
                lambda: numpys.integers(low, high, 3, dtype, endpoint),
            )
    fails_alike(lambda: ours.integers(cp.array([5, 2]), 3), lambda: numpys.integers([5, 2], 3))


def test_choices():
    ours, numpys = cp.random.default_rng(1), np.random.default_rng(1)
    for args, kwargs in (
        ((0, 1), {}), ((-1, 1), {}), (([], 1), {}), ((3, 4, False), {}), ((3, 2), {"p": [0.5, 0.5]}),
        ((2, 2), {"p": [0.5, 0.6]}), ((2, 2), {"p": [-0.5, 1.5]}), ((2, 2), {"p": [NAN, 1]}),
        ((2, 2), {"p": [[0.5, 0.5]]}),
        ((3, 3, False), {"p": [0.5, 0.5, 0]}), ((2.5, 1), {}),
    ):  # fmt: skip
        fails_alike(lambda: ours.choice(*args, **kwargs), lambda: numpys.choice(*args, **kwargs))
    for method, args in (
        ("multinomial", (-1, [0.5, 0.5])), ("multinomial", (1, [0.5, 0.6, 0.1])), ("multinomial", (1, [])),
        ("multinomial", (1, [1.5, 0])), ("multinomial", ([1, 2], [0.5, 0.5], 3)), ("dirichlet", ([-1, 1],)),
        ("multivariate_hypergeometric", ([1, 2], 4)), ("multivariate_hypergeometric", ([-1, 2], 1)),
        ("multivariate_hypergeometric", ([1, 2], -1)), ("multivariate_hypergeometric", ([1, 2], 1, None, "no")),
        ("multivariate_hypergeometric", ([1.5, 2], 1)), ("multivariate_normal", ([[0]], [[1]])),
        ("multivariate_normal", ([0], [[1, 2]])), ("multivariate_normal", ([0, 0], [[1]])),
    ):  # fmt: skip
        fails_alike(lambda: getattr(ours, method)(*args), lambda: getattr(numpys, method)(*args))
    for alpha in (5, [[1, 2]]):
        with pytest.raises((TypeError, ValueError)) as expected:
            numpys.dirichlet(alpha)
        with pytest.raises(expected.type, match="one-dimensional"):
            ours.dirichlet(alpha)
    with pytest.raises(ValueError, match="read-only"):
        ours.shuffle(cp.broadcast_to(cp.arange(3), (2, 3)))
