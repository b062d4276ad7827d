"""Kernels that a program brings, as text in CUDA C++: `cp.RawKernel`, `cp.RawModule`, with CuPy's names.

A kernel is compiled for a device when it is first asked for there, and computes where its arrays are. A launch is
ordered like any other call: nothing has to be evaluated or synchronized before or behind it.
"""

import pickle

from . import _core
from ._checks import as_integer
from ._composite import entered
from ._memory import BaseMemory, MemoryPointer

__all__ = ["RawKernel", "RawModule"]

_PICKLED = 2  # the version of the format, CuPy's

# CUDA's attributes of a kernel, by CuPy's names.
_ATTRIBUTES = {
    "max_threads_per_block": "The most threads that a block may have.",
    "shared_size_bytes": "Bytes of static shared memory of a block.",
    "const_size_bytes": "Bytes of constant memory.",
    "local_size_bytes": "Bytes of local memory of a thread.",
    "num_regs": "Registers of a thread.",
    "ptx_version": "The virtual architecture that the kernel was compiled for; 90 is 9.0.",
    "binary_version": "The architecture that the kernel was compiled for; 90 is 9.0.",
    "cache_mode_ca": "Was it compiled to keep global memory in the L1 cache?",
    "max_dynamic_shared_size_bytes": "The most bytes of dynamic shared memory that a launch may ask for. Can be set.",
    "preferred_shared_memory_carveout": "Percent of the L1 cache that are to be shared memory. Can be set.",
}
_SETTABLE = ("max_dynamic_shared_size_bytes", "preferred_shared_memory_carveout")


def _attribute(key):
    def get(self):
        return self._compiled.attribute(key)

    def set(self, value):
        self._compiled.set_attribute(key, as_integer(value, f"RawKernel.{key}", "value"))

    return property(get, set if key in _SETTABLE else None, doc=_ATTRIBUTES[key])


def _texts(values, function, parameter):
    """A tuple of str; one str alone would be taken for its letters."""
    if isinstance(values, str) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"cuprum.{function}: {parameter} must be a tuple of str, given {values!r}")
    return tuple(values)


def _check(function, code, name, backend):
    for parameter, value in (("code", code), ("name", name)):
        if not isinstance(value, str):
            raise TypeError(f"cuprum.{function}: {parameter} must be a str, given a {type(value).__name__}")
    if backend not in ("nvrtc", "nvcc"):
        raise ValueError(f"cuprum.{function}: backend must be 'nvrtc' or 'nvcc', given {backend!r}")


def _spec(made):
    """What a kernel or a module is compiled from."""
    if made.code is None:
        return _core.ModuleSpec.machine_code(str(made.file_path))
    return _core.ModuleSpec(made.code, list(made.options), list(made.name_expressions or ()), made.backend)


class RawKernel(_core.RawKernelBase):
    """A kernel in CUDA C++, called as `kernel(grid, block, args)`.

    `code` is the text, `name` that of an `extern "C" __global__` function in it, `options` go to the compiler: `-D`,
    `-I`, `-std=c++17`, `--use_fast_math`. On a GPU NVRTC compiles the text, or nvcc with `backend="nvcc"`; on the CPU
    the system's C++ compiler does. `jitify` and `translate_cucomplex` change nothing. With
    `enable_cooperative_groups` all blocks of a launch are there at once, and may wait for each other.

    >>> double = cp.RawKernel(r'''
    ... extern "C" __global__ void twice(const float* x, float* y, int n) {
    ...     int i = blockIdx.x * blockDim.x + threadIdx.x;
    ...     if (i < n) y[i] = 2 * x[i];
    ... }''', "twice")
    >>> x = cp.arange(5, dtype=cp.float32)
    >>> y = cp.empty_like(x)
    >>> double((1,), (32,), (x, y, 5))
    >>> y
    array([0., 2., 4., 6., 8.], dtype=float32)
    """

    def __init__(
        self,
        code,
        name,
        options=(),
        backend="nvrtc",
        *,
        translate_cucomplex=False,
        enable_cooperative_groups=False,
        jitify=False,
    ):
        _check("RawKernel", code, name, backend)
        self._set(
            code=code,
            name=name,
            options=_texts(options, "RawKernel", "options"),
            backend=backend,
            translate_cucomplex=bool(translate_cucomplex),
            enable_cooperative_groups=bool(enable_cooperative_groups),
            jitify=bool(jitify),
            file_path=None,
            name_expressions=None,
        )

    def _set(self, **fields):
        """Everything that a pickle keeps; compiled functions are found again by it."""
        self.__dict__.update(fields)
        self.__name__ = self.name
        self._fields = tuple(fields)
        _core.RawKernelBase.__init__(self, _spec(self), self.name, self.enable_cooperative_groups)

    def __call__(self, grid, block, args, *, shared_mem=0, stream=None):
        """Launches the kernel on the current stream, or on `stream`, of the device that the arrays are on.

        `grid` and `block` are tuples of up to three numbers, `shared_mem` is the dynamic shared memory of a block in
        bytes. `args` are compared with the parameters of the kernel: docs/guide/kernels.md has the rules.
        """
        _core.launch_raw(self, grid, block, args, shared_mem, stream)

    @property
    def kernel(self):
        """The function on the current device, a `cp.cuda.Function`."""
        from .cuda.function import Function

        self.compile()
        return Function._of(self._compiled)

    @property
    def attributes(self):
        """CUDA's attributes of the kernel on the current device, as a dict."""
        return {key: getattr(self, key) for key in _ATTRIBUTES}

    def compile(self, log_stream=None):
        """Compiles the kernel for the current device now, instead of with its first launch.

        `log_stream` is a file that the compiler's warnings are written to.
        """
        self._compiled.compile()
        if log_stream is not None:
            log_stream.write(_core.module_log(_spec(self)))

    def __getstate__(self):
        return {field: getattr(self, field) for field in self._fields} | {"raw_ver": _PICKLED}

    def __setstate__(self, state):
        if state.pop("raw_ver", None) != _PICKLED:
            raise pickle.UnpicklingError(
                "cuprum.RawKernel: it was pickled by another version; write cp.RawKernel(code, name) anew"
            )
        self._set(**state)


