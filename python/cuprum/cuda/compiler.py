"""The compiler of a program's own kernels, as far as programs ask for its errors."""

from .._core import CompileException

__all__ = ["CompileException"]

JitifyException = CompileException  # CuPy's, where Jitify helps NVRTC; here one compiler serves
