"""The array namespace on a GPU, beside CuPy: elements that are moved, found, counted and combined.

They promise one thing: no row slower than CuPy. `bytes` as in `gpu_rows`, in units of the large array.
"""

from functools import cached_property

import numpy as np

from . import gpu_rows


class HostData(gpu_rows.HostData):
    """The benchmark's numbers, and what only these rows need."""

    @cached_property
    def sorted(self):
        return np.sort(self._uniform(max(1024, self.n64 // 64)))

    @cached_property
    def doubles(self):
        return self._rng.random(max(4096, self.n64 // 4))

    @cached_property
    def grid(self):
        at = np.linspace(0.0, 1.0, 1000)
        return at, np.sin(7.0 * at)

    @cached_property
    def classes(self):
        return self._rng.integers(0, 1000, self.n64)

    @cached_property
    def labels(self):
        return self._rng.integers(0, 50_000, max(4096, self.n64 // 4))

    @cached_property
    def filter(self):
        return self._uniform(101)

    @cached_property
    def places(self):
        return self._rng.integers(0, self.n64, max(4096, self.n64 // 8))

    @cached_property
    def some(self):
        return self._uniform(max(4096, self.n64 // 8))

    @cached_property
    def near(self):
        """Places in `sorted`, which a device's cache holds."""
        return self._rng.integers(0, self.sorted.size, self.some.size)

    @cached_property
    def pairs(self):
        """Places in the table, by row and column."""
        return tuple(self._rng.integers(0, side, self.some.size) for side in self.table.shape)

    @cached_property
    def hundred(self):
        return self._rng.integers(0, 100, self.some.size)

    @cached_property
    def target(self):
        """For programs that write in place."""
        return self._uniform(self.n64)

    @cached_property
    def small_target(self):
        return self._uniform(self.sorted.size)

    @cached_property
    def numbers(self):
        """Of rows of the table."""
        count = self.table.shape[0]
        return self._rng.integers(0, count, count)


def _assign(xp, d):
    d.target[d.places] = d.some
    return d.target


def _assign_near(xp, d):
    d.small_target[d.near] = d.some
    return d.small_target


def _assign_few(xp, d):
    few = max(1, d.places.size // 128)
    d.target[d.places[:few]] = d.some[:few]
    return d.target


def _fill(xp, d):
    d.target[d.places] = 0.25
    return d.target


def _set_masked(xp, d):
    d.target[d.values > 0.5] = 0.25
    return d.target


def _add_at(xp, d):
    sums = xp.zeros(1000, dtype=xp.float64)
    xp.add.at(sums, d.classes, 1.0)
    return sums


def _fold_at(name, places, length):
    """A fold of `some` at these places of zeros, as many as `length` says of the data."""

    def run(xp, d):
        folded = xp.zeros(length(d), dtype=xp.float32)
        getattr(xp, name).at(folded, getattr(d, places), d.some)
        return folded

    return run


def _row(name, run, bytes=None, **rest):
    return gpu_rows.Row(name, run, bytes, gpu_rows.Target("cupy", 1.0), torch=None, **rest)


MOVES = [
    _row("pad constant", lambda xp, d: xp.pad(d.table, 8), 0.5),
    _row("pad edge", lambda xp, d: xp.pad(d.table, 8, mode="edge"), 0.5),
    _row("pad reflect", lambda xp, d: xp.pad(d.table, 8, mode="reflect"), 0.5),
    _row("roll", lambda xp, d: xp.roll(d.values, 12345), 0.5),
    _row("roll axis 1", lambda xp, d: xp.roll(d.table, 123, axis=1), 0.5),
    _row("concatenate axis 1", lambda xp, d: xp.concatenate([d.table, d.table], axis=1), 0.75),
    _row("stack axis 1", lambda xp, d: xp.stack([d.values, d.values], axis=1), 0.75),
    _row("tile", lambda xp, d: xp.tile(d.some, 8), 9 / 32),
    _row("tile of a table", lambda xp, d: xp.tile(d.table, (2, 2)), 1.25),
    _row("repeat", lambda xp, d: xp.repeat(d.some, 8), 9 / 32),
    _row("repeat axis 1", lambda xp, d: xp.repeat(d.table, 2, axis=1), 0.75),
    _row("x[x > .5] = c", _set_masked, compared=False),
    _row("tril_indices", lambda xp, d: xp.tril_indices(d.table.shape[0] // 2)),
]

# A row for every way that an index can go: see src/backend/cuda/primitives/index/index_strategy.h.
INDEXED = [
    _row("take(x, index)", lambda xp, d: xp.take(d.values, d.index)),
    _row("take, in cache", lambda xp, d: xp.take(d.sorted, d.near)),
    _row("take, in cache, * w + b", lambda xp, d: xp.take(d.sorted, d.near) * d.some + d.some, 0.125),
    _row("sum of take, in cache, * w", lambda xp, d: (xp.take(d.sorted, d.near) * d.some).sum(), 0.1),
    _row("take rows", lambda xp, d: xp.take(d.table, d.numbers, axis=0), 0.5),
    _row("table[i, j]", lambda xp, d: d.table[d.pairs]),
    _row("a[index] = c", _fill, compared=False),
    _row("a[index] = v", _assign, compared=False),
    _row("a[index] = v, in cache", _assign_near, compared=False),
    _row("a[index] = v, few", _assign_few, compared=False),
    _row("add.at, 1000 bins", _add_at, 0.5),
    _row("add.at, 100 bins", _fold_at("add", "hundred", lambda d: 100)),
    _row("add.at, random", _fold_at("add", "places", lambda d: d.values.size)),
    _row("add.at, in cache", _fold_at("add", "near", lambda d: d.sorted.size)),
    _row("maximum.at", _fold_at("maximum", "near", lambda d: d.sorted.size)),
]

COUNTS = [
    _row("bincount", lambda xp, d: xp.bincount(d.classes), 0.5),
    _row("bincount weights", lambda xp, d: xp.bincount(d.classes, d.values), 0.75),
    _row("histogram", lambda xp, d: xp.histogram(d.values, 100)[0], 0.25),
    _row("histogram, own edges", lambda xp, d: xp.histogram(d.doubles, d.grid[0])[0]),
    _row("unique", lambda xp, d: xp.unique(d.some)),
    _row("unique of labels", lambda xp, d: xp.unique(d.labels)),
    _row("unique, counts", lambda xp, d: xp.unique(d.labels, return_counts=True)),
    _row("searchsorted", lambda xp, d: xp.searchsorted(d.sorted, d.values)),
    _row("searchsorted, 1000", lambda xp, d: xp.searchsorted(d.grid[0], d.doubles)),
    _row("digitize", lambda xp, d: xp.digitize(d.doubles, d.grid[0])),
    _row("isin", lambda xp, d: xp.isin(d.labels, d.places[:1000])),
    _row("median", lambda xp, d: xp.median(d.values)),
    _row("median axis 1", lambda xp, d: xp.median(d.table, axis=1)),
    _row("partition", lambda xp, d: xp.partition(d.values, d.values.size // 2), compared=False),
    _row("quantile", lambda xp, d: xp.quantile(d.values, 0.9)),
]

NUMERICS = [
    _row("interp", lambda xp, d: xp.interp(d.doubles, *d.grid)),
    _row("diff", lambda xp, d: xp.diff(d.x), 2),
    _row("diff axis 0", lambda xp, d: xp.diff(d.A, axis=0), 2),
    _row("gradient", lambda xp, d: xp.gradient(d.values), 0.5),
    _row("convolve", lambda xp, d: xp.convolve(d.values, d.filter)),
    _row("convolve, 5 taps", lambda xp, d: xp.convolve(d.values, d.filter[:5], "same"), 0.5),
    _row("correlate", lambda xp, d: xp.correlate(d.values, d.filter)),
    _row("cumprod", lambda xp, d: xp.cumprod(d.values), 0.5),
    _row("einsum ij,jk", lambda xp, d: xp.einsum("ij,jk->ik", d.matrix, d.matrix)),
    _row("einsum bij,bjk", lambda xp, d: xp.einsum("bij,bjk->bik", d.batch, d.batch)),
    _row("einsum ij,j", lambda xp, d: xp.einsum("ij,j->i", d.A, d.row), 1),
    _row("einsum ij,ij", lambda xp, d: xp.einsum("ij,ij->", d.table, d.table), 0.25),
]

ROWS = MOVES + INDEXED + COUNTS + NUMERICS
