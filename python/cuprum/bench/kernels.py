"""A program's own kernels on the CPU beside the same loops in C++ with OpenMP, compiled by the same compiler.

`python -m cuprum.bench.kernels` prints each kernel's time over the loop's. The two take turns, on one thread each, by
the thread's processor time: other programs slow both alike. A figure is the middle of several rounds' ratios.
"""

import argparse
import ctypes
import fnmatch
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass

import numpy as np

import cuprum as cp
from cuprum import _core

GOAL = 1.5  # of kernels without barriers
FLAGS = "-std=gnu++20 -O3 -march=native -fopenmp -shared -fPIC -fno-math-errno -fno-trapping-math -ffp-contract=fast"


@dataclass
class Row:
    """`kernel` is the body of a kernel over `parameters`, `loop` the same as C++ after `#pragma omp parallel for`."""

    name: str
    parameters: str
    kernel: str
    loop: str
    grid: tuple
    block: tuple
    arguments: object  # a function that makes them, arrays of NumPy and numbers
    shared: bool = False  # it has barriers

    def kernel_text(self):
        return f'extern "C" __global__ void run({self.parameters}) {{ {self.kernel} }}\n'

    def loop_text(self):
        head = "#include <cmath>\nusing namespace std;\nstruct float4 { float x, y, z, w; };\n"
        return (
            head + f'extern "C" void run({self.parameters}) {{\n#pragma omp parallel for\n{self.loop}\n}}\n'
        )


N = 1 << 22
W = H = 2048
D = 160
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
PLANE = "int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;"
POINTS = "const float* x, float* y, int n"
IMAGE = "const float* x, float* y, int w, int h"
STENCIL = "int at = r * w + c; y[at] = 0.2f * (x[at] + x[at - 1] + x[at + 1] + x[at - w] + x[at + w]);"
CUBE = (
    "int at = (k * d + j) * d + i;"
    "float sum = x[at - 1] + x[at + 1] + x[at - d] + x[at + d] + x[at - d * d] + x[at + d * d];"
    "y[at] = x[at] + 0.1f * (sum - 6 * x[at]);"
)
BLACK = (
    "float root = sqrtf(t[i]), d = (logf(s[i] / 100.f) + 0.07f * t[i]) / (0.3f * root);"
    "y[i] = s[i] / (1.f + expf(-1.7f * d)) - 100.f * expf(-0.02f * t[i]) / (1.f + expf(-1.7f * (d - 0.3f * root)));"
)


def _random(*shape):
    return np.random.default_rng(len(shape)).random(shape, np.float32) + 0.5


def _empty(*shape):
    return np.zeros(shape, np.float32)


def _histogram():
    return [np.random.default_rng(0).integers(0, 256, N).astype(np.int32), np.zeros(256, np.int32), N]


def _product():
    return [_random(256, 256), _random(256, 256), _empty(256, 256), 256]


