"""Pools of a program's own, allocators, hooks, and memory by its address: CuPy's names, and what they mean."""

import gc
import io
import json
import threading
import warnings

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from cuprum.cuda import memory_hooks, runtime
from devices import HERE

ON_HOST = _core.device_info(HERE.name)["host_accessible"]


@pytest.fixture(autouse=True)
def here():
    with HERE:
        yield
        assert cp.cuda.get_allocator() == cp.get_default_memory_pool().malloc


@pytest.fixture
def pool():
    return cp.cuda.MemoryPool()


# -- Pools ------------------------------------------------------------------------------------------------


def test_pools_are_independent(pool):
    other = cp.cuda.MemoryPool()
    default = cp.get_default_memory_pool().used_bytes()
    first = pool.malloc(1000)
    assert pool.used_bytes() >= 1000 and pool.total_bytes() >= pool.used_bytes()
    assert other.used_bytes() == other.total_bytes() == other.n_free_blocks() == 0
    assert cp.get_default_memory_pool().used_bytes() == default
    pool.set_limit(size=1 << 20)
    assert pool.get_limit() == 1 << 20 and other.get_limit() == 0
    with pytest.raises(cp.OutOfMemoryError, match=r"limit is 1\.00 MiB"):
        pool.malloc(2 << 20)
    assert other.malloc(2 << 20).mem.size == 2 << 20
    assert first.mem.size == 1000


def test_blocks_of_a_pool(pool):
    mem = pool.malloc(1).mem
    assert isinstance(mem, cp.cuda.PooledMemory) and isinstance(mem, cp.cuda.BaseMemory)
    assert not isinstance(pool.malloc(0).mem, cp.cuda.PooledMemory)
    assert pool.n_free_blocks() == 0
    mem.free()
    mem.free()
    assert mem.ptr == 0 and pool.n_free_blocks() == 1 and pool.used_bytes() == 0
    pool.free_all_blocks()
    assert pool.n_free_blocks() == pool.total_bytes() == 0
    with pytest.warns(DeprecationWarning, match="free_all_blocks"):
        pool.free_all_free()


def test_large_blocks_are_cut_and_joined(pool):
    whole = pool.malloc(64 << 20)
    address = whole.ptr
    del whole
    cp.Device().synchronize()
    parts = [pool.malloc(size << 20) for size in (40, 20)]
    assert parts[0].ptr == address and address + (40 << 20) <= parts[1].ptr < address + (64 << 20)
    assert pool.n_device_allocations() == 1
    del parts
    cp.Device().synchronize()
    assert pool.n_free_blocks() == 1
    assert pool.malloc(64 << 20).ptr == address and pool.n_device_allocations() == 1


def test_a_large_block_stays_whole_for_the_next_of_its_kind(pool):
    whole = pool.malloc(64 << 20)
    address = whole.ptr
    del whole
    cp.Device().synchronize()
    part = pool.malloc(16 << 20)
    assert not address <= part.ptr < address + (64 << 20)
    assert pool.malloc(64 << 20).ptr == address
    pool.set_limit(pool.total_bytes())  # pressed, it is cut
    parts = [pool.malloc(16 << 20) for _ in range(3)]
    assert min(part.ptr for part in parts) == address


def test_a_pool_ends_behind_its_arrays(pool):
    with cp.cuda.using_allocator(pool.malloc):
        a = cp.evaluate(cp.arange(1000.0))
        b = cp.evaluate(a * 2)
    assert pool.used_bytes() >= 16000
    del pool, a
    gc.collect()
    assert b.sum().item() == 999000
    b += 1
    assert b.sum().item() == 1000000


def test_blocks_of_one_stream_can_be_given_back(pool):
    if not _core.device_info(HERE.name)["asynchronous"]:
        pytest.skip("memory belongs to no stream")
    pointers = []
    for stream in (cp.cuda.Stream.null, cp.cuda.Stream()):
        with stream, cp.cuda.using_allocator(pool.malloc):
            pointers.append((stream, cp.evaluate(cp.ones(4 << 20))))
    (_, a), (other, b) = pointers
    del pointers, a, b
    total = pool.total_bytes()
    pool.free_all_blocks(stream=other)
    assert 0 < pool.total_bytes() < total
    pool.free_all_blocks()
    assert pool.total_bytes() == 0


