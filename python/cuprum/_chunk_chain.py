"""How chunks are computed: one after the other on the CPU, through a chain of threads elsewhere.

    read --> upload --> the function, on the caller's thread --> download --> write

Each link has a thread and hands its chunks on in order, a chunk at a time ahead; three streams of the device carry
uploads, computing and downloads, and the order between them is the library's. Reading and writing go through pinned
memory, two chunks of it each. A link that fails keeps the chunk and its error, drops what follows, and lets what is
ahead be finished."""

import collections
import contextlib
import queue
import threading

import numpy as np

from . import _core
from ._chunk_results import Slots, copy_block
from ._device import Device

_AHEAD = 1  # chunks between two links
_SLOTS = 2  # of pinned memory: one is filled while the other is copied


class _Chunk:
    """A chunk on its way."""

    def __init__(self, number, part, read):
        self.number, self.part, self.read = number, part, read
        self.nbytes = 0  # of its inputs
        self.blocks = self.arrays = self.results = None
        self.slot = None  # of pinned memory, and whose it is


def _failed(chunk, error, axis, ChunkError):
    """The error that names the chunk."""
    where = f"chunk {chunk.number}, [{chunk.part.start}:{chunk.part.stop}] along axis {axis}"
    text = str(error).removeprefix("cuprum.map_chunks: ")
    return ChunkError(f"cuprum.map_chunks: {where}: {type(error).__name__}: {text}", chunk.number, chunk.part)


def _shared(block):
    """A block of the host as an array of the CPU, which cannot be written: over its memory, if that can be."""
    block = np.asarray(block)
    try:
        array = _core.asarray(block, None, None, device=None, copy=False)
    except ValueError:
        array = _core.asarray(block, None, None, device=None, copy=None)
    array.flags.writeable = False
    return array


def compute_here(function, chunks, result, bar, ChunkError):
    """On a device that works in the host's memory."""
    result.begin(chunks.length)
    for number, part, read in chunks:
        chunk = _Chunk(number, part, read)
        try:
            arrays = [_shared(block) for block in read()]
            results = result.take(function(*arrays), part)
            _core.evaluate(*results)
            if not result.is_reduction:
                for i, x in enumerate(results):
                    result.write_here(i, part, x)
        except Exception as error:
            raise _failed(chunk, error, chunks.sources[0].axis, ChunkError) from error
        bar.update(sum(array.nbytes for array in arrays))


