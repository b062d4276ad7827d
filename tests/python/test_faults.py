"""What a device cannot do is a Python exception, and the process goes on: memory that there is not, and, on a GPU, an
access outside all memory, after which the device is lost and everything else works."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE

ON_CUDA = str(HERE).startswith("cuda")


def works():
    """Is the device as it was?"""
    return (cp.arange(1000) * 2).sum().item() == 999000


@pytest.mark.parametrize(
    "make",
    [
        lambda: cp.evaluate(cp.empty(1 << 50, "u1")),
        lambda: cp.evaluate(cp.zeros((1 << 25, 1 << 25), "u1")),
        lambda: cp.evaluate(cp.arange(1 << 22)[:, None] + cp.broadcast_to(cp.ones(1), (1 << 27,))),
        lambda: cp.evaluate(cp.broadcast_to(cp.ones(1), (1 << 52,)).copy()),
        lambda: cp.evaluate(cp.sort(cp.broadcast_to(cp.ones(1), (1 << 52,)))),
        lambda: cp.evaluate(cp.take(cp.ones(3), cp.broadcast_to(cp.asarray([1]), (1 << 52,)))),
        lambda: cp.evaluate(cp.ones((1 << 26, 1)) @ cp.ones((1, 1 << 26))),
    ],
    ids=["empty", "zeros", "broadcast", "copy", "sort", "take", "matmul"],
)
def test_more_than_there_is(make):
    with pytest.raises(MemoryError, match=r"cannot allocate .*are in use by arrays.* are cached") as error:
        make()
    assert isinstance(error.value, cp.OutOfMemoryError)
    assert works()


def test_a_limit_explains_itself_and_leaves_everything_as_it_was():
    gc.collect()  # arrays that other tests left in cycles would go while memory is counted here
    pool = cp.get_default_memory_pool()
    a = cp.evaluate(cp.arange(1000.0))
    pool.free_all_blocks()
    pool.set_limit(size=pool.used_bytes() + (1 << 20))
    try:
        used = pool.used_bytes()
        with pytest.raises(
            cp.OutOfMemoryError, match=r"16\.00 MiB .*exceed the limit.*the limit is"
        ) as error:
            cp.evaluate(cp.zeros(1 << 21))
        assert pool.used_bytes() == used and a.sum().item() == 499500
        assert "cuprum: cannot allocate" in str(error.value)
        b = a + cp.zeros((1 << 11, 1))  # pending: it is needed later, and there is no room then either
        with pytest.raises(cp.OutOfMemoryError):
            cp.evaluate(b)
        pool.set_limit(size=0)
        assert b.sum().item() == 499500 * (1 << 11)  # it was not lost
    finally:
        pool.set_limit(size=0)


def test_what_is_cached_is_given_back_before_a_request_fails():
    pool = cp.get_default_memory_pool()
    pool.free_all_blocks()
    pool.set_limit(size=pool.used_bytes() + (40 << 20))
    try:
        for megabytes in (30, 20, 35, 10):  # two of them do not fit beside each other
            cp.evaluate(cp.zeros(megabytes << 20, "u1"))
    finally:
        pool.set_limit(size=0)


# A tensor whose owner frees it too early: the way to an illegal access without a kernel of one's own.
FAULT = """
import ctypes as c
import sys

import cuprum as cp


class Tensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("device_type", c.c_int32), ("device_id", c.c_int32), ("ndim", c.c_int32),
                ("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16), ("shape", c.c_void_p),
                ("strides", c.c_void_p), ("offset", c.c_uint64), ("context", c.c_void_p), ("deleter", c.c_void_p)]


cuda = c.CDLL("libcuda.so.1")
context, pointer = c.c_void_p(), c.c_uint64()
assert cuda.cuInit(0) == 0 and cuda.cuDevicePrimaryCtxRetain(c.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0
assert cuda.cuMemAlloc_v2(c.byref(pointer), c.c_size_t(64 << 20)) == 0

shape = (c.c_int64 * 1)(1000)
tensor = Tensor(pointer.value, 2, 0, 1, 2, 32, 1, c.addressof(shape), None, 0, None, None)
c.pythonapi.PyCapsule_New.restype = c.py_object
c.pythonapi.PyCapsule_New.argtypes = [c.c_void_p, c.c_char_p, c.c_void_p]


class Elsewhere:
    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, **_):
        return c.pythonapi.PyCapsule_New(c.addressof(tensor), b"dltensor", None)


before = cp.evaluate(cp.arange(10.0))
bad = cp.from_dlpack(Elsewhere())
cp.cuda.synchronize()
assert cuda.cuMemFree_v2(pointer) == 0
for attempt in (lambda: (bad + 1, cp.cuda.synchronize()),
                lambda: before.get(),
                lambda: cp.evaluate(cp.zeros(123456)),
                lambda: (before * 2).get(),
                lambda: cp.evaluate(cp.sort(before)),
                lambda: cp.cuda.synchronize()):
    try:
        attempt()
        print("nothing")
    except Exception as error:
        print(type(error).__name__, str(error).replace(chr(10), " "))
with cp.Device("cpu"):
    print((cp.arange(5) * 2).sum().item())
"""


NOWHERE = (
    FAULT.replace("Tensor(pointer.value,", "Tensor(0x1000,").split("bad = ")[0]
    + """
try:
    cp.from_dlpack(Elsewhere())
except BufferError as error:
    print(error)
print(before.sum().item())
"""
)


@pytest.mark.skipif(not ON_CUDA, reason="tensors that say they are on a GPU")
def test_a_tensor_that_is_not_where_it_says_is_refused():
    found = subprocess.run([sys.executable, "-c", NOWHERE], capture_output=True, text=True, timeout=120)
    assert found.stdout.splitlines() == [
        "cuprum.from_dlpack: the tensor does not lie in memory of cuda:0",
        "45.0",
    ], found.stderr


@pytest.mark.skipif(not ON_CUDA, reason="an illegal access ends a process of the CPU")
@pytest.mark.parametrize("debug", ["0", "1"])
def test_an_illegal_access_is_an_exception_and_the_process_survives(debug, tmp_path):
    program = tmp_path / "faulty.py"
    program.write_text(FAULT)
    found = subprocess.run(
        [sys.executable, program],
        env={**os.environ, "CUPRUM_DEBUG": debug},
        capture_output=True,
        text=True,
        timeout=120,
    )
    lines = found.stdout.splitlines()
    assert found.returncode == 0, found.stdout + found.stderr
    assert len(lines) == 7 and lines[-1] == "20", found.stdout + found.stderr
    for text in lines[:-1]:
        assert text.startswith("RuntimeError"), lines
        assert "restart the process" in text and "are lost" in text, lines
    assert "illegal memory access" in lines[0]
    if debug == "1":
        number = 1 + next(i for i, text in enumerate(FAULT.splitlines()) if "bad + 1" in text)
        assert f"add at {program}:{number}" in lines[0], lines[0]


def test_values_of_numpy_are_not_disturbed_by_failures():
    with pytest.raises(MemoryError):
        cp.evaluate(cp.empty(1 << 50, "u1"))
    np.testing.assert_array_equal(cp.asnumpy(cp.arange(4) + 1), [1, 2, 3, 4])
    _core.wait(HERE.name)
