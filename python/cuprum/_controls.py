"""Controls of the lazy engine. Nothing here is needed for a right result."""

import contextlib
import warnings

from . import _core
from ._core import evaluate

__all__ = ["eager", "evaluate", "show_graph"]

# A setting that is not understood is refused here, before anything is computed by another one.
for _doubt in _core.check_settings():
    warnings.warn(f"cuprum: {_doubt}", RuntimeWarning, stacklevel=3)


@contextlib.contextmanager
def eager(on=True):
    """Inside the block every operation runs at once, as under CUPRUM_EAGER=1: for debugging and comparing.

    >>> with cp.eager():
    ...     y = cp.ones(2) + 1
    """
    before = _core.get_eager()
    _core.set_eager(on)
    try:
        yield
    finally:
        _core.set_eager(before)


class Graph:
    """The pending graph of some arrays, and the kernels that it will become."""

    def __init__(self, arrays):
        self.text = _core.graph_text(*arrays)
        self.svg = _core.graph_svg(*arrays)

    def __repr__(self):
        return self.text

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Writes the picture as an SVG file."""
        with open(path, "w") as file:
            file.write(self.svg)


def show_graph(*arrays, file=None):
    """The pending graph of arrays, with the kernels that it will become: as text, and as a picture where the display
    can show one. `file` is the path of an SVG file to write.

    >>> x = cp.ones(4)
    >>> graph = cp.show_graph(cp.sin(x) * 2)
    >>> "sin" in graph.text
    True
    """
    graph = Graph(arrays)
    if file is not None:
        graph.save(file)
    return graph
