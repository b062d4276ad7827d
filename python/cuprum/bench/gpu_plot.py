"""The benchmark on a GPU as a picture: how many times faster Cuprum is than each of its peers, row by row."""

PEERS = {"cupy": ("CuPy", "#b87333"), "torch": ("PyTorch", "#5b7c99")}


def plot(path, figures):
    """Saves the chart of a run's figures; returns False where matplotlib is missing."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = [r for r in figures["rows"] if "cuprum" in r["times"] and len(r["times"]) > 1][::-1]
    figure, axes = plt.subplots(figsize=(8.5, 0.25 * len(rows) + 1.4), constrained_layout=True)
    for name, (label, colour) in PEERS.items():
        shown = [
            (i, r["times"][name] / r["times"]["cuprum"]) for i, r in enumerate(rows) if name in r["times"]
        ]
        if not shown:
            continue
        axes.hlines([i for i, _ in shown], 1, [x for _, x in shown], color=colour, linewidth=1, alpha=0.5)
        axes.plot([x for _, x in shown], [i for i, _ in shown], "o", color=colour, markersize=5, label=label)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks(range(len(rows)), [r["name"] for r in rows], fontsize=7)
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xscale("log")
    ticks = [t for t in (0.5, 1, 2, 5, 10, 20, 50, 100, 500) if axes.get_xlim()[0] <= t <= axes.get_xlim()[1]]
    axes.set_xticks(ticks, [f"{t:g}x" for t in ticks])
    axes.minorticks_off()
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("speed of Cuprum relative to the peer (right of the line: Cuprum is faster)")
    axes.set_title(f"{figures['device']['description']}: device times of plain array code", fontsize=10)
    axes.legend(loc="best")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=130)
    plt.close(figure)
    return True
