"""The laws with parameters that take every branch of their algorithms, for the tests of random numbers."""

CONTINUOUS = {
    "uniform": [(2, 5), (-1.5, -1.5)],
    "normal": [(1, 2), (0, 0)],
    "exponential": [(3,), (0,)],
    "standard_gamma": [(2.5,), (1.0001,), (400,), (0.5,), (1,), (0,)],
    "gamma": [(2.5, 3), (0.2, 2)],
    "beta": [(0.5, 0.5), (2, 3), (0.01, 0.01)],
    "chisquare": [(3,), (0.5,)],
    "noncentral_chisquare": [(3, 2), (0.5, 2), (3, 0), (3, float("nan"))],
    "f": [(3, 4)],
    "noncentral_f": [(3, 4, 2)],
    "standard_cauchy": [()],
    "standard_t": [(3,), (0.7,)],
    "vonmises": [(0.5, 2), (0, 1e-9), (0, 1e-6), (1, 1e7), (0, float("nan"))],
    "pareto": [(3,)],
    "weibull": [(2,), (0,)],
    "power": [(3,)],
    "laplace": [(1, 2)],
    "gumbel": [(1, 2)],
    "logistic": [(1, 2)],
    "lognormal": [(0.1, 0.2)],
    "rayleigh": [(2,)],
    "wald": [(2, 3)],
    "triangular": [(1, 2, 4), (0, 0, 1), (0, 1, 1)],
}
DISCRETE = {
    "poisson": [(3,), (10,), (30,), (5000,), (0,), (1e6,), (1e9,)],
    "negative_binomial": [(3, 0.4), (30, 0.01)],
    "binomial": [
        (10, 0.3),
        (61, 0.5),
        (100, 0.4),
        (100, 0.9),
        (2000, 0.5),
        (0, 0.5),
        (1000000, 0.3),
        (10, 0),
        (10, 1),
        (3, 0.9),
    ],
    "geometric": [(0.5,), (0.1,), (1,), (1e-12,)],
    "zipf": [(2.0,), (1.1,)],
    "logseries": [(0.6,), (0.999,)],
    "hypergeometric": [
        (10, 20, 5),
        (100, 200, 50),
        (100, 200, 250),
        (3, 0, 2),
        (0, 3, 1),
        (200, 100, 150),
        (9, 8, 17),
    ],
}
LAWS = [(name, p) for table in (CONTINUOUS, DISCRETE) for name, rows in table.items() for p in rows]


def state_of(bit_generator):
    """A state that can be compared: arrays become lists."""

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        return value.tolist() if hasattr(value, "tolist") else value

    return plain(bit_generator.state)
