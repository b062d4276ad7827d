"""The driver, as far as programs ask for its version and its errors."""

from .. import _core
from .._core import CUDADriverError

__all__ = ["CUDADriverError", "get_build_version"]


def get_build_version():
    """The CUDA that the plug-in was built with: 13000 for 13.0; 0 where CUDA cannot be used."""
    return _core.cuda_versions()[1]
