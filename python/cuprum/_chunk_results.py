"""What becomes of the results of chunks: put together along an axis, or combined."""

import numpy as np

from . import _core
from ._checks import as_axis
from ._pinned import empty_pinned


def _index(axis, ndim, part):
    return (slice(None),) * as_axis(axis, ndim, "map_chunks", "axis") + (part,)


def _as_list(result):
    results = list(result) if isinstance(result, (tuple, list)) else [result]
    for x in results:
        if not isinstance(x, _core.ndarray):
            raise TypeError(
                f"the function returned a {type(x).__name__}; return arrays, or write combine= for a reduction"
            )
    return results


def copy_block(to, block):
    """`to[...] = block` of NumPy arrays, by several threads where both are one piece of memory."""
    if to.dtype == block.dtype and to.flags.c_contiguous and block.flags.c_contiguous:
        _core.copy_within_host(to.ctypes.data, block.ctypes.data, to.nbytes)
    else:
        np.copyto(to, block)


class Collected:
    """Results that lie one behind the other in `out`, or in new arrays."""

    is_reduction = False

    def __init__(self, out, axis):
        self._axis = axis
        self._single = not isinstance(out, (tuple, list))
        self._outs = None if out is None else [out] if self._single else list(out)
        self._given = self._outs is not None
        self._parts = None  # blocks of other lengths than their chunks, to be joined at the end
        self._length = None
        for i, x in enumerate(self._outs or ()):
            if isinstance(x, _core.ndarray) or not all(
                hasattr(x, n) for n in ("shape", "dtype", "__setitem__")
            ):
                raise TypeError(
                    f"cuprum.map_chunks: out{'' if self._single else f'[{i}]'} is a {type(x).__name__}; "
                    "write a NumPy array, or a dataset with shape, dtype and assignment to slices"
                )

    def check_overlap(self, inputs):
        """What is written must be read before: a result may go where its own chunk was, and nowhere else."""
        for out in self._outs or ():
            for x in inputs:
                if not (isinstance(out, np.ndarray) and isinstance(x, np.ndarray)):
                    continue
                same = (out.ctypes.data, out.shape, out.strides) == (x.ctypes.data, x.shape, x.strides)
                if not same and np.may_share_memory(out, x):
                    raise ValueError(
                        "cuprum.map_chunks: out overlaps an input, and is not the same array: later chunks would read "
                        "what earlier ones have written; write out=x for all of x, or another array"
                    )

    def begin(self, length):
        """How long the axis is; None: nobody knows."""
        self._length = length

    def take(self, result, part):
        """The arrays of a chunk, of the dtypes of `out`; refuses what does not fit."""
        if self._outs is None and self._parts is None:
            self._single = not isinstance(result, (tuple, list))
            results = _as_list(result)
            self._make(results, part)
        else:
            results = _as_list(result)
        wanted = self._outs if self._parts is None else self._parts
        if len(results) != len(wanted):
            raise ValueError(f"the function returned {len(results)} arrays, and {len(wanted)} are wanted")
        if self._parts is not None:
            return results
        return [self._fitting(x, out, part) for x, out in zip(results, self._outs)]

    def _make(self, results, part):
        length = part.stop - part.start
        for x in results:
            if x.ndim == 0:
                raise ValueError(
                    "the function returned an array without dimensions; write combine= for a reduction"
                )
        axes = [as_axis(self._axis, x.ndim, "map_chunks", "axis") for x in results]
        if self._length is None or any(x.shape[d] != length for x, d in zip(results, axes)):
            self._parts = [[] for _ in results]
            return
        shapes = [(*x.shape[:d], self._length, *x.shape[d + 1 :]) for x, d in zip(results, axes)]
        self._outs = [np.empty(shape, x.dtype) for shape, x in zip(shapes, results)]

    def _fitting(self, x, out, part):
        shape = list(out.shape)
        axis = as_axis(self._axis, len(shape), "map_chunks", "axis")
        shape[axis] = len(range(*part.indices(shape[axis])))
        if x.shape != tuple(shape):
            raise ValueError(
                f"the function returned shape {x.shape}, and this part of out has shape {tuple(shape)}"
            )
        if not np.can_cast(x.dtype, out.dtype, "same_kind"):
            raise TypeError(f"the function returned {x.dtype}, which out, of {out.dtype}, cannot take")
        native = np.dtype(out.dtype).newbyteorder("=")
        return x if x.dtype == native else x.astype(native)

    def memory(self, number, x, part):
        """Pinned memory of `out` itself that an array can be downloaded into; None: it goes through other memory."""
        if self._parts is not None or not isinstance(self._outs[number], np.ndarray):
            return None
        block = self._block(number, part)
        fits = block.dtype == x.dtype and block.flags.c_contiguous and block.size
        return block if fits and _core.is_pinned(x.device.name, block.ctypes.data) else None

    def _block(self, number, part):
        out = self._outs[number]
        return out[_index(self._axis, out.ndim, part)]

    def write(self, number, part, block):
        """Takes a block of the host, whose memory is used again afterwards."""
        if self._parts is not None:
            self._parts[number].append(np.array(block))
        elif isinstance(self._outs[number], np.ndarray):
            copy_block(self._block(number, part), block)
        else:
            out = self._outs[number]
            out[_index(self._axis, len(out.shape), part)] = block

    def write_here(self, number, part, x):
        """Takes an array of the CPU: without a copy where `out` is memory."""
        out = self._outs[number] if self._parts is None else None
        if isinstance(out, np.ndarray) and out.dtype == x.dtype:
            block = self._block(number, part)
            if block.flags.aligned:
                _core.asarray(block, None, None, device=None, copy=False)[...] = x
                return
        self.write(number, part, x.get())

    def value(self):
        if self._parts is not None:
            self._outs = [
                np.concatenate(blocks, as_axis(self._axis, blocks[0].ndim, "map_chunks", "axis"))
                for blocks in self._parts
            ]
        return self._outs[0] if self._single else tuple(self._outs)


class Combined:
    """Results that are combined with those of the chunks before, on the device."""

    is_reduction = True

    def __init__(self, combine, finish):
        for name, function in (("combine", combine), ("finish", finish or combine)):
            if not callable(function):
                raise TypeError(
                    f"cuprum.map_chunks: {name} is a {type(function).__name__}, which cannot be called"
                )
        self._combine, self._finish = combine, finish
        self._total, self._any = None, False

    def check_overlap(self, inputs):
        pass

    def begin(self, length):
        pass

    def take(self, result, part):
        self._total = self._combine(self._total, result) if self._any else result
        self._any = True
        return [x for x in _leaves(self._total) if isinstance(x, _core.ndarray)]

    def value(self):
        return self._finish(self._total) if self._finish else self._total


def _leaves(x):
    if isinstance(x, dict):
        x = tuple(x.values())
    if isinstance(x, (tuple, list)):
        for part in x:
            yield from _leaves(part)
    else:
        yield x


class Slots:
    """Pinned memory for so many chunks at a time: who wants more waits until some is given back."""

    def __init__(self, count):
        import queue

        self._free = queue.SimpleQueue()
        for _ in range(count):
            self._free.put({})

    def take(self):
        return self._free.get()

    def give(self, slot):
        self._free.put(slot)

    @staticmethod
    def block(slot, number, shape, dtype):
        """The memory of an array of a chunk, as large as the largest so far."""
        nbytes = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        memory = slot.get(number)
        if memory is None or memory.nbytes < nbytes:
            memory = slot[number] = empty_pinned(max(nbytes, 1), np.uint8)
        return memory[:nbytes].view(dtype).reshape(shape)
