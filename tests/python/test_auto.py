"""The device `auto`: small arrays stay on the host's side of an accelerator until they meet large ones or their
address is asked for. `far` is the accelerator here: memory that the host cannot read, and queues that dawdle.
"""

import contextlib
import copy
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core

HERE = Path(__file__).parent
LIMIT = 1024  # bytes: 128 float64


@pytest.fixture(autouse=True)
def auto():
    before = _core.set_auto_limit(LIMIT)
    with cp.Device("auto:far"):
        yield
    _core.set_auto_limit(before)


def on_host(*arrays):
    return [_core.is_on_host_side(a) for a in arrays]


def small(n=10):
    return cp.arange(float(n))


def large(n=1000):
    return cp.arange(float(n))


def same(a, expected):
    np.testing.assert_array_equal(a.get(), expected)


# -- Which arrays are where -----------------------------------------------------------------------------


def test_new_arrays_go_by_their_size():
    made = {
        "zeros": cp.zeros, "ones": cp.ones, "empty": cp.empty, "arange": cp.arange,
        "linspace": lambda n: cp.linspace(0.0, 1.0, n), "asarray": lambda n: cp.asarray(np.zeros(n)),
        "list": lambda n: cp.asarray([1.0] * n), "integers": lambda n: cp.asarray([1] * n),
        "random": lambda n: cp.random.default_rng(1).random(n), "legacy": lambda n: cp.random.rand(n),
        "strided": lambda n: cp.asarray(np.zeros((n, 2))[:, 0]), "full": lambda n: cp.full(n, 2.5),
        "cast": lambda n: cp.asarray(np.zeros(n, "i4"), dtype="f8"), "like": lambda n: cp.zeros_like(cp.zeros(n)),
    }  # fmt: skip
    assert {k: on_host(f(128), f(129)) for k, f in made.items()} == {k: [True, False] for k in made}


def test_results_stay_while_all_is_small():
    a = small()
    for result in (
        a * 2, -a, a.sum(), a[0], a[a > 1], a[[0, 1]], cp.sort(a), cp.outer(a, a)[0], cp.cumsum(a), a @ a,
        cp.where(a > 1, a, 0), cp.concatenate([a, a]), cp.fft.fft(a), a.reshape(2, 5) @ a.reshape(5, 2),
        cp.linalg.inv(cp.eye(3) + 1), cp.histogram(a, 3)[0], cp.unique(a), a.astype("i4"), cp.median(a),
    ):  # fmt: skip
        assert on_host(result) == [True] and result.device == "far"


def test_large_results_are_the_accelerators():
    a = small(60)
    for result, expected in (
        (cp.outer(a, a), np.outer(a.get(), a.get())),
        (a[:, None] + a, a.get()[:, None] + a.get()),
        (cp.broadcast_to(a, (60, 60)).copy(), np.broadcast_to(a.get(), (60, 60))),
        (cp.concatenate([a] * 9), np.concatenate([a.get()] * 9)),
        (cp.tile(a, 9), np.tile(a.get(), 9)),
        (cp.repeat(a, 9), np.repeat(a.get(), 9)),
        (cp.pad(a, 100), np.pad(a.get(), 100)),
        (a[np.arange(600) % 60], a.get()[np.arange(600) % 60]),
        (cp.fft.fft(a, 300), None),
        (cp.add.outer(a, a), np.add.outer(a.get(), a.get())),
        (cp.broadcast_to(a, (60, 60)).sum(), 60 * a.get().sum()),
    ):
        assert on_host(result) == [False]
        if expected is not None:
            same(result, expected)


def test_values_of_the_accelerator_stay_there():
    total, host = large().sum(), small()
    assert on_host(total, large()[3]) == [False, False]
    same(host * total, np.arange(10.0) * 499500)
    assert on_host(host) == [False]  # it has met one


def test_numbers_of_the_host_go_along_without_memory():
    a, x = small(), large()
    total, pending = a.sum() + a[3], (a * 2).sum()
    same(x * total * a[2] + pending, np.arange(1000.0) * 48 * 2 + 90)
    assert on_host(a, total, pending) == [True, True, True]


# -- Moving ---------------------------------------------------------------------------------------------


def test_all_views_move_together():
    a = small()
    part, flipped, rows = a[2:5], a[::-1], a.reshape(2, 5)
    part += large()[:3]
    assert on_host(a, part, flipped, rows) == [False] * 4
    part[0] = -1
    flipped[0] = -2
    same(a, [0, 1, -1, 4, 6, 5, 6, 7, 8, -2])
    same(rows.T[0], [0, 5])


