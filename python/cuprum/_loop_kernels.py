"""Loops whose body a program brings, in CUDA C++: `cp.ElementwiseKernel`, `cp.ReductionKernel`, with CuPy's names.

The text is compiled when it is first called with new dtypes. What a call means, which dtypes it has, how it joins its
neighbours in one pass: src/ops/elementwise_kernel.h, src/ops/reduction_kernel.h.
"""

import warnings
from typing import NamedTuple

import numpy as np

from . import _core

__all__ = ["ElementwiseKernel", "ReductionKernel"]


class ParameterInfo(NamedTuple):
    """A parameter of a kernel: `dtype` is None for a placeholder, whose letter is `ctype`."""

    name: str
    dtype: np.dtype | None
    ctype: str
    raw: bool
    is_const: bool


def _texts(function, **texts):
    for parameter, text in texts.items():
        if not isinstance(text, str):
            raise TypeError(f"cuprum.{function}: {parameter} must be a str, given a {type(text).__name__}")


def _options(options, function):
    if isinstance(options, str) or not all(isinstance(option, str) for option in options):
        raise TypeError(f"cuprum.{function}: options must be a tuple of str, given {options!r}")
    return list(options)


class _LoopKernel:
    """What both kinds of kernels show of themselves."""

    def _set_kernel(self, kernel, name):
        self._kernel = kernel
        self.name = self.__name__ = name
        self.in_params = tuple(ParameterInfo(*p) for p in kernel.inputs())
        self.out_params = tuple(ParameterInfo(*p) for p in kernel.outputs())
        self.nin = len(self.in_params)
        self.nout = len(self.out_params)
        self.nargs = self.nin + self.nout

    @property
    def _cached_codes(self):
        return self._kernel.codes()

    @property
    def cached_codes(self):
        """The texts that have been compiled, by the dtypes of the arrays they were compiled for."""
        codes = self._cached_codes
        if not codes:
            warnings.warn(
                f"cuprum.{type(self).__name__}: no text yet; a kernel is compiled by its first call",
                stacklevel=2,
            )
        return codes

    @property
    def cached_code(self):
        """The text that has been compiled, for a kernel that has one."""
        codes = self.cached_codes
        if len(codes) > 1:
            warnings.warn(
                f"cuprum.{type(self).__name__}: there are {len(codes)} texts, this is the first; see cached_codes",
                stacklevel=2,
            )
        return next(iter(codes.values()))


class ElementwiseKernel(_LoopKernel):
    """A loop over the elements of arrays, its body given in CUDA C++.

    `in_params` and `out_params` are lists of parameters, each a type and a name. A type is a dtype or one letter, which
    stands for the dtype of what is given for it. Arrays broadcast; they are not cast. A parameter that is `raw` is not
    looped over: the body indexes it, by a number or by a list of them, and asks for its `size()`, `shape()` and
    `strides()`. `i` is the place in the loop, `n` or `_ind.size()` its length, `_ind.get()` its index.

    A body with at most three inputs, one output, and none of these is an operation like any other: recorded, and
    computed in one pass with its neighbours.

    `name` names it in errors and in the profiler. With `reduce_dims=False` `_ind` has all dimensions of the arrays.
    `preamble` stands before the loop's function, `loop_prep` and `after_loop` at its begin and end; `options` go to
    the compiler. With `no_return` a call returns None, with `return_tuple` a tuple of one array, too.

    >>> squared_diff = cp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff")
    >>> squared_diff(cp.arange(4.0), 1)
    array([1., 0., 1., 4.])
    >>> reverse = cp.ElementwiseKernel("raw T x", "T y", "y = x[n - 1 - i]", "reverse")
    >>> reverse(cp.arange(4.0), cp.empty(4))
    array([3., 2., 1., 0.])
    """

    def __init__(
        self,
        in_params,
        out_params,
        operation,
        name="kernel",
        reduce_dims=True,
        preamble="",
        no_return=False,
        return_tuple=False,
        *,
        options=(),
        loop_prep="",
        after_loop="",
        doc=None,
    ):
        function = "ElementwiseKernel"
        _texts(function, in_params=in_params, out_params=out_params, operation=operation, name=name)
        _texts(function, preamble=preamble, loop_prep=loop_prep, after_loop=after_loop)
        kernel = _core.ElementwiseKernel(
            in_params,
            out_params,
            operation,
            name,
            bool(reduce_dims),
            preamble,
            _options(options, function),
            loop_prep,
            after_loop,
        )
        self._set_kernel(kernel, name)
        self.operation = operation
        self.preamble = preamble
        self.reduce_dims = bool(reduce_dims)
        self.no_return = bool(no_return)
        self.return_tuple = bool(return_tuple)
        self.kwargs = {"options": tuple(options), "loop_prep": loop_prep, "after_loop": after_loop}
        if doc is not None:
            self.__doc__ = doc

    def __call__(self, *args, size=-1, block_size=128, stream=None):
        """Computes the outputs of these inputs.

        `args` are the inputs, then all outputs or none: outputs that are not given are new arrays. `size` is the
        length of the loop where all arrays are raw. `block_size` is the number of threads in a block, where the
        device has them.
        """
        results = self._kernel(args, size, block_size, stream)
        if self.no_return:
            return None
        return results[0] if len(results) == 1 and not self.return_tuple else tuple(results)


