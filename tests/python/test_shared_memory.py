"""Arrays over memory that somebody outside lends twice, or lends back to us: overlap is judged by address."""

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE

on_host = pytest.mark.skipif(HERE != "cpu", reason="the host's memory is not the device's")


class Interface:
    """Memory that is known by CUDA's protocol alone."""

    def __init__(self, a):
        self.a = a
        self.__cuda_array_interface__ = a.__cuda_array_interface__


def by_numpy(h):
    return cp.asarray(h, copy=False)


def by_dlpack(h):
    return cp.from_dlpack(h)


def by_buffer(h):
    return cp.frombuffer(h, h.dtype)


def by_memoryview(h):
    return cp.asarray(memoryview(h), copy=False)


def by_address(h):
    memory = cp.cuda.UnownedMemory(h.ctypes.data, h.nbytes, h)
    return cp.ndarray(h.shape, h.dtype, cp.cuda.MemoryPointer(memory, 0))


LENT = [by_numpy, by_dlpack, by_buffer, by_memoryview, by_address]


def windows(first, second, n=50):
    """Two arrays over one NumPy array, a step apart, and the NumPy arrays they lie over."""
    h = np.arange(1.0, n + 1)
    return h, first(h[:-1]), second(h[1:])


@on_host
@pytest.mark.parametrize("first", LENT)
@pytest.mark.parametrize("second", LENT)
def test_windows_of_one_array(first, second):
    h, p, q = windows(first, second)
    want = h.copy()
    want[1:] += want[:-1]
    q += p
    np.testing.assert_array_equal(h, want)
    assert cp.shares_memory(p, q) and cp.may_share_memory(p, q) and not cp.shares_memory(p[:5], q[5:])


STATEMENTS = [
    "q += p",
    "p += q",
    "q[:] = p",
    "p[::-1] = q",
    "q[::2] = p[::2] * 2",
    "cp.add(p, q, out=q)",
    "cp.add(p[::-1], q, out=q)",
    "cp.multiply(p, 2, out=q, where=p > 3)",
    "cp.cumsum(p, out=q)",
    "cp.cumsum(q, out=p)",
    "cp.add.accumulate(p, out=q)",
    "cp.maximum.accumulate(q, out=p)",
    "q[cp.arange(9)] = p[:9]",
    "cp.put(q, cp.arange(9), p[:9])",
    "q[p > 4] = p[p > 4] * 3",
    "cp.copyto(q, p)",
    "cp.copyto(p, q, where=p > 3)",
    "cp.add.at(q, cp.arange(9), p[:9])",
    "cp.concatenate([p[:4], p[5:]], out=q[:len(p) - 1])",
    "cp.take(p, cp.arange(len(p))[::-1], out=q)",
    "cp.matmul(cp.ones((3, 3)), p[:9].reshape(3, 3), out=q[:9].reshape(3, 3))",
    "cp.dot(p[:9].reshape(3, 3), cp.ones((3, 3)), out=q[:9].reshape(3, 3))",
    "cp.sum(p[:9].reshape(3, 3), axis=0, out=q[:3])",
    "cp.mean(p[:9].reshape(3, 3), axis=1, out=q[:3])",
    "cp.clip(p, 2, 5, out=q)",
    "cp.where(p > 2, p, q).sum(); q[:] = p",
    "p[:], q[:] = q.copy(), p.copy()",
    "cp.divmod(p, 2, out=(q, None))",
    "cp.place(q, p > 3, p[:2])",
    "cp.putmask(q, p > 3, p)",
    "q.sort(); p[::-1].sort()",
    "cp.cbrt(p, out=q)",
    "cp.roll(p, 2).copy(); p[1:] -= q[:-1]",
]


@on_host
@pytest.mark.parametrize("source", STATEMENTS)
def test_statements_read_before_they_write(source):
    h, p, q = windows(by_numpy, by_dlpack, 12)
    want = np.arange(1.0, 13.0)
    exec(source, {"cp": cp, "p": p, "q": q})
    exec(source, {"cp": np, "p": want[:-1], "q": want[1:]})
    np.testing.assert_allclose(h, want, rtol=1e-15)


def returned(a):
    """The array's own memory as another array, on any device."""
    block = a.data.mem
    memory = cp.cuda.UnownedMemory(block.ptr, block.size, a)
    return cp.ndarray(
        a.shape, a.dtype, cp.cuda.MemoryPointer(memory, _core.block_of(a)[1]), strides=a.strides
    )


@pytest.mark.parametrize("source", STATEMENTS)
def test_statements_over_memory_that_comes_back(source):
    a = cp.arange(1.0, 13.0)
    p, q = a[:-1], returned(a)[1:]
    want = np.arange(1.0, 13.0)
    exec(source, {"cp": cp, "p": p, "q": q})
    exec(source, {"cp": np, "p": want[:-1], "q": want[1:]})
    np.testing.assert_allclose(a.get(), want, rtol=1e-15)


def test_shares_memory_by_address():
    a = cp.arange(24.0).reshape(4, 6)
    b = returned(a)
    assert cp.shares_memory(a, b) and cp.shares_memory(a[::2], b[:3])
    assert not cp.shares_memory(a[:, ::2], b[:, 1::2]) and not cp.shares_memory(a[:2], b[2:])
    assert cp.may_share_memory(a[:, ::2], b[:, 1::2])
    assert not cp.shares_memory(a, a.copy()) and not cp.shares_memory(a, a + 1)


def test_what_is_pending_over_memory_that_comes_back():
    """A result that was recorded before a write through the other array is what it was."""
    a = cp.arange(6.0)
    b = returned(a)
    sums, products = a + 1, b * 2
    b[:] = 7
    total = a.sum()
    a[0] = 1
    assert sums.tolist() == [1, 2, 3, 4, 5, 6] and products.tolist() == [0, 2, 4, 6, 8, 10]
    assert total.item() == 42 and b.tolist() == [1, 7, 7, 7, 7, 7]


@pytest.mark.skipif(not str(HERE).startswith("cuda"), reason="CUDA's protocol needs a GPU")
def test_cuda_array_interface_twice():
    a = cp.arange(1.0, 51.0)
    p, q = cp.asarray(Interface(a[:-1])), cp.asarray(Interface(a[1:]))
    want = np.arange(1.0, 51.0)
    want[1:] += want[:-1]
    q += p
    np.testing.assert_array_equal(a.get(), want)
