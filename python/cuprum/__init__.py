"""Cuprum: NumPy for the GPU and the CPU, lazy and fused.

    import cuprum as cp

Array code is recorded and runs when a result is needed, in as few kernels as possible. Names, dtypes, views, in-place
writes and errors are NumPy's. `cp.asarray` brings data in, `cp.asnumpy` takes it out, `cp.evaluate` computes now.
"""

import importlib
import sys

from numpy import exceptions
from numpy.exceptions import AxisError

from . import _core, _dispatch, _memory, _methods, _pickling, _reference, interop
from ._array_api import *
from ._bits import *
from ._blocks import *
from ._calculus import *
from ._choosing import *
from ._chunks import *
from ._complex_sorting import *
from ._composite import enter_by_device
from ._constants import *
from ._controls import *
from ._conversions import *
from ._convolution import *
from ._core import OutOfMemoryError, ndarray, ufunc
from ._covariance import *
from ._creation import *
from ._cupy_names import *
from ._device import *
from ._dtype_functions import *
from ._dtypes import *
from ._editing import *
from ._einsum import *
from ._elementwise import *
from ._flat import *
from ._float_errors import *
from ._fusion import *
from ._grids import *
from ._histograms import *
from ._indexing import *
from ._interop import *
from ._io import *
from ._iteration import *
from ._joining import *
from ._logic import *
from ._loop_kernels import *
from ._manipulation import *
from ._order_statistics import *
from ._padding import *
from ._pinned import *
from ._polynomial_roots import *
from ._polynomials import *
from ._pools import *
from ._positions import *
from ._printing import *
from ._products import *
from ._raw_kernels import *
from ._reductions import *
from ._sets import *
from ._sorting import *
from ._timing import *
from ._transfer_guard import *
from ._vectorize import *
from ._windows import *

# Imported when a program first names them.
_MODULES = (
    "cuda",
    "cupyx",
    "emath",
    "fft",
    "interop",
    "jit",
    "lib",
    "linalg",
    "polynomial",
    "profiler",
    "random",
    "testing",
)


def __getattr__(name):
    if name == "bfloat16":  # at first use: importing ml_dtypes takes milliseconds
        global bfloat16
        bfloat16 = _core.promote_types("bfloat16", "bfloat16").type
        return bfloat16
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    from ._missing import attribute_error  # which programs without mistakes need not import

    raise attribute_error(sys.modules[__name__], name)


def __dir__():
    return sorted({*__all__, *_MODULES, *(name for name in globals() if name.startswith("__"))})


__version__ = "0.1.0"

_own = {"AxisError", "OutOfMemoryError", "exceptions", "ndarray", "ufunc"}
# The modules whose names are public, each with an `__all__`: they were imported above.
_families = [m for name, m in sorted(globals().items()) if name[0] == "_" and hasattr(m, "__all__")]
__all__ = sorted(_own.union(*(family.__all__ for family in _families)))


def _name_public_functions():
    """Functions and classes say where a user finds them, in `help` and in tracebacks."""
    for name in __all__:
        value = globals()[name]
        if getattr(value, "__module__", "").startswith("cuprum._") and name not in _own:
            try:
                value.__module__ = "cuprum"
            except AttributeError:
                continue  # objects of the C++ module name themselves


_name_public_functions()
del _name_public_functions

# What computes nothing: the arrays of a call may be on several devices.
_anywhere = {
    "_chunks",
    "_controls",
    "_cupy_names",
    "_device",
    "_dtype_functions",
    "_dtypes",
    "_fusion",
    "_interop",
    "_io",
    "_loop_kernels",
    "_pools",
    "_printing",
    "_raw_kernels",
    "_timing",
    "_transfer_guard",
}
_computing = [family for family in _families if family.__name__.partition(".")[2] not in _anywhere]
enter_by_device(
    globals(), set().union(*(family.__all__ for family in _computing)) - {"may_share_memory", "shares_memory"}
)
_reference.describe_all(globals(), __all__)
_reference.describe_methods(ndarray, _core.set_method_text)
_dispatch.answer_ufuncs({name: globals()[name] for name in __all__})

interop.watch()
