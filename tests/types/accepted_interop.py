"""A typed program between NumPy, matplotlib and DLPack that mypy --strict and pyright must accept
(tools/check_types.py)."""

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt

import cuprum as cp


def measured(path: str) -> cp.ndarray[np.float32]:
    host: npt.NDArray[np.float32] = np.loadtxt(path, dtype=np.float32)
    return cp.asarray(host, dtype=np.float32)


def smooth(x: cp.ndarray[np.float32], width: int) -> cp.ndarray[np.float32]:
    window = cp.ones(width, dtype=cp.float32) / width
    return cp.convolve(x, window, "same").astype(cp.float32)


def plot(x: cp.ndarray[np.float32]) -> None:
    figure, axes = plt.subplots()
    axes.plot(cp.asnumpy(cp.arange(x.size)), x.get(), label="measured")
    axes.plot(np.asarray(smooth(x, 5)))
    figure.savefig("smooth.png")


def shared(host: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    with cp.Device("cpu"):
        device = cp.from_dlpack(host)
    device += 1
    return np.from_dlpack(device).astype(np.float64, copy=False)


def norms(rows: cp.ndarray[np.float64]) -> list[float]:
    first: cp.ndarray[np.float64] = rows[0]
    flat: cp.ndarray[np.float64] = rows.T.reshape(-1).copy()
    kind: np.dtype[np.float64] = flat.dtype
    mask: cp.ndarray[np.bool] = rows > 0
    lengths = cp.linalg.norm(cp.where(mask, rows, 0.0), axis=1)
    return [float(v) for v in lengths.tolist()] + [float(first.sum()), float(kind.itemsize)]


def numpys(x: cp.ndarray) -> object:
    view = memoryview(x)
    total = np.sum(x)
    root = np.sqrt(x)
    return view.nbytes, total, root, x.__dlpack_device__()
