"""matplotlib: figures of arrays."""

import io

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.pyplot as plt

RNG = np.random.default_rng(0)
X, Y, Z = np.linspace(0, 1, 20), RNG.normal(size=20), RNG.normal(size=(12, 12))


def _draw(plot):
    """What the plot gives, after the picture has been drawn."""
    figure, axes = plt.subplots()
    try:
        result = plot(axes)
        figure.savefig(io.BytesIO())
    finally:
        plt.close(figure)
    return result


def line(xp):
    return _draw(lambda ax: np.asarray(ax.plot(xp.asarray(X), xp.asarray(Y))[0].get_ydata()))


def line_of_y(xp):
    return _draw(lambda ax: np.asarray(ax.plot(xp.asarray(Y), "o-")[0].get_ydata()))


def scatter(xp):
    return _draw(
        lambda ax: np.asarray(ax.scatter(xp.asarray(X), xp.asarray(Y), c=xp.asarray(Y)).get_offsets())
    )


def bars(xp):
    return _draw(lambda ax: [bar.get_height() for bar in ax.bar(xp.asarray(X), xp.asarray(Y), width=0.01)])


def histogram(xp):
    return _draw(lambda ax: ax.hist(xp.asarray(Y), bins=5)[0])


def histogram_of_edges(xp):
    return _draw(lambda ax: ax.hist(xp.asarray(Y), bins=xp.asarray([-2.0, 0.0, 2.0]))[0])


def image(xp):
    return _draw(lambda ax: np.asarray(ax.imshow(xp.asarray(Z)).get_array()))


def mesh(xp):
    return _draw(lambda ax: np.asarray(ax.pcolormesh(xp.asarray(Z)).get_array()))


def contours(xp):
    return _draw(lambda ax: np.asarray(ax.contourf(xp.asarray(Z)).levels))


def error_bars(xp):
    return _draw(lambda ax: np.asarray(ax.errorbar(xp.asarray(X), xp.asarray(Y), yerr=xp.abs(xp.asarray(Y)))[0].get_ydata(), float))  # fmt: skip  # noqa: E501


def fill(xp):
    return _draw(lambda ax: len(ax.fill_between(xp.asarray(X), xp.asarray(Y), 0).get_paths()))


def box(xp):
    return _draw(lambda ax: np.asarray(ax.boxplot(xp.asarray(Y))["medians"][0].get_ydata()))


def violin(xp):
    return _draw(lambda ax: len(ax.violinplot(xp.asarray(Y))["bodies"]))


def quiver(xp):
    return _draw(lambda ax: np.asarray(ax.quiver(xp.asarray(Z), xp.asarray(Z)).U))


def steps(xp):
    return _draw(lambda ax: np.asarray(ax.step(xp.asarray(X), xp.asarray(Y))[0].get_ydata()))


def stems(xp):
    return _draw(lambda ax: np.asarray(ax.stem(xp.asarray(X), xp.asarray(Y)).markerline.get_ydata()))


def logarithmic(xp):
    return _draw(lambda ax: np.asarray(ax.semilogy(xp.asarray(X), xp.exp(xp.asarray(Y)))[0].get_ydata()))


def limits(xp):
    def plot(ax):
        ax.plot(xp.asarray(X), xp.asarray(Y))
        ax.set_xlim(xp.asarray(X).min(), xp.asarray(X).max())
        ax.axhline(xp.asarray(Y).mean())
        return ax.get_xlim()

    return _draw(plot)


def spectrum(xp):
    return _draw(lambda ax: ax.psd(xp.asarray(Y), NFFT=16)[0])
