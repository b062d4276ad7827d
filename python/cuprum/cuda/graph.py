"""Graphs: work that was captured once and runs as often as one likes."""

__all__ = ["Graph"]


class Graph:
    """The work that a stream was given between `begin_capture` and `end_capture`.

    Its arrays stay where they are: what is written into them between two launches is what the next one reads.

    >>> a, b = cp.arange(3.0), cp.zeros(3)
    >>> with cp.cuda.Stream() as stream:
    ...     stream.begin_capture()
    ...     b += a * 2
    ...     graph = stream.end_capture()
    >>> graph.launch()
    >>> a[:] = 1
    >>> graph.launch()
    >>> b
    array([2., 4., 6.])
    """

    def __init__(self, graph):
        self._graph = graph

    def launch(self, stream=None):
        """Runs the work on a stream, the current one by default."""
        from .stream import get_current_stream

        self._graph.launch((get_current_stream() if stream is None else stream)._handle)

    def upload(self, stream=None):
        """Prepares a launch. There is nothing to prepare."""
