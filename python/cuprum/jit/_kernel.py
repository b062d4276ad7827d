"""Kernels written in Python: `rawkernel`, their types, their launch."""

import functools
import warnings

import numpy as np

from .. import _core
from ._arrays import layout, type_of_layout
from ._functions import kernel as translate_kernel
from ._functions import translate
from ._source import Source
from ._types import INT32, Scalar
from ._values import Value, type_of_number, value_of
from ._written import written_parameters


class JitRawKernel:
    """What `rawkernel` makes of a function. It is translated and compiled when it is first called with
    arguments of their types.
    """

    def __init__(self, function, mode, device):
        self._function = function
        self._mode = mode
        self._device = device
        self._compiled = {}  # what the types of the arguments depend on: _Compiled
        functools.update_wrapper(self, function)

    def __call__(self, grid, block, args, shared_mem=0, stream=None):
        """Launches the kernel: `grid` blocks of `block` threads each, with `shared_mem` bytes of dynamic
        shared memory.

        >>> @cp.jit.rawkernel()
        ... def fill(x, value):
        ...     x[cp.jit.grid(1)] = value
        >>> x = cp.empty(6)
        >>> fill((2,), (3,), (x, 1.5))
        >>> x
        array([1.5, 1.5, 1.5, 1.5, 1.5, 1.5])
        """
        if self._device:
            raise TypeError(
                f"cuprum.jit.rawkernel: {self.__name__} is a device function: kernels call it, programs "
                "cannot launch it"
            )
        key = tuple([self._key(x, position) for position, x in enumerate(args, start=1)])
        compiled = self._compiled.get(key)
        if compiled is None:
            compiled = self._compiled[key] = _Compiled(
                self._function, [_type(part) for part in key], self._mode
            )
        compiled.launch(grid, block, args, shared_mem, stream)

    def __getitem__(self, launch):
        """`kernel[grid, block]` or `kernel[grid, block, shared_mem, stream]`, to be called with the kernel's
        arguments.

        >>> @cp.jit.rawkernel()
        ... def fill(x, value):
        ...     x[cp.jit.grid(1)] = value
        >>> x = cp.empty(6)
        >>> fill[2, 3](x, 1.5)
        >>> x
        array([1.5, 1.5, 1.5, 1.5, 1.5, 1.5])
        """
        if not isinstance(launch, tuple) or not 2 <= len(launch) <= 4:
            raise TypeError(
                f"cuprum.jit.rawkernel: {self.__name__}[...] takes grid, block and, if need be, shared_mem "
                f"and stream, given {launch!r}"
            )
        grid, block, *rest = launch
        return lambda *args, **keywords: self(grid, block, args, *rest, **keywords)

    def _key(self, x, position):
        """What the type of an argument depends on."""
        if isinstance(x, _core.ndarray):
            return layout(x)
        if isinstance(x, (int, float, complex, np.generic)):
            return type_of_number(x, self._mode)
        if isinstance(x, np.ndarray):
            raise TypeError(
                f"cuprum.jit.rawkernel: argument {position} of {self.__name__} is a numpy.ndarray, which "
                "lives in host memory; "
                "write cp.asarray(x) to copy it"
            )
        raise TypeError(
            f"cuprum.jit.rawkernel: argument {position} of {self.__name__} must be an array or a number, "
            f"given {type(x).__name__}"
        )

    def translate(self, scope, *args):
        """A call within a kernel."""
        if not self._device:
            raise TypeError(
                f"Calling the kernel {self.__name__} from a kernel is not allowed; functions that kernels "
                "call have @cuprum.jit.rawkernel(device=True)"
            )
        values = [value_of(x, scope.mode) for x in args]
        name, result = translate(
            scope.program, self._function, tuple(v.type for v in values), "__device__ inline"
        )
        return Value(f"{name}({', '.join(v.code for v in values)})", result)

    @property
    def cached_codes(self):
        """The texts in CUDA C++ so far, by the types of the arguments that they are for."""
        return {compiled.types: compiled.translation.text for compiled in self._compiled.values()}

    @property
    def cached_code(self):
        """The text in CUDA C++, that for the first types if there are several.

        >>> @cp.jit.rawkernel()
        ... def fill(x, value):
        ...     x[cp.jit.grid(1)] = value
        >>> fill[1, 4](cp.empty(4), 2.0)
        >>> "__global__ void jit_fill(" in fill.cached_code
        True
        """
        codes = self.cached_codes
        if not codes:
            raise RuntimeError(
                f"cuprum.jit.rawkernel: {self.__name__} has no text yet: its first call says for which types"
            )
        if len(codes) > 1:
            warnings.warn(
                f"cuprum.jit.rawkernel: {self.__name__} has texts for several types; see cached_codes",
                stacklevel=2,
            )
        return next(iter(codes.values()))


class _Compiled:
    """A kernel for arguments of certain types."""

    def __init__(self, function, types, mode):
        self.types = tuple(types)
        self.translation = translate_kernel(function, types, mode)
        self.kernel = _core.PortableKernel(_core.ModuleSpec(self.translation.text), self.translation.name)
        written = written_parameters(Source(function), types)
        self.forms = "".join(_form(t, w) for t, w in zip(types, written))
        self.packers = [_packer(t) for t in types]

    def launch(self, grid, block, args, shared_mem, stream):
        packed = tuple([pack(x) if pack else x for pack, x in zip(self.packers, args)])
        self.kernel.launch_packed(
            grid, block, packed, self.forms, shared_mem, stream, self.translation.cooperative
        )


def _type(key):
    return type_of_layout(*key) if isinstance(key, tuple) else key


def _form(type, written):
    """How an argument goes to the kernel: `PackedArguments` in python/src/kernels.cpp."""
    if isinstance(type, Scalar):
        return "b"
    form = "w" if written else "r"
    return form if type.index == INT32 else form.upper()


def _packer(type):
    """What makes bytes of a number; None for arrays."""
    return (lambda x: type.dtype.type(x).tobytes()) if isinstance(type, Scalar) else None


def rawkernel(*, mode="cuda", device=False):
    """A decorator that makes a kernel of a Python function, or with `device=True` a function that kernels
    call.

    The function is translated to CUDA C++ and compiled for the types of the arguments of each call.
    `mode="cuda"`: operands are promoted as in CUDA C++, and Python's ints and floats are int32 and float32;
    `mode="numpy"`: NumPy promotes.

    >>> @cp.jit.rawkernel(device=True)
    ... def squared(x):
    ...     return x * x
    >>> @cp.jit.rawkernel()
    ... def distance(x, y, out):
    ...     i = cp.jit.grid(1)
    ...     if i < x.size:
    ...         out[i] = cp.sqrt(squared(x[i]) + squared(y[i]))
    >>> x, y = cp.array([3.0, 5.0]), cp.array([4.0, 12.0])
    >>> out = cp.empty_like(x)
    >>> distance[1, 128](x, y, out)
    >>> out
    array([ 5., 13.])
    """
    if mode not in ("cuda", "numpy"):
        raise ValueError(f"cuprum.jit.rawkernel: mode must be 'cuda' or 'numpy', given {mode!r}")
    return lambda function: JitRawKernel(function, mode, device)
