"""Data larger than the device: a function of arrays over host arrays of any size, chunk by chunk.

On a device with memory of its own the chunks go through a chain of threads (_chunk_chain.py): one reads them into
pinned memory, one uploads, the caller's computes, one downloads, one writes. On the CPU a chunk is a view of the
host's memory.
"""

import collections.abc

import numpy as np

from . import _core
from ._checks import as_axis, as_integer, naming
from ._chunk_chain import compute_here, compute_there
from ._chunk_results import Collected, Combined
from ._device import Device

__all__ = ["ChunkError", "map_chunks"]


class ChunkError(RuntimeError):
    """A chunk of `map_chunks` has failed: `index` is its number, `slice` its part of the axis, `__cause__` the
    reason. The chunks before it have been written, and of itself nothing.

    >>> def f(x):
    ...     raise ZeroDivisionError("no")
    >>> cp.map_chunks(f, np.arange(10.0), chunk_bytes=32)
    Traceback (most recent call last):
    ...
    cuprum.ChunkError: cuprum.map_chunks: chunk 0, [0:4] along axis 0: ZeroDivisionError: no
    """

    def __init__(self, message, index=None, slice=None):
        super().__init__(message)
        self.index, self.slice = index, slice


def map_chunks(
    function, *host_arrays, out=None, axis=0, chunk_bytes=None, progress=False, combine=None, finish=None
):
    """Calls a function of arrays on chunks of host arrays of any size, and puts the results together along `axis`.

    A host array is a NumPy array, a `numpy.memmap`, a dataset of zarr or HDF5 (whatever has `shape`, `dtype` and
    slices), or an iterator of blocks. The function gets arrays of the current device, which it must not write, and
    returns one or several arrays. Reading, uploading, computing, downloading and writing overlap; on the CPU nothing
    is copied.

    `out` is where the results go, one of these or a tuple of them; it may be an input. By default it is a new NumPy
    array. `chunk_bytes` bounds the inputs of a chunk; by default it follows from the memory that is free. `progress`
    shows a bar (of tqdm, if that is installed).

    With `combine` it is a reduction: `combine(total, part)` of what the function returned for the chunks so far and
    for the next one, in their order; the result stays on the device. `finish` is called with the total at the end.

    An error is a `ChunkError` that names the chunk. Chunks before it have been written, later ones have not.

    >>> x = np.arange(1e6)
    >>> y = cp.map_chunks(lambda x: cp.sqrt(x) + 1, x)
    >>> float(y[100])
    11.0
    >>> _ = cp.map_chunks(cp.sin, x, out=x)  # in place
    >>> cp.map_chunks(lambda x: (x.max(), x.size), x, combine=lambda t, p: (cp.maximum(t[0], p[0]), t[1] + p[1]),
    ...               finish=lambda t: t[1])
    1000000
    """
    if not callable(function):
        raise TypeError(f"cuprum.map_chunks: function is a {type(function).__name__}, which cannot be called")
    if not host_arrays:
        raise TypeError("cuprum.map_chunks: there is no host array; write map_chunks(function, x)")
    if finish is not None and combine is None:
        raise TypeError("cuprum.map_chunks: finish needs combine; write both, or call it on the result")
    if combine is not None and out is not None:
        raise TypeError(
            "cuprum.map_chunks: out and combine exclude each other: a reduction returns its result"
        )
    sources = [_source(x, i + 2, axis) for i, x in enumerate(host_arrays)]
    chunks = _Chunks(sources, chunk_bytes)
    result = Collected(out, axis) if combine is None else Combined(combine, finish)
    result.check_overlap(host_arrays)
    compute = compute_here if _core.device_info(Device().name)["host_accessible"] else compute_there
    with _bar(progress, chunks) as bar:
        compute(function, chunks, result, bar, ChunkError)
    return result.value()


# -- What is read.


def _source(x, position, axis):
    where = f"cuprum.map_chunks: argument {position}"
    if isinstance(x, _core.ndarray):
        raise TypeError(
            f"{where} is an array on {x.device}, which needs no chunks; name it within the function, "
            "or write cp.asnumpy(x)"
        )
    if isinstance(x, collections.abc.Iterator):
        return _Blocks(x, axis)
    if not all(hasattr(x, name) for name in ("shape", "dtype", "__getitem__")):
        raise TypeError(
            f"{where} is a {type(x).__name__}; write a NumPy array, a dataset with shape, dtype and slices, "
            "or iter(x) for a sequence of blocks"
        )
    return _Sliced(x, as_axis(axis, len(x.shape), "map_chunks", "axis"))


