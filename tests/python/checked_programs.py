"""Kernels for the checked mode (CUPRUM_CHECK_KERNELS=1): planted errors, and kernels that are right.

Run as a program it launches them all on the devices that it is given, and prints as JSON what each raised, or that the
result of a right one is wrong (null: nothing).
"""

import json
import sys

# The first comment "here" of a kernel marks the line of its error.
PLANTED = r"""
extern "C" {
__global__ void read_behind(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + x[i + 1];  // here
}
__global__ void read_before(const float* x, float* y) {
    y[threadIdx.x] = x[threadIdx.x - 1u];  // here
}
__global__ void write_behind(float* y) {
    y[blockIdx.x * blockDim.x + threadIdx.x + 48] = 1;  // here
}
__global__ void write_far(float* x, float* y) {
    x[(y - x) + threadIdx.x] = 1;
    if (threadIdx.x == 3) x[1000000] = 1;  // here
}
__device__ float second(const float* p) {
    return p[1];  // here
}
__global__ void read_in_function(const float* x, float* y) {
    y[threadIdx.x] = second(x + threadIdx.x);
}
__global__ void atomic_behind(float* y) {
    atomicAdd(&y[threadIdx.x * 9], 1.0f);  // here
}
__global__ void null_pointer(float* y) {
    if (threadIdx.x == 5) *y = 1;  // here
}
__global__ void copy_behind(const float* x, float* y) {
    if (threadIdx.x == 2) memcpy(y + 60, x, 20);  // here
}
__global__ void shared_index(float* y) {
    __shared__ float tile[4][8];
    int t = threadIdx.x;
    tile[t / 8][t % 8] = y[t];
    __syncthreads();
    y[t] = tile[t / 8][t % 8 + 1];  // here
}
__global__ void shared_behind(float* y) {
    __shared__ float tile[32];
    float* p = tile;
    p[threadIdx.x + 4096] = 1;  // here
}
__global__ void dynamic_behind(float* y) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = y[threadIdx.x];  // here
}
__global__ void unwritten(float* y) {
    __shared__ float tile[32];
    int t = threadIdx.x;
    if (t % 2 == 0) tile[t] = y[t];
    __syncthreads();
    y[t] = tile[t];  // here
}
__global__ void unwritten_of_second_block(float* y) {
    __shared__ int ready;
    if (blockIdx.x == 0 && threadIdx.x == 0) ready = 1;
    __syncthreads();
    if (threadIdx.x == 7) y[blockIdx.x] = ready;  // here
}
__global__ void conditional_barrier(float* y) {
    if (threadIdx.x < 16) {
        __syncthreads();  // here
    }
    y[threadIdx.x] = 1;
}
__global__ void early_return(float* y, int n) {
    if (threadIdx.x >= n) return;
    __syncthreads();  // here
    y[threadIdx.x] = 1;
}
__global__ void two_barriers(float* y) {
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncthreads();  // here
    y[threadIdx.x] = 1;
}
__global__ void hang(float* y) {
    if (threadIdx.x == 0)
        __syncthreads();  // here
    else
        __syncwarp();
    y[threadIdx.x] = 1;
}
__global__ void race_read_write(float* y) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = 0;
    __syncthreads();
    tile[t] = y[t];  // here
    y[t] = tile[63 - t];
}
__global__ void race_write_read(float* y) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = y[t];
    __syncthreads();
    float next = tile[(t + 1) % 64];
    tile[t] = next;  // here
    __syncthreads();
    y[t] = tile[t];
}
__global__ void race_warp(float* y) {
    __shared__ volatile float tile[32];
    int t = threadIdx.x;
    tile[t] = y[t];
    __syncwarp();
    if (t < 16) tile[t] += tile[t + 16];  // here
    if (t < 8) tile[t] += tile[t + 8];
    if (t == 0) y[0] = tile[0];
}
__global__ void race_global(float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0) y[i] = 1;
    else y[0] += y[i - 1];  // here
}
__global__ void race_blocks(float* y) {
    y[threadIdx.x] = blockIdx.x;  // here
}
__global__ void race_blocks_read(float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == 0) y[i] = i;
    if (blockIdx.x == 1) y[i] = y[threadIdx.x];  // here
}
__global__ void race_plain_atomic(int* count, int* y) {
    if (threadIdx.x < 4) atomicAdd(count, 1);
    else y[threadIdx.x] = *count;  // here
}
__device__ int total;
__global__ void race_variable(int* y) {
    total += y[threadIdx.x];  // here
}
__global__ void misaligned_read(const float* x, float* y) {
    const float4* v = reinterpret_cast<const float4*>(x + 1);
    y[threadIdx.x] = v[threadIdx.x].x;  // here
}
__global__ void misaligned_write(float* y) {
    double* d = reinterpret_cast<double*>(y + 1);
    d[threadIdx.x] = 1;  // here
}
}
"""

