"""The rows of the array namespace: elements that are moved, found, counted and combined, each as NumPy spells it.

They promise one thing: no row slower than NumPy.
"""

from functools import cached_property

import numpy as np

from . import rows


class Data(rows.Data):
    """The benchmark's arrays, and what only these rows need."""

    @cached_property
    def sorted(self):
        return self._asarray(np.sort(np.random.default_rng(20).random(int(1e6 * self._scale), np.float32)))

    @cached_property
    def samples(self):
        """A tenth of x: what is looked up in a table."""
        return self._uniform(21, int(1e6 * self._scale))

    @cached_property
    def grid(self):
        """A table of a function: coordinates and values in double precision."""
        at = np.linspace(0.0, 1.0, 1000)
        return self._asarray(at), self._asarray(np.sin(7.0 * at))

    @cached_property
    def bytes(self):
        """Small numbers: pixels, classes."""
        return self._asarray(np.random.default_rng(22).integers(0, 1000, self._n))

    @cached_property
    def labels(self):
        return self._asarray(np.random.default_rng(23).integers(0, 50_000, int(1e6 * self._scale)))

    @cached_property
    def filter(self):
        return self._uniform(24, 101)

    @cached_property
    def signal(self):
        return self._uniform(25, int(1e6 * self._scale))

    @cached_property
    def signal64(self):
        return self._uniform(25, int(1e6 * self._scale), np.float64)

    @cached_property
    def filter64(self):
        return self._uniform(24, 101, np.float64)

    @cached_property
    def places(self):
        return self._asarray(np.random.default_rng(26).integers(0, self._n, int(1e6 * self._scale)))

    @cached_property
    def rows(self):
        """Numbers of rows of the table."""
        count = self.table.shape[0]
        return self._asarray(np.random.default_rng(27).integers(0, count, count))

    @cached_property
    def counts(self):
        """How often each sample is repeated."""
        return self._asarray(np.random.default_rng(28).integers(0, 8, int(1e6 * self._scale)))

    @cached_property
    def batch(self):
        return self._uniform(29, (max(1, int(1000 * self._scale)), 64, 64))

    @cached_property
    def chain(self):
        return self._uniform(30, (int(600 * self._side),) * 2, np.float64)

    @cached_property
    def tensors(self):
        """Two of four axes, of which two are summed, in the opposite order in the second."""
        n = max(2, int(30 * self._side))
        return self._uniform(31, (20, 20, n, n), np.float64), self._uniform(32, (n, n, 20, 20), np.float64)


def _assign(xp, d):
    d.scratch[d.places] = d.samples
    return d.scratch


def _add_at(xp, d):
    counts = xp.zeros(1000, dtype=xp.float64)
    xp.add.at(counts, d.bytes, 1.0)
    return counts


def _add_at_places(xp, d):
    sums = xp.zeros(d.x.shape, dtype=xp.float32)
    xp.add.at(sums, d.places, d.samples)
    return sums


def _set_masked(xp, d):
    d.scratch[d.x > 0.5] = 0.25
    return d.scratch


def _chain(xp, d):
    return xp.einsum("ij,jk,kl->il", d.chain, d.chain, d.chain, optimize=True)


def _tensors(xp, d):
    return xp.einsum("abcd,dcef->abef", *d.tensors, optimize=True)


def _fit(xp, d):
    return xp.polynomial.Polynomial.fit(d.signal64, xp.sqrt(d.signal64), 5).coef


def _row(name, run, reads=(), **rest):
    return rows.Row(name, run, reads, 1.0, **rest)


MOVES = [
    _row("take x, index", lambda xp, d: xp.take(d.x, d.index), ("index", "x")),
    _row("take rows", lambda xp, d: xp.take(d.table, d.rows, axis=0), ("table",)),
    _row("pad constant", lambda xp, d: xp.pad(d.table, 8), ("table",)),
    _row("pad edge", lambda xp, d: xp.pad(d.table, 8, mode="edge"), ("table",)),
    _row("pad reflect", lambda xp, d: xp.pad(d.table, 8, mode="reflect"), ("table",)),
    _row("roll", lambda xp, d: xp.roll(d.x, 12345), ("x",)),
    _row("roll axis 1", lambda xp, d: xp.roll(d.table, 123, axis=1), ("table",)),
    _row("roll both axes", lambda xp, d: xp.roll(d.table, (5, 7), axis=(0, 1)), ("table",)),
    _row("concatenate", lambda xp, d: xp.concatenate([d.x, d.y]), ("x", "y")),
    _row("concatenate axis 1", lambda xp, d: xp.concatenate([d.table, d.table], axis=1), ("table",)),
    _row("stack axis 1", lambda xp, d: xp.stack([d.x, d.y], axis=1), ("x", "y")),
    _row("tile", lambda xp, d: xp.tile(d.signal, 10), ("signal",)),
    _row("tile of a table", lambda xp, d: xp.tile(d.table, (2, 2)), ("table",)),
    _row("repeat", lambda xp, d: xp.repeat(d.signal, 10), ("signal",)),
    _row("repeat by counts", lambda xp, d: xp.repeat(d.signal, d.counts), ("signal", "counts")),
    _row("repeat axis 1", lambda xp, d: xp.repeat(d.table, 2, axis=1), ("table",)),
    _row("x[x > .5] = c", _set_masked),
    _row("a[index] = v", _assign),
    _row("tril_indices", lambda xp, d: xp.tril_indices(d.matrix.shape[0])),
    _row("nonzero", lambda xp, d: xp.nonzero(d.x > 0.5)[0]),
]

