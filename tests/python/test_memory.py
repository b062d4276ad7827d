"""Memory with CuPy's names: pointers, blocks, addresses of others, pinned host memory, the pool, address ranges."""

import gc
import os
import subprocess
import sys
import sysconfig
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from cuprum import cupyx
from devices import needs_host_memory
from strategies import arrays, assert_same

needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the system does not tell")


def test_data_points_into_the_memory_of_the_base():
    a = cp.arange(12.0).reshape(3, 4)
    row = a[1]
    assert row.data.ptr == a.data.ptr + 32 == (a.data + 32).ptr
    assert row.data.mem.ptr == a.data.mem.ptr == a.data.ptr
    assert row.data.mem.size == a.nbytes
    assert row.data.device == a.device and row.data.device_id == a.device.id
    assert (row.data - 32).ptr == int(a.data) == int(a.data.mem)
    assert cp.zeros((2, 0)).data.ptr == 0


def test_asking_for_data_computes_nothing():
    with cp.eager(False):
        a = cp.ones(5) + 1
        memory = a.data.mem
        assert cp._core.is_pending(a) and memory.size == 40
    assert memory.ptr and not cp._core.is_pending(a)


@given(arrays())
def test_array_over_a_pointer_shares_it(pair):
    x, a = pair
    b = cp.ndarray(a.shape, a.dtype, a.data, strides=a.strides)
    assert b.strides == a.strides
    assert_same(b, x)
    if a.flags.writeable:
        b.fill(1)
        assert_same(a, np.ones_like(x))


def test_array_over_a_part_of_memory():
    a = cp.arange(20, dtype=cp.uint8)
    b = cp.ndarray((2, 3), np.int16, memptr=a.data + 4, strides=(4, 2))
    want = np.ndarray((2, 3), np.int16, np.arange(20, dtype=np.uint8), 4, (4, 2))
    assert_same(b, want)
    b[1, 0] = -1
    assert a[8] == 255 and a[9] == 255
    assert cp.ndarray(3, strides=(0,), memptr=cp.ones(1).data).tolist() == [1, 1, 1]
    fortran = cp.ndarray((2, 3), memptr=cp.arange(6.0).data, order="F")
    assert_same(fortran, np.ndarray((2, 3), buffer=np.arange(6.0), order="F"))


@pytest.mark.parametrize(
    ("shape", "options", "error"),
    [
        ((3,), {"dtype": "f8"}, TypeError),
        ((2,), {"dtype": "f8", "strides": (16,)}, ValueError),
        ((2,), {"dtype": "f8", "strides": (-8,)}, ValueError),
        ((2,), {"dtype": "f8", "strides": (8, 8)}, ValueError),
        ((1,), {"dtype": "f8", "offset": 9}, (ValueError, TypeError)),
    ],
)
def test_array_outside_of_its_memory_is_refused(shape, options, error):
    with pytest.raises(error):
        np.ndarray(shape, buffer=np.zeros(2), **options)
    with pytest.raises(error):
        cp.ndarray(shape, buffer=cp.zeros(2).data, **options)
    with pytest.raises(TypeError, match="too small"):
        cp.ndarray(1, buffer=cp.zeros(2).data, offset=-8)


@pytest.mark.parametrize("strides", [(24, 8), (8, 16), (0, 8), (0, 0), (48, 8), (24, 16), (-24, 8)])
def test_strides_of_new_memory(strides):
    try:
        want = np.ndarray((2, 3), float, strides=strides).strides
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)):
            cp.ndarray((2, 3), float, strides=strides)
    else:
        assert cp.ndarray((2, 3), float, strides=strides).strides == want


def test_memory_of_others_lives_as_long_as_arrays_over_it():
    a = cp.arange(4)
    owner = type("Owner", (), {})()
    gone = weakref.ref(owner)
    with a.device:
        pointer = cp.cuda.MemoryPointer(cp.cuda.UnownedMemory(a.data.ptr, a.nbytes, owner), 8)
    b = cp.ndarray(3, a.dtype, pointer)
    del owner, pointer
    gc.collect()
    assert gone() is not None and b.tolist() == [1, 2, 3]
    del b
    gc.collect()
    assert gone() is None


