"""Kernels that several tests launch, and the devices that run a program's own kernels."""

import cuprum as cp

CUDA = ["cuda"] if cp.cuda.is_available() else []
DEVICES = ["cpu", "far", *CUDA]


def entered(request):
    """A fixture: the current device while a test runs. `device = pytest.fixture(entered, params=DEVICES)`"""
    with cp.Device(request.param) as device:
        yield device


ADD = r"""
extern "C" __global__ void add(const float* x, const float* y, float* z, unsigned int n) {
    unsigned int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
"""

SCALE = r"""
template <class T> __global__ void scale(T* x, T by, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}
"""

# Writes every kind of parameter where Python can look at it.
SHOW = r"""
struct Pair { int first; double second; };
extern "C" __global__ void show(bool b, signed char c, unsigned short s, int i, long long l, float f, double d,
                                Pair pair, double* out) {
    double values[] = {double(b), double(c), double(s), double(i), double(l), double(f), d,
                       double(pair.first), pair.second};
    for (int k = 0; k < 9; ++k) out[k] = values[k];
}
"""


def add():
    return cp.RawKernel(ADD, "add")


def scale(*types):
    """The instances of `scale` for these types of C++."""
    module = cp.RawModule(code=SCALE, name_expressions=[f"scale<{t}>" for t in types])
    return [module.get_function(f"scale<{t}>") for t in types]
