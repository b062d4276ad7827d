"""Controls of the lazy engine and of its memory. Nothing here is needed for a right result."""

import contextlib

from . import _core

__all__ = ["MemoryPool", "eager", "evaluate", "get_default_memory_pool", "show_graph"]


def evaluate(*arrays):
    """Computes pending arrays now, in as few kernels as it can; they are returned as they are.

    >>> x = cp.arange(3.0)
    >>> y, z = cp.evaluate(x * 2, x + 1)
    >>> z
    array([1., 2., 3.])
    """
    _core.evaluate(*arrays)
    return arrays[0] if len(arrays) == 1 else arrays


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


class MemoryPool:
    """The pool that array memory comes from: freed blocks are kept for reuse.

    >>> pool = cp.get_default_memory_pool()
    >>> pool.free_all_blocks()
    >>> pool.free_bytes()
    0
    """

    def used_bytes(self):
        """Bytes in use by arrays."""
        return _core.memory_stats()["used_bytes"]

    def total_bytes(self):
        """Bytes taken from the system: in use and kept for reuse."""
        return _core.memory_stats()["total_bytes"]

    def free_bytes(self):
        """Bytes kept for reuse."""
        return self.total_bytes() - self.used_bytes()

    def free_all_blocks(self):
        """Gives back to the system what no array uses."""
        _core.free_all_blocks()

    def get_limit(self):
        """The most bytes that the pool may take; 0: no limit."""
        return _core.get_memory_limit()

    def set_limit(self, size=None):
        """Sets the most bytes that the pool may take; None or 0: no limit."""
        _core.set_memory_limit(size or 0)


_pool = MemoryPool()


def get_default_memory_pool():
    """The memory pool of this process.

    >>> cp.get_default_memory_pool().used_bytes() >= 0
    True
    """
    return _pool