def test_writes_before_and_after():
    a, x = small(), large(10 * LIMIT)
    a[1] = 7
    a *= 2
    a[2:4] = a[5:7]
    y = x[:10] + a
    a[0] = 9
    a += 1
    z = x[:10] + a
    same(y, np.arange(10.0) + [0, 14, 10, 12, 8, 10, 12, 14, 16, 18])
    same(z, np.arange(10.0) + [10, 15, 11, 13, 9, 11, 13, 15, 17, 19])


def test_what_was_recorded_before_reads_what_was_there():
    a = small()
    before = a * 10  # pending, on the host
    assert _core.is_pending(before)
    moved = a + large()[:10]
    a[...] = 0
    after = a * 10
    same(before, np.arange(10.0) * 10)
    same(moved, np.arange(10.0) * 2)
    same(after, np.zeros(10))
    assert on_host(before, after) == [True, False]


def test_a_pending_array_moves_with_its_value():
    a = small()
    b = a + 1
    b *= 2
    total = b + large()[:10]
    same(total, (np.arange(10.0) + 1) * 2 + np.arange(10.0))
    assert on_host(a, b) == [True, False]


# -- What the program knows of it -----------------------------------------------------------------------


def test_the_device_is_the_accelerator():
    a = small()
    assert a.device == "far" == cp.Device() == cp.zeros(1).device and str(a.device) == "far"
    assert a.to_device("far") is a and a.to_device("cpu").device == "cpu"
    assert cp.Device("auto:far") == "far" and repr(cp.Device("auto:far")) == "<Device far>"
    with cp.Device("cpu"):
        assert cp.zeros(1).device == "cpu"
    assert on_host(cp.zeros(1), cp.asarray(a.to_device("cpu"), device="auto:far")) == [True, True]
    if not os.environ.get("CUPRUM_DEVICE", "").startswith("auto"):  # else the process has chosen it
        assert on_host(cp.zeros(1, device="far")) == [False]
    assert _core.device_info("auto:far") == _core.device_info("far")


def test_addresses_are_the_accelerators():
    a = small()
    view = a[3:]
    assert a.data.ptr and on_host(a, view) == [False, False]
    view[0] = 5
    same(a, [0, 1, 2, 5, 4, 5, 6, 7, 8, 9])


def test_the_host_may_not_look_in():
    a = small()
    with pytest.raises(BufferError, match="far"):
        memoryview(a)
    with pytest.raises(BufferError, match="far"):
        a.__dlpack__()
    with pytest.raises(BufferError):
        a.__dlpack_device__()
    for protocol in ("__array_interface__", "__cuda_array_interface__"):
        with pytest.raises(AttributeError):
            getattr(a, protocol)
    with pytest.raises(TypeError, match=r"a\.get\(\)"):
        np.asarray(a)
    with pytest.raises(TypeError, match=r"argument 2 is a numpy\.ndarray"):
        a + np.zeros(10)
    with pytest.raises(ValueError, match="avoid copy"):
        cp.asarray(np.zeros(3), copy=False)
    with cp.transfer_guard("allow"):
        np.testing.assert_array_equal(np.asarray(a), np.arange(10.0))
    np.testing.assert_array_equal(np.from_dlpack(a, device="cpu"), np.arange(10.0))


def test_memory_of_the_host_is_copied():
    host = np.zeros(4)
    copies = cp.asarray(host), cp.frombuffer(host)
    host[:] = 1
    for a in copies:
        same(a, np.zeros(4))


def test_arrays_of_the_cpu_are_no_part_of_it():
    a, b = small(), cp.arange(10.0, device="cpu")
    for call in (lambda: a + b, lambda: cp.where(a > 1, a, b), lambda: a[b.astype(int)], lambda: a[2] + b,
                 lambda: a[2] + b[2], lambda: cp.add.at(a, b.astype(int), 1), lambda: a @ b, lambda: b * a.sum(),
                 lambda: cp.concatenate([a, b])):  # fmt: skip
        with pytest.raises(TypeError, match=r"to_device|two devices"):
            call()
    a[...] = b * 2  # a copy, as between any two
    same(a, np.arange(10.0) * 2)
    assert on_host(a) == [True]


def test_two_accelerators():
    a = small()
    with cp.Device("auto:far:1"):
        b = small()
        assert b.device == "far:1" and on_host(b) == [True]
    with pytest.raises(TypeError, match="far:1"):
        a + b
    same(a + b.to_device("auto:far"), np.arange(10.0) * 2)


