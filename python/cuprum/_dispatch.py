"""NumPy's functions called with Cuprum arrays: np.sin(x) and np.concatenate([x, y]) are answered by Cuprum.

Only when all arrays among the arguments are Cuprum's: a NumPy array beside them is refused, as everywhere.
"""

import numpy as np

from . import _core, _products


def array_ufunc(self, ufunc, method, *inputs, **kwargs):
    """`numpy.ndarray.__array_ufunc__`'s protocol."""
    # NumPy's scalars arrive as arrays without dimensions.
    inputs = tuple(x[()] if isinstance(x, np.ndarray) and x.ndim == 0 else x for x in inputs)
    own = getattr(_core, ufunc.__name__, None)
    # NumPy's scalars arrive as 0-d arrays when they stand on the left of a comparison.
    inputs = [x[()] if isinstance(x, np.ndarray) and x.ndim == 0 else x for x in inputs]
    if ufunc.signature is not None and method == "__call__":
        own = getattr(_products, ufunc.__name__, None)
        return NotImplemented if own is None else own(*inputs, **kwargs)
    if not isinstance(own, _core.ufunc):
        raise TypeError(
            f"cuprum: numpy.{ufunc.__name__} has no counterpart; write cp.asnumpy(x) to compute with NumPy"
        )
    out = kwargs.get("out")
    if isinstance(out, tuple) and len(out) == 1:
        kwargs["out"] = out[0]
    call = own if method == "__call__" else getattr(own, method)
    return call(*inputs, **kwargs)


def array_function(self, function, types, args, kwargs):
    """`numpy.ndarray.__array_function__`'s protocol."""
    import cuprum

    own = getattr(cuprum, function.__name__, None) if function.__module__ == "numpy" else None
    if own is None or function.__name__ not in cuprum.__all__:
        name = f"{function.__module__}.{function.__name__}"
        raise TypeError(f"cuprum: {name} has no counterpart; write cp.asnumpy(x) to compute with NumPy")
    return own(*args, **kwargs)
