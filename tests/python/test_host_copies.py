"""Arrays of integers that came from the host a moment ago: as indices they are checked by the call, without waiting.

On a device that finds bad indices late, an array keeps the integers that it was made from until something may have
written them. `known` asks for that: a fault that has yet to be told is told by whoever waits, so a call that waits
tells it.
"""

import operator

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE, HOST_MEMORY

LATE = not HOST_MEMORY

late_only = pytest.mark.skipif(not LATE, reason="every index is checked by the call here")


@pytest.fixture(autouse=True)
def not_debugging():
    before = _core.get_debug()
    _core.set_debug(False)
    with cp.eager(False):  # a number that fills an array is known while it is pending
        yield
    _core.set_debug(before)


def wait():
    _core.wait(HERE.name)


def known(i):
    """Does the call find that an index is out of bounds?"""
    try:
        cp.evaluate(cp.take(cp.arange(2), i))
    except IndexError as error:
        assert "found by the device" not in str(error)
        return True
    with pytest.raises(IndexError, match="found by the device"):
        wait()
    return False


MAKERS = {
    "list": lambda: cp.array([1, 9]),
    "asarray": lambda: cp.asarray([1, 9]),
    "two-dimensional": lambda: cp.array([[1, -8], [3, 0]]),
    "a number": lambda: cp.array([9]),
    "NumPy": lambda: cp.asarray(np.array([1, 9])),
    "unsigned": lambda: cp.asarray(np.array([1, 9], "u2")),
    "Fortran order": lambda: cp.array(np.array([[1, 9], [0, 1]], order="F")),
    "backwards": lambda: cp.asarray(np.array([9, 1])[::-1]),
    "another byte order": lambda: cp.asarray(np.array([9, 1], ">i4")),
    "another dtype": lambda: cp.array([1, 9], dtype="i2"),
    "another order": lambda: cp.array(np.array([[1, 9], [0, 1]]), order="F"),
    "a NumPy scalar": lambda: cp.asarray(np.int8(9)).reshape(1),
    "a 0-d array": lambda: cp.array(9),
    "a pending fill": lambda: cp.full((2, 3), 9),
    "a view": lambda: cp.array([1, 2, 3, 9])[::3],
    "a reversed view": lambda: cp.array([9, 0])[::-1],
    "transposed": lambda: cp.array([[1, 9], [0, 1]]).T,
    "broadcast": lambda: cp.broadcast_to(cp.array([9]), (3, 1)),
    "broadcast far": lambda: cp.broadcast_to(cp.array([[1], [9]]), (2, 1 << 20)),
}


@pytest.mark.parametrize("maker", MAKERS)
def test_what_the_host_gave_is_known(maker):
    assert known(MAKERS[maker]())


@pytest.mark.parametrize(
    "call",
    ["a[i]", "a.take(i)", "cp.take(a, i, axis=0)", "cp.take_along_axis(a, i, 0)", "cp.put(a, i, 5)",
     "cp.put(a, i.reshape(2, 1), 5)", "cp.put(a, cp.array(np.array([[2, -8], [1, 0]], order='F')), 5)",
     "cp.put_along_axis(a, i, 5, 0)", "operator.setitem(a, i, 5)", "cp.add.at(a, i, 1)", "a.put(i, [1, 2])",
     "b[i, [0, 1]]", "b[:, i]", "b[0, i]", "operator.setitem(b, (slice(1), i), 3)"],
)  # fmt: skip
def test_every_call_checks(call):
    names = {
        "cp": cp,
        "np": np,
        "operator": operator,
        "a": cp.arange(4),
        "b": cp.zeros((4, 4)),
        "i": cp.array([2, -8]),
    }
    with pytest.raises(IndexError, match=r"index -8 is out of bounds for axis [01] with size 4") as error:
        eval(call, names)
    assert "found by the device" not in str(error.value)
    wait()
    assert names["a"].tolist() == [0, 1, 2, 3] and not names["b"].any()


def test_choose_checks_and_need_not_wait():
    i = cp.array([0, 2, 1])
    with pytest.raises(ValueError, match="reach from 0 to 2, there are 2 choices"):
        cp.choose(i, [cp.arange(3), cp.arange(3)])
    assert cp.choose(i, [cp.arange(3), cp.arange(3) * 10, cp.arange(3) * 100]).tolist() == [0, 100, 20]


@late_only
@pytest.mark.parametrize(
    "call",
    ["a[i]", "cp.take(a, i)", "cp.put(a, i, 5)", "cp.choose(i, [a, a, a, a])", "a[cp.array(2)]", "b[i, i]",
     "cp.take_along_axis(a, i, 0)", "a.__setitem__(i, 7)", "cp.add.at(a, i, 1)", "cp.take(a, i + 9, mode='clip')"],
)  # fmt: skip
def test_known_indices_need_no_waiting(call):
    a, b = cp.evaluate(cp.arange(4), cp.zeros((4, 4)))
    names = {"cp": cp, "a": a, "b": b, "i": cp.array([0, 3, 1, 2])}
    cp.evaluate(cp.arange(3)[cp.array([4]) + 1])
    eval(call, names)
    with pytest.raises(IndexError, match="index 5"):
        wait()


