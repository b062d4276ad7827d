"""Kernels whose conditions and loops indices decide: the CPU asks them beforehand, and walks over the grid by trips.

A cooperative launch runs every thread as the text stands. So each kernel runs both ways, and both must write the same.
"""

import numpy as np
import pytest

import cuprum as cp

WORDS = r"""
#define INDEX blockIdx.x * blockDim.x + threadIdx.x
#define ALL gridDim.x * blockDim.x
#define WALK(end) for (int i = INDEX; i < end; i += ALL)
__device__ void lower(int& m) { m -= 5; }
__device__ int here() { return INDEX; }
"""
KERNELS = {
    "guard": "int i = INDEX; if (i < n) y[i] = x[i] + 1;",
    "guard_and_else": "int i = INDEX; if (i < n / 2) y[i] = 1; else if (i < n) y[i] = 2;",
    "guard_and_more": "int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n - 9) y[i] = 3; if (i < n) y[i] += 2;",
    "leaves": "unsigned i = threadIdx.x + blockIdx.x * blockDim.x; if (i >= n) return; y[i] = 2 * x[i];",
    "leaves_in_braces": "size_t i = INDEX; if (i >= n) { return; } y[i] = i;",
    "leaves_before_a_division": "int i = INDEX; if (i == 0) return; int k = 1000 / i; if (i >= n) return; y[i] = k;",
    "leaves_or_does": "int i = (INDEX); if (i >= n) return; else y[i] = 7;",
    "every_third": "auto i = INDEX; if (i % 3 == 1 && i < n) y[i] = x[i];",
    "threads_of_a_row": "int i = threadIdx.x; if (i > 2 && i < 9) atomicAdd(&y[i], 1);",
    "stretch": "int i = INDEX; if (i > 3 && i < n - 5) y[i] = x[i];",
    "stretch_from_the_right": "int i = INDEX; if (n > i and 3 <= i) { y[i] = x[i]; }",
    "stretch_and_else": "int i = INDEX; if (i >= 20 && (i) < (n - 2)) y[i] = 1; else if (i < n) y[i] = x[i];",
    "stretch_and_more": "int i = INDEX; if (i > 18 && i < n) y[i] = 1; if (i < n) y[i] += x[i];",
    "stretch_in_the_middle": "int i = INDEX; if (i > 20 && i < 24 && i < n) y[i] += 1;",
    "stretch_of_one_row": "int i = INDEX, b = threadIdx.y; if (i < 1 || b != 0 || n < 9 || i >= n) return; y[i] = b;",
    "stretch_of_other_types": "unsigned i = INDEX; if (i < n && i > 7.5 && (long long)n - 3 > i) y[i] = x[i];",
    "stretch_of_a_wrapped_end": "unsigned i = INDEX; if (i > n - 700 && i < 900) y[i] = x[i];",
    "two_stretches": "int i = INDEX; if (i < 3 || i > n - 4) atomicAdd(&y[i], 1);",
    "all_but_one": "int i = INDEX; if (i == 21 || i >= n) return; y[i] = x[i];",
    "all_but_some": "int i = INDEX; if ((i > 4 && i < 30) || i >= n) return; y[i] = x[i];",
    "one_or_the_other": "int i = INDEX; if (i > 3 && i < 20 && n > 5 ? i < 0 : i < n) y[i] = x[i];",
    "bits_of_a_condition": "int i = INDEX; if (i < n & i < 30 | i == 2 & i < n) y[i] = x[i];",
    "not_a_stretch": "int i = INDEX; if (!(i > 4 && i < 30) && i < n) y[i] = x[i];",
    "distance": "unsigned i = INDEX; if (i - 5 > 3 && i < n) y[i] = x[i];",
    "index_of_a_function": "int i = here(); if (i < n) y[i] = x[i];",
    "index_and_a_function": "int i = INDEX; if (i < n) y[i] = here();",
    "lambda": "int i = INDEX; auto f = [&](int k) { return k + threadIdx.x; }; if (i < n) y[i] = f(1);",
    "lambda_alone": "int i = INDEX; auto f = [] { return threadIdx.x; }; if (i < n) y[i] = f();",
    "class_within": "struct S { __device__ int f() { return threadIdx.x; }}; int i = INDEX; if (i < n) y[i] = S{}.f();",
    "atomics": "int i = INDEX; if (i < n) { atomicAdd(&y[x[i]], i); atomicMax(&y[x[i] + 100], i); }",
    "fences": "int i = INDEX; if (i < n) { y[i] = x[i]; __threadfence(); y[i] += blockIdx.x; }",
    "short_index": "short i = INDEX; if (i < n) y[i] = x[i] ^ 5;",
    "constant_block": "int i = blockIdx.x * 3 + threadIdx.x; if (i < n) atomicAdd(&y[i], x[i]);",
    "walk": "WALK(n) y[i] = x[i] - 4;",
    "walk_of_a_block": "for (unsigned i = threadIdx.x; i < n; i += blockDim.x) if (blockIdx.x == 0) y[i] = x[i] + i;",
    "walk_named": "int t = INDEX, s = ALL; for (int i = t; i <= n - 1; i += s) { if (x[i] % 2) continue; y[i] = i; }",
    "walk_on": "int i = INDEX; for (; i < n; i += ALL) { y[i] = x[i] + n; }",
    "walk_while": "int i = INDEX; int step = ALL; while (i < n) { y[i] = x[i] * i; i += step; }",
    "walk_down": "int last = n - 1; for (int i = last - (int)(INDEX); i >= 0; i += -(int)(ALL)) y[i] = i;",
    "walk_down_unsigned": "unsigned s = 0u - ALL; for (unsigned i = n - 1 - (INDEX); i < n; i += s) y[i] = 5;",
    "walk_to_the_last_int": "int end = 2147483647 - 4096, o = end - 100 - 8192;"
    "for (int i = o + (int)(INDEX); i < end; i += 4096 + 0 * gridDim.x) y[(i - o) % 4096 + (i - o) / 4096 * 256] = i;",
    "walk_behind_a_guard": "if (threadIdx.x > 5) return; WALK(n) y[i] = x[i];",
    "counts_in_the_loop": "int sum = 0; for (int i = threadIdx.x; i < n; i += blockDim.x) { sum += x[i]; y[i] = sum; }",
    "changes_the_end": "int m = n; WALK(m) { y[i] = 1; if (x[i] > 90) m = 0; }",
    "changes_by_reference": "int m = n; WALK(m) { y[i] = 1; lower(m); }",
    "changes_by_address": "int m = n; WALK(m) { y[i] = 1; int* p = &m; *p -= 7; }",
    "changes_by_another_name": "int m = n; WALK(m) { y[i] = 1; int& o = m; o -= 7; }",
    "changes_in_a_lambda": "int m = n; WALK(m) { y[i] = 1; [&] { m -= 7; }(); }",
    "breaks": "WALK(n) { if (x[i] > 90) break; y[i] = 1; }",
    "comes_behind_a_loop": "int t = INDEX; WALK(n) y[i] = 2; if (t == 3) y[0] = 9;",
    "own_stretch": "int i = (INDEX) * 4; for (int k = i; k < i + 4; k += 1) if (k < n) y[k] = x[k] + k;",
    "reads_before": "int m = x[0]; WALK(n) y[i] = m;",
    "keeps_shared": "__shared__ int seen[64]; int t = threadIdx.x; seen[t] = t; WALK(n) y[i] = seen[t];",
}
TEXT = WORDS + "\n".join(
    f'extern "C" __global__ void {name}(const int* x, int* y, int n) {{ {body} }}'
    for name, body in KERNELS.items()
)


