"""Reading by index arrays is recorded: what the arrays held at the call is read when somebody asks for it."""

import threading

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from devices import HERE, HOST_MEMORY

READS = {
    "a[i]": lambda xp, a, i: a[i],
    "a[i, 0]": lambda xp, a, i: a[i, 0],
    "a[:, j]": lambda xp, a, i: a[:, i % 3],
    "a[i, j]": lambda xp, a, i: a[i, i % 3],
    "a[i, None, j]": lambda xp, a, i: a[i, None, i % 3],
    "a[..., j, None]": lambda xp, a, i: a[..., i % 3, None],
    "a[i[:, None], j]": lambda xp, a, i: a[i[:, None], i % 3],
    "a[-i]": lambda xp, a, i: a[-i],
    "a[i as int8]": lambda xp, a, i: a[i.astype("int8")],
    "take": lambda xp, a, i: xp.take(a, i),
    "take along 1": lambda xp, a, i: xp.take(a, i % 3, axis=1),
    "take clipped": lambda xp, a, i: xp.take(a, i * 5, mode="clip", axis=0),
    "take_along_axis": lambda xp, a, i: xp.take_along_axis(a, i.reshape(4, 1) % 4, axis=0),
}


@pytest.fixture(autouse=True)
def lazy():
    before = _core.get_debug()
    _core.set_debug(False)
    with cp.eager(False):
        yield
    _core.set_debug(before)


@pytest.fixture(autouse=True)
def nothing_is_few():
    """Few elements are gathered at once (test_small_calls.py)."""
    before = _core.set_small_bytes(0)
    yield
    _core.set_small_bytes(before)


def operands(xp):
    return xp.arange(12.0).reshape(4, 3) + 0, xp.array([3, 0, 2, 0]) + 0


def graph(a):
    return str(cp.show_graph(a))


def is_pending(a):
    return "nothing is pending" not in graph(a)


@pytest.mark.parametrize("read", READS.values(), ids=READS)
@pytest.mark.parametrize("pending", [False, True])
def test_is_recorded_and_reads_what_was_there(read, pending):
    (a, i), (host, j) = operands(cp), operands(np)
    if not pending:
        cp.evaluate(a, i)
    b, want = read(cp, a, i), read(np, host, j)
    assert is_pending(b) and "gather" in graph(b)
    assert is_pending(a) == pending  # what it reads from stays as it was
    for x, index in ((a, i), (host, j)):
        x += 100
        x[1:] = -1
        index[:] = 0
        index += 2
    assert b.dtype == want.dtype and b.shape == want.shape and b.strides == want.strides
    assert np.array_equal(cp.asnumpy(b), want)
    assert np.array_equal(cp.asnumpy(a), host) and np.array_equal(cp.asnumpy(i), j)


