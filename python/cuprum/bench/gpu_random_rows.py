"""Random numbers on a GPU, 64M of each law: `default_rng`, whose numbers are NumPy's, and the fastest generator.

Beside CuPy and PyTorch. A perfect implementation only writes the result.
"""

import numpy as np

from .gpu_rows import Row, Target

LARGE = 4 * 16384**2  # bytes of the large array at full size


def _generator(xp, d, fastest):
    """One for each library: CuPy and NumPy have no faster one than their own."""
    name = "Philox4x3210" if fastest and hasattr(xp.random, "Philox4x3210") else None
    kept = d.__dict__.setdefault("_generators", {})
    if name not in kept:
        kept[name] = xp.random.Generator(getattr(xp.random, name)(1)) if name else xp.random.default_rng(1)
    return kept[name]


def _row(name, draw, itemsize, factor, fastest, torch, count=2**26):
    return Row(
        f"{name}, {'fastest' if fastest else 'default'}",
        lambda xp, d: draw(_generator(xp, d, fastest), d._host.n64),
        count * itemsize / LARGE,
        factor and Target("limit", factor),
        torch and (lambda t, d: torch(t, d._host.n64)),
        compared=False,
    )


# Name, numbers, bytes of one, how many times the time of writing NumPy's numbers may take, and what PyTorch has for it.
LAWS = [
    ("random f32", lambda g, n: g.random(n, np.float32), 4, 2.5, lambda t, n: t.rand(n, device="cuda")),
    ("random f64", lambda g, n: g.random(n), 8, 2.5, lambda t, n: t.rand(n, device="cuda", dtype=t.float64)),
    ("uniform", lambda g, n: g.uniform(-1.0, 1.0, n), 8, None, None),
    (
        "normal f32",
        lambda g, n: g.standard_normal(n, np.float32),
        4,
        5,
        lambda t, n: t.randn(n, device="cuda"),
    ),
    (
        "normal f64",
        lambda g, n: g.standard_normal(n),
        8,
        5,
        lambda t, n: t.randn(n, device="cuda", dtype=t.float64),
    ),
    (
        "integers",
        lambda g, n: g.integers(0, 1000, n),
        8,
        None,
        lambda t, n: t.randint(0, 1000, (n,), device="cuda"),
    ),
    ("integers i32", lambda g, n: g.integers(0, 1000, n, np.int32), 4, None, None),
    ("exponential", lambda g, n: g.exponential(2.0, n), 8, None, None),
    (
        "exponential f32",
        lambda g, n: g.standard_exponential(n, np.float32),
        4,
        None,
        lambda t, n: t.empty(n, device="cuda").exponential_(),
    ),
    ("gamma", lambda g, n: g.standard_gamma(2.5, n), 8, None, None),
    ("poisson", lambda g, n: g.poisson(50.0, n), 8, None, None),
    ("small poisson", lambda g, n: g.poisson(5.0, n), 8, None, None),
    ("binomial", lambda g, n: g.binomial(100, 0.4, n), 8, None, None),
]
ROWS = [
    _row(name, draw, itemsize, 1.5 if fastest else factor, fastest, torch)
    for name, draw, itemsize, factor, torch in LAWS
    for fastest in (False, True)
]
# Numbers that the kernel which reads them draws: a perfect implementation writes nothing.
ROWS += [
    _row(name, draw, 8, None, fastest, torch)
    for name, draw, torch in (
        (
            "count of random f64",
            lambda g, n: (g.random(n) < 0.3).sum(),
            lambda t, n: (t.rand(n, device="cuda", dtype=t.float64) < 0.3).sum(),
        ),
        (
            "payoff of uniform",
            lambda g, n: (100 * (1 + g.uniform(-0.5, 0.5, n)) - 100).clip(0).mean(),
            None,
        ),
    )
    for fastest in (False, True)
]
# NumPy's orders are drawn on the host, one position after the other.
ROWS += [
    _row(
        "permutation", lambda g, n: g.permutation(n), 8, 1.5, True, lambda t, n: t.randperm(n, device="cuda")
    ),
    _row(
        "permutation of 4M",
        lambda g, n: g.permutation(n // 16),
        8,
        1.5,
        True,
        lambda t, n: t.randperm(n // 16, device="cuda"),
        2**22,
    ),
    _row("choice", lambda g, n: g.choice(1000, n), 8, 1.5, True, None),
]
