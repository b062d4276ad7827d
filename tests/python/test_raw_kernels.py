"""RawKernel and RawModule: CuPy's API, on devices that run a program's own kernels."""

import io
import linecache
import os
import pickle
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import cuprum as cp
from kernel_texts import ADD, CUDA, DEVICES, add, entered, scale

device = pytest.fixture(entered, params=DEVICES)

SEVERAL = r"""
#ifndef BY
#define BY 2
#endif
extern "C" {
__constant__ float weights[4];
__device__ int launches = 5;
__global__ void weigh(float* x) { x[threadIdx.x] *= weights[threadIdx.x]; }
__global__ void count(int* out) { if (threadIdx.x == 0) *out = ++launches; }
__global__ void times(int* x) { x[threadIdx.x] *= BY; }
}
"""


def test_a_kernel(device):
    x = cp.arange(100, dtype=cp.float32).reshape(10, 10)
    y = cp.ones((10, 10), cp.float32)
    z = cp.zeros_like(x)
    kernel = add()
    assert kernel((10,), (10,), (x, y, z, 100)) is None
    assert (z == x + y).all() and z.device == device


def test_grids_and_blocks_of_one_to_three_dimensions(device):
    kernel = cp.RawKernel(
        r"""extern "C" __global__ void where(int* out) {
            unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
            unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
            out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
        }""",
        "where",
    )
    for grid, block in [
        ((6,), (8,)),
        ((2, 3), (4, 2)),
        ((1, 2, 3), (2, 2, 2)),
        ([6], 8),
        (np.array([6]), (8, 1)),
    ]:
        out = cp.zeros(48, cp.int32)
        kernel(grid, block, (out,))
        assert out.tolist() == [b * 1000 + t for b in range(6) for t in range(8)]
    out = cp.zeros(8, cp.int32)
    kernel((0,), (8,), (out,))  # CuPy's: at least one
    assert out.tolist() == list(range(8))


@pytest.mark.parametrize(
    "grid, block, words",
    [
        ((1,), (2000,), "a block has at most 1024"),
        ((1,), (1, 1, 65), "at most 64 along z"),
        ((1, 70000), (1,), "65535 along y and z"),
    ],
)
def test_shapes_that_cuda_has_no_room_for(device, grid, block, words):
    x = cp.zeros(1, cp.float32)
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match=f"kernel add .*{words}"):
        add()(grid, block, (x, x, x, 1))


def test_extents_that_are_none():
    x = cp.zeros(1, cp.float32, device="cpu")
    for grid, error in [((1,) * 4, ValueError), (2**40, ValueError), ("a", TypeError), ((1.5,), TypeError)]:
        with pytest.raises(error, match=r"cuprum.RawKernel: "):
            add()(grid, (1,), (x, x, x, 1))


def test_dynamic_shared_memory(device):
    kernel = cp.RawKernel(  # attributes belong to the text: one for each device
        f"// {device.name}"
        r"""
        extern "C" __global__ void turn(float* x) {
            extern __shared__ float s[];
            s[threadIdx.x] = x[threadIdx.x];
            __syncthreads();
            x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
        }""",
        "turn",
    )
    x = cp.arange(64, dtype=cp.float32)
    kernel((1,), (64,), (x,), shared_mem=256)
    assert x.tolist() == list(range(63, -1, -1))
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="max_dynamic_shared_size_bytes"):
        kernel((1,), (64,), (x,), shared_mem=60_000)
    kernel.max_dynamic_shared_size_bytes = 65_536
    kernel((1,), (64,), (x,), shared_mem=60_000)
    assert x.tolist() == list(range(64))
    with pytest.raises(ValueError, match="shared_mem"):
        kernel((1,), (64,), (x,), shared_mem=-1)


def test_attributes(device):
    kernel = add()
    assert set(kernel.attributes) >= {
        "num_regs",
        "max_threads_per_block",
        "binary_version",
        "local_size_bytes",
    }
    assert kernel.num_regs > 0 and kernel.max_threads_per_block == 1024 and kernel.shared_size_bytes == 0
    with pytest.raises(AttributeError):
        kernel.num_regs = 3


def test_what_a_kernel_is_made_of():
    kernel = cp.RawKernel(ADD, "add", ("-DX=1",), "nvcc", enable_cooperative_groups=True)
    assert (kernel.code, kernel.name, kernel.options, kernel.backend) == (ADD, "add", ("-DX=1",), "nvcc")
    assert kernel.file_path is None and kernel.enable_cooperative_groups and kernel.__name__ == "add"


