"""Threads of a warp exchange values and vote. `mask` names the lanes that take part; all of them must come to
the call.
"""

from ._builtin import builtin
from ._casts import cast, truth
from ._threads import lane_mask
from ._types import BOOL, INT32, UINT32
from ._values import Value, scalar_of

_DTYPES = ("int32", "uint32", "int64", "uint64", "float16", "float32", "float64")


def _shuffle(scope, name, number_type, mask, var, val_id, width):
    value = scalar_of(var, scope.mode)
    if value.type.dtype.name not in _DTYPES:
        raise TypeError(
            f"{name}: warps exchange {', '.join(_DTYPES)}, given {value.type.describe()}; cast it first"
        )
    scope.program.include("warp.h")
    lane = cast(val_id, number_type, scope.mode).code
    width = cast(width, INT32, scope.mode).code
    return Value(
        f"jit::carried<{value.type}>(__{name}({lane_mask(mask, scope.mode)}, jit::carrier({value.code}), "
        f"{lane}, {width}))",
        value.type,
    )


@builtin
def shfl_sync(scope, mask, var, val_id, *, width=32):
    """The value that `var` has in lane `val_id`, counted in groups of `width` lanes.

    >>> @cp.jit.rawkernel()
    ... def spread(x):
    ...     i = cp.jit.threadIdx.x
    ...     x[i] = cp.jit.shfl_sync(0xFFFFFFFF, x[i], 3)
    >>> x = cp.arange(32, dtype=cp.float32)
    >>> spread[1, 32](x)
    >>> x[:2]
    array([3., 3.], dtype=float32)
    """
    return _shuffle(scope, "shfl_sync", INT32, mask, var, val_id, width)


@builtin
def shfl_up_sync(scope, mask, var, val_id, *, width=32):
    """The value that `var` has `val_id` lanes below; its own in the lanes that have none below."""
    return _shuffle(scope, "shfl_up_sync", UINT32, mask, var, val_id, width)


@builtin
def shfl_down_sync(scope, mask, var, val_id, *, width=32):
    """The value that `var` has `val_id` lanes above; its own in the lanes that have none above."""
    return _shuffle(scope, "shfl_down_sync", UINT32, mask, var, val_id, width)


@builtin
def shfl_xor_sync(scope, mask, var, val_id, *, width=32):
    """The value that `var` has in the lane whose number differs in the bits of `val_id`."""
    return _shuffle(scope, "shfl_xor_sync", INT32, mask, var, val_id, width)


def _vote(scope, name, mask, predicate, type):
    test = truth(predicate, scope.mode).code
    result = f"__{name}({lane_mask(mask, scope.mode)}, {test})"
    return Value(f"({result} != 0)" if type == BOOL else result, type)


@builtin
def all_sync(scope, mask, predicate):
    """Whether `predicate` holds in all lanes."""
    return _vote(scope, "all_sync", mask, predicate, BOOL)


@builtin
def any_sync(scope, mask, predicate):
    """Whether `predicate` holds in any lane."""
    return _vote(scope, "any_sync", mask, predicate, BOOL)


@builtin
def ballot_sync(scope, mask, predicate):
    """The lanes in which `predicate` holds, as the bits of a uint32.

    >>> @cp.jit.rawkernel()
    ... def odd(y):
    ...     lanes = cp.jit.ballot_sync(0xFFFFFFFF, cp.jit.laneid() % 2 == 1)
    ...     y[cp.jit.laneid()] = cp.bitwise_count(lanes)
    >>> y = cp.zeros(32, dtype=int)
    >>> odd[1, 32](y)
    >>> y[0]
    array(16)
    """
    return _vote(scope, "ballot_sync", mask, predicate, UINT32)


@builtin
def activemask(scope):
    """The lanes that are at this place of the program, as the bits of a uint32."""
    return Value("__activemask()", UINT32)
