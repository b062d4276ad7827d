"""Numbers that the CPU has: values without memory, and NumPy's scalars beside arrays."""

import threading

import numpy as np
import pytest

import cuprum as cp
from devices import needs_host_memory

DTYPES = [
    "bool",
    "int8",
    "int64",
    "uint8",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]


def same(ours, theirs):
    ours = cp.asnumpy(ours)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    assert ours.tobytes() == np.asarray(theirs).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_element_has_its_number(dtype):
    host = np.array([[0, 1, 2], [3, 4, 100]]).astype(dtype)
    a = cp.asarray(host)
    for i in (0, 1, -1):
        for j in (0, 2, -3):
            same(a[i, j], host[i, j])
            same(a[i][j], host[i][j])
    same(a[1, 2][()], host[1, 2])
    same(a[1, 2].reshape(1, 1), host[1, 2].reshape(1, 1))


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8", "float32", "float64"])
@pytest.mark.parametrize("op", ["add", "subtract", "multiply", "divide", "remainder", "equal", "maximum"])
def test_arithmetic_on_numbers_is_that_on_arrays(op, dtype):
    host = np.array([3, 5, 7, 2]).astype(dtype)
    a = cp.asarray(host)
    call = getattr(cp, op)
    for i in range(4):
        for other in (a[1], 2, 2.5, np.float32(3), np.int16(2)):
            theirs = host[1] if isinstance(other, cp.ndarray) else other
            with np.errstate(all="ignore"):
                same(call(a[i], other), getattr(np, op)(host[i], theirs))
                same(call(other, a[i]), getattr(np, op)(theirs, host[i]))
            whole = call(a, other if not isinstance(other, cp.ndarray) else a[1])
            assert cp.asnumpy(whole)[i].tobytes() == cp.asnumpy(call(a[i], other)).tobytes()


def test_a_number_is_a_snapshot():
    a = cp.arange(4.0)
    value = a[2]
    kept = value * 1.0
    a[2] = 50
    assert float(value) == 2 and float(kept) == 2
    view = value.view()
    view[...] = 9
    assert float(value) == 2


def test_a_number_gets_memory_when_somebody_asks_for_its_address():
    value = cp.arange(4.0)[3] * 2
    other = cp.arange(4.0)[3] * 2
    assert value.data.ptr != other.data.ptr
    assert value.get() == 6 and value.tolist() == 6
    cp.add(1.0, 2.0, out=value)
    assert float(value) == 3 and float(value + 1) == 4 and float(other) == 6


def test_threads_ask_one_number_for_its_memory():
    for _ in range(50):
        value = cp.arange(4.0)[3] + 1
        start, seen = threading.Barrier(4), []

        def ask(value=value, start=start, seen=seen):
            start.wait()
            seen.append(value.data.ptr)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        assert len(set(seen)) == 1 and float(value) == 4


@needs_host_memory
def test_numbers_beside_arrays():
    """Sums of these few numbers have NumPy's bits where NumPy's processor adds them."""
    host = np.random.default_rng(0).random((3, 4)).astype("float32")
    a = cp.asarray(host)
    for value, theirs in [(a[1, 2], host[1, 2]), (a[0].sum(), host[0].sum())]:
        same(a * value, host * theirs)
        same(value - a, theirs - host)
        same(cp.where(a > value, a, value), np.where(host > theirs, host, theirs))
    two = cp.asarray([1.0, 2.0])
    assert (a * two[1]).dtype == "float64"


@needs_host_memory
def test_an_integer_value_indexes_as_an_integer_does():
    a, order = cp.zeros((3, 2)), cp.asarray([2, 0, -1])
    host, theirs = np.zeros((3, 2)), np.array([2, 0, -1])
    for k in range(3):
        a[order[k]] += k + 1
        host[theirs[k]] += k + 1
        row = a[order[k]]
        row[1] = 7
        theirs_row = host[theirs[k]]
        theirs_row[1] = 7
    same(a, host)
    assert float(a[order[1], 1]) == 7
    with pytest.raises(IndexError, match="out of bounds"):
        a[order[0] + 1]


@pytest.mark.parametrize(
    "kind", [np.float64, np.float32, np.int8, np.uint64, np.bool_, np.complex64, np.longlong]
)
def test_numpys_scalars_are_operands(kind):
    number = kind(1)
    host = np.array([1, 2, 3])
    a = cp.asarray(host)
    for x, y in [(a, host), (a[1], host[1]), (a.astype("float32"), host.astype("float32"))]:
        same(number * x, number * y)
        same(x * number, y * number)
        same(number + x, number + y)
        same(x > number, y > number)
        same(number < x, number < y)
        same(np.add(x, number), np.add(y, number))
    b = a.astype("complex128")
    b *= number
    same(b, host.astype("complex128") * number)


@pytest.mark.parametrize("n", [1, 2, 3, 17, 256, 257, 1000, 5000])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex64", "float16"])
def test_a_product_of_vectors_is_the_same_now_and_later(n, dtype):
    rng = np.random.default_rng(n)
    x = cp.asarray((rng.random(2 * n) * 8).astype(dtype))
    y = cp.asarray((rng.random((n, 3)) * 8).astype(dtype))
    for a, b in [(x[:n], x[n:]), (x[::2], y[:, 1]), (x[:n][::-1], y[:, 2])]:
        now = [a @ b, cp.dot(a, b), cp.matmul(a, b)]
        pending = (a + cp.zeros(n, dtype)) @ b  # of an operand that has yet to be computed
        stored = cp.empty((1, 1), dtype)
        cp.matmul(a[None, :], b[:, None], out=stored)
        for value in (*now, pending):
            assert value.dtype == dtype and value.shape == ()
            if a.strides[0] == cp.dtype(dtype).itemsize or value is not pending:
                assert cp.asnumpy(value).tobytes() == cp.asnumpy(stored).tobytes()
