"""The rows of Fourier transforms, in both precisions: no row slower than NumPy, batches 1.8 times as fast.

Lengths are powers of two, round numbers and primes; the arrays stay in the cache or just leave it.
"""

import numpy as np

from .rows import Row

BATCH = 1.8  # many rows: each core has its own


def points(d, shape, dtype):
    """Random points of this shape, made once for each library."""
    kept = d.__dict__.setdefault("_points", {})
    if (shape, dtype) not in kept:
        rng = np.random.default_rng(len(shape))
        host = rng.standard_normal(shape)
        if dtype in "FD":
            host = host + 1j * rng.standard_normal(shape)
        kept[shape, dtype] = d._asarray(host.astype(dtype))
    return kept[shape, dtype]


def _row(name, function, shape, dtype, target=1.0):
    return Row(
        f"{name} {'f64' if dtype in 'dD' else 'f32'}",
        lambda xp, d: getattr(xp.fft, function)(points(d, shape, dtype)),
        target=target,
    )


def _rows(real, dtype):
    return [
        _row("fft 2^10", "fft", (1 << 10,), dtype),
        _row("fft 2^20", "fft", (1 << 20,), dtype),
        _row("fft 10^6", "fft", (10**6,), dtype),
        _row("fft 10007", "fft", (10007,), dtype),
        _row("fft of 1000 rows of 1009", "fft", (1000, 1009), dtype, BATCH),
        _row("fft of 10000 rows of 256", "fft", (10_000, 256), dtype, BATCH),
        _row("fft of 100000 rows of 8", "fft", (100_000, 8), dtype, BATCH),
        _row("fft2 1024^2", "fft2", (1024, 1024), dtype),
        _row("fft2 1000^2", "fft2", (1000, 1000), dtype),
        _row("fftn 64^3", "fftn", (64, 64, 64), dtype),
        _row("rfft 2^20", "rfft", (1 << 20,), real),
        _row("rfft of 10000 rows of 256", "rfft", (10_000, 256), real, BATCH),
        _row("irfft 2^20", "irfft", ((1 << 19) + 1,), dtype),
        _row("rfft2 1024^2", "rfft2", (1024, 1024), real),
    ]


ROWS = _rows("f", "F") + _rows("d", "D")