WRITES = {
    "a whole": lambda a, i: a.__iadd__(1),
    "a part": lambda a, i: a.__setitem__(slice(1, 3), 7),
    "an element": lambda a, i: a.__setitem__(2, 7),
    "by an index": lambda a, i: a.__setitem__([0, 2], 7),
    "by a mask": lambda a, i: a.__setitem__(a > 2, 7),
    "add.at": lambda a, i: cp.add.at(a, [0, 2], 1),
    "the index, whole": lambda a, i: i.__imul__(0),
    "the index, a part": lambda a, i: i.__setitem__(slice(None, None, 2), 0),
    "the index, out of bounds": lambda a, i: i.__setitem__(slice(1), 99),
    "the index by itself": lambda a, i: i.__setitem__(i % 2, 0),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_write_comes_behind_the_reads_before_it(write):
    a, i = cp.evaluate(cp.arange(5.0), cp.array([4, 0, 3, 3]))
    b, c = a[i], (a * 2)[i] + a[i]
    WRITES[write](a, i)
    assert b.tolist() == [4, 0, 3, 3] and c.tolist() == [12, 0, 9, 9]


def test_what_nobody_asks_for_is_not_computed():
    a, i = cp.evaluate(cp.arange(5.0), cp.array([4, 0]))
    before = _core.engine_stats()["calls"]
    b = a[i]
    kept = a[i] * 2
    del b
    assert _core.engine_stats()["calls"] == before
    kept = kept[cp.array([1, 0, 1])]  # and this is none that a kernel could read
    assert kept.tolist() == [0, 8, 0] and _core.engine_stats()["calls"] == before + 1


def test_gathers_of_gathers():
    a, i = cp.arange(6.0) * 2, cp.array([5, 4, 3, 2, 1, 0])
    x, want = a, np.arange(6.0) * 2
    for _ in range(600):  # more than one graph holds
        x, want = x[i] + 1, want[::-1] + 1
    assert np.array_equal(cp.asnumpy(x), want)


def test_the_graph_shows_it():
    a, i = cp.evaluate(cp.arange(5.0), cp.array([4, 0]))
    b = (a + 1)[i]
    text = graph(b.sum())
    assert "gather(" in text and text.count("\nkernel ") == 3  # `b` may be asked for
    del b
    text = graph((a + 1)[i].sum())
    assert "gather(" in text and text.count("\nkernel ") == 2


@pytest.mark.parametrize("index", ["i", "i + 0", "(i, 0)", "(slice(None), i)", "i.astype('int16')", "(i, i)"])
def test_a_bad_index_is_an_error_of_the_call_where_the_host_sees_it(index):
    a = cp.zeros((4, 4))
    i = cp.array([1, 9]) + cp.zeros(2, "i8")
    with pytest.raises(IndexError, match=r"^index 9 is out of bounds for axis [01] with size 4"):
        b = a[eval(index, {"i": i})]
        if not HOST_MEMORY:
            cp.asnumpy(b)
    HERE.synchronize()


@pytest.mark.parametrize("shape", [(3, 0), (3, 0, 2)])
def test_rows_without_elements_are_checked_too(shape):
    assert cp.zeros(shape)[cp.array([2, 0]) + 0].shape == (2, *shape[1:])
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        cp.zeros(shape)[cp.array([2, 3]) + 0]
        HERE.synchronize()


def test_no_elements_are_read_by_no_indices():
    assert cp.zeros((0, 2))[cp.array([], "i8")].shape == (0, 2)
    assert cp.zeros((3, 2))[cp.zeros((0, 4), "i8")].shape == (0, 4, 2)


def test_shared_memory_is_read_by_the_call():
    if not HOST_MEMORY:
        pytest.skip("NumPy's memory is copied here")
    host, index = np.arange(5.0), np.array([4, 0])
    a, i = cp.from_dlpack(host), cp.from_dlpack(index)
    b = a[i]
    host += 1
    index[:] = 77
    assert b.tolist() == [4, 0]


def test_captured_and_launched_again():
    a, i = cp.evaluate(cp.arange(5.0), cp.array([4, 0, 1]))
    out = cp.evaluate(cp.zeros(3))
    stream = cp.cuda.Stream()
    with stream:
        stream.begin_capture()
        out[:] = a[i]
        graph = stream.end_capture()
    for index in ([4, 0, 1], [2, 2, 2]):
        i.set(np.array(index))
        graph.launch(stream)
        stream.synchronize()
        assert out.tolist() == index
    i.set(np.array([0, 5, 0]))
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 5"):
        graph.launch(stream)
        stream.synchronize()


def test_streams_keep_the_order():
    streams = [cp.cuda.Stream.null, cp.cuda.Stream(), cp.cuda.Stream()]
    for repeat in range(20):
        a, i = cp.arange(2000.0), cp.arange(2000)[::-1] + 0
        with streams[repeat % 3]:
            b = a[i]
        with streams[(repeat + 1) % 3]:
            a += 1
            a[5:] = 0
            i[:] = 0
            c = b[i] + 1
        with streams[(repeat + 2) % 3]:
            i[:] = 3
            d = c[i] + b
        assert b[:3].tolist() == [1999, 1998, 1997] and c[:2].tolist() == [2000, 2000]
        assert d[:2].tolist() == [3999, 3998]


def test_threads_read_while_others_write():
    a = cp.evaluate(cp.arange(3000.0))
    i = cp.evaluate(cp.arange(3000))
    errors = []

    def read():
        try:
            for _ in range(100):
                assert float(a[i].max()) < 3000 and float(cp.take(a, i % 7).max()) < 7
        except Exception as error:
            errors.append(error)

    def write():
        for k in range(200):
            i[:] = (cp.arange(3000) + k) % 3000

    threads = [threading.Thread(target=f) for f in (read, read, write)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
