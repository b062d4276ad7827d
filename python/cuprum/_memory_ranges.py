"""Where arrays lie in memory, and how much of it a program's arrays take."""

import sys

from . import _core
from ._convert import as_array

__all__ = ["byte_bounds", "who"]


def byte_bounds(a):
    """The addresses of the first byte of an array and of the one behind its last.

    >>> a = cp.zeros(10, dtype=cp.float32)
    >>> low, high = cp.byte_bounds(a)
    >>> high - low == a.nbytes
    True
    """
    a = as_array(a, "byte_bounds")
    first = a.data.ptr
    steps = [(length - 1) * stride for length, stride in zip(a.shape, a.strides)] if a.size else []
    low = first + sum(step for step in steps if step < 0)
    high = first + sum(step for step in steps if step > 0)
    return low, high + (a.itemsize if a.size else 0)


def who(vardict=None):
    """Prints the arrays of a dictionary, by default of the caller's global names, with their shapes and sizes.

    >>> cp.who({"x": cp.ones(10)})
    Name                 Shape                Bytes                Type
    ======================================================================
    <BLANKLINE>
    x                    10                   80                   float64
    <BLANKLINE>
    Upper bound on total bytes  =       80
    """
    names = sys._getframe(1).f_globals if vardict is None else vardict
    arrays = {name: x for name, x in names.items() if isinstance(x, _core.ndarray)}
    if arrays:
        print(f"{'Name':<20} {'Shape':<20} {'Bytes':<20} Type")
        print("=" * 70 + "\n")
    for name, x in arrays.items():
        print(f"{name:<20} {' x '.join(map(str, x.shape)):<20} {x.nbytes:<20} {x.dtype}")
    owners = {id(x if x.base is None else x.base): x for x in arrays.values()}  # views share their bytes
    total = sum(x.nbytes if x.base is None else getattr(x.base, "nbytes", x.nbytes) for x in owners.values())
    print(f"\nUpper bound on total bytes  =       {total}")
