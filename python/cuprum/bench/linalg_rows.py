"""The rows of linear algebra, float64: one matrix of 32, 512, 1024 and 2048 rows, 10,000 of 8 x 8 and of 32 x 32, and
100 of 128 x 128.

One large matrix takes what LAPACK takes on either side: the promise is that no row is slower. Stacks of small matrices
are computed in groups, on all cores, at least three times as fast as NumPy's; general eigenvalues are LAPACK's there
too.
"""

from functools import cached_property, lru_cache

import numpy as np

from . import namespace_rows, rows


@lru_cache(maxsize=2)  # libraries take turns at a row
def _draw(shape):
    rng = np.random.default_rng([40, *shape])
    a = rng.random(shape) + shape[-1] * np.eye(shape[-1])
    return a, a @ a.swapaxes(-1, -2), rng.random((*shape[:-1], 1))


class Matrices:
    """Matrices of one size: general ones with a heavy diagonal, positive definite ones, right-hand sides."""

    def __init__(self, asarray, shape):
        self.general, self.positive, self.right = map(asarray, _draw(shape))


class Data(namespace_rows.Data):
    """The benchmark's arrays, and the matrices."""

    @cached_property
    def stack8(self):
        return Matrices(self._asarray, (int(10_000 * self._scale), 8, 8))

    @cached_property
    def stack32(self):
        return Matrices(self._asarray, (int(10_000 * self._scale), 32, 32))

    @cached_property
    def stack128(self):
        return Matrices(self._asarray, (int(100 * max(self._scale, 0.02)), 128, 128))

    @cached_property
    def matrix32(self):
        return Matrices(self._asarray, (32, 32))

    @cached_property
    def matrix512(self):
        return Matrices(self._asarray, (int(512 * self._side),) * 2)

    @cached_property
    def matrix1024(self):
        return Matrices(self._asarray, (int(1024 * self._side),) * 2)

    @cached_property
    def matrix2048(self):
        return Matrices(self._asarray, (int(2048 * self._side),) * 2)


# Of results that are determined up to signs and order only what is determined is compared; all are computed.
FUNCTIONS = {
    "solve": lambda la, m: la.solve(m.general, m.right),
    "inv": lambda la, m: la.inv(m.general),
    "det": lambda la, m: la.slogdet(m.general)[1],
    "cholesky": lambda la, m: la.cholesky(m.positive),
    "qr": lambda la, m: abs(la.qr(m.general)[1]),
    "eigh": lambda la, m: la.eigh(m.positive)[0],
    "svd": lambda la, m: la.svd(m.general)[1],
    "eig": lambda la, m: la.eig(m.general)[0].sum(-1),
    "eigvalsh": lambda la, m: la.eigvalsh(m.positive),
    "lstsq": lambda la, m: la.lstsq(m.general, m.right)[0],
    "matmul": lambda la, m: m.general @ m.positive,
}
SMALL_FASTER = {"solve", "inv", "det", "cholesky", "qr", "eigh", "eigvalsh", "svd"}  # in groups


def _row(function, data, name, target):
    run = FUNCTIONS[function]
    return rows.Row(
        f"{function} {name}",
        lambda xp, d: run(xp.linalg, getattr(d, data)),
        target=target,
        pause=rows.BLAS_PAUSE,
    )


STACKS = [
    _row(function, f"stack{n}", f"{count} x {n}", 3.0 if n <= 32 and function in SMALL_FASTER else 1.0)
    for count, n in ((10000, 8), (10000, 32), (100, 128))
    for function in FUNCTIONS
    if function != "lstsq"
]
SINGLE = [
    _row(function, f"matrix{n}", str(n), 1.0)
    for n in (32, 512, 1024, 2048)
    for function in FUNCTIONS
    if n < 2048 or function not in ("svd", "eig", "lstsq")  # seconds each
]
ROWS = STACKS + SINGLE