class _Chain:
    """The links, and what went wrong first."""

    def __init__(self, device):
        self._device, self._place = device, _core.current_place()
        self._lock = threading.Lock()
        self._threads = []
        self.stopped = False
        self.failure = None  # (number, chunk, error)

    def fail(self, chunk, error):
        """Of several failures the first chunk's is told; those of no chunk come last."""
        with self._lock:
            number = chunk.number if chunk else float("inf")
            if self.failure is None or number < self.failure[0]:
                self.failure = (number, chunk, error)
            self.stopped = True

    def start(self, name, target, *args):
        """Runs a link on a thread, which stands for the line of the program that called `map_chunks`."""

        def begin():
            try:
                _core.set_place_of_thread(self._place, name)
                with Device(self._device):
                    target(*args)
            except BaseException as error:
                self.fail(None, error)

        thread = threading.Thread(target=begin, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def run(self, work, taken, given, drop, stream):
        """A link: does `work` with each chunk of `taken` and hands it to `given`, until there is none. Whatever
        happens, it takes all that comes, so that nobody waits for it."""
        chunk = None
        try:
            with stream:
                for chunk in iter(taken.get, None):
                    if self._done(work, chunk) and given is not None:
                        given.put(chunk)
                    else:
                        drop(chunk)
                    chunk = None
        except BaseException:  # Ctrl-C
            self.stopped = True
            for rest in [chunk] if chunk else []:
                drop(rest)
            for rest in iter(taken.get, None):
                drop(rest)
            raise
        finally:
            if given is not None:
                given.put(None)

    def _done(self, work, chunk):
        """Does the work, unless the chunk comes behind one that has failed."""
        if self.failure is not None and chunk.number >= self.failure[0]:
            return False
        try:
            work(chunk)
        except Exception as error:
            self.fail(chunk, error)
            return False
        return True

    def join(self):
        for thread in self._threads:
            thread.join()


class _There:
    """The work of each link, on a device with memory of its own."""

    def __init__(self, function, chunks, result, bar):
        from .cuda.stream import Stream

        self._function, self._chunks, self._result, self._bar = function, chunks, result, bar
        self._device = Device().name
        self.up, self.here, self.down = (Stream(non_blocking=True) for _ in range(3))
        self._staged, self._fetched = Slots(_SLOTS), Slots(_SLOTS)
        self._behind = collections.deque()  # events of the device: how far a reduction is

    def read(self, chain, given):
        """The first link: reads chunks into pinned memory."""
        chunk = None
        try:
            for number, part, read in self._chunks:
                if chain.stopped:
                    break
                chunk = _Chunk(number, part, read)
                chunk.slot = self._staged.take()
                chunk.blocks = [
                    _staged(block, i, chunk.slot, self._device) for i, block in enumerate(chunk.read())
                ]
                given.put(chunk)
                chunk = None
        except BaseException as error:
            chain.fail(chunk, error)
            if chunk is not None:
                self.give_staged(chunk)
        given.put(None)

    def upload(self, chunk):
        chunk.arrays = [_core.asarray(block, None, None, device=None, copy=True) for block in chunk.blocks]
        chunk.nbytes = sum(block.nbytes for block in chunk.blocks)
        for array in chunk.arrays:
            array.flags.writeable = False
        chunk.blocks = None
        self.give_staged(chunk)

    def compute(self, chunk):
        chunk.results = self._result.take(self._function(*chunk.arrays), chunk.part)
        chunk.arrays = None
        _core.evaluate(*chunk.results)
        if self._result.is_reduction:
            self._let_catch_up()
            self._bar.update(chunk.nbytes)

    def _let_catch_up(self):
        """Nobody else waits for a reduction: memory would be asked for sooner than it comes back."""
        from .cuda.stream import Event

        self._behind.append(Event())
        self._behind[-1].record(self.here)
        if len(self._behind) > _AHEAD + 1:
            self._behind.popleft().synchronize()

    def download(self, chunk):
        chunk.slot = self._fetched.take()
        chunk.blocks = []
        for i, x in enumerate(chunk.results):
            own = self._result.memory(i, x, chunk.part)
            block = Slots.block(chunk.slot, i, x.shape, x.dtype) if own is None else own
            x.get(stream=self.down, out=block)
            chunk.blocks.append(None if own is not None else block)
        chunk.results = None

    def write(self, chunk):
        for i, block in enumerate(chunk.blocks):
            if block is not None:
                self._result.write(i, chunk.part, block)
        self.give_fetched(chunk)
        self._bar.update(chunk.nbytes)

    def give_staged(self, chunk):
        if chunk.slot is not None:
            self._staged.give(chunk.slot)
            chunk.slot = None

    def give_fetched(self, chunk):
        if chunk.slot is not None:
            self._fetched.give(chunk.slot)
            chunk.slot = None


def compute_there(function, chunks, result, bar, ChunkError):
    """On a device with memory of its own."""
    there = _There(function, chunks, result, bar)
    chain = _Chain(Device().name)
    read, uploaded, computed, downloaded = (queue.Queue(_AHEAD) for _ in range(4))
    result.begin(chunks.length)
    chain.start("chunk read", there.read, chain, read)
    chain.start("chunk upload", chain.run, there.upload, read, uploaded, there.give_staged, there.up)
    if not result.is_reduction:
        download, write = (there.download, computed, downloaded), (there.write, downloaded, None)
        chain.start("chunk download", chain.run, *download, there.give_fetched, there.down)
        chain.start("chunk write", chain.run, *write, there.give_fetched, contextlib.nullcontext())
    try:
        given = None if result.is_reduction else computed
        chain.run(there.compute, uploaded, given, there.give_staged, there.here)
    finally:
        chain.join()
    if chain.failure is not None:
        _, chunk, error = chain.failure
        if chunk is None:
            raise error
        raise _failed(chunk, error, chunks.sources[0].axis, ChunkError) from error


def _staged(block, number, slot, device):
    """The block in pinned memory: itself, if it is there."""
    block = np.asarray(block)
    is_plain = block.flags.c_contiguous and block.dtype.isnative
    if is_plain and block.size and _core.is_pinned(device, block.ctypes.data):
        return block
    to = Slots.block(slot, number, block.shape, block.dtype.newbyteorder("="))
    copy_block(to, block)
    return to
