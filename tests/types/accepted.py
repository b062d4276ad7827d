"""Typed user code that mypy --strict must accept (tools/check_types.py)."""

import numpy as np
import numpy.typing as npt

import cuprum as cp


def softmax(rows: cp.ndarray) -> cp.ndarray:
    e = cp.exp(rows - rows.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def heat(n: int, steps: int) -> cp.ndarray:
    plate = cp.zeros((n, n), dtype=cp.float32)
    plate[0] = 100.0
    for _ in range(steps):
        plate[1:-1, 1:-1] = 0.25 * (plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:])
    return plate


def statistics(x: cp.ndarray) -> dict[str, float]:
    quotient, rest = cp.divmod(x, 2)
    counts, edges = cp.histogram(x, bins=4)
    rows: int = x.shape[0]
    return {
        "mean": float(x.mean()),
        "median": cp.median(x).item(),
        "rows": rows,
        "odd": float((rest * quotient).sum() + counts[0] + edges[-1]),
    }


def host(x: cp.ndarray) -> npt.NDArray[np.float64]:
    return cp.asnumpy(x.astype(cp.float64))


def mixed(values: list[float]) -> cp.ndarray:
    x = cp.asarray(values)
    y = cp.asarray(np.ones(len(values)))
    x += y
    x[x > 1] **= 2
    x.sort()
    parts = cp.split(cp.concatenate([x, y]), 2)
    value, step = cp.linspace(0, 1, 5, retstep=True)
    return cp.where(parts[0] >= parts[1], -x, value[0] * step) @ cp.eye(x.size)  # type: ignore[no-any-return]


with cp.Device("cpu"), cp.eager():
    table = cp.mgrid[0:3, 0:4]
    same: bool = cp.allclose(softmax(heat(4, 2)), 0.25)
    add: cp.ufunc = cp.add
    total: cp.ndarray = add.reduce(cp.arange(4), axis=0)
    cp.cuda.synchronize()
