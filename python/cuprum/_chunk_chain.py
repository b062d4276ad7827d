"""How chunks are computed: one after the other on the CPU, through a chain of threads elsewhere.

    read --> upload --> the function, on the caller's thread --> download --> write

Each link has a thread and hands its chunks on in order, a chunk at a time ahead; three streams of the device carry
uploads, computing and downloads, and the order between them is the library's. Reading and writing go through pinned
memory, two chunks of it each. A link that fails keeps the chunk and its error, drops what follows, and lets what is
ahead be finished."""

import collections
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

    def __init__(self, device, place):
        self._device, self._place = device, place
        self.stopped = threading.Event()
        self.failure = None  # (number, chunk, error)
        self._lock = threading.Lock()
        self._threads = []

    def fail(self, chunk, error):
        """Of several failures the first chunk's is told; those of no chunk come last."""
        with self._lock:
            number = chunk.number if chunk else float("inf")
            if self.failure is None or number < self.failure[0]:
                self.failure = (number, chunk, error)
        self.stopped.set()

    def run(self, work, taken, given, drop):
        """A link: does `work` with each chunk of `taken` and hands it to `given`, until there is none. Whatever
        happens, it takes all that comes, so that nobody waits for it."""
        going, chunk = True, None
        try:
            for chunk in iter(taken.get, None):
                if going:
                    try:
                        work(chunk)
                    except Exception as error:
                        self.fail(chunk, error)
                        going = False
                if going and given is not None:
                    given.put(chunk)
                else:
                    drop(chunk)
                chunk = None
        except BaseException:  # Ctrl-C
            self.stopped.set()
            if chunk is not None:
                drop(chunk)
            for rest in iter(taken.get, None):
                drop(rest)
            raise
        finally:
            if given is not None:
                given.put(None)

    def start(self, target, *args, stream=None):
        def begin():
            _core.set_place_of_thread(self._place)
            with Device(self._device):
                if stream is None:
                    return target(*args)
                with stream:
                    return target(*args)

        thread = threading.Thread(target=begin, name=f"map_chunks {target.__name__}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def join(self):
        for thread in self._threads:
            thread.join()


def compute_there(function, chunks, result, bar, ChunkError):
    """On a device with memory of its own."""
    from .cuda.stream import Event, Stream

    device = Device().name
    up, here, down = (Stream(non_blocking=True) for _ in range(3))
    chain = _Chain(device, _core.current_place())
    staged, fetched = Slots(_SLOTS), Slots(_SLOTS)
    read, uploaded, computed, downloaded = (queue.Queue(_AHEAD) for _ in range(4))
    behind = collections.deque()  # events of the device: how far a reduction is
    result.begin(chunks.length)

    def give_staged(chunk):
        if chunk.slot is not None:
            staged.give(chunk.slot)
            chunk.slot = None

    def give_fetched(chunk):
        if chunk.slot is not None:
            fetched.give(chunk.slot)
            chunk.slot = None

    def reading():
        chunk = None
        try:
            for number, part, read_blocks in chunks:
                if chain.stopped.is_set():
                    break
                chunk = _Chunk(number, part, read_blocks)
                chunk.slot = staged.take()
                chunk.blocks = [
                    _staged(block, i, chunk.slot, device) for i, block in enumerate(read_blocks())
                ]
                read.put(chunk)
                chunk = None
        except BaseException as error:
            chain.fail(chunk, error)
            if chunk is not None:
                give_staged(chunk)
        read.put(None)

    def upload(chunk):
        chunk.arrays = [_core.asarray(block, None, None, device=None, copy=True) for block in chunk.blocks]
        chunk.nbytes = sum(block.nbytes for block in chunk.blocks)
        for array in chunk.arrays:
            array.flags.writeable = False
        chunk.blocks = None
        give_staged(chunk)

    def compute(chunk):
        chunk.results = result.take(function(*chunk.arrays), chunk.part)
        chunk.arrays = None
        _core.evaluate(*chunk.results)
        if result.is_reduction:
            behind.append(Event())
            behind[-1].record(here)
            if (
                len(behind) > _AHEAD + 1
            ):  # nobody else waits: memory would be asked for sooner than it comes back
                behind.popleft().synchronize()
            bar.update(chunk.nbytes)

    def download(chunk):
        chunk.slot = fetched.take()
        chunk.blocks = []
        for i, x in enumerate(chunk.results):
            own = result.memory(i, x, chunk.part)
            block = Slots.block(chunk.slot, i, x.shape, x.dtype) if own is None else own
            x.get(stream=down, out=block)
            chunk.blocks.append(None if own is not None else block)
        chunk.results = None

    def write(chunk):
        for i, block in enumerate(chunk.blocks):
            if block is not None:
                result.write(i, chunk.part, block)
        give_fetched(chunk)
        bar.update(chunk.nbytes)

    chain.start(reading)
    chain.start(chain.run, upload, read, uploaded, give_staged, stream=up)
    if not result.is_reduction:
        chain.start(chain.run, download, computed, downloaded, give_fetched, stream=down)
        chain.start(chain.run, write, downloaded, None, give_fetched)
    try:
        with here:
            chain.run(compute, uploaded, None if result.is_reduction else computed, give_staged)
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