@needs_host_memory
def test_an_address_without_memory_is_refused():
    with pytest.raises(ValueError, match="cannot reach the memory"):
        cp.cuda.UnownedMemory(64, 8, None)


def test_bytes_by_pointer():
    block = cp.cuda.alloc(16)
    block.memset(3, 16)
    (block + 8).copy_from_host(b"12345678", 8)
    block.copy_from_device(block + 12, 4)
    host = bytearray(16)
    block.copy_to_host(host, 16)
    assert host == b"5678" + b"\3" * 4 + b"12345678"
    block.copy_from(np.arange(2), 16)
    assert cp.ndarray(2, int, block).tolist() == [0, 1]
    assert block.mem.size == 16


def test_pool_counts_its_free_blocks():
    pool = cp.get_default_memory_pool()
    pool.free_all_blocks()
    free = pool.n_free_blocks()  # segments that hold an array of somebody keep their free blocks
    pointer = pool.malloc(256 << 20)  # larger than any block that is left: a segment of its own
    used = pool.used_bytes()
    assert pool.n_free_blocks() == free and used >= 256 << 20
    del pointer
    assert pool.n_free_blocks() == free + 1 and pool.used_bytes() < used
    cp.Device().synchronize()  # another stream's block is taken when it is done with
    hits = pool.n_hits()
    again = pool.malloc(256 << 20)
    assert pool.n_hits() == hits + 1 and again.mem.size == 256 << 20


def test_the_pool_keeps_no_more_than_was_in_use():
    pool = cp.get_default_memory_pool()
    pool.free_all_blocks()
    pool.reset_peak()
    for megabytes in range(10, 200):  # sizes that never come again, together some gigabytes
        cp.cuda.alloc(megabytes << 20)
    assert pool.free_bytes() <= 2 * pool.peak_bytes() + (256 << 20)


RESIDENT = """
import gc, re, sys
import cuprum as cp

def resident():
    return int(re.search(r"VmRSS:\\s*(\\d+)", open("/proc/self/status").read()).group(1)) / 1024

a, b = cp.ones(3), cp.ones(3)
{make}  # a first round, for what a device loads once
del arrays
cp.get_default_memory_pool().free_all_blocks()
before = resident()
{make}
most = resident()
del arrays
cp.get_default_memory_pool().free_all_blocks()
print(most - before, resident() - before)
"""


