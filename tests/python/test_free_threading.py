"""Objects that several threads share and change: nothing crashes, and what is read is something that was written.

These tests say what Cuprum promises without the GIL (docs/laziness.md, Threads). They run with it too, where threads
change places wherever a call waits. CUPRUM_STRESS=20 repeats them twenty times as often; `make test-tsan-python` runs
them under ThreadSanitizer.
"""

import itertools
import os
import random
import sys
import sysconfig
import threading

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from cuprum import _info as info
from devices import HERE, needs_host_memory
from together import together

ROUNDS = 30 * int(os.environ.get("CUPRUM_STRESS", 1))
THREADS = [2, 8]


pytestmark = pytest.mark.usefixtures("switch_often")


@pytest.fixture(autouse=True, params=["small", "long"])
def without_the_lock(request):
    """As it is, and as if every kernel took its time: then each runs without the graph's lock and the GIL."""
    before = _core.set_small_bytes(0) if request.param == "long" else None
    yield
    if before is not None:
        _core.set_small_bytes(before)


def has_gil():
    return getattr(sys, "_is_gil_enabled", lambda: True)()


def test_the_module_does_not_ask_for_the_gil():
    asked = os.environ.get("PYTHON_GIL") == "1" or sys._xoptions.get("gil") == "1"
    assert has_gil() == (asked or not sysconfig.get_config_var("Py_GIL_DISABLED"))
    assert ("without the GIL" in info.text()) == (not has_gil())


# -- Objects that change --------------------------------------------------------------------------------