RawKernel.__call__ = entered(RawKernel.__call__)  # a launch passes no frame of Python, which takes 45 ns
for _key in _ATTRIBUTES:
    setattr(RawKernel, _key, _attribute(_key))


class RawModule:
    """Kernels and variables of one text in CUDA C++, compiled together.

    `name_expressions` are the instances of C++ templates that `get_function` will be asked for; every other parameter
    is that of `cp.RawKernel`. `path` names a file of machine code for a GPU (PTX, cubin, fatbin) instead of `code`.

    >>> module = cp.RawModule(code=r'''
    ... template <class T> __global__ void fill(T* x, T value) { x[threadIdx.x] = value; }
    ... ''', name_expressions=["fill<float>", "fill<long long>"])
    >>> x = cp.zeros(3, cp.int64)
    >>> module.get_function("fill<long long>")((1,), (3,), (x, 7))
    >>> x
    array([7, 7, 7])
    """

    def __init__(
        self,
        *,
        code=None,
        path=None,
        options=(),
        backend="nvrtc",
        translate_cucomplex=False,
        enable_cooperative_groups=False,
        name_expressions=None,
        jitify=False,
    ):
        if (code is None) == (path is None):
            raise TypeError("cuprum.RawModule: exactly one of code and path must be given")
        _check("RawModule", "" if code is None else code, "", backend)
        if name_expressions is not None:
            if code is None or backend != "nvrtc":
                raise ValueError("cuprum.RawModule: name_expressions need code and the backend 'nvrtc'")
            name_expressions = _texts(name_expressions, "RawModule", "name_expressions")
        self.code = code
        self.file_path = path
        self.options = _texts(options, "RawModule", "options")
        self.backend = backend
        self.translate_cucomplex = bool(translate_cucomplex)
        self.enable_cooperative_groups = bool(enable_cooperative_groups)
        self.name_expressions = name_expressions
        self.jitify = bool(jitify)

    @property
    def module(self):
        """The module on the current device, a `cp.cuda.Module`."""
        from .cuda.function import Module

        self.compile()
        return Module._of(_spec(self))

    def compile(self, log_stream=None):
        """Compiles the text for the current device now, instead of when it is first used.

        `log_stream` is a file that the compiler's warnings are written to.
        """
        _core.compile_module(_spec(self))
        if log_stream is not None:
            log_stream.write(_core.module_log(_spec(self)))

    def get_function(self, name):
        """The kernel of that name, or of that name expression, as a `cp.RawKernel`."""
        kernel = RawKernel.__new__(RawKernel)
        kernel._set(name=name, **self.__dict__)
        kernel.compile()
        return kernel

    def get_global(self, name):
        """A `__device__` or `__constant__` variable on the current device, as a `cp.cuda.MemoryPointer`.

        >>> module = cp.RawModule(code="__constant__ float weights[4];")
        >>> weights = cp.ndarray(4, cp.float32, module.get_global("weights"))
        >>> weights[...] = cp.arange(4)
        """
        return MemoryPointer(BaseMemory(_core.module_global(_spec(self), name)), 0)
