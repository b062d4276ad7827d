"""Fourier transforms on a GPU, beside CuPy and PyTorch, in both precisions: no row slower than the better of them.

Powers of two, round numbers and primes; single transforms, and batches along the last axis, the first and one between.
The limit is that of reading the operand and writing the result once, which no transform of a long line can reach.
"""

import numpy as np

from .gpu_rows import Row, Target

LARGE = 4 * 16384**2  # bytes of the large array at full size


def _points(d, shape, dtype):
    """Points of this shape, made once for each library; the first axis is as long as the benchmark's scale says."""
    kept = d.__dict__.setdefault("_points", {})
    if (shape, dtype) not in kept:
        scaled = (max(4, int(shape[0] * d._host.n64 / 2**26)), *shape[1:])
        host = np.random.default_rng(1).random((*scaled, 2 if dtype in "FD" else 1), dtype=dtype.lower())
        kept[shape, dtype] = d._asarray((host - 0.5).view(dtype)[..., 0])
    return kept[shape, dtype]


def _row(name, function, shape, dtype, axis=None):
    size = np.prod(shape) * np.dtype(dtype).itemsize
    moved = size * (1.5 if function == "irfft" else 2)  # `rfft`: half as many points, twice as large
    return Row(
        f"{name} {'f64' if dtype in 'dD' else 'f32'}",
        lambda xp, d: getattr(xp.fft, function)(
            _points(d, shape, dtype), **({} if axis is None else {"axis": axis})
        ),
        moved / LARGE,
        Target("best", 1.0),
        lambda torch, d: getattr(torch.fft, function)(
            _points(d, shape, dtype), **({} if axis is None else {"dim": axis})
        ),
    )


def _rows(dtype):
    real = dtype.lower()
    return [
        _row("fft 2^10", "fft", (1 << 10,), dtype),
        _row("fft 2^20", "fft", (1 << 20,), dtype),
        _row("fft 2^24", "fft", (1 << 24,), dtype),
        _row("ifft 2^24", "ifft", (1 << 24,), dtype),
        _row("rfft 2^24", "rfft", (1 << 24,), real),
        _row("irfft 2^24", "irfft", ((1 << 23) + 1,), dtype),
        _row("fft of reals 2^24", "fft", (1 << 24,), real),
        _row("fft 1000003", "fft", (1000003,), dtype),
        _row("fft of 10000 rows of 1009", "fft", (10_000, 1009), dtype),
        _row("fft of 10000 rows of 1024", "fft", (10_000, 1024), dtype),
        _row("fft of 1024 columns of 10000", "fft", (10_000, 1024), dtype, 0),
        _row("fft of 256 x 512 x 256 axis 1", "fft", (256, 512, 256), dtype, 1),
        _row("fft2 4096^2", "fft2", (4096, 4096), dtype),
        _row("fft2 1000^2", "fft2", (1000, 1000), dtype),
        _row("rfft2 4096^2", "rfft2", (4096, 4096), real),
        _row("fftn 256^3", "fftn", (256, 256, 256), dtype),
    ]


ROWS = _rows("F") + _rows("D")
