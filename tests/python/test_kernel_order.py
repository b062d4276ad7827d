"""A program's own kernels are ordered like any other call: pending operands, streams, captures, late errors."""

import os
import subprocess
import sys
import threading

import pytest

import cuprum as cp
from cuprum.profiler._recording import Recording
from kernel_texts import CUDA, DEVICES, add, entered, scale

device = pytest.fixture(entered, params=DEVICES)
NEVER = 'extern "C" __global__ void never(int* x) { assert(*x == 1); *x = 2; }'
ROUNDS = 20  # a missing order shows now and then: far dawdles at random


def test_pending_operands(device):
    x = cp.arange(1000, dtype=cp.float32) * 2 + 1
    y = cp.ones(1000, cp.float32) - 3
    z = cp.zeros(1000, cp.float32)
    before = z + 5  # reads z, and has not run
    add()((4,), (256,), (x, y, z, 1000))
    after = z * 2
    assert (z == cp.arange(1000) * 2 - 1).all()
    assert (before == 5).all() and (after == z * 2).all()


def test_a_pending_array_is_written_where_it_is(device):
    x = cp.zeros(8, cp.float32)
    view = x[2:6]
    x += 1
    scale("float")[0]((1,), (4,), (view, 7, 4))
    x += 1
    assert x.tolist() == [2, 2, 8, 8, 8, 8, 2, 2]


def test_two_streams_without_a_synchronize(device):
    """Array code and kernels in turn on two streams: each comes behind what it needs."""
    (kernel,) = scale("double")
    for _ in range(ROUNDS):
        s, t = cp.cuda.Stream(), cp.cuda.Stream()
        with s:
            x = cp.arange(5000.0) + 1
        with t:
            kernel((20,), (256,), (x, 3, 5000))
            y = x - 1
        with s:
            x += y
            kernel((20,), (256,), (y, 2, 5000), stream=t)
        kernel((20,), (256,), (x, 10, 5000), stream=s)
        total = x + y
        expected = 3 * cp.arange(1, 5001.0)
        assert (total == (2 * expected - 1) * 10 + (expected - 1) * 2).all()


@pytest.mark.parametrize("make", ["pure", "launched", "raw"])
def test_a_kernel_in_the_middle_of_two_streams(device, make):
    """Its operands are pending on one stream, its result is read on another, and nobody synchronizes."""
    kernel = {
        "pure": cp.ElementwiseKernel("T x, T y", "T z", "z = x * y + 1", "middle"),
        "launched": cp.ElementwiseKernel("raw T x, T y", "T z", "z = x[i] * y + 1", "middle_raw"),
    }.get(make)
    raw = cp.RawKernel(
        r"""extern "C" __global__ void middle(const double* x, const double* y, double* z, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) z[i] = x[i] * y[i] + 1;
        }""",
        "middle",
    )
    for _ in range(ROUNDS):
        s, t = cp.cuda.Stream(), cp.cuda.Stream()
        with s:
            x = cp.arange(4000.0) + 2
            y = cp.sqrt(x * x)
        with t:
            if kernel:
                z = kernel(x, y)
            else:
                z = cp.empty_like(x)
                raw((16,), (256,), (x, y, z, 4000))
            w = z - 1
        with s:
            x *= 0  # behind what reads it
            total = (w - y * y).sum() + x.sum()
        assert float(total) == 0


def test_what_a_kernel_reads_is_not_overwritten_before(device):
    kernel = add()
    for _ in range(ROUNDS):
        s, t = cp.cuda.Stream(), cp.cuda.Stream()
        x, z = cp.ones(3000, cp.float32), cp.zeros(3000, cp.float32)
        with s:
            kernel((12,), (256,), (x, x, z, 3000))
        with t:
            x[:1500] = 100  # in place, behind the launch
            w = x + z
        assert (z == 2).all() and (w[:1500] == 102).all() and (w[1500:] == 3).all()


