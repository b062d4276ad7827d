"""Names that CuPy has in its main namespace and NumPy 2 has elsewhere, or no more."""

import ast
import sys

from numpy.lib.npyio import DataSource
from numpy.rec import format_parser

from . import _core
from ._convert import as_array

__all__ = [
    "DataSource", "byte_bounds", "disp", "find_common_type", "format_parser", "get_array_wrap", "is_available",
    "safe_eval", "who",
]  # fmt: skip


def is_available():
    """Whether a CUDA device can be used. Without one, arrays live on the CPU.

    >>> cp.is_available() == (cp.cuda.runtime.getDeviceCount() > 0)
    True
    """
    from . import cuda

    return cuda.is_available()


def disp(mesg, device=None, linefeed=True):
    """Writes a message to a file, or to the standard output.

    >>> cp.disp("done")
    done
    """
    file = sys.stdout if device is None else device
    file.write(f"{mesg}\n" if linefeed else f"{mesg}")
    file.flush()


def safe_eval(source):
    """The value of a string with a Python literal; nothing is executed.

    >>> cp.safe_eval("[1, 2, 3]")
    [1, 2, 3]
    """
    return ast.literal_eval(source)


def find_common_type(array_types, scalar_types):
    """The dtype of an operation of arrays and scalars by the rules of NumPy 1: scalars count only if their kind is
    greater. `result_type` has NumPy 2's.

    >>> cp.find_common_type([cp.float32], [cp.int64, cp.float64])
    dtype('float32')
    """
    arrays = _core.result_type(*array_types) if array_types else None
    scalars = _core.result_type(*scalar_types) if scalar_types else None
    if arrays is None or scalars is None:
        return scalars if arrays is None else arrays
    kinds = "buifc"
    return scalars if kinds.index(scalars.kind) > kinds.index(arrays.kind) else arrays


def get_array_wrap(*args):
    """The `__array_wrap__` of the argument with the highest `__array_priority__`; None if none has one.

    >>> cp.get_array_wrap(1, cp.ones(2))(cp.zeros(2))
    array([0., 0.])
    """
    wraps = [x for x in args if hasattr(x, "__array_wrap__")]
    if not wraps:
        return None
    return max(wraps, key=lambda x: getattr(x, "__array_priority__", 0)).__array_wrap__


def byte_bounds(a):
    """The addresses of the first byte of an array's memory and of the one behind its last; computes what is pending.

    >>> x = cp.zeros(4, cp.float32)
    >>> low, high = cp.byte_bounds(x[::-1])
    >>> low == x.data.ptr, high - low
    (True, 16)
    """
    a = as_array(a, "byte_bounds")
    first = a.data.ptr
    steps = [(n - 1) * stride for n, stride in zip(a.shape, a.strides)] if a.size else []
    low, high = (sum(x for x in steps if x < 0), sum(x for x in steps if x > 0))
    return first + low, first + high + (a.itemsize if a.size else 0)


def who(vardict=None):
    """Prints name, shape, bytes and dtype of the arrays in a dictionary, or among the caller's global names.

    >>> cp.who({"x": cp.ones((2, 3))})
    Name            Shape            Bytes            Type
    ===========================================================
    <BLANKLINE>
    x               2 x 3            48               float64
    <BLANKLINE>
    Upper bound on total bytes  =       48
    """
    if vardict is None:
        vardict = sys._getframe(1).f_globals
    rows, seen, total = [], {}, 0
    for name, x in vardict.items():
        if not isinstance(x, _core.ndarray):
            continue
        owner = x if x.base is None else x.base
        first = seen.setdefault(id(owner), name)  # what shares memory counts once
        rows.append((name, " x ".join(map(str, x.shape)), f"{x.nbytes}", x.dtype.name, first))
        total += x.nbytes if first == name else 0
    if rows:
        print(f"{'Name':<15} {'Shape':<16} {'Bytes':<16} Type\n{'=' * 59}\n")
    for name, shape, size, kind, first in rows:
        mark = "" if first == name else f" (shares {first})"
        print(f"{name:<15} {shape:<16} {size:<16} {kind}{mark}")
    print(f"\nUpper bound on total bytes  =       {total}")