@pytest.mark.parametrize("n", THREADS)
def test_shape_is_set_while_others_read(n):
    x = cp.arange(24.0)
    shapes = [(24,), (4, 6), (2, 3, 4), (24, 1), (1, 2, 2, 6)]

    def reshape():
        x.shape = random.choice(shapes)

    def read():
        assert x.shape in shapes
        assert float(x.sum()) == 276
        assert float((x * 2).ravel()[5]) == 10
        assert x.get().ravel().tolist() == list(range(24))
        assert x.T.shape[::-1] in shapes and x.reshape(x.shape).shape in shapes
        assert x.strides[-1] == 8 and x.size == 24
        assert cp.concatenate([x.ravel(), x.ravel()]).shape == (48,)

    together(*[reshape, read] * (n // 2), repeat=ROUNDS)


@pytest.mark.parametrize("n", THREADS)
def test_dtype_and_flags_are_set_while_others_read_and_write(n):
    x = cp.zeros(16)

    def change():
        x.dtype = random.choice(["float64", "int64", "uint64", "complex128", "int8", "float64"])
        x.flags.writeable = random.random() < 0.5

    def read():
        assert not x.any()
        assert complex((x + 1).sum()) == x.size or x.dtype  # the sum is of one dtype, the size of another
        try:
            x[...] = 0
        except ValueError as error:
            assert "read-only" in str(error)
        assert not x[: len(x) // 2].get().any()

    together(*[change, read] * (n // 2), repeat=ROUNDS)


@pytest.mark.parametrize("n", THREADS)
def test_resized_while_others_read(n):
    x = cp.ones(100)

    def resize():
        x.resize(random.randrange(1, 300))

    def read():
        assert set(np.unique(x.get())) <= {0.0, 1.0}
        assert 0 <= float(x.sum()) <= 300
        assert x[:1].shape == (1,)

    together(resize, *[read] * (n - 1), repeat=ROUNDS)


def test_states_are_remembered_once():
    x = cp.arange(6.0)
    for _ in range(100):
        for shape in [(2, 3), (6,), (3, 2)]:
            x.shape = shape
            assert x.shape == shape and x.ravel().tolist() == [0, 1, 2, 3, 4, 5]


def test_memory_of_before_goes_with_a_resize():
    with HERE:
        pool = cp.get_default_memory_pool()
        x = cp.evaluate(cp.ones(1 << 20))
        before = pool.used_bytes()
        x.resize(8)
        cp.evaluate(x)
        assert pool.used_bytes() <= before - (1 << 22)
        assert x.tolist() == [1.0] * 8


@pytest.mark.parametrize("n", THREADS)
def test_one_iterator_for_all(n):
    for _ in range(ROUNDS // 3):
        rows = iter(cp.arange(20.0).reshape(10, 2))
        seen = []

        def take(rows=rows, seen=seen):
            for row in rows:
                seen.append(float(row[0]))

        together(*[take] * n)
        assert set(seen) == set(range(0, 20, 2))
        assert next(rows, None) is None


@pytest.mark.parametrize("n", THREADS)
def test_lists_that_others_change(n):
    arrays = [cp.full(3, 1.0) for _ in range(4)]
    numbers = [1, 2, 3]

    def change():
        arrays.append(cp.full(3, 1.0))
        arrays.pop(0)
        numbers.append(len(numbers))
        numbers[:] = numbers[-5:]
        del numbers[0]
        numbers.insert(0, 1)

    def read():
        assert not (cp.stack(arrays) != 1).any()
        assert not (cp.concatenate(arrays) != 1).any()
        assert not (cp.array(arrays) != 1).any()
        assert cp.asarray(numbers).dtype == np.int64
        assert cp.arange(1000)[numbers].ndim == 1
        cp.evaluate(arrays)

    together(change, *[read] * (n - 1), repeat=ROUNDS)


@needs_host_memory
@pytest.mark.parametrize("n", THREADS)
def test_a_capsule_is_consumed_once(n):
    for _ in range(ROUNDS // 3):
        capsule = cp.arange(5.0).__dlpack__()
        got = []

        def consume(capsule=capsule, got=got):
            try:
                got.append(_core.from_dlpack(capsule))
            except ValueError as error:
                assert "multiple times" in str(error)

        together(*[consume] * n)
        assert len(got) == 1 and got[0].tolist() == [0, 1, 2, 3, 4]


# -- Values ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", THREADS)
def test_parts_of_one_array_are_written_by_all(n):
    x = cp.zeros(8 * n)
    y = x.reshape(8, n).T  # its rows are those parts

    def write(k):
        def run():
            x[k::n] += 1
            y[k, 2:] = y[k, 2:] + 0
            assert float(x[k]) >= 1

        return run

    together(*[write(k) for k in range(n)], repeat=ROUNDS)
    assert (x.get() == ROUNDS).all()


@pytest.mark.parametrize("n", THREADS)
def test_whole_arrays_are_swapped_while_others_read(n):
    x, y, own = cp.full(100, 1.0), cp.full(100, 2.0), cp.full(100, 1.0)

    def write():
        x[...] = y * 2 - 3  # 1

    def write_both():
        write()
        own[1:] = x[1:] * 1  # nobody reads it meanwhile: a part is written where others may be reading

    def read():
        z = x + y
        del_me = x[10:20]
        assert set(z.get()) == {3.0}
        assert set(del_me.get()) == {1.0}
        assert bool(cp.all(x == 1))

    together(write_both, *[write] * (n // 2 - 1), *[read] * (n // 2), repeat=ROUNDS)


@pytest.mark.parametrize("n", THREADS)
def test_an_expression_that_somebody_holds_is_no_temporary(n):
    """`target[1:] = value` may use up an expression that dies with the statement, and no other."""
    x = cp.arange(50.0)
    held = [x + 1]

    def store():
        target = cp.zeros(51)
        value = x + 1
        held[0] = value
        target[1:] = value
        target[1:] = x + 1
        assert target.get()[1:].tolist() == value.get().tolist()

    def read():
        assert held[0].get().tolist() == list(range(1, 51))

    together(*[store, read] * (n // 2), repeat=ROUNDS)


@pytest.mark.parametrize("n", THREADS)
def test_views_outlive_what_they_were_taken_from(n):
    made = [cp.arange(64.0).reshape(8, 8)]

    def replace():
        made[0] = cp.arange(64.0).reshape(8, 8) + 0

    def read():
        whole = made[0]
        view = whole[2:, 1]
        del whole
        assert view.base is None or view.base.size == 64
        assert view.get().tolist() == list(range(17, 64, 8))

    together(replace, *[read] * (n - 1), repeat=ROUNDS)


OPERATIONS = [
    lambda m, a, b: a + b,
    lambda m, a, b: a * 2 - b,
    lambda m, a, b: m.sort(a, axis=None).reshape(a.shape),
    lambda m, a, b: m.where(a > b, a, b),
    lambda m, a, b: a.T[::-1].T + b,
    lambda m, a, b: m.cumsum(a, axis=0) * 5,
    lambda m, a, b: (a - b).sum(axis=1, keepdims=True) * m.ones_like(a),
    lambda m, a, b: m.concatenate([a, b])[2 : 2 + len(a)],
    lambda m, a, b: m.einsum("ij,kj->ik", a, b),
    lambda m, a, b: a[[3, 1, 0, 2]] * 15,
    lambda m, a, b: m.maximum(a, 0) @ b,
]


@pytest.mark.parametrize("n", THREADS)
def test_random_programs_over_shared_arrays(n):
    """Each thread computes with what all have made so far, in NumPy too; with integers, which do not round."""
    random_numbers = np.random.default_rng(1)
    start = [random_numbers.integers(-8, 8, (4, 4)) for _ in range(3)]
    shared = [(cp.asarray(a), a) for a in start]
    seeds = itertools.count(1)
    lock = threading.Lock()

    def program():
        with lock:
            draw = random.Random(next(seeds))
        for _ in range(4):
            (a, a_host), (b, b_host) = draw.choice(shared), draw.choice(shared)
            operation = draw.choice(OPERATIONS)
            made, want = operation(cp, a, b) % 997, operation(np, a_host, b_host) % 997
            if draw.random() < 0.4:
                np.testing.assert_array_equal(made.get(), want)
            shared[draw.randrange(len(shared))] = made, want

    together(*[program] * n, repeat=ROUNDS)
    for made, want in shared:
        np.testing.assert_array_equal(made.get(), want)


# -- Settings, streams ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", THREADS)
def test_settings_change_while_others_compute(n):
    x = cp.arange(100.0)

    def change():
        with cp.eager(random.random() < 0.5), cp.errstate(divide="raise"):
            assert float((x + 1).sum()) == 5050

    def compute():
        assert float((x * 2 + 1).sum()) == 10000
        assert str(x[:2]) == "[0. 1.]"

    try:
        together(*[change, compute] * (n // 2), repeat=ROUNDS)
    finally:
        _core.set_eager(os.environ.get("CUPRUM_EAGER") == "1")


@pytest.mark.parametrize("n", THREADS)
def test_streams_and_events_that_all_use(n):
    streams = [cp.cuda.Stream() for _ in range(2)]
    event = cp.cuda.Event()
    event.record(streams[0])
    x = cp.arange(100.0)

    def work():
        with random.choice(streams) as stream:
            y = x * 2
            event.record(stream)
            assert not stream.is_capturing()
        random.choice(streams).wait_event(event)
        assert float(y.sum()) == 9900
        assert event.done in (True, False) and stream.done in (True, False)

    together(*[work] * n, repeat=ROUNDS)


@pytest.mark.parametrize("n", THREADS)
def test_captures_of_one_thread_and_work_of_others(n):
    stream = cp.cuda.Stream()
    x = cp.arange(100.0)
    cp.evaluate(x)

    def capture():
        with stream:
            stream.begin_capture()
            y = x + 1
            cp.evaluate(y)
            graph = stream.end_capture()
            graph.launch()
            assert float(y.sum()) == 5050

    def others():
        assert stream.is_capturing() in (True, False)
        assert float((x * 2).sum()) == 9900

    together(capture, *[others] * (n - 1), repeat=ROUNDS)
