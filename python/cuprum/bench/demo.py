"""The demo: whole programs rather than single operations."""

from functools import cached_property

import numpy as np

from . import programs
from .rows import Data, Row


class DemoData(Data):
    """The benchmark's arrays and the demo's own."""

    @cached_property
    def axes(self):
        side = int(1200 * self._side)
        re = np.linspace(-2.2, 0.8, side, dtype=np.float32)
        im = np.linspace(-1.5, 1.5, side, dtype=np.float32)
        return self._asarray(re), self._asarray(im)

    @cached_property
    def plate(self):
        plate = np.zeros((int(2000 * self._side),) * 2, np.float32)
        plate[0, :], plate[:, 0] = 100.0, 50.0
        return self._asarray(plate)

    @cached_property
    def points(self):
        rng, n = np.random.default_rng(10), self._n // 20
        centres = rng.uniform(-10, 10, (8, 4)).astype(np.float32)
        points = centres[rng.integers(0, 8, n)] + rng.normal(size=(n, 4)).astype(np.float32)
        return self._asarray(points), self._asarray(centres + 0.5)

    @cached_property
    def seeds(self):
        return self._asarray(np.random.default_rng(11).integers(1, 2**32, self._n // 2, dtype=np.uint32))


def _nearly_all_equal(data, ours, theirs):
    """Points on the edge of the set may escape one step earlier where the last bit differs."""
    return ours.shape == theirs.shape and np.mean(ours != theirs) < 1e-3


ROWS = [
    Row("Mandelbrot set", lambda xp, d: programs.mandelbrot(xp, *d.axes), check=_nearly_all_equal),
    Row("heat equation", lambda xp, d: programs.heat(xp, d.plate)),
    Row("Black-Scholes", lambda xp, d: programs.black_scholes(xp, *d.options), memory=True),
    Row("k-means", lambda xp, d: programs.k_means(xp, *d.points)),
    Row("Monte Carlo, Asian option", lambda xp, d: programs.monte_carlo(xp, d.seeds)),
    Row("standardise columns", lambda xp, d: programs.standardise(xp, d.table)),
    Row("softmax of rows", lambda xp, d: programs.softmax(xp, d.table)),
    Row("exp(sin*cos) f64", lambda xp, d: programs.chain(xp, d.x64)),
]