def _blocks(shape, block):
    return tuple(-(-n // b) for n, b in zip(shape, block, strict=True))


def _stencil(block):
    return Row(
        f"stencil, blocks of {block[0]} x {block[1]}",
        IMAGE,
        f"{PLANE} if (c > 0 && r > 0 && c < w - 1 && r < h - 1) {{ {STENCIL} }}",
        f"for (int r = 1; r < h - 1; ++r) for (int c = 1; c < w - 1; ++c) {{ {STENCIL} }}",
        _blocks((W, H), block),
        block,
        lambda: [_random(H, W), _empty(H, W), W, H],
    )


def _cubes(block):
    return Row(
        f"3-d stencil, blocks of {' x '.join(map(str, block))}",
        "const float* x, float* y, int d",
        f"{INDEX} int j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z;"
        f"if (i < 1 || j < 1 || k < 1 || i >= d - 1 || j >= d - 1 || k >= d - 1) return; {CUBE}",
        f"for (int k = 1; k < d - 1; ++k) for (int j = 1; j < d - 1; ++j) for (int i = 1; i < d - 1; ++i) {{ {CUBE} }}",
        _blocks((D, D, D), block),
        block,
        lambda: [_random(D, D, D), _empty(D, D, D), D],
    )


MOVE = (
    "float4 at = p[i], by = v[i]; float f = 1.f / (1.f + at.x * at.x + at.y * at.y + at.z * at.z);"
    "at.x += 0.1f * by.x * f; at.y += 0.1f * by.y * f; at.z += 0.1f * by.z * f; p[i] = at;"
)
PRODUCT = "float sum = 0; for (int k = 0; k < n; ++k) sum += a[r * n + k] * b[k * n + c]; y[r * n + c] = sum;"
TILES = r"""
    __shared__ float left[16][16], right[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < n; tile += 16) {
        left[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    y[row * n + column] = sum;
"""

MATRICES = "const float* a, const float* b, float* y, int n"
ENTRIES = f"for (int r = 0; r < n; ++r) for (int c = 0; c < n; ++c) {{ {PRODUCT} }}"
EACH = "for (int i = 0; i < n; ++i)"


def _each(name, parameters, body, arguments, n=N):
    """One element for each thread."""
    kernel, loop = f"{INDEX} if (i < n) {{ {body} }}", f"{EACH} {{ {body} }}"
    return Row(name, parameters, kernel, loop, (n // 256,), (256,), arguments)


ROWS = [
    _each("saxpy", POINTS, "y[i] = 2.f * x[i] + y[i];", lambda: [_random(N), _empty(N), N]),
    _each(
        "condition within",
        POINTS,
        "if (x[i] > 1) y[i] = x[i] * x[i]; else y[i] = 1 - x[i];",
        lambda: [_random(N), _empty(N), N],
    ),
    Row(
        "strides over the grid",
        POINTS,
        f"{INDEX} for (; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * x[i] + 1;",
        f"{EACH} y[i] = x[i] * x[i] + 1;",
        (64,),
        (256,),
        lambda: [_random(N), _empty(N), N],
    ),
    _stencil((256, 1)),
    _stencil((32, 8)),
    _stencil((16, 16)),
    _cubes((32, 4, 2)),
    _cubes((8, 8, 8)),
    _each(
        "particles as float4",
        "float4* p, const float4* v, int n",
        MOVE,
        lambda: [_random(N // 4, 4), _random(N // 4, 4), N // 4],
        N // 4,
    ),
    Row(
        "histogram, atomics",
        "const int* x, int* y, int n",
        f"{INDEX} if (i < n) atomicAdd(&y[x[i]], 1);",
        f"{EACH} __atomic_fetch_add(&y[x[i]], 1, __ATOMIC_RELAXED);",
        (N // 256,),
        (256,),
        _histogram,
    ),
    _each(
        "sqrt, log, exp",
        "const float* s, const float* t, float* y, int n",
        BLACK,
        lambda: [_random(N // 4), _random(N // 4), _empty(N // 4), N // 4],
        N // 4,
    ),
    Row(
        "product of matrices, 16 x 16",
        MATRICES,
        f"{PLANE} if (c < n && r < n) {{ {PRODUCT} }}",
        ENTRIES,
        (16, 16),
        (16, 16),
        _product,
    ),
    Row("tiles in shared memory", MATRICES, TILES, ENTRIES, (16, 16), (16, 16), _product, shared=True),
]


def _compiler():
    for name in (os.environ.get("CUPRUM_CXX"), os.environ.get("CXX"), "c++", "g++", "clang++"):
        if name and shutil.which(name):
            return name
    raise SystemExit("cuprum.bench.kernels: there is no C++ compiler; set CUPRUM_CXX")


def _loop(row, folder):
    """The loop, compiled with the flags that kernels are compiled with."""
    source, library = os.path.join(folder, "loop.cpp"), os.path.join(folder, f"loop{id(row)}.so")
    with open(source, "w") as file:
        file.write(row.loop_text())
    subprocess.run([_compiler(), *FLAGS.split(), source, "-o", library], check=True)
    run = ctypes.CDLL(library).run
    types = [ctypes.c_void_p if "*" in p else ctypes.c_int for p in row.parameters.split(",")]
    run.argtypes, run.restype = types, None
    return run


def _best(call, seconds):
    """Nanoseconds of this thread in the best of calls that fill some time."""
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.thread_time_ns()
        call()
        best = min(best, time.thread_time_ns() - start)
    return best


def measure(row, folder, rounds, seconds):
    """The kernel's time over the loop's, and the loop's in milliseconds."""
    loop, kernel = _loop(row, folder), cp.RawKernel(row.kernel_text(), "run")
    host = row.arguments()
    ours = [
        cp.asarray(a, device="cpu", copy=True) if isinstance(a, np.ndarray) else np.int32(a) for a in host
    ]
    addresses = [a.ctypes.data if isinstance(a, np.ndarray) else a for a in host]
    kernel(row.grid, row.block, tuple(ours))
    loop(*addresses)
    for a, b in zip(ours, host, strict=True):
        if isinstance(b, np.ndarray):
            np.testing.assert_allclose(cp.asnumpy(a), b, rtol=1e-4)
    ratios, times = [], []
    for _ in range(rounds):
        theirs = _best(lambda: loop(*addresses), seconds)
        ratios.append(_best(lambda: kernel(row.grid, row.block, tuple(ours)), seconds) / theirs)
        times.append(theirs)
    return statistics.median(ratios), min(times) / 1e6


def main():
    parser = argparse.ArgumentParser(
        prog="python -m cuprum.bench.kernels", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--rows", default="*", help="only rows whose names match")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.15, help="of each side in a round")
    options = parser.parse_args()
    _core.set_num_threads(1)
    os.environ["OMP_NUM_THREADS"] = "1"
    print(f"{'kernel':<34}{'of the loop':>12}{'the loop, ms':>14}")
    with tempfile.TemporaryDirectory() as folder, cp.Device("cpu"):
        for row in ROWS:
            if fnmatch.fnmatch(row.name, options.rows):
                ratio, milliseconds = measure(row, folder, options.rounds, options.seconds)
                met = "" if row.shared else "  met" if ratio <= GOAL else "  MISSED"
                print(f"{row.name:<34}{ratio:>12.2f}{milliseconds:>14.2f}{met}", flush=True)


if __name__ == "__main__":
    main()
