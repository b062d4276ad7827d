"""The rows of the benchmark: each program once, with its data, what it must move through memory, and its target.

`reads` names the operands that a perfect implementation reads, each once; what it writes is its result. Moving those
bytes takes a time that no library can beat (the limit), and limit / time is the share of it that was reached. Rows
without `reads` are not bound by memory (sorting, matmul). `target` is the ratio to NumPy that the project promises on
two cores.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from . import programs


class Data:
    """The arrays of the benchmark, made once from one seed; `asarray` brings them into a library."""

    def __init__(self, asarray, scale=1.0):
        self._asarray = asarray
        self._scale = scale
        self._n = int(1e7 * scale)
        self._side = scale**0.5

    def in_double(self):
        """The same numbers in double precision, as NumPy arrays: what a program computes with them is the truth."""
        return type(self)(lambda a: a.astype(np.float64) if a.dtype == np.float32 else a, self._scale)

    def _uniform(self, seed, shape, dtype=np.float32):
        return self._asarray(np.random.default_rng(seed).random(shape, dtype=np.float32).astype(dtype))

    @cached_property
    def x(self):
        return self._uniform(1, self._n)

    @cached_property
    def y(self):
        return self._uniform(2, self._n)

    @cached_property
    def x64(self):
        return self._uniform(1, self._n, np.float64)

    @cached_property
    def scratch(self):
        """For programs that write in place."""
        return self._uniform(3, self._n)

    @cached_property
    def integers(self):
        return self._asarray(np.random.default_rng(4).integers(-(2**31), 2**31, self._n, dtype=np.int32))

    @cached_property
    def index(self):
        return self._asarray(np.random.default_rng(5).integers(0, self._n, self._n))

    @cached_property
    def table(self):
        return self._uniform(6, (int(4000 * self._side), int(2500 * self._side)))

    @cached_property
    def points(self):
        """Rows of four, of which there are many."""
        return self._uniform(10, (self._n // 10, 4), np.float64)

    @cached_property
    def codes(self):
        """Rows of eight integers."""
        return self._asarray(np.random.default_rng(11).integers(0, 1000, (self._n // 10, 8), dtype=np.int32))

    @cached_property
    def square(self):
        return self._uniform(7, (int(3000 * self._side),) * 2)

    @cached_property
    def matrix(self):
        return self._uniform(8, (int(2000 * self._side),) * 2)

    @cached_property
    def options(self):
        rng = np.random.default_rng(9)
        spot, strike = rng.uniform(50, 150, (2, self._n)).astype(np.float32)
        years = rng.uniform(0.1, 2.0, self._n).astype(np.float32)
        return tuple(map(self._asarray, (spot, strike, years)))


# After a product the threads of OpenBLAS keep looking for the next one, for 2**28 cycles, a tenth of a second: for so
# long the other library would have one core less.
BLAS_PAUSE = 0.15


@dataclass
class Row:
    """One benchmark: `run(xp, data)` returns an array or a tuple of arrays."""

    name: str
    run: object
    reads: tuple = ()  # attributes of Data
    target: float | None = None
    check: object = None  # check(data, ours, theirs) where plain closeness is not what is asked
    memory: bool = False  # report the peak of extra memory
    pause: float = 0.0  # seconds before each time, which then is that of the second call

    def bytes_read(self, data):
        parts = [getattr(data, name) for name in self.reads]
        return sum(sum(p.nbytes for p in part) if isinstance(part, tuple) else part.nbytes for part in parts)


def _same_order(data, ours, theirs):
    """Two ways of sorting agree when they put equal values in the same places: ties may be broken either way."""
    return np.array_equal(data.x[ours], data.x[theirs])


def _in_place(xp, d):
    a = d.scratch
    a *= 2
    a += 5
    return a


ELEMENTWISE = [
    Row("a + b", lambda xp, d: d.x + d.y, ("x", "y"), target=1.5),
    Row("sin", lambda xp, d: xp.sin(d.x), ("x",), target=2.5),
    Row("exp", lambda xp, d: xp.exp(d.x), ("x",)),
    Row("log", lambda xp, d: xp.log(d.x), ("x",)),
    Row("tanh", lambda xp, d: xp.tanh(d.x), ("x",)),
    Row("x ** 2.5", lambda xp, d: d.x**2.5, ("x",)),
    Row("exp(sin*cos)", lambda xp, d: programs.chain(xp, d.x), ("x",), target=5),
    Row("exp(sin*cos) f64", lambda xp, d: programs.chain(xp, d.x64), ("x64",), target=10),
    Row("2*a + 3*b - a*b", lambda xp, d: programs.polynomial(xp, d.x, d.y), ("x", "y"), target=5),
    Row("Black-Scholes", lambda xp, d: programs.black_scholes(xp, *d.options), ("options",), 10, memory=True),
    Row("where(x>.5, x*2, x/2)", lambda xp, d: xp.where(d.x > 0.5, d.x * 2, d.x / 2), ("x",), target=8),
    Row("a *= 2; a += 5", _in_place, ("scratch",)),
]

REDUCTIONS = [
    Row("((x - y)**2).mean()", lambda xp, d: programs.mean_square_error(xp, d.x, d.y), ("x", "y"), target=4),
    Row("sum", lambda xp, d: d.x.sum(), ("x",), target=1.3),
    Row("max", lambda xp, d: d.x.max(), ("x",), target=1.0),
    Row("argmax", lambda xp, d: d.x.argmax(), ("x",)),
    Row("var", lambda xp, d: d.x.var(), ("x",), target=4),
    Row("sum of rows of 4", lambda xp, d: d.points.sum(axis=1), ("points",)),
    Row("argmin of rows of 4", lambda xp, d: d.points.argmin(axis=1), ("points",)),
    Row("max of rows of 8 int32", lambda xp, d: d.codes.max(axis=1), ("codes",)),
    Row("all of rows of 4", lambda xp, d: (d.points > 0.1).all(axis=1), ("points",)),
    Row("standardise columns", lambda xp, d: programs.standardise(xp, d.table), ("table",), target=4),
    Row("softmax of rows", lambda xp, d: programs.softmax(xp, d.table), ("table",), target=4),
    Row("cumsum", lambda xp, d: d.x.cumsum(), ("x",), target=2),
    Row("cumsum of rows", lambda xp, d: d.table.cumsum(axis=1), ("table",), target=2),
]

MOVES = [
    Row("stencil of four slices", lambda xp, d: programs.stencil(xp, d.square), ("square",), target=4),
    Row("B + B.T", lambda xp, d: d.square + d.square.T, ("square",), target=2.5),
    Row("copy of B.T", lambda xp, d: d.square.T.copy(), ("square",), target=2.5),
    Row("x[x > .5]", lambda xp, d: d.x[d.x > 0.5], ("x",), target=3),
    Row("x[random index]", lambda xp, d: d.x[d.index], ("index", "x")),
]

ALGORITHMS = [
    Row("sort f32", lambda xp, d: xp.sort(d.x), target=4),
    Row("sort i32", lambda xp, d: xp.sort(d.integers), target=4),
    Row("argsort", lambda xp, d: xp.argsort(d.x), target=4, check=_same_order),
    Row("argsort stable", lambda xp, d: xp.argsort(d.x, kind="stable"), target=4),
    Row("matmul 2000 f32", lambda xp, d: d.matrix @ d.matrix, pause=BLAS_PAUSE),
]


def _draw(call, *args, **kwargs):
    """As many numbers as `x` has, from a generator that is made by the program: seeding takes 20 us."""
    return lambda xp, d: getattr(xp.random.default_rng(1), call)(*args, size=d.x.size, **kwargs)


RANDOM = [
    Row("rng.random", _draw("random"), target=3),
    Row("rng.random f32", _draw("random", dtype=np.float32), target=3),
    Row("rng.integers", _draw("integers", 0, 1000), target=3),
    Row("rng.integers i8", _draw("integers", 0, 100, dtype=np.int8), target=3),
    Row("rng.standard_normal", _draw("standard_normal"), target=3),
    Row("rng.standard_normal f32", _draw("standard_normal", dtype=np.float32), target=3),
    Row("rng.uniform", _draw("uniform", 1.0, 3.0), target=3),
    Row("rng.exponential", _draw("exponential"), target=3),
    Row("rng.exponential f32", _draw("standard_exponential", dtype=np.float32), target=3),
    Row("rng.gamma", _draw("gamma", 2.5), target=3),
    Row("rng.poisson", _draw("poisson", 20), target=3),
    Row("rng.binomial", _draw("binomial", 100, 0.4), target=3),
    Row("rng.choice", _draw("choice", 1000), target=3),
    Row("rng.permutation", lambda xp, d: xp.random.default_rng(1).permutation(d.x.size), target=3),
    Row(
        "(rng.random < p).mean()",
        lambda xp, d: (xp.random.default_rng(1).random(d.x.size) < 0.3).mean(),
        target=3,
    ),
]

ROWS = ELEMENTWISE + REDUCTIONS + MOVES + ALGORITHMS + RANDOM