class ReductionKernel(_LoopKernel):
    """A reduction, given in CUDA C++: a map of the elements, a fold of two values, a map of the result.

    `map_expr` is an expression of the inputs, `reduce_expr` one of `a` and `b`, which are values of `reduce_type`, by
    default that of the first output. `post_map_expr` assigns to the outputs what it makes of `a`. A fold begins at
    `identity`. Parameters are those of `ElementwiseKernel`; `_J` is the place of an element among those that become
    one result, `_in_ind.size()` and `_out_ind.size()` are the numbers of elements and of results.

    The order of the fold depends on the number of elements that become one, so that a result has the same bits
    every time.

    >>> l2norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
    >>> l2norm(cp.array([[3.0, 4.0], [6.0, 8.0]]), axis=1)
    array([ 5., 10.])
    """

    def __init__(
        self,
        in_params,
        out_params,
        map_expr,
        reduce_expr,
        post_map_expr,
        identity,
        name="reduce_kernel",
        reduce_type=None,
        reduce_dims=True,
        preamble="",
        options=(),
    ):
        function = "ReductionKernel"
        _texts(
            function, in_params=in_params, out_params=out_params, map_expr=map_expr, reduce_expr=reduce_expr
        )
        _texts(function, post_map_expr=post_map_expr, name=name, preamble=preamble)
        self.identity = "" if identity is None else str(identity)
        kernel = _core.ReductionKernel(
            in_params,
            out_params,
            map_expr,
            reduce_expr,
            post_map_expr,
            self.identity,
            name,
            "" if reduce_type is None else reduce_type,
            bool(reduce_dims),
            preamble,
            _options(options, function),
        )
        self._set_kernel(kernel, name)
        self.map_expr = map_expr
        self.reduce_expr = reduce_expr
        self.post_map_expr = post_map_expr
        self.reduce_type = self.out_params[0].ctype if reduce_type is None else reduce_type
        self.reduce_dims = bool(reduce_dims)
        self.preamble = preamble
        self.options = tuple(options)

    def __call__(self, *args, out=None, axis=None, keepdims=False, stream=None):
        """Reduces the inputs over `axis`, by default over all.

        `args` are the inputs, then all outputs or none; `out` is the output of a kernel that has one. Returns the first
        output.
        """
        if out is not None:
            if self.nout != 1:
                raise ValueError(
                    f"cuprum.ReductionKernel: '{self.name}' has {self.nout} outputs; give them behind the inputs"
                )
            if len(args) > self.nin:
                raise ValueError("cannot specify 'out' as both a positional and keyword argument")
            args = (*args, out)
        return self._kernel(args, axis, bool(keepdims), stream)[0]