WRITES = {
    "in place": lambda i: operator.iadd(i, 7),
    "an element": lambda i: operator.setitem(i, 0, 9),
    "a part": lambda i: operator.setitem(i, slice(1, None), 9),
    "a mask": lambda i: operator.setitem(i, cp.array([True, False]), 9),
    "an index": lambda i: operator.setitem(i, cp.array([1]), 9),
    "through a view": lambda i: operator.iadd(i[1:], 8),
    "through a reshaped view": lambda i: operator.setitem(i.reshape(2, 1), (1, 0), 9),
    "through a view of bytes": lambda i: operator.setitem(i.view("u1"), slice(0, 1), 9),
    "out": lambda i: cp.add(i, 8, out=i),
    "out of a part": lambda i: cp.add(i[:1], 9, out=i[:1]),
    "fill": lambda i: i.fill(9),
    "put": lambda i: cp.put(i, [0], 9),
    "add.at": lambda i: cp.add.at(i, [1], 9),
    "copyto": lambda i: cp.copyto(i, 9),
    "putmask": lambda i: cp.putmask(i, cp.array([True, False]), 9),
    "place": lambda i: cp.place(i, cp.array([True, False]), [9]),
    "set": lambda i: i.set(np.array([0, 9])),
    "sum into it": lambda i: cp.sum(cp.array([[9, 9]]), axis=0, out=i),
    "a scan into it": lambda i: cp.cumsum(cp.array([4, 5]), out=i),
    "a product into it": lambda i: cp.matmul(cp.array([[9, 0], [0, 9]]), cp.array([1, 0]), out=i),
    "take into it": lambda i: cp.take(cp.array([0, 9]), cp.array([0, 1]), out=i),
    "another name": lambda i: operator.iadd(i[...], 8),
    "its real part": lambda i: operator.iadd(i.real, 8),
}


@pytest.mark.parametrize("write", WRITES)
def test_after_a_write_the_array_counts(write):
    """The integers of the beginning are good as indices, those after the write are not."""
    i = cp.array([0, 1])
    WRITES[write](i)
    with pytest.raises(IndexError, match=r"index \d+ is out of bounds for axis 0 with size 2"):
        cp.evaluate(cp.take(cp.arange(2), i))
        wait()


@pytest.mark.parametrize("write", WRITES)
def test_after_a_write_nothing_old_is_found(write):
    """The integers of the beginning are bad as indices, those after the write are good."""
    i = cp.array([99, 98])
    WRITES[write](i)
    i[...] = cp.array([0, 1])
    assert cp.take(cp.arange(2) + 5, i).tolist() == [5, 6]


EXPORTS = {"address": lambda i: i.data.ptr, "a view's address": lambda i: i[1:].data.ptr}
if str(HERE).startswith(
    "cuda"
):  # memory that no host can read and that is not CUDA's goes out by address alone
    EXPORTS |= {"DLPack": lambda i: i.__dlpack__(), "array interface": lambda i: i.__cuda_array_interface__}


@late_only
@pytest.mark.parametrize("way", EXPORTS)
def test_whose_address_is_out_is_not_known(way):
    i = cp.array([1, 9])
    assert known(i)
    EXPORTS[way](i)
    assert not known(i)


@late_only
def test_reading_forgets_nothing():
    i = cp.array([1, 9])
    i + 1, i.sum(), i.get(), i.tolist(), cp.sort(i), cp.asarray(i), i.copy(), i.astype("f4"), cp.evaluate(i)
    assert known(i)


@late_only
@pytest.mark.parametrize(
    "make",
    [lambda: cp.array([1, 9]) + 0, lambda: cp.arange(8, 10), lambda: cp.array([1, 9]).copy(),
     lambda: cp.evaluate(cp.full(2, 9)), lambda: cp.asarray(np.arange(10_000))],
)  # fmt: skip
def test_what_the_device_made_or_is_long_is_not_known(make):
    assert not known(make())


def test_long_lists_and_numpy_arrays_are_checked_by_the_call():
    a = cp.arange(100)
    for i in ([*range(100)] * 50 + [100], np.arange(3000).reshape(30, 100).T % 101):
        with pytest.raises(IndexError, match="index 100 is out of bounds") as error:
            a[i]
        assert "found by the device" not in str(error.value)
        with pytest.raises(IndexError, match="index 100 is out of bounds"):
            cp.put(a, i, 1)
    wait()


@late_only
def test_a_large_view_is_left_to_the_device():
    """Windows that overlap have more elements than the host keeps bytes."""
    assert not known(cp.lib.stride_tricks.sliding_window_view(cp.array([9] * 100), 40))