def test_one_module_of_several_kernels(device):
    module = cp.RawModule(code=SEVERAL)
    weights = cp.ndarray(4, cp.float32, module.get_global("weights"))
    weights[...] = cp.arange(4)
    x = cp.full(4, 2, cp.float32)
    module.get_function("weigh")((1,), (4,), (x,))
    assert x.tolist() == [0, 2, 4, 6]
    times = cp.RawModule(code=SEVERAL, options=("-DBY=7",)).get_function("times")
    x = cp.arange(3, dtype=cp.int32)
    times((1,), (3,), (x,))
    assert x.tolist() == [0, 7, 14]


def test_variables_are_read_and_written(device):
    module = cp.RawModule(code=SEVERAL, options=(f"-DFOR_{device.name.replace(':', '_')}",))
    launches = cp.ndarray((), cp.int32, module.get_global("launches"))
    out = cp.zeros(1, cp.int32)
    before = int(launches)
    module.get_function("count")((1,), (1,), (out,))
    assert int(out[0]) == int(launches) == before + 1
    launches[...] = 40
    module.get_function("count")((1,), (1,), (out,))
    assert out.tolist() == [41]


def test_templates(device):
    kernels = scale("int", "float", "double", "long long")
    for kernel, dtype in zip(kernels, [cp.int32, cp.float32, cp.float64, cp.int64]):
        x = cp.arange(7, dtype=dtype)
        kernel((1,), (7,), (x, 3, 7))
        assert x.tolist() == [3 * i for i in range(7)]


def test_functions_and_modules(device):
    module = cp.RawModule(code=ADD)
    function = module.module.get_function("add")
    assert isinstance(function, cp.cuda.Function) and isinstance(module.module, cp.cuda.Module)
    x, y = cp.ones(300, cp.float32), cp.zeros(300, cp.float32)
    function.linear_launch(300, (x, x, y, 300))
    assert (y == 2).all()
    add().kernel((2,), (200,), (x, y, y, 300), 0, None)
    assert (y == 3).all()


def test_a_text_that_does_not_compile(device):
    kernel = cp.RawKernel('extern "C" __global__ void f(float* x) {\n    x[0] = nonsense;\n}', "f")
    with pytest.raises(
        cp.cuda.compiler.CompileException, match=r"> *2 \|     x\[0\] = nonsense;\n *\^ error: "
    ):
        kernel.compile()
    with pytest.raises(cp.cuda.compiler.CompileException, match="precision not supported"):
        cp.RawModule(code="#error precision not supported").compile()


def test_static_shared_memory_has_a_limit(device):
    text = r"""extern "C" __global__ void large(float* x) {
        __shared__ float s[%d];
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
    }"""
    x = cp.arange(4, dtype=cp.float32)
    cp.RawKernel(text % (48 * 256), "large")((1,), (4,), (x,))
    assert x.tolist() == [3, 2, 1, 0]
    with pytest.raises(cp.cuda.compiler.CompileException, match=r"large.*(__shared__|shared data)"):
        cp.RawKernel(text % (48 * 256 + 1), "large").compile()


def test_kernels_that_are_switched_off_or_made_by_macros(device):
    """Their parameters are known where the compiler can be asked, and they run in any case."""
    kernel = cp.RawKernel(
        r"""
        #if 0
        extern "C" __global__ void absent(int missing) {}
        #endif
        #define KERNEL(name) extern "C" __global__ void name
        /* __global__ void in_a_comment(Unknown x) {} */
        KERNEL(made)(int* x) { x[threadIdx.x] = 7; }
        """,
        "made",
    )
    x = cp.zeros(3, cp.int32)
    kernel((1,), (3,), (x,))
    assert x.tolist() == [7, 7, 7]


def test_warnings_are_written_where_one_asks(device):
    text = 'extern "C" __global__ void f(float* x) {\n    int unused;\n    x[0] = 1;\n}'
    for made in (cp.RawKernel(text, "f"), cp.RawModule(code=text)):
        log = io.StringIO()
        made.compile(log_stream=log)
        assert re.search(r"^kernel.cu(:2:9|\(2\)): warning.*unused", log.getvalue(), re.MULTILINE)


def test_what_a_module_does_not_have(device):
    module = cp.RawModule(code=ADD)
    for ask in (module.get_function, module.get_global, module.module.get_function):
        with pytest.raises(cp.cuda.driver.CUDADriverError, match=r"nothing_of_it.*CUDA_ERROR_NOT_FOUND"):
            ask("nothing_of_it")
    with pytest.raises(cp.cuda.driver.CUDADriverError, match="CUDA_ERROR_NOT_FOUND"):
        cp.RawKernel(ADD, "plus")((1,), (1,), ())


