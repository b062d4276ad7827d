"""Linear algebra on a GPU, beside CuPy and PyTorch: no row slower than the better of them.

Every branch of `linalg_strategy.h` has rows here: single matrices of 32 to 4096 rows, 10,000 of 8 x 8 and of 32 x 32,
and stacks of middle size. Of results that are determined up to signs and order only what is determined is compared
(`linalg_rows.FUNCTIONS`); all are computed.
"""

import numpy as np

from .gpu_rows import Row, Target
from .linalg_rows import FUNCTIONS, Matrices

SIDES = (32, 512, 2048, 4096)
SLOW = {"svd": 2048, "eig": 512, "lstsq": 2048}  # larger ones take seconds
STACKS = [
    ((10_000, 8, 8), "f32"),
    ((10_000, 32, 32), "f32"),
    ((10_000, 32, 32), "f64"),
    ((100, 128, 128), "f32"),
]
# LAPACK on the host finds general eigenvalues of small matrices; least squares take one matrix.
ONE_AT_A_TIME = ("eig", "lstsq")


def _matrices(d, shape, kind):
    """Made once for each library; as many, or as large, as the benchmark's scale says."""
    kept = d.__dict__.setdefault("_matrices", {})
    if (shape, kind) not in kept:
        scale = min(1.0, d._host.n64 / 2**26)
        side = max(4, int(shape[-1] * scale ** (1 / 3)))
        scaled = (side, side) if len(shape) == 2 else (max(2, int(shape[0] * scale)), *shape[1:])
        dtype = np.float32 if kind == "f32" else np.float64
        kept[shape, kind] = Matrices(lambda host: d._asarray(host.astype(dtype)), scaled)
    return kept[shape, kind]


def _row(function, shape, kind):
    run = FUNCTIONS[function]
    text = f"{shape[-1]}" if len(shape) == 2 else f"{shape[0]} x {shape[-1]}"
    return Row(
        f"{function} {text} {kind}",
        lambda xp, d: run(xp.linalg, _matrices(d, shape, kind)),
        target=Target("best", 1.0),
    )


ROWS = [
    _row(function, shape, kind)
    for shape, kind in STACKS
    for function in FUNCTIONS
    if function not in ONE_AT_A_TIME
] + [
    _row(function, (side, side), "f64" if function == "lstsq" else "f32")
    for side in SIDES
    for function in FUNCTIONS
    if side <= SLOW.get(function, side)
]
