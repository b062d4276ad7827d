"""Programs that reduce rows and go back to their elements, for rows of 128 to 256k elements: each is one kernel.

The limit is that of reading the table and writing the result once. On a GPU the peers are PyTorch's fused operators.
"""

from . import gpu_rows, programs, rows

WIDTHS = {"128": 128, "1k": 1024, "16k": 16384, "256k": 262144}
PROGRAMS = {
    "softmax": lambda xp, p: programs.softmax(xp, p.table),
    "log_softmax": lambda xp, p: programs.log_softmax(xp, p.table),
    "layer norm": lambda xp, p: programs.layer_norm(xp, p.table, p.weight, p.bias),
    "RMS norm": lambda xp, p: programs.rms_norm(xp, p.table, p.weight),
    "standardise": lambda xp, p: programs.standardise_rows(xp, p.table),
}
FUSED = {  # what PyTorch has of its own
    "softmax": lambda t, p: t.softmax(p.table, dim=1),
    "log_softmax": lambda t, p: t.log_softmax(p.table, dim=1),
    "layer norm": lambda t, p: t.nn.functional.layer_norm(
        p.table, (p.table.shape[1],), p.weight, p.bias, eps=1e-5
    ),
    "RMS norm": lambda t, p: t.nn.functional.rms_norm(p.table, (p.table.shape[1],), p.weight, eps=1e-5),
    "standardise": lambda t, p: (
        (p.table - p.table.mean(1, keepdim=True)) / p.table.std(1, keepdim=True, correction=0)
    ),
}


class Tables:
    """The benchmark's numbers as a table of rows of one width, with a weight and a bias per column."""

    def __init__(self, numbers, more, width):
        width = min(width, numbers.shape[0] // 2)
        rows = numbers.shape[0] // width
        self.table = numbers[: rows * width].reshape(rows, width)
        self.weight, self.bias = more[:width], more[-width:]


def _row(name, label, width):
    return rows.Row(
        f"{name} rows of {label}",
        lambda xp, d: PROGRAMS[name](xp, Tables(d.x, d.y, width)),
        ("x",),
        target=4,
    )


def _gpu_row(name, label, width):
    return gpu_rows.Row(
        f"{name} rows of {label}",
        lambda xp, d: PROGRAMS[name](xp, Tables(d.x, d.z, width)),
        2,
        gpu_rows.Target("torch", 1.0),
        torch=lambda t, d: FUSED[name](t, Tables(d.x, d.z, width)),
    )


ROWS = [_row(name, *width) for name in PROGRAMS for width in WIDTHS.items()]
GPU_ROWS = [_gpu_row(name, *width) for name in PROGRAMS for width in WIDTHS.items()]