def test_machine_code_of_a_gpu(tmp_path):
    with pytest.raises(cp.cuda.driver.CUDADriverError, match="CUDA_ERROR_FILE_NOT_FOUND"):
        cp.RawModule(path=str(tmp_path / "none.cubin")).get_function("f")
    (tmp_path / "some.ptx").write_text(".version 8.0")
    with cp.Device("cpu"), pytest.raises(cp.cuda.driver.CUDADriverError, match=r"machine code of a GPU.*cpu"):
        cp.RawModule(path=str(tmp_path / "some.ptx")).get_function("f")


PTX = r"""
.version 7.8
.target sm_75
.address_size 64
.visible .global .align 4 .u32 seen;
.visible .entry put(.param .u64 to, .param .u32 value) {
    .reg .b64 %rd<3>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd1, [to];
    ld.param.u32 %r1, [value];
    cvta.to.global.u64 %rd2, %rd1;
    st.global.u32 [%rd2], %r1;
    st.global.u32 [seen], %r1;
    ret;
}
"""


@pytest.mark.parametrize("name", CUDA)
def test_machine_code_on_a_gpu(name, tmp_path):
    path = tmp_path / "put.ptx"
    path.write_text(PTX)
    with cp.Device(name):
        module = cp.RawModule(path=str(path))
        x = cp.zeros(1, cp.int32)
        put = module.get_function("put")
        put((1,), (1,), (x, np.int32(5)))
        seen = cp.ndarray((), cp.int32, module.get_global("seen"))
        assert x.tolist() == [5] and int(seen) == 5
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="2 parameters and is launched with 1"):
            put((1,), (1,), (x,))
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="has 8 bytes and is given 4"):
            put((1,), (1,), (np.int32(1), np.int32(5)))
        path.write_text(PTX.replace("st.global", "no.such"))
        with pytest.raises(cp.cuda.driver.CUDADriverError, match="does not load the module"):
            cp.RawModule(path=str(path)).get_function("put")


@pytest.mark.parametrize("name", CUDA)
def test_nvcc(name):
    with cp.Device(name):
        kernel = cp.RawKernel(ADD, "add", backend="nvcc")
        x, y = cp.ones(5, cp.float32), cp.zeros(5, cp.float32)
        if shutil.which("nvcc", path=f"{os.environ.get('PATH', '')}:/usr/local/cuda/bin"):
            kernel((1,), (5,), (x, x, y, np.uint32(5)))
            assert (y == 2).all()
        else:
            with pytest.raises(cp.cuda.compiler.CompileException, match="nvcc was not found"):
                kernel.compile()


@pytest.mark.parametrize(
    "make, error",
    [
        (lambda: cp.RawKernel(3, "f"), TypeError),
        (lambda: cp.RawKernel(ADD, None), TypeError),
        (lambda: cp.RawKernel(ADD, "add", "-DX"), TypeError),
        (lambda: cp.RawKernel(ADD, "add", (3,)), TypeError),
        (lambda: cp.RawKernel(ADD, "add", backend="gcc"), ValueError),
        (lambda: cp.RawModule(), TypeError),
        (lambda: cp.RawModule(code=ADD, path="x.cubin"), TypeError),
        (lambda: cp.RawModule(path="x.cubin", name_expressions=["f<int>"]), ValueError),
        (lambda: cp.RawModule(code=ADD, backend="nvcc", name_expressions=["f<int>"]), ValueError),
    ],
)
def test_wrong_ways_to_make_one(make, error):
    with pytest.raises(error, match=r"cuprum.Raw"):
        make()


def test_pickles(device):
    module = cp.RawModule(code=ADD, enable_cooperative_groups=True)
    for kernel in (add(), module.get_function("add"), pickle.loads(pickle.dumps(module)).get_function("add")):
        again = pickle.loads(pickle.dumps(kernel))
        assert again.name == "add" and again.options == ()
        assert again.enable_cooperative_groups == kernel.enable_cooperative_groups
        x, y = cp.ones(5, cp.float32), cp.zeros(5, cp.float32)
        again((1,), (5,), (x, x, y, 5))
        assert (y == 2).all()
    state = add().__getstate__() | {"raw_ver": 1}
    with pytest.raises(pickle.UnpicklingError):
        cp.RawKernel.__new__(cp.RawKernel).__setstate__(state)


def test_a_kernel_computes_where_its_arrays_are():
    kernel = add()
    for name in ("cpu", "far:0", "far:1", *CUDA):
        x = cp.ones(8, cp.float32, device=name)
        y = cp.zeros(8, cp.float32, device=name)
        kernel((1,), (8,), (x, x, y, 8))  # whatever device is the current one
        assert (y == 2).all()


