"""The rows of the benchmark on a GPU: each program as Cuprum and CuPy run it, and as PyTorch and JAX users write it.

`bytes` is what a perfect implementation moves through the device's memory; a device copy of as many bytes is the limit.
`target` says what the project promises: see Target.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from . import programs


@dataclass
class Target:
    """At most `factor` times: "limit" (a copy of the same bytes), "best" (the fastest peer), "torch", "cupy", "ms"
    (that many milliseconds) or the name of another row, both on Cuprum."""

    of: str
    factor: float


@dataclass
class Row:
    name: str
    run: object  # (xp, data), for Cuprum, CuPy and NumPy
    bytes: float | None = None  # in units of the data's large array
    target: Target | None = None
    torch: object = "same"  # (torch, data), None: no such row
    jax: object = None  # (jax.numpy, data), compiled by jax.jit
    compared: bool = True  # not where libraries may differ: equal elements in argsort, data changed in place


class Data:
    """Arrays of one library, made from the same host arrays. `n` is the side of the square A; x is A flat."""

    def __init__(self, host, asarray):
        self._host, self._asarray = host, asarray

    def __getattr__(self, name):
        value = getattr(self._host, name)
        value = tuple(map(self._asarray, value)) if isinstance(value, tuple) else self._asarray(value)
        setattr(self, name, value)
        return value


class HostData:
    """The numbers, made once. Sizes are those of an H200's benchmark times `scale`."""

    def __init__(self, scale=1.0):
        self.side = max(64, int(16384 * math.sqrt(scale)) // 16 * 16)
        self.n64 = max(4096, int(2**26 * scale))
        self.product = max(32, int(8192 * scale ** (1 / 3)))
        self._rng = np.random.default_rng(1)

    def _uniform(self, *shape):
        return self._rng.random(shape, dtype=np.float32)

    @cached_property
    def A(self):
        return self._uniform(self.side, self.side)

    @cached_property
    def x(self):
        return self.A.reshape(-1)

    @cached_property
    def z(self):
        return self._uniform(self.side * self.side)

    @cached_property
    def scratch(self):
        return self.x.copy()

    @cached_property
    def row(self):
        return self._uniform(self.side)

    @cached_property
    def column(self):
        return self._uniform(self.side, 1)

    @cached_property
    def options(self):
        spot, strike = (self._uniform(self.n64) * 100 + 50 for _ in range(2))
        return spot, strike, self._uniform(self.n64) * 1.9 + 0.1

    @cached_property
    def values(self):
        return self._uniform(self.n64)

    @cached_property
    def integers(self):
        return self._rng.integers(-(2**31), 2**31, self.n64, dtype=np.int32)

    @cached_property
    def index(self):
        return self._rng.integers(0, self.n64, self.n64)

    @cached_property
    def table(self):
        side = max(32, int(math.sqrt(self.n64)))
        return self._uniform(side, side)

    @cached_property
    def matrix(self):
        return self._uniform(self.product, self.product)

    @cached_property
    def matrix16(self):
        return self.matrix.astype(np.float16)

    @cached_property
    def matrix64(self):
        return self._uniform(self.product // 2, self.product // 2).astype(np.float64)

    @cached_property
    def batch(self):
        return self._uniform(max(4, self.n64 // 16384), 64, 64)


def _limit(factor):
    return Target("limit", factor)


def _best(factor):
    return Target("best", factor)


def _double_and_add(xp, d):
    d.scratch *= 1.0001
    d.scratch += 0.5
    return d.scratch


def _unary(name, torch_name=None):
    return Row(
        f"{name}(x)",
        lambda xp, d: getattr(xp, name)(d.x),
        2,
        _limit(1.15),
        torch=lambda t, d: getattr(t, torch_name or name)(d.x),
    )


ELEMENTWISE = [
    Row("x.copy()", lambda xp, d: d.x.copy(), 2, _limit(1.05), torch=lambda t, d: d.x.clone()),
    *map(_unary, ("sin", "exp", "sqrt", "tanh")),
    Row("log(x + 1)", lambda xp, d: xp.log(d.x + 1), 2, _limit(1.15)),
    Row("x + z", lambda xp, d: d.x + d.z, 3, _limit(1.15)),
    Row(
        "exp(sin(x)*cos(x))",
        lambda xp, d: programs.chain(xp, d.x),
        2,
        _limit(1.25),
        jax=lambda jnp, d: jnp.exp(jnp.sin(d.x) * jnp.cos(d.x)),
    ),
    Row("a *= c; a += d", _double_and_add, 2, _limit(1.15), compared=False),
    Row("A**3", lambda xp, d: d.A**3, 2, _limit(1.25)),
    Row(
        "Black-Scholes 64M",
        lambda xp, d: programs.black_scholes(xp, *d.options),
        5 / 4,
        Target("ms", 0.6),
        jax=lambda jnp, d: programs.black_scholes(jnp, *d.options),
    ),
    Row(
        "where(x > .5, x*2, x/2)",
        lambda xp, d: xp.where(d.x > 0.5, d.x * 2, d.x / 2),
        2,
        Target("torch", 1.0),
    ),
    Row("clip", lambda xp, d: xp.clip(d.x, 0.2, 0.8), 2, Target("torch", 1.0)),
    Row(
        "astype f16",
        lambda xp, d: d.x.astype("float16"),
        1.5,
        Target("torch", 1.0),
        torch=lambda t, d: d.x.to(t.float16),
    ),
    Row(
        "row + column",
        lambda xp, d: d.row + d.column,
        1,
        Target("torch", 1.0),
    ),
    Row("A[::2, ::2] + 1", lambda xp, d: d.A[::2, ::2] + 1, 0.75, Target("torch", 1.0)),
]


def _reduce(name, axis, target, torch=None):
    label = name if axis is None else f"{name} axis {axis}"
    arguments = {} if axis is None else {"axis": axis}

    def of_torch(t, d):
        if torch:
            return torch(t, d.A, axis)
        return getattr(d.A, name)(**({} if axis is None else {"dim": axis}))

    return Row(label, lambda xp, d: getattr(d.A, name)(**arguments), 1, target, torch=of_torch)


def _torch_variance(t, a, axis):
    return t.var(a, dim=axis, correction=0)


def _torch_deviation(t, a, axis):
    return t.std(a, dim=axis, correction=0)


def _torch_maximum(t, a, axis):
    return t.amax(a) if axis is None else t.amax(a, dim=axis)


def _named(name, axis):
    return name if axis is None else f"{name} axis {axis}"


REDUCTIONS = [
    *(_reduce("sum", axis, _best(1.1)) for axis in (None, 0, 1)),
    *(_reduce("mean", axis, _best(1.1)) for axis in (None, 0, 1)),
    *(_reduce("max", axis, _best(1.1), _torch_maximum) for axis in (None, 0, 1)),
    *(_reduce("argmax", axis, _best(1.1)) for axis in (None, 0, 1)),
    *(_reduce("any", axis, _best(1.1)) for axis in (None, 0, 1)),
    *(_reduce("var", axis, Target(_named("sum", axis), 1.3), _torch_variance) for axis in (None, 0, 1)),
    *(_reduce("std", axis, Target(_named("sum", axis), 1.3), _torch_deviation) for axis in (None, 0, 1)),
    Row("(A**2).sum()", lambda xp, d: (d.A**2).sum(), 1, Target("sum", 1.1)),
    Row("(A > 2).any()", lambda xp, d: (d.A > 2).any(), 1, Target("sum", 1.1)),
    Row("((x - z)**2).mean()", lambda xp, d: programs.mean_square_error(xp, d.x, d.z), 2, _limit(1.15)),
]


def _torch_concatenate(t, d):
    return t.cat([d.values, d.values])


MOVES = [
    Row("A + A.T", lambda xp, d: d.A + d.A.T, 2, _best(1 / 1.5)),
    Row(
        "copy of A.T",
        lambda xp, d: xp.ascontiguousarray(d.A.T),
        2,
        _best(1 / 1.5),
        torch=lambda t, d: d.A.T.contiguous(),
    ),
    Row("A - A.mean(0)", lambda xp, d: d.A - d.A.mean(0), 3, Target("torch", 1.0)),
    Row("stencil of four slices", lambda xp, d: programs.stencil(xp, d.A), 2, Target("torch", 1.0)),
    Row(
        "softmax of rows",
        lambda xp, d: programs.softmax(xp, d.A),
        2,
        torch=lambda t, d: t.softmax(d.A, dim=1),
    ),
    Row(
        "concatenate 2 x 64M",
        lambda xp, d: xp.concatenate([d.values, d.values]),
        1,
        Target("torch", 1.0),
        torch=_torch_concatenate,
    ),
]


def _sorted_torch(t, a):
    return t.sort(a).values


ALGORITHMS = [
    Row("cumsum", lambda xp, d: xp.cumsum(d.x), 2, _best(1.0), torch=lambda t, d: t.cumsum(d.x, 0)),
    Row(
        "cumsum axis 0", lambda xp, d: xp.cumsum(d.A, axis=0), 2, _best(1.0), torch=lambda t, d: d.A.cumsum(0)
    ),
    Row(
        "cumsum axis 1", lambda xp, d: xp.cumsum(d.A, axis=1), 2, _best(1.0), torch=lambda t, d: d.A.cumsum(1)
    ),
    Row("x[x > .5]", lambda xp, d: d.x[d.x > 0.5], 1.5, _best(1.0)),
    Row(
        "nonzero 64M",
        lambda xp, d: xp.nonzero(d.values > 0.5)[0],
        None,
        _best(1.0),
        torch=lambda t, d: t.nonzero(d.values > 0.5),
    ),
    Row("take 64M", lambda xp, d: d.values[d.index], None, _best(1.0)),
    Row(
        "sort f32 64M",
        lambda xp, d: xp.sort(d.values),
        None,
        _best(1.0),
        torch=lambda t, d: _sorted_torch(t, d.values),
    ),
    Row(
        "sort i32 64M",
        lambda xp, d: xp.sort(d.integers),
        None,
        _best(1.0),
        torch=lambda t, d: _sorted_torch(t, d.integers),
    ),
    Row("argsort f32 64M", lambda xp, d: xp.argsort(d.values), None, _best(1.0), compared=False),
    Row(
        "sort rows",
        lambda xp, d: xp.sort(d.table),
        None,
        _best(1.0),
        torch=lambda t, d: _sorted_torch(t, d.table),
    ),
    Row("argsort rows", lambda xp, d: xp.argsort(d.table), None, _best(1.0), compared=False),
    Row("matmul f32", lambda xp, d: d.matrix @ d.matrix, None, _best(1.02)),
    Row("matmul f64", lambda xp, d: d.matrix64 @ d.matrix64, None, _best(1.02)),
    Row("matmul f16", lambda xp, d: d.matrix16 @ d.matrix16, None, _best(1.02)),
    Row("matmul batched", lambda xp, d: d.batch @ d.batch, None, _best(1.02)),
]

ROWS = ELEMENTWISE + REDUCTIONS + MOVES + ALGORITHMS

# Microseconds of the host per call, arrays of 16 elements: (name, code, is the result evaluated?, target).
SMALL_ROWS = [
    ("a + b, recorded", "a + b", False, 1.0),
    ("a + b", "a + b", True, 6.0),
    ("sin(a)", "xp.sin(a)", True, 6.0),
    ("a.sum()", "a.sum()", True, None),
    ("a[2:8]", "a[2:8]", False, None),
    ("a*2 + b", "a * 2 + b", True, None),
]