COUNTS = [
    _row("bincount", lambda xp, d: xp.bincount(d.bytes), ("bytes",)),
    _row("bincount weights", lambda xp, d: xp.bincount(d.bytes, d.x), ("bytes", "x")),
    _row("histogram", lambda xp, d: xp.histogram(d.x, 100)[0], ("x",)),
    _row("histogram, own edges", lambda xp, d: xp.histogram(d.x, d.grid[0])[0], ("x",)),
    _row("add.at, 1000 bins", _add_at),
    _row("add.at, random", _add_at_places),
    _row("unique", lambda xp, d: xp.unique(d.signal)),
    _row("unique of labels", lambda xp, d: xp.unique(d.labels)),
    _row("unique, counts", lambda xp, d: xp.unique(d.labels, return_counts=True)),
    _row("searchsorted", lambda xp, d: xp.searchsorted(d.sorted, d.samples)),
    _row("searchsorted, 1000", lambda xp, d: xp.searchsorted(d.grid[0], d.x64), ("x64",)),
    _row("digitize", lambda xp, d: xp.digitize(d.x64, d.grid[0]), ("x64",)),
    _row("isin", lambda xp, d: xp.isin(d.labels, d.places[:1000])),
    _row("median", lambda xp, d: xp.median(d.x)),
    _row("median axis 1", lambda xp, d: xp.median(d.table, axis=1)),
    _row("partition", lambda xp, d: xp.partition(d.x, d.x.shape[0] // 2)[d.x.shape[0] // 2]),
    _row("quantile", lambda xp, d: xp.quantile(d.x, 0.9)),
]

NUMERICS = [
    _row("interp", lambda xp, d: xp.interp(d.x64, *d.grid), ("x64",)),
    _row("diff", lambda xp, d: xp.diff(d.x), ("x",)),
    _row("diff axis 0", lambda xp, d: xp.diff(d.table, axis=0), ("table",)),
    _row("gradient", lambda xp, d: xp.gradient(d.x), ("x",)),
    _row("convolve", lambda xp, d: xp.convolve(d.signal, d.filter)),
    _row("convolve f64 same", lambda xp, d: xp.convolve(d.signal64, d.filter64, "same")),
    _row("convolve, 5 taps", lambda xp, d: xp.convolve(d.x, d.filter[:5], "same"), ("x",)),
    _row("correlate", lambda xp, d: xp.correlate(d.signal, d.filter)),
    _row("cumsum axis 0", lambda xp, d: xp.cumsum(d.table, axis=0), ("table",)),
    _row("cumsum axis 1", lambda xp, d: xp.cumsum(d.table, axis=1), ("table",)),
    _row("cumprod", lambda xp, d: xp.cumprod(d.x), ("x",)),
    _row("trapezoid", lambda xp, d: xp.trapezoid(d.x), ("x",)),
    _row("einsum ij,jk", lambda xp, d: xp.einsum("ij,jk->ik", d.matrix, d.matrix)),
    _row("einsum bij,bjk", lambda xp, d: xp.einsum("bij,bjk->bik", d.batch, d.batch)),
    _row("einsum ij,jk,kl f64", _chain, pause=rows.BLAS_PAUSE),
    _row("einsum abcd,dcef f64", _tensors, pause=rows.BLAS_PAUSE),
    _row("einsum ij,j", lambda xp, d: xp.einsum("ij,j->i", d.table, d.table[0]), ("table",)),
    _row("einsum ij,ij", lambda xp, d: xp.einsum("ij,ij->", d.square, d.square), ("square",)),
    _row("einsum ij->ji", lambda xp, d: xp.einsum("ij->ji", d.square).copy(), ("square",)),
    _row(
        "einsum i,j,ij", lambda xp, d: xp.einsum("i,j,ij->", d.square[0], d.square[1], d.square), ("square",)
    ),
]

POLYNOMIALS = [
    _row(
        "legval, degree 9 f64", lambda xp, d: xp.polynomial.legendre.legval(d.x64, d.filter64[:10]), ("x64",)
    ),
    _row(
        "chebvander, degree 5", lambda xp, d: xp.polynomial.chebyshev.chebvander(d.signal64, 5), ("signal64",)
    ),
    _row("Polynomial.fit, degree 5", _fit, ("signal64",), pause=rows.BLAS_PAUSE),
    _row("legfromroots, 101 roots", lambda xp, d: xp.polynomial.legendre.legfromroots(d.filter64)),
]

ROWS = MOVES + COUNTS + NUMERICS + POLYNOMIALS