@pytest.mark.parametrize("kind", [cp.cuda.MemoryPool, cp.cuda.MemoryAsyncPool])
def test_limits(kind):
    pool = kind()
    none = pool.get_limit()
    assert none == (0 if kind is cp.cuda.MemoryPool else 2**64 - 1)
    total = cp.Device().mem_info[1]
    pool.set_limit(fraction=0.5)
    assert pool.get_limit() == total // 2
    pool.set_limit(fraction=1.0)
    assert pool.get_limit() == total
    pool.set_limit(size=0)
    assert pool.get_limit() == none
    for wrong in ({"size": -1}, {"fraction": -1}, {"fraction": 1.1}, {"size": 1, "fraction": 1}):
        with pytest.raises(ValueError, match="set_limit"):
            pool.set_limit(**wrong)


def test_peaks(pool):
    a = pool.malloc(3 << 20)
    del a
    assert pool.peak_bytes() >= 3 << 20 and pool.peak_total_bytes() >= pool.peak_bytes()
    pool.free_all_blocks()
    pool.reset_peak()
    assert pool.peak_bytes() == pool.peak_total_bytes() == 0


# -- Allocators -------------------------------------------------------------------------------------------


def test_an_allocator_of_one_thread(pool):
    used = []

    def work():
        with HERE:
            assert cp.cuda.get_allocator() == cp.get_default_memory_pool().malloc
            a = cp.evaluate(cp.ones(1000))
            used.append(pool.used_bytes())
            assert a.sum() == 1000

    with cp.cuda.using_allocator(pool.malloc):
        assert cp.cuda.get_allocator() == pool.malloc
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        inner = cp.cuda.MemoryPool()
        with cp.cuda.using_allocator(inner.malloc):
            a = cp.evaluate(cp.ones(1000))
        assert cp.cuda.get_allocator() == pool.malloc
        with pytest.raises(ValueError, match="using_allocator"):
            cp.cuda.set_allocator(inner.malloc)
    assert used == [0] and inner.used_bytes() >= 8000 and a.sum() == 1000


def test_no_pool():
    default = cp.get_default_memory_pool()
    before = default.used_bytes()
    for allocator in (None, cp.cuda.malloc_async):
        cp.cuda.set_allocator(allocator)
        try:
            a = cp.evaluate(cp.arange(128) + 1)
            assert default.used_bytes() == before and a.sum() == 8256
        finally:
            cp.cuda.set_allocator(default.malloc)


def test_an_allocator_in_python():
    asked, given = [], []

    def allocator(size):
        asked.append(size)
        pointer = cp.cuda.MemoryPointer(cp.cuda.Memory(size), 0)
        given.append(pointer.ptr)
        return pointer

    used = cp.get_default_memory_pool().used_bytes()
    with cp.cuda.using_allocator(allocator):
        a = cp.evaluate(cp.arange(1000.0))
        b = cp.evaluate(a * 2 + 1, a.sum())[0]
        c = cp.sort(-b)
        assert c[0].item() == -1999 and b.sum().item() == 1000000
    assert a.data.ptr == given[0] and asked[0] == 8000 and len(asked) >= 4
    assert cp.get_default_memory_pool().used_bytes() == used
    assert (b + 1).sum().item() == 1001000


def test_an_allocator_that_raises_leaves_everything_as_it_was():
    a = cp.evaluate(cp.arange(1000.0))

    def allocator(size):
        raise KeyError("no more")

    with pytest.raises(KeyError, match="no more"):
        with cp.cuda.using_allocator(allocator):
            b = a + 1
            for _ in range(3):
                with pytest.raises(KeyError, match="no more"):
                    cp.evaluate(b)
    assert b.sum().item() == 500500 and a.sum().item() == 499500