def test_a_cooperative_launch(device):
    """Every block reads what the others have written before they met."""
    kernel = cp.RawKernel(
        r"""#include <cooperative_groups.h>
        extern "C" __global__ void turn(const float* x, float* between, float* y, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) between[i] = x[i];
            cooperative_groups::this_grid().sync();
            if (i < n) y[i] = between[n - 1 - i];
        }""",
        "turn",
        enable_cooperative_groups=True,
    )
    x = cp.arange(40, dtype=cp.float32)
    between, y = cp.zeros_like(x), cp.zeros_like(x)
    kernel((5,), (8,), (x, between, y, 40))
    assert (y == x[::-1]).all()


def test_a_cooperative_launch_that_has_no_room():
    for name in CUDA:
        with cp.Device(name):
            kernel = cp.RawKernel(ADD, "add", enable_cooperative_groups=True)
            x = cp.zeros(1, cp.float32)
            with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="room for"):
                kernel((10**6,), (1024,), (x, x, x, 1))


def test_headers_that_kernels_include(device):
    kernel = cp.RawKernel(
        r"""
        #include <cuda_fp16.h>
        #include <cupy/carray.cuh>
        #include <cupy/complex.cuh>
        #include <thrust/complex.h>
        #include <cooperative_groups.h>
        #include <assert.h>
        #include <cstdint>
        #include <cmath>
        namespace cg = cooperative_groups;
        extern "C" __global__ void several(uint32_t* out, const __half* half) {
            auto block = cg::this_thread_block();
            cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
            thrust::complex<float> z(3, 4);
            assert(abs(z) == 5);
            int sum = tile.thread_rank();
            for (int k = 4; k > 0; k /= 2) sum += tile.shfl_down(sum, k);
            if (tile.thread_rank() == 0)
                out[block.thread_rank() / 8] = sum + uint32_t(std::sqrt(16.0)) + uint32_t(__half2float(*half));
        }""",
        "several",
    )
    out = cp.zeros(4, cp.uint32)
    kernel((1,), (32,), (out, cp.full(1, 2, cp.float16)))
    assert out.tolist() == [28 + 4 + 2] * 4


def test_complex_numbers(device):
    """By CUDA's functions, and by CuPy's class."""
    kernel = cp.RawKernel(
        r"""#include <cuComplex.h>
        extern "C" __global__ void f(const cuComplex* a, const cuComplex* b, cuComplex* product, cuComplex* quotient) {
            product[threadIdx.x] = cuCmulf(a[threadIdx.x], b[threadIdx.x]);
            quotient[threadIdx.x] = cuCdivf(a[threadIdx.x], b[threadIdx.x]);
        }""",
        "f",
        translate_cucomplex=True,
    )
    a = (cp.arange(8) + 1j * cp.arange(8)[::-1]).astype(cp.complex64)
    b = (cp.arange(8) - 3 + 2j).astype(cp.complex64)
    product, quotient = cp.empty_like(a), cp.empty_like(a)
    kernel((1,), (8,), (a, b, product, quotient))
    assert cp.allclose(product, a * b) and cp.allclose(quotient, a / b)
    square = cp.RawModule(
        code=r"""#include <cupy/complex.cuh>
        template <class T> __global__ void square(T* x) { x[threadIdx.x] *= x[threadIdx.x]; }""",
        name_expressions=["square<complex<double>>"],
    ).get_function("square<complex<double>>")
    z = a.astype(cp.complex128)
    square((1,), (8,), (z,))
    assert cp.allclose(z, a * a)
    with pytest.raises(
        TypeError, match=r"argument 1 is an array of complex64, the kernel takes (std::)?complex<double>\*"
    ):
        square((1,), (8,), (a,))


def test_blocks_that_wait_for_those_before_them(device):
    kernel = cp.RawKernel(
        r"""extern "C" __global__ void chain(const int* x, volatile int* sums, volatile int* done) {
            const int b = blockIdx.x;
            int before = 0;
            if (b > 0) {
                while (!done[b - 1]) {}
                __threadfence();
                before = sums[b - 1];
            }
            sums[b] = before + x[b];
            __threadfence();
            done[b] = 1;
        }""",
        "chain",
    )
    x = cp.arange(5000, dtype="i4") % 7
    sums, done = cp.zeros_like(x), cp.zeros_like(x)
    kernel((5000,), (1,), (x, sums, done))
    assert (sums == cp.cumsum(x)).all()


GUIDE = Path(__file__).resolve().parents[2] / "docs/guide/kernels.md"


def test_the_guide(device):
    """Its programs run on every device; test_docs.py runs those of all pages on the CPU."""
    names = {}
    blocks = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    for number, block in enumerate(blocks):
        name = f"<{GUIDE.name}, block {number}>"  # Python kernels are translated from their text
        linecache.cache[name] = len(block), None, block.splitlines(keepends=True), name
        exec(compile(block, name, "exec"), names)
    assert names["x"].device == device