def test_memory_of_dropped_operands_waits_for_the_kernel(device):
    kernel = add()
    for _ in range(ROUNDS):
        z = cp.zeros(4096, cp.float32)
        with cp.cuda.Stream():
            kernel((16,), (256,), (cp.ones(4096, cp.float32), cp.ones(4096, cp.float32), z, 4096))
        with cp.cuda.Stream():
            others = [cp.evaluate(cp.full(4096, 9, cp.float32)) for _ in range(4)]
        assert (z == 2).all() and len(others) == 4


def test_variables_of_a_module_are_ordered_too(device):
    module = cp.RawModule(
        code=r"""__device__ double factor;
        extern "C" __global__ void times(double* x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= factor; }"""
    )
    kernel = module.get_function("times")
    factor = cp.ndarray((), cp.float64, module.get_global("factor"))
    for i in range(1, ROUNDS):
        s, t = cp.cuda.Stream(), cp.cuda.Stream()
        x = cp.ones(2048)
        with s:
            factor[...] = i
        with t:
            kernel((8,), (256,), (x,))
        with s:
            factor[...] = -1  # behind the launch
        assert (x == i).all()


def test_addresses_are_ordered_too(device):
    (kernel,) = scale("double")
    for _ in range(ROUNDS):
        s, t = cp.cuda.Stream(), cp.cuda.Stream()
        x = cp.ones(3000)
        address = x.data.ptr
        with s:
            x *= 3
        with t:
            kernel((12,), (256,), (address, 7, 3000))
        with s:
            x += 1
        assert (x == 22).all()


def test_a_graph_launches_kernels(device):
    (kernel,) = scale("float")
    x = cp.ones(100, cp.float32)
    with cp.cuda.Stream() as stream:
        stream.begin_capture()
        x += 1
        kernel((1,), (128,), (x, 2, 100))
        graph = stream.end_capture()
    assert (x == 1).all()
    graph.launch()
    graph.launch()
    assert (x == 10).all()


def test_threads_launch_at_the_same_time(device):
    (kernel,) = scale("long long")
    arrays = [cp.full(2000, i, cp.int64) for i in range(4)]

    def work(x):
        for _ in range(10):
            kernel((8,), (256,), (x, 3, 2000))

    threads = [threading.Thread(target=work, args=(x,)) for x in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((x == i * 3**10).all() for i, x in enumerate(arrays))


@pytest.mark.parametrize("name", ["cpu", "far"])
def test_a_kernel_that_fails(name):
    """At the call where the device computes at once, else where the thread next waits."""
    kernel = cp.RawKernel(NEVER, "never")
    with cp.Device(name):
        x = cp.zeros(1, cp.int32)
        with pytest.raises(RuntimeError, match="never"):
            kernel((1,), (1,), (x,))
            cp.cuda.get_current_stream().synchronize()
        assert x.tolist() == [0]
        x[...] = 1
        kernel((1,), (1,), (x,))
        assert x.tolist() == [2]


@pytest.mark.parametrize("name", CUDA)
def test_a_kernel_that_fails_on_a_gpu(name):
    """It takes the process's context with it; the error names the kernel while debugging."""
    program = f"""
import cuprum as cp
x = cp.zeros(1, cp.int32)
try:
    cp.RawKernel({NEVER!r}, "never")((1,), (1,), (x,))
    cp.cuda.get_current_stream().synchronize()
except RuntimeError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"CUPRUM_DEVICE": name, "CUPRUM_DEBUG": "1"},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert "kernel never" in done.stdout and "restart the process" in done.stdout


def test_the_timeline_shows_kernels_by_name():
    with cp.Device("far"):
        x = cp.ones(4, cp.float32)
        recording = Recording()
        scale("float")[0]((1,), (4,), (x, 2, 4))
        cp.cuda.get_current_stream().synchronize()
        recording.stop()
        assert any("scale" in span.name for span in recording.spans)