def test_an_allocator_in_python_with_threads():
    """Threads that want the graph's lock let the allocator have the GIL."""

    def allocator(size):
        sum(range(2000))  # time for others to take the GIL
        return cp.cuda.MemoryPointer(cp.cuda.Memory(size), 0)

    def work(results):
        with HERE:
            for i in range(60):
                a = cp.arange(100.0) + i
                results.append((a * 2).sum().item() == 9900 + 200 * i)

    results = []
    cp.cuda.set_allocator(allocator)
    try:
        threads = [threading.Thread(target=work, args=(results,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        cp.cuda.set_allocator(cp.get_default_memory_pool().malloc)
    assert len(results) == 240 and all(results)


def test_a_pool_over_an_allocator_in_python():
    asked = []

    def allocator(size):
        if sum(asked) + size > 16 << 20:
            raise MemoryError("no more")
        asked.append(size)
        return cp.cuda.MemoryPointer(cp.cuda.Memory(size), 0)

    pool = cp.cuda.MemoryPool(allocator)
    with cp.cuda.using_allocator(pool.malloc):
        a = cp.evaluate(cp.arange(1000.0))
        for _ in range(10):
            b = cp.evaluate(a * 2)
        with pytest.raises(cp.OutOfMemoryError, match="an allocator's memory"):
            cp.evaluate(cp.zeros(4 << 20))
    assert 1 <= len(asked) <= 3 and pool.total_bytes() == sum(asked)
    assert b.sum().item() == 999000


def test_functions_as_allocators():
    freed = []

    def give_back(address, device_id):
        freed.append(address)
        runtime.free(address)

    pair = cp.cuda.PythonFunctionAllocator(lambda size, device_id: runtime.malloc(size), give_back)
    with cp.cuda.using_allocator(pair.malloc):
        a = cp.evaluate(cp.ones(100))
        assert a.sum().item() == 100 and not freed
        address = a.data.ptr
    del a
    gc.collect()
    assert address in freed


@pytest.mark.parametrize("wrong", [3, "malloc", cp.cuda.MemoryPool])
def test_what_is_no_allocator(wrong):
    with pytest.raises((TypeError, AttributeError)):
        with cp.cuda.using_allocator(wrong):
            cp.evaluate(cp.ones(3))


def test_an_allocator_that_fails_can_be_left():
    def refuse(size):
        raise KeyError("no memory")

    before = cp.cuda.get_allocator()
    cp.cuda.set_allocator(refuse)
    try:
        pending = cp.arange(500) + 1  # of a few the numbers would be there already
        with pytest.raises(KeyError):
            cp.cuda.set_allocator(before)
    finally:
        cp.cuda.set_allocator(before)
    assert pending.tolist() == list(range(1, 501)) and cp.cuda.get_allocator() == before


def test_memory_that_was_asked_for_is_written_in_place():
    pool = cp.cuda.MemoryPool()
    pointer = pool.malloc(1 << 20)
    a = cp.ndarray(1 << 17, "f8", pointer)
    a.fill(2)
    a *= 3
    cp.evaluate(a)
    assert pool.used_bytes() >= 1 << 20 and a.data.ptr == pointer.ptr
    assert a.sum().item() == 6 << 17


def test_managed_memory():
    pointer = cp.cuda.malloc_managed(1024)
    assert isinstance(pointer.mem, cp.cuda.ManagedMemory)
    a = cp.ndarray(128, "f8", pointer)
    a.fill(2)
    pointer.mem.prefetch(cp.cuda.Stream.null)
    pointer.mem.prefetch(cp.cuda.Stream(), device_id=0)
    pointer.mem.advise(1, cp.cuda.Device(0))
    assert a.sum().item() == 256
    with pytest.raises(RuntimeError, match="no device"):
        pointer.mem.prefetch(cp.cuda.Stream.null, device_id=10**8)
    with pytest.raises(RuntimeError, match="advices are 1 to 6"):
        pointer.mem.advise(-1, cp.cuda.Device(0))
    pool = cp.cuda.MemoryPool(cp.cuda.malloc_managed)
    with cp.cuda.using_allocator(pool.malloc):
        assert cp.evaluate(cp.ones(1000)).sum().item() == 1000
    assert pool.total_bytes() > 0


def test_memory_in_the_order_of_a_stream():
    stream = cp.cuda.Stream()
    with stream:
        pointer = cp.cuda.malloc_async(100)
        assert pointer.mem.stream_ref() == stream
    assert isinstance(cp.cuda.MemoryAsyncPool().malloc(100).mem, cp.cuda.MemoryAsync)


# -- Pointers ---------------------------------------------------------------------------------------------


def test_bytes_by_pointer_on_a_stream():
    stream = cp.cuda.Stream()
    host = np.arange(16, dtype=np.uint8)
    a, b = cp.cuda.alloc(16), cp.cuda.alloc(16)
    a.copy_from_host_async(host, 16, stream)
    b.copy_from_device_async(a, 16, stream)
    (b + 8).memset_async(7, 4, stream)
    out = np.zeros(16, np.uint8)
    b.copy_to_host_async(out, 16, stream)
    stream.synchronize()
    want = host.copy()
    want[8:12] = 7
    np.testing.assert_array_equal(out, want)
    b.copy_from_async(a, 16, stream)
    b.copy_to_host(out.ctypes.data, 16)
    np.testing.assert_array_equal(out, host)
    a.copy_from_host(want.ctypes.data_as(__import__("ctypes").c_void_p), 16)
    a.copy_to_host(out, 16)
    np.testing.assert_array_equal(out, want)
    assert (a + 4 - 4).ptr == int(a)


# -- Hooks ------------------------------------------------------------------------------------------------


class History(cp.cuda.MemoryHook):
    name = "history"

    def __init__(self):
        self.events = []

    def _note(kind):
        def method(self, **event):
            self.events.append((kind, event))

        return method

    alloc_preprocess, alloc_postprocess = _note("alloc_pre"), _note("alloc")
    malloc_preprocess, malloc_postprocess = _note("malloc_pre"), _note("malloc")
    free_preprocess, free_postprocess = _note("free_pre"), _note("free")

    def kinds(self):
        return [kind for kind, _ in self.events]


def test_hooks_see_requests_in_their_order(pool):
    hook = History()
    with hook:
        pointer = pool.malloc(1)
        address = pointer.ptr
        del pointer
        again = pool.malloc(1)
        del again
    pool.malloc(1)  # nobody listens
    pair = ["malloc_pre", "malloc", "free_pre", "free"]
    assert hook.kinds() == ["alloc_pre", "alloc", *pair, *pair]
    size = pool.malloc(1).mem.size
    events = dict(hook.events[:4])
    assert events["alloc"]["mem_ptr"] == events["malloc"]["mem_ptr"] == address
    assert events["malloc"]["size"] == size == 1 and events["malloc"]["mem_size"] >= 1
    assert set(events["malloc_pre"]) == {"device_id", "size", "mem_size"}
    assert hook.events[3][1]["pmem_id"] == hook.events[5][1]["pmem_id"]


def test_hooks_see_arrays_and_not_other_threads(pool):
    with History() as hook, cp.cuda.using_allocator(pool.malloc):
        thread = threading.Thread(target=lambda: cp.cuda.MemoryPool().malloc(100))
        thread.start()
        thread.join()
        assert hook.kinds() == []
        a = cp.evaluate(cp.arange(1000.0) + 1)
        assert [event["size"] for kind, event in hook.events if kind == "malloc"] == [8000]
        del a
        assert hook.kinds()[-1] == "free"
        with pytest.raises(KeyError, match="history"):
            History().__enter__()


def test_a_hook_may_compute_and_raise(pool, capsys):
    class Odd(cp.cuda.MemoryHook):
        name = "odd"

        def malloc_postprocess(self, **event):
            assert cp.evaluate(cp.ones(10)).sum().item() == 10
            raise ValueError("a hook's own")

    seen = []
    with warnings.catch_warnings(), Odd():
        warnings.simplefilter("ignore")
        import sys

        sys.unraisablehook, before = seen.append, sys.unraisablehook
        try:
            pointer = pool.malloc(100)
        finally:
            sys.unraisablehook = before
    assert pointer.mem.size == 100 and isinstance(seen[0].exc_value, ValueError)


def test_printing_hook(pool):
    file = io.StringIO()
    with memory_hooks.DebugPrintHook(file):
        pointer = pool.malloc(1)
        address = pointer.ptr
        del pointer
    lines = [json.loads(line) for line in file.getvalue().splitlines()]
    assert [line["hook"] for line in lines] == ["alloc", "malloc", "free"]
    assert all(line["mem_ptr"] == address for line in lines)
    assert lines[1]["size"] == 1 and lines[1]["pmem_id"] == lines[2]["pmem_id"] == hex(
        int(lines[1]["pmem_id"], 16)
    )


def test_line_profile_hook(pool):
    hook = memory_hooks.LineProfileHook()
    pool.malloc(1024)
    with hook:
        kept = [pool.malloc(1024), pool.malloc(2048)]
    file = io.StringIO()
    hook.print_report(file)
    report = file.getvalue()
    assert len(kept) == 2
    assert report.startswith("_root (3.00KB, 2.00KB)\n")
    assert f"{__file__}:" in report and ":test_line_profile_hook (3.00KB, 2.00KB)" in report
    short = memory_hooks.LineProfileHook(max_depth=1)
    with short:
        pool.malloc(1000)
    file = io.StringIO()
    short.print_report(file)
    assert file.getvalue().count("\n") == 1


# -- The runtime's functions ------------------------------------------------------------------------------


def test_memory_by_address():
    kinds = runtime.memcpyHostToDevice, runtime.memcpyDeviceToDevice, runtime.memcpyDeviceToHost
    x, y = np.arange(100.0), np.zeros(100)
    a, b = runtime.malloc(800), runtime.mallocManaged(800)
    for stream in (None, runtime.streamCreate()):
        y[...] = 0
        for to, what, kind in ((a, x.ctypes.data, kinds[0]), (b, a, kinds[1]), (y.ctypes.data, b, kinds[2])):
            if stream is None:
                runtime.memcpy(to, what, 800, kind)
            else:
                runtime.memcpyAsync(to, what, 800, kind, stream)
        if stream is not None:
            runtime.streamSynchronize(stream)
        np.testing.assert_array_equal(x, y)
    runtime.memset(b, 255, 8)
    runtime.memsetAsync(b + 8, 1, 8, 0)
    runtime.memcpy(y.ctypes.data, b, 800, runtime.memcpyDefault)
    assert y.view(np.int64)[:3].tolist() == [-1, 0x0101010101010101, x.view(np.int64)[2]]
    runtime.free(a)
    runtime.free(b)
    runtime.free(0)
    for address in (a, 12345):
        with pytest.raises(runtime.CUDARuntimeError, match="nothing that was allocated"):
            runtime.free(address)
    with pytest.raises(runtime.CUDARuntimeError, match="direction"):
        runtime.memcpy(1, 2, 3, 9)
    pinned = runtime.hostAlloc(64, runtime.hostAllocDefault)
    assert runtime.pointerGetAttributes(pinned).type == runtime.memoryTypeHost
    runtime.freeHost(pinned)
    c = runtime.mallocAsync(64, 0)
    assert runtime.pointerGetAttributes(c).type == runtime.memoryTypeDevice
    runtime.freeAsync(c, 0)


def test_attributes_by_number():
    threads = runtime.deviceGetAttribute(runtime.cudaDevAttrMaxThreadsPerBlock, HERE.id)
    assert threads == HERE.attributes["MaxThreadsPerBlock"] and runtime.cudaDevAttrMaxThreadsPerBlock == 1
    with pytest.raises(runtime.CUDARuntimeError, match="no attribute"):
        runtime.deviceGetAttribute(10**6, HERE.id)
    stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    assert (
        runtime.streamGetFlags(stream) == runtime.streamNonBlocking and runtime.streamGetPriority(stream) == 0
    )
    free, total = runtime.memGetInfo()
    assert 0 < free <= total
