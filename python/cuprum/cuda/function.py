"""Compiled kernels and modules, as CuPy names them: what `cp.RawKernel.kernel` and `cp.RawModule.module` are."""

from .. import _core

__all__ = ["Function", "Module"]


class Function:
    """A compiled kernel. `cp.RawKernel` makes it from a text.

    >>> kernel = cp.RawKernel('extern "C" __global__ void one(int* x) { *x = 1; }', "one")
    >>> x = cp.zeros(1, cp.int32)
    >>> kernel.kernel((1,), (1,), (x,))
    >>> x
    array([1], dtype=int32)
    """

    def __init__(self, module, funcname):
        self._compiled = _core.PortableKernel(module._spec, funcname)
        self._compiled.compile()

    @classmethod
    def _of(cls, compiled):
        function = cls.__new__(cls)
        function._compiled = compiled
        return function

    def __call__(self, grid, block, args, shared_mem=0, stream=None, enable_cooperative_groups=False):
        """Launches the kernel; see `cp.RawKernel`."""
        self._compiled.launch(grid, block, args, shared_mem, stream, enable_cooperative_groups)

    def linear_launch(
        self, size, args, shared_mem=0, block_max_size=128, stream=None, enable_cooperative_groups=False
    ):
        """Launches at least `size` threads, in blocks of at most `block_max_size`."""
        blocks = min(0x7FFFFFFF, -(-size // block_max_size))
        threads = min(block_max_size, size)
        self((blocks,), (threads,), args, shared_mem, stream, enable_cooperative_groups)


class Module:
    """A compiled text. `cp.RawModule` makes it."""

    _spec = _core.ModuleSpec("")

    @classmethod
    def _of(cls, spec):
        module = cls()
        module._spec = spec
        return module

    def load_file(self, filename):
        """Loads machine code of a GPU, PTX, a cubin or a fatbin, from a file; the CPU has no use for it."""
        self._spec = _core.ModuleSpec.machine_code(str(filename))
        _core.compile_module(self._spec)

    def get_function(self, name):
        """The kernel of that name."""
        return Function(self, name)

    def get_global_var(self, name):
        """The address of a `__device__` or `__constant__` variable."""
        return _core.address_of(_core.module_global(self._spec, name))
