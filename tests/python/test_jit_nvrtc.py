"""Python kernels compile with NVRTC, from the headers of the source tree. No GPU is needed, only the library and the
toolkit's headers: without them the tests are skipped.
"""

import ctypes
import os
from pathlib import Path

import pytest

import cuprum as cp
from cuprum import jit
from cuprum.jit._arrays import Array
from cuprum.jit._functions import kernel as translate
from cuprum.jit._types import Scalar

SOURCES = Path(__file__).resolve().parents[2] / "src"
TOOLKITS = [Path(p) for p in (os.environ.get("CUDA_PATH"), "/usr/local/cuda") if p]
HEADERS = [p / "include" for p in TOOLKITS if (p / "include/cuda_fp16.h").exists()][:1]


def _library():
    for name in ("libnvrtc.so.13", *(str(p / "lib64/libnvrtc.so.13") for p in TOOLKITS)):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


NVRTC = _library()
pytestmark = pytest.mark.skipif(
    not (NVRTC and HEADERS), reason="NVRTC or the toolkit's headers were not found"
)


def errors_of(text):
    """Empty if the text compiles for compute capability 9.0, else the compiler's words."""
    options = ["--gpu-architecture=compute_90", "--std=c++20", "--device-as-default-execution-space"]
    options += [f"--include-path={p}" for p in (SOURCES, *HEADERS, *(p / "cccl" for p in HEADERS))]
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert NVRTC.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None) == 0
    given = (ctypes.c_char_p * len(options))(*(o.encode() for o in options))
    failed = NVRTC.nvrtcCompileProgram(program, len(options), given)
    NVRTC.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    NVRTC.nvrtcGetProgramLog(program, log)
    NVRTC.nvrtcDestroyProgram(ctypes.byref(program))
    return log.value.decode() + text if failed else ""


def arithmetic(x, y, n):
    i = jit.grid(1)
    if i < n:
        for k in range(i, n, 3):
            y[i] += cp.sqrt(x[k] * x[i]) ** 2 - cp.floor_divide(x[i], 3)


def shared(x, y, n):
    s = jit.shared_memory(cp.float64, 128)
    s[jit.threadIdx.x] = x[jit.grid(1)]
    jit.syncthreads()
    jit.atomic_add(y, n, s[127 - jit.threadIdx.x])
    y[0] = jit.shfl_xor_sync(0xFFFFFFFF, y[1], 3)


def groups(x, y, n):
    grid = jit.cg.this_grid()
    block = jit.cg.this_thread_block()
    y[block.thread_rank()] = x[grid.thread_rank()]
    block.sync()
    y[n] = 1


def reduced(x, y, n):
    BlockReduce = jit.cub.BlockReduce[cp.float64, 64]
    storage = jit.shared_memory(dtype=BlockReduce.TempStorage, size=1)
    total = BlockReduce(storage[0]).Sum(x[jit.threadIdx.x])
    if jit.threadIdx.x == 0:
        y[n] = total


def sorted_rows(x, y, n):
    jit.thrust.sort_by_key(jit.thrust.seq, x.begin(), x.end(), y.begin())
    y[n] = jit.thrust.reduce(jit.thrust.seq, x.begin(), x.end())


@pytest.mark.parametrize("function", [arithmetic, shared, groups, reduced, sorted_rows])
@pytest.mark.parametrize("mode", ["cuda", "numpy"])
def test_a_kernel(function, mode):
    x = Array(Scalar("f8"), 1, dense=True)
    assert errors_of(translate(function, (x, x, Scalar("i4")), mode).text) == ""


def test_every_dtype():
    for dtype in ("?", "i1", "u2", "i8", "f2", "bfloat16", "f4", "c8", "c16"):
        x = Array(Scalar(cp.dtype(dtype)), 2, dense=False)

        def scale(x, y):
            y[jit.threadIdx.x, 0] = x[jit.threadIdx.x, 1] * x[0, 0]

        assert errors_of(translate(scale, (x, x), "numpy").text) == "", dtype


def test_what_is_wrong_is_found():
    assert "error" in errors_of("this is no kernel")