@needs_proc
@pytest.mark.parametrize(
    "make",
    ["arrays = [a + b for _ in range(200_000)]", "arrays = [cp.ones(2) * i + a[:2] for i in range(100_000)]"],
)
def test_many_small_arrays_leave_nothing_behind(make):
    done = subprocess.run([sys.executable, "-c", RESIDENT.format(make=make)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    most, left = map(float, done.stdout.split())
    # Without the GIL Python's own allocator keeps more of what its objects took.
    assert most > 50 and left < most / (3 if sysconfig.get_config_var("Py_GIL_DISABLED") else 6), done.stdout


# -- Pinned host memory -----------------------------------------------------------------------------------


def test_pinned_memory_is_kept_for_reuse():
    pool = cp.cuda.PinnedMemoryPool()
    first = pool.malloc(1000)
    address = first.ptr
    assert pool.n_free_blocks() == 0 and first.size() >= 1000 and first.ptr == first.mem.ptr
    del first
    assert pool.n_free_blocks() == 1
    second = pool.malloc(900)
    assert second.ptr == address and pool.n_free_blocks() == 0
    del second
    pool.free_all_blocks()
    assert pool.n_free_blocks() == 0


def test_pinned_pool_gives_its_blocks_back_where_memory_is_short():
    limit, live = 2048, weakref.WeakSet()

    class Block:
        def __init__(self, size):
            if sum(block.size for block in live) + size > limit:
                raise cp.OutOfMemoryError("no more")
            self.memory = cp.cuda.PinnedMemory(size)
            self.ptr, self.size = self.memory.ptr, size
            live.add(self)

    pool = cp.cuda.PinnedMemoryPool(Block)
    pool.malloc(1024)
    assert pool.n_free_blocks() == 1
    kept = pool.malloc(2048)
    assert kept.size() == 2048 and pool.n_free_blocks() == 0
    with pytest.raises(cp.OutOfMemoryError):
        pool.malloc(512)


def test_pinned_memory_is_a_buffer():
    pointer = cp.cuda.alloc_pinned_memory(64)
    host = np.frombuffer(pointer, np.float32, 16)
    host[...] = np.arange(16)
    assert host.ctypes.data == pointer.ptr
    assert_same(cp.asarray(host), np.arange(16, dtype=np.float32))
    part = cp.cuda.PinnedMemoryPointer(pointer.mem, 8)
    assert part.ptr == pointer.ptr + 8 and part.size() == pointer.size() - 8
    assert np.frombuffer(part, np.float32, 2).tolist() == [2, 3]
    for offset in (-1, pointer.size() + 1):
        with pytest.raises(ValueError, match="outside of the memory"):
            cp.cuda.PinnedMemoryPointer(pointer.mem, offset)
    with pytest.raises(ValueError, match="negative"):
        cp.cuda.PinnedMemory(-1)


def test_pinned_allocator_can_be_chosen():
    asked = []

    def allocator(size):
        asked.append(size)
        return cp.cuda.PinnedMemoryPointer(cp.cuda.PinnedMemory(size), 0)

    try:
        cp.cuda.set_pinned_memory_allocator(allocator)
        assert cp.cuda.alloc_pinned_memory(100).size() == 100 and asked == [100]
        cp.cuda.set_pinned_memory_allocator(None)
        assert cp.cuda.alloc_pinned_memory(100).size() == 100 and asked == [100]
    finally:
        cp.cuda.set_pinned_memory_allocator(cp.get_default_pinned_memory_pool().malloc)


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("shape", [(), (0, 3), 5, (2, 3, 4)])
def test_pinned_arrays(shape, order):
    want = np.zeros(shape, np.int16, order)
    for got in (
        cupyx.zeros_pinned(shape, np.int16, order),
        cupyx.zeros_like_pinned(cp.asarray(want, order="K")),
    ):
        np.testing.assert_array_equal(got, want)
        assert got.dtype == want.dtype and got.flags.f_contiguous == want.flags.f_contiguous
        assert isinstance(got.base, cp.cuda.PinnedMemoryPointer)
    x = cp.ones(shape)
    assert cp.asnumpy(x, out=cupyx.empty_like_pinned(x)).sum() == want.size
    assert cupyx.empty_pinned(shape).shape == want.shape


# -- Ranges -----------------------------------------------------------------------------------------------


@needs_host_memory
@given(arrays(dtype=st.sampled_from(list(map(np.dtype, "?hfd")))))
def test_byte_bounds(pair):
    _, a = pair
    low, high = cp.byte_bounds(a)
    if a.size == 0:
        assert low == high
    else:
        assert (low, high) == np.lib.array_utils.byte_bounds(np.asarray(memoryview(a)))


def test_cupyx_scatter_and_rsqrt():
    a, x = cp.zeros(4), np.zeros(4)
    cupyx.scatter_add(a, cp.array([0, 0, 2]), cp.array([1.0, 2.0, 3.0]))
    np.add.at(x, [0, 0, 2], [1.0, 2.0, 3.0])
    cupyx.scatter_max(a, cp.array([1, 1]), 5)
    np.maximum.at(x, [1, 1], 5)
    cupyx.scatter_min(a, slice(2, None), -1)
    np.minimum.at(x, slice(2, None), -1)
    assert_same(a, x)
    y = np.array([0.25, 4.0, np.inf, np.nan], np.float32)
    assert_same(cupyx.rsqrt(cp.asarray(y)), 1 / np.sqrt(y))
    assert str(cupyx.get_runtime_info(full=False)).startswith("cuprum")


@pytest.mark.parametrize("dtype", [object, [("a", "f4"), ("b", object)]])
@pytest.mark.parametrize(
    "function", ["empty_pinned", "zeros_pinned", "empty_like_pinned", "zeros_like_pinned"]
)
def test_pinned_memory_holds_no_objects(function, dtype):
    given = np.ones(3) if "like" in function else 3
    with pytest.raises(ValueError, match="OBJECT"):
        getattr(cupyx, function)(given, dtype)


def test_pinned_pointers_into_memory_that_is_not_there():
    class Memory:
        ptr, size = 8, 64

    with pytest.raises(ValueError, match="cannot read"):
        cp.cuda.PinnedMemoryPointer(Memory(), 0)
    for name in ("ptr", "size"):
        for wrong, error in ((-1, OverflowError), (2**64, OverflowError), ("a", TypeError), (1.5, TypeError)):
            memory = Memory()
            memory.ptr = cp.cuda.PinnedMemory(64).ptr
            setattr(memory, name, wrong)
            with pytest.raises(error):
                cp.cuda.PinnedMemoryPointer(memory, 0)
    with pytest.raises(BufferError, match="__init__"):
        memoryview(cp.cuda.PinnedMemoryPointer.__new__(cp.cuda.PinnedMemoryPointer))


@pytest.mark.parametrize(
    ("ptr", "size", "error"),
    [
        (8, 64, ValueError),
        (2**64, 1, OverflowError),
        (-1, 1, OverflowError),
        ("a", 1, TypeError),
        (8, 2**64, OverflowError),
    ],
)
def test_unowned_memory_that_is_not_there(ptr, size, error):
    with pytest.raises(error):
        cp.cuda.UnownedMemory(ptr, size, None)


def test_a_chain_of_kernels_keeps_no_memory_that_nobody_reads_any_more():
    n = 1 << 18
    x = cp.arange(n, dtype=float)
    cp.evaluate(x)
    pool = cp.get_default_memory_pool()
    centre = cp.zeros((2, 1)) + 1.0
    pool.reset_peak()
    before = pool.used_bytes()
    for _ in range(24):  # one evaluation; each step has a result of 2 MiB, which its sum reads
        nearest = cp.argmin((x - centre) * (x - centre), axis=0)
        centre = cp.sum(cp.where(nearest == 0, x, 1.0)) / n + centre
        del nearest
    cp.evaluate(centre)
    assert pool.peak_bytes() - before < 12 * 8 * n


def _nodes_and_their_memory(x):
    """Buffers that live for pending nodes alone, in every way that there is. Nothing is left."""
    a = x + 1
    cp.evaluate(a)
    pending = a * 2
    del a  # it lives for its reader alone
    cp.evaluate(pending)
    b = x + 1
    cp.evaluate(b)
    b *= 2  # the buffer lives for what its own name is now
    b += 1
    cp.evaluate(b)
    c = x + 1
    cp.evaluate(c)
    dropped = c * 2
    del c, dropped  # nobody evaluates it
    whole = x + 1
    cp.evaluate(whole)
    square, other = whole * whole, whole[::2] * 2
    del whole
    cp.evaluate(square, other)
    total = (x * 3).sum()
    parts = x - total, x / total
    del total  # a result without a name, which two nodes read
    cp.evaluate(*parts)
    table = (x + 1).reshape(10, -1)
    centred = table - table.mean(0)
    scaled = centred / (centred * centred).mean(0)
    ordered = cp.sort(scaled, 0) + 1
    del table, centred, scaled
    cp.evaluate(ordered)


def test_memory_ends_with_its_last_reader():
    x = cp.arange(1000, dtype=float)
    cp.evaluate(x)
    pool = cp.get_default_memory_pool()
    gc.collect()
    before = pool.used_bytes()
    for _ in range(3):
        _nodes_and_their_memory(x)
    gc.collect()
    assert pool.used_bytes() == before