@pytest.fixture(scope="module")
def modules():
    return [cp.RawModule(code=TEXT, enable_cooperative_groups=alone) for alone in (False, True)]


@pytest.mark.parametrize("name", KERNELS)
def test_same_as_thread_after_thread(modules, name):
    x = cp.array(np.random.default_rng(0).integers(0, 100, 1000), dtype=np.int32)
    for grid, block in ((3, 17), (2, 32), (1, 5), (2, 40), (4, 64)):
        if name == "counts_in_the_loop":
            grid = 1  # blocks would race
        for n in (1, grid * block - 3, grid * block, 577):
            results = []
            for module in modules:
                y = cp.full(1000, -1, np.int32)
                module.get_function(name)((grid,), (block,), (x, y, n))
                results.append(y.get())
            assert np.array_equal(*results), (grid, block, n)


def test_planes_and_rows():
    code = r"""
template <int width>
__global__ void __launch_bounds__(1024) mark(int* y, int w, int h, int d) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i >= w || j >= h) return;
    if (k >= d || width != 3) return;
    y[(k * h + j) * w + i] += i + 100 * j + 10000 * k;
}"""
    kernel = cp.RawModule(code=code, name_expressions=["mark<3>"]).get_function("mark<3>")
    w, h, d = 37, 11, 5
    for block in ((16, 2, 2), (8, 4, 1), (40, 1, 3), (1, 11, 2)):
        y = cp.zeros((d, h, w), np.int32)
        kernel(tuple(-(-n // b) for n, b in zip((w, h, d), block, strict=True)), block, (y, w, h, d))
        k, j, i = np.indices((d, h, w))
        assert np.array_equal(y.get(), i + 100 * j + 10000 * k)


def test_a_thread_that_fails_leaves_the_next_launch_whole():
    code = r"""
#include <assert.h>
extern "C" __global__ void checks(int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { assert(y[i] == 0); y[i] = 1; }
}"""
    y = cp.zeros(64, np.int32, device="cpu")
    y[40] = 3
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="assert"):
        cp.RawKernel(code, "checks")((1,), (64,), (y, 64))
    y = cp.zeros(64, np.int32, device="cpu")
    cp.RawKernel(code, "checks", enable_cooperative_groups=True)((1,), (64,), (y, 60))
    assert int(y.sum()) == 60


def test_one_name_many_declarations():
    """A kernel's place is a parameter that the text does not show: all declarations of a name get it, or none."""
    code = r"""
struct Rank { __device__ int operator()() const { return threadIdx.x; } };
struct Seven { __device__ int operator()() const { return 7; } };
template <class F> __global__ void fill(int* y, int n);
template <class F> __global__ void fill(int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = F()();
}
template <> __global__ void fill<int>(int* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1; }
template __global__ void fill<Seven>(int* y, int n);
template <class T = int> __global__ void alone(void) { if (threadIdx.x < 2) atomicAdd(&total, T(1)); }
__global__ void more() { if (threadIdx.x == 0) atomicAdd(&total, 10); }
"""
    code = "__device__ int total;\n" + code
    names = ["fill<Rank>", "fill<Seven>", "fill<int>", "alone<int>", "more"]
    module = cp.RawModule(code=code, name_expressions=names)
    ranks = np.arange(40) % 20
    for name, wanted in [
        ("fill<Rank>", ranks),
        ("fill<Seven>", 7),
        ("fill<int>", np.where(np.arange(40) < 20, 1, 0)),
    ]:
        y = cp.zeros(40, np.int32)
        module.get_function(name)((2,), (20,), (y, 40))
        assert np.array_equal(y.get(), np.broadcast_to(wanted, 40)), name
    module.get_function("alone<int>")((1,), (4,), ())
    module.get_function("more")((3,), (4,), ())
    assert int(cp.ndarray((), np.int32, module.get_global("total"))) == 32