def test_copies():
    a = small()
    for made in (a.copy(), copy.deepcopy(a), pickle.loads(pickle.dumps(a)), cp.array(a), a.get()):
        np.testing.assert_array_equal(cp.asnumpy(made), np.arange(10.0))
    out = np.empty(10)
    assert a.get(out=out) is out and out[9] == 9
    stream = cp.cuda.Stream()
    np.testing.assert_array_equal(a.get(stream=stream, blocking=False), np.arange(10.0))


def test_bad_indices():
    a, x = small(), large()
    with pytest.raises(IndexError, match="index 10 is out of bounds"):
        a[[1, 10]]
    with pytest.raises(IndexError, match="index 10 is out of bounds"):
        a[10]
    with pytest.raises(IndexError, match="out of bounds"):
        x[a.astype(int) + 995].get()
    with pytest.raises(IndexError, match="out of bounds"):
        a[(x[:3] * 7).astype(int)].get()


@pytest.mark.parametrize("n", [100, 128])
def test_bad_indices_of_a_list_are_found_by_the_call(n):
    """Wherever the array is by then: the result may be large, or the array a view of a large one."""
    a = cp.zeros((1, n))
    with pytest.raises(IndexError, match="index 1 is out of bounds"):
        a[[0, 1]]
    rows = cp.asarray(np.ones((2, n // 2)).tolist()).nonzero()[0]  # of a storage over the limit
    with pytest.raises(IndexError, match=f"index {n} is out of bounds"):
        rows[[n]]
    for index in ([n], cp.asarray([n]), np.asarray([n])):
        with pytest.raises(IndexError, match=f"index {n} is out of bounds"):
            rows[index] = large()[:1]
        with pytest.raises(IndexError, match=f"index {n} is out of bounds"):
            cp.add.at(rows, index, 1)


def test_errors_of_linear_algebra():
    for n in (3, 60):
        with pytest.raises(np.linalg.LinAlgError, match="Singular"):
            cp.linalg.inv(cp.zeros((n, n))).get()


# -- Kernels, streams, captures, threads ----------------------------------------------------------------


def test_kernels_run_on_the_accelerator():
    a, b = small(), cp.zeros(10)
    double = cp.RawKernel(
        'extern "C" __global__ void twice(const double* x, double* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }',
        "twice",
    )
    view = b[:3]
    double((1,), (10,), (a, b))
    same(b, np.arange(10.0) * 2)
    same(view, [0, 2, 4])
    assert on_host(a, b, view) == [False] * 3
    cube = cp.ElementwiseKernel("T x, T y", "T z", "z = x * x * x + y", "cube")
    c = cube(small(), small())
    same(c, np.arange(10.0) ** 3 + np.arange(10.0))
    assert on_host(c) == [False]
    squares = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = a", "0", "squares")
    same(squares(small()), 285)
    same(cp.vectorize(lambda x: x + 1)(small()), np.arange(10.0) + 1)
    same(cp.fuse(lambda x, y: x * y + 1)(small(), small()), np.arange(10.0) ** 2 + 1)


def test_streams():
    """Steps on several streams, with arrays that are made on the host and move on the stream that needs them."""
    streams = [cp.cuda.Stream() for _ in range(3)]

    def run(xp, on):
        a, x = xp.arange(10.0), xp.arange(1000.0)
        for k in range(20):
            with on(k):
                a += k
                x[:10] += a
                x = x * 2
                a = a.copy() if k % 2 else xp.arange(10.0) * float(a.sum() % 7)
        return a, x

    for ours, theirs in zip(run(cp, lambda k: streams[k % 3]), run(np, lambda k: contextlib.nullcontext())):
        same(ours, theirs)


def test_captures():
    a, scale, out = small(), cp.full(10, 2.0), cp.zeros(10)
    stream = cp.cuda.Stream()
    with stream:
        stream.begin_capture()
        out[...] = a * scale[0] + scale
        a += 1
        fresh = cp.zeros(10) + a
        graph = stream.end_capture()
    assert on_host(a, scale, out, fresh) == [False] * 4
    for _ in range(2):
        graph.launch()
    same(out, (np.arange(10.0) + 1) * 2 + 2)
    scale[...] = 3
    graph.launch()
    same(out, (np.arange(10.0) + 2) * 3 + 3)
    same(a, np.arange(10.0) + 3)


def test_writes_of_other_threads_are_not_lost():
    """Each thread writes its part of a small array, and one thread makes the array move."""
    _core.set_auto_limit(1 << 20)
    before = _core.set_small_bytes(0)  # every kernel runs without the lock
    parts, n = 4, 8192
    try:
        for _ in range(30):
            a, x = cp.zeros(parts * n), cp.ones((parts * n, 64))
            start, failed = threading.Barrier(parts + 1), []

            def write(k, a=a, start=start, failed=failed):
                try:
                    with cp.Device("auto:far"):
                        start.wait()
                        for i in range(20):
                            a[k * n : (k + 1) * n] = a[k * n : (k + 1) * n] + 1
                            a[k * n + i] = i
                except BaseException as error:
                    failed.append(error)

            def move(a=a, x=x, start=start, failed=failed):
                try:
                    with cp.Device("auto:far"):
                        start.wait()
                        (x[:, 0] * a).get()
                except BaseException as error:
                    failed.append(error)

            threads = [threading.Thread(target=write, args=(k,)) for k in range(parts)] + [
                threading.Thread(target=move)
            ]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            assert not failed
            expected = np.zeros(n)
            for i in range(20):
                expected += 1
                expected[i] = i
            same(a.reshape(parts, n), np.broadcast_to(expected, (parts, n)))
            assert on_host(a) == [False]
    finally:
        _core.set_small_bytes(before)


def test_random_numbers_are_those_of_numpy():
    ours, theirs = cp.random.default_rng(5), np.random.default_rng(5)
    for n in (3, 1000, 10, 5000, 1):
        same(ours.random(n), theirs.random(n))
        same(ours.standard_normal(n), theirs.standard_normal(n))
        same(ours.integers(0, 100, n), theirs.integers(0, 100, n))
        same(ours.permutation(n), theirs.permutation(n))


# -- As the device of the process -----------------------------------------------------------------------


def run(source, **environment):
    settings = {**os.environ, "CUPRUM_DEVICE": "auto:far", "CUPRUM_AUTO_LIMIT": str(LIMIT), **environment}
    return subprocess.run(
        [sys.executable, "-c", source], env=settings, capture_output=True, text=True, cwd=HERE
    )


def test_as_the_device_of_a_process():
    source = """
import cuprum as cp
from cuprum import _core
a, x = cp.zeros(3), cp.zeros(3000)
assert _core.is_on_host_side(a) and not _core.is_on_host_side(x)
assert cp.Device() == a.device == x.device == "far"
with cp.Device("far"), cp.Device():
    assert _core.is_on_host_side(cp.zeros(3)) and _core.is_on_host_side(cp.zeros(3, device="far"))
cp.evaluate(x)
assert cp.get_default_memory_pool().used_bytes() >= 24000
print(float((a + x[:3]).sum()), _core.is_pending(a), _core.is_on_host_side(a))
"""
    done = run(source)
    assert done.stdout == "0.0 False False\n", done.stderr


def test_without_an_accelerator_it_is_the_cpu():
    if _core.cuda_device_count():
        pytest.skip("a CUDA device is there, and `auto` takes it")
    done = run("import cuprum as cp; print(cp.zeros(3).device, cp.zeros(10**6).device)", CUPRUM_DEVICE="auto")
    assert done.stdout == "cpu cpu\n", done.stderr


@pytest.mark.parametrize("name", ["auto:", "auto:gpu", "automatic", "auto:auto"])
def test_what_is_no_device(name):
    with pytest.raises(ValueError, match="not a device"):
        cp.Device(name)
    done = run("import cuprum", CUPRUM_DEVICE=name)
    assert "CUPRUM_DEVICE" in done.stderr and "ValueError" in done.stderr


@pytest.mark.skipif(
    os.environ.get("CUPRUM_DEVICE", "cpu") != "cpu", reason="runs the suite on another device"
)
@pytest.mark.parametrize("name", ["test_assignment.py", "test_indexing.py", "test_operators.py"])
def test_parts_of_the_suite(name):
    """`make test-auto` runs all of it so."""
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(HERE / name)],
        env={**os.environ, "CUPRUM_DEVICE": "auto:far", "CUPRUM_AUTO_LIMIT": "256"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


@pytest.mark.parametrize("eager", ["", "1"])
def test_random_programs(program_seed, eager):
    """The same programs, their arrays on both sides."""
    source = f"""
from program_runner import check_seed, check_threads, check_streams
for seed in range({program_seed}, {program_seed} + 150):
    failure = check_seed(seed) or (seed % 10 == 0 and check_threads(seed)) or (seed % 10 == 1 and check_streams(seed))
    assert not failure, (seed, failure)
"""
    done = run(source, CUPRUM_AUTO_LIMIT="64", CUPRUM_EAGER=eager)
    assert done.returncode == 0, done.stderr