# (kernel, grid, block, arguments, words of the report, block, thread); x and y have 64 floats, n is 10.
CASES = [
    ("read_behind", 2, 32, "xy", ["reads 4 bytes", "element 64 of argument 1 (64 elements)"], 1, 31),
    ("read_before", 1, 32, "xy", ["reads 4 bytes out of bounds", "of argument 1"], 0, 0),
    ("write_behind", 1, 32, "y", ["writes 4 bytes", "element 64 of argument 1", "(16 times)"], 0, 16),
    ("write_far", 1, 4, "xy", ["writes 4 bytes", "element 1000000 of argument 1"], 0, 3),
    ("read_in_function", 1, 64, "xy", ["reads 4 bytes", "element 64 of argument 1"], 0, 63),
    ("atomic_behind", 1, 8, "z", ["element 63 of argument 1 (60 elements)"], 0, 7),
    ("null_pointer", 1, 8, "0", ["writes 4 bytes", "no array"], 0, 5),
    ("copy_behind", 1, 4, "xy", ["writes 20 bytes out of bounds", "of argument 2"], 0, 2),
    ("shared_index", 1, 32, "y", ["index 8 is out of bounds of an array of type 'float"], 0, 7),
    ("shared_behind", 1, 32, "y", ["writes 4 bytes out of bounds", "shared"], 0, 0),
    ("dynamic_behind", 1, 32, "y", ["byte 100 of dynamic shared memory (100 bytes)"], 0, 25),
    ("unwritten", 1, 32, "y", ["shared variable tile (128 bytes)", "uninitialised", "(16 times)"], 0, 1),
    ("unwritten_of_second_block", 3, 32, "y", ["uninitialised shared memory", "ready", "(2 times)"], 1, 7),
    ("conditional_barrier", 2, 32, "y", ["barrier at which 16 of the 32 threads"], 0, 16),
    ("early_return", 1, 32, "yn", ["barrier at which 10 of the 32 threads"], 0, 10),
    ("two_barriers", 1, 32, "y", ["waits at this barrier", "thread (0, 0, 0)"], 0, 16),
    ("hang", 1, 32, "y", ["waits for ever"], 0, 0),
    (
        "race_read_write",
        1,
        64,
        "y",
        ["writes", "shared variable tile", "thread (63, 0, 0) reads", "a race"],
        0,
        0,
    ),
    (
        "race_write_read",
        1,
        64,
        "y",
        ["writes", "shared variable tile", "thread (63, 0, 0) reads", "a race"],
        0,
        0,
    ),
    ("race_warp", 1, 32, "y", ["writes", "shared variable tile", "thread (0, 0, 0) reads", "a race"], 0, 8),
    ("race_global", 1, 32, "y", ["reads element 0 of argument 1", "thread (0, 0, 0) writes", "a race"], 0, 1),
    (
        "race_blocks",
        2,
        64,
        "y",
        ["element 0 of argument 1", "block (0, 0, 0), thread (0, 0, 0) writes"],
        1,
        0,
    ),
    ("race_blocks_read", 2, 32, "y", ["reads element 0", "block (0, 0, 0), thread (0, 0, 0) writes"], 1, 0),
    ("race_plain_atomic", 1, 8, "ij", ["reads element 0 of argument 1", "a race"], 0, 4),
    ("race_variable", 1, 8, "i", ["a variable of the module", "a race"], 0, 1),
    ("misaligned_read", 1, 4, "xy", ["float4", "4 bytes behind a multiple of 16", "misaligned"], 0, 0),
    ("misaligned_write", 1, 4, "y", ["double", "4 bytes behind a multiple of 8", "misaligned"], 0, 0),
]


def marked_line(kernel):
    """The line of PLANTED where the error of a kernel is."""
    start = PLANTED.index(f"void {kernel}(")
    if kernel == "read_in_function":
        start = PLANTED.index("float second(")
    return PLANTED[: PLANTED.index("// here", start)].count("\n") + 1


def outcome(launch):
    """The text of what a launch raises, by its call or by the next wait."""
    import cuprum as cp

    try:
        launch()
        cp.cuda.get_current_stream().synchronize()
    except RuntimeError as error:
        return f"{type(error).__name__}: {error}"
    return None


def run_planted(cp):
    module = cp.RawModule(code=PLANTED)
    found = {}
    for kernel, grid, block, names, *_ in CASES:
        arrays = {
            "x": cp.arange(64, dtype=cp.float32),
            "y": cp.zeros(64, cp.float32),
            "z": cp.zeros(60, cp.float32),
            "i": cp.arange(64, dtype=cp.int32),
            "j": cp.zeros(64, cp.int32),
            "n": 10,
            "0": None,
        }
        args = tuple(arrays[name] for name in names)
        launch = module.get_function(kernel)
        shared = 100 if kernel == "dynamic_behind" else 0
        found[kernel] = outcome(lambda: launch((grid,), (block,), args, shared_mem=shared))
    return found


def main():
    import cuprum as cp
    import right_kernels

    results = {}
    for device in sys.argv[1:]:
        with cp.Device(device):
            results[device] = {"planted": run_planted(cp), "right": {}}
            for name, program in right_kernels.PROGRAMS.items():
                agreed = []
                text = outcome(lambda: agreed.append(bool(program(cp))))
                results[device]["right"][name] = text or (None if agreed == [True] else "a wrong result")
    print(json.dumps(results))


if __name__ == "__main__":
    main()
