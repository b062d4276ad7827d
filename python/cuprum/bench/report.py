"""What a run is shown as: a line per row while it runs, a table, a plot, a JSON file."""

import json
import math
import platform

import numpy as np

from .measure import cores


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def machine():
    """What the figures were measured on."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            model = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {
        "processor": model,
        "cores": cores(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def _time(result, name):
    if name not in result.seconds:
        return ""
    return f"{result.seconds[name] * (1e9 if result.small else 1e3):.{0 if result.small else 2}f}"


class Table:
    """The table, line by line. `ours` is compared with `base`, or with the fastest of it and those in `beside`;
    `memory` (measure.Memory) gives the limits."""

    def __init__(self, ours, base, memory=None, targets=False, beside=()):
        self.ours, self.memory, self.targets = ours, memory, targets
        self.base, self.others = base, (base, *beside)

    def header(self):
        line = (
            f"{'':<26}"
            + "".join(f"{name:>10}" for name in (*self.others, self.ours))
            + f"  {'':2}{'ratio':>8}"
        )
        line += f"{'target':>8}" if self.targets else ""
        return line + (f"{'limit':>9}{'share':>8}" if self.memory else "")

    def line(self, result):
        if result.error:
            return f"{result.name:<26}  {result.error}"
        ratio = result.ratio(self.ours)
        unit = "ns" if result.small else "ms"
        times = "".join(f"{_time(result, name):>10}" for name in (*self.others, self.ours)) + f" {unit}"
        text = f"{result.name:<26}{times} {ratio:>7.2f}x"
        if self.targets:
            missed = result.target is not None and ratio < result.target
            text += (
                "<" if missed else " "
            ) + f"{'' if result.target is None else f'{result.target:.2g}x':>7}"
        if self.memory and result.read:
            limit = self.memory.limit(result)
            text += f"{limit * 1e3:>9.2f}{limit / result.seconds[self.ours]:>8.0%}"
        return text.rstrip()

    def summary(self, results):
        """The geometric means, and how many targets were met."""
        good = [r for r in results if not r.error]
        lines = []
        large, small = [r for r in good if not r.small], [r for r in good if r.small]
        kinds = [("large arrays", large), ("small arrays", small)] if large and small else []
        for title, chosen in [*kinds, ("all rows", good)]:
            mean = geometric_mean(r.ratio(self.ours) for r in chosen)
            lines.append(f"geometric mean, {title}: {mean:.2f}x over {len(chosen)} rows")
        aimed = [r for r in good if r.target is not None]
        if aimed:
            missed = [r for r in aimed if r.ratio(self.ours) < r.target]
            text = f"targets met: {len(aimed) - len(missed)} of {len(aimed)}"
            if missed:
                text += "; missed: " + ", ".join(
                    f"{r.name} ({r.ratio(self.ours):.2f}x of {r.target:.2g}x)" for r in missed
                )
            lines.append(text)
        for result in good:
            if result.peak:
                peaks = ", ".join(f"{name} {value / 2**20:.0f} MiB" for name, value in result.peak.items())
                lines.append(f"peak extra memory of {result.name}: {peaks}")
        return lines


def write_json(path, results, libraries, memory):
    """Everything that was measured, for later comparison."""
    data = {
        "machine": machine(),
        "versions": {lib.name: getattr(lib.xp, "__version__", "") for lib in libraries},
        "bytes_per_second": memory and vars(memory),
        "rows": [vars(result) for result in results],
    }
    with open(path, "w") as file:
        json.dump(data, file, indent=1)


def text_plot(results, ours, base, width=50):
    """A bar chart for terminals."""
    good = [r for r in results if not r.error]
    top = max(r.ratio(ours) for r in good)
    for result in good:
        ratio = result.ratio(ours)
        print(f"{result.name:<26} {'#' * max(1, round(ratio / top * width)):<{width}} {ratio:.2f}x")


def plot(path, results, ours, base, title):
    """Saves a bar chart of the ratios; returns False where matplotlib is missing."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    good = [r for r in results if not r.error][::-1]
    ratios = [r.ratio(ours) for r in good]
    figure, axes = plt.subplots(figsize=(8.5, 0.27 * len(good) + 1.4), constrained_layout=True)
    colours = ["#b87333" if ratio >= 1 else "#8a8a8a" for ratio in ratios]
    bars = axes.barh([r.name for r in good], ratios, color=colours, height=0.72)
    axes.bar_label(bars, [f" {ratio:.1f}x" for ratio in ratios], fontsize=8)
    axes.axvline(1, color="black", linewidth=1)
    axes.margins(y=0.01)
    axes.set_xscale("log")
    axes.set_xlim(min(0.5, min(ratios) * 0.8), max(ratios) * 1.6)
    ticks = [
        t for t in (0.25, 0.5, 1, 2, 5, 10, 20, 50, 100) if axes.get_xlim()[0] <= t <= axes.get_xlim()[1]
    ]
    axes.set_xticks(ticks, [f"{t:g}x" for t in ticks])
    axes.set_xlabel(f"speed of {ours} relative to {base}")
    axes.set_title(title, fontsize=10)
    axes.tick_params(axis="y", labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=140)
    plt.close(figure)
    return True
