"""What the array API standard asks of a namespace beyond NumPy's names: the namespace's description of itself."""

import numpy as np

from . import _core
from ._device import Device

__all__ = ["__array_api_version__", "__array_namespace_info__"]

__array_api_version__ = "2025.12"

_OLDER_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")

_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] + _KINDS["real floating"] + _KINDS["complex floating"]
_ALL_KINDS = ("bool", "numeric")


class __array_namespace_info__:  # the standard's name for it
    """What this namespace can do: dtypes, devices, capabilities.

    >>> info = cp.__array_namespace_info__()
    >>> info.dtypes(kind="real floating")
    {'float32': dtype('float32'), 'float64': dtype('float64')}
    """

    __module__ = "cuprum"

    def capabilities(self):
        """Whether masks index, whether shapes may depend on values, and how many dimensions there are at most."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self):
        """The device that new arrays of this thread live on."""
        return Device()

    def devices(self):
        """The devices that work here."""
        return tuple(Device(name) for name, _, problem in _core.device_reports() if not problem)

    def default_dtypes(self, *, device=None):
        """The dtypes of arrays made without `dtype=`; the same on every device."""
        _check_device(device)
        return {
            "real floating": np.dtype("float64"),
            "complex floating": np.dtype("complex128"),
            "integral": np.dtype("int64"),
            "indexing": np.dtype("int64"),
        }

    def dtypes(self, *, device=None, kind=None):
        """The standard's dtypes by name, all of them or those of a kind or of a tuple of kinds."""
        _check_device(device)
        kinds = _ALL_KINDS if kind is None else kind if isinstance(kind, tuple) else (kind,)
        unknown = [k for k in kinds if k not in _KINDS]
        if unknown:
            raise ValueError(
                f"cuprum.__array_namespace_info__.dtypes: kind={unknown[0]!r} is none of {', '.join(_KINDS)}"
            )
        return {name: np.dtype(name) for k in kinds for name in _KINDS[k]}


def _check_device(device):
    if device is not None:
        _core.device_info(Device(device).name)


def array_namespace(self, /, *, api_version=None):
    """The module whose functions take this array, for a version of the array API standard.

    >>> cp.ones(2).__array_namespace__() is cp
    True
    """
    import cuprum

    if api_version is not None and api_version not in (*_OLDER_VERSIONS, __array_api_version__):
        raise ValueError(
            f"cuprum.ndarray.__array_namespace__: api_version={api_version!r} is not known here; "
            f"write one of {', '.join(_OLDER_VERSIONS)}, {__array_api_version__} or None"
        )
    return cuprum


_core.ndarray.__array_namespace__ = array_namespace