def along(axis, part):
    """The index that takes a part of an axis."""
    return (slice(None),) * axis + (part,)


class _Sliced:
    """Something with a shape: a chunk is a slice."""

    def __init__(self, x, axis):
        self.x, self.axis = x, axis
        self.length = x.shape[axis]
        self.dtype = np.dtype(x.dtype).newbyteorder("=")
        with naming("map_chunks"):
            _core.promote_types(self.dtype, self.dtype)  # one that arrays can have
        others = [n for i, n in enumerate(x.shape) if i != axis]
        self.row_bytes = int(np.prod(others, dtype=np.int64)) * self.dtype.itemsize
        stored = getattr(x, "chunks", None)  # as a file has them: read each once
        self.unit = stored[axis] if isinstance(stored, tuple) and len(stored) > axis else 1

    def read(self, part):
        return self.x[along(self.axis, part)]


class _Blocks:
    """An iterator: a chunk is what comes next."""

    length = None
    row_bytes = 0
    unit = 1

    def __init__(self, blocks, axis):
        self.blocks, self.axis = blocks, axis

    def next_length(self):
        """How long the next block is; None: there is none."""
        block = next(self.blocks, None)
        if block is None:
            return None
        self.block = np.asarray(block)
        self.axis = as_axis(self.axis, self.block.ndim, "map_chunks", "axis")
        return self.block.shape[self.axis]

    def read(self, part):
        return self.block


class _Chunks:
    """The chunks: iterating gives (number, part of the axis, a function that reads the blocks)."""

    def __init__(self, sources, chunk_bytes):
        self.sources = sources
        lengths = {source.length for source in sources if source.length is not None}
        if len(lengths) > 1:
            raise ValueError(
                "cuprum.map_chunks: the arrays have different lengths along the axis: "
                + ", ".join(str(source.length) for source in sources if source.length is not None)
            )
        self.length = lengths.pop() if lengths else None
        self.iterators = [source for source in sources if source.length is None]
        self.row_bytes = sum(source.row_bytes for source in sources)
        self.rows = self._rows(chunk_bytes)

    def _rows(self, chunk_bytes):
        if chunk_bytes is None:
            chunk_bytes = _core.chunk_bytes((self.length or 0) * self.row_bytes)
        elif as_integer(chunk_bytes, "map_chunks", "chunk_bytes") <= 0:
            raise ValueError(f"cuprum.map_chunks: chunk_bytes must be positive, not {chunk_bytes}")
        rows = max(1, int(chunk_bytes) // max(1, self.row_bytes))
        unit = max(source.unit for source in self.sources)
        return rows // unit * unit or rows

    def __len__(self):
        """How many there are; 0: nobody knows."""
        return 0 if self.iterators else max(1, -(-self.length // self.rows))

    def __iter__(self):
        number, begin = 0, 0
        while True:
            end = self._end(number, begin)
            if end is None:
                break
            part = slice(begin, end)
            yield number, part, lambda part=part: [source.read(part) for source in self.sources]
            number, begin = number + 1, end
        if number == 0:
            raise ValueError("cuprum.map_chunks: the iterator gave no block, so there is no result")

    def _end(self, number, begin):
        """Where the chunk that begins there ends; None: there is none."""
        if not self.iterators:
            is_done = begin >= self.length and (number > 0 or self.length > 0)  # an empty array is one chunk
            return None if is_done else min(begin + self.rows, self.length)
        lengths = [source.next_length() for source in self.iterators]
        if all(length is None for length in lengths):
            return None
        if len(set(lengths)) > 1 or (self.length is not None and begin + lengths[0] > self.length):
            raise ValueError(
                f"cuprum.map_chunks: block {number} has lengths {lengths} along the axis, "
                f"beside arrays with {'no length' if self.length is None else self.length - begin} left"
            )
        return begin + lengths[0]


# -- How far it is.


def _bar(progress, chunks):
    from ._chunk_progress import Lines, Silence, tqdm_bar

    if not progress:
        return Silence()
    total = chunks.length * chunks.row_bytes if chunks.length is not None else None
    return tqdm_bar(total) or Lines(len(chunks), total)
