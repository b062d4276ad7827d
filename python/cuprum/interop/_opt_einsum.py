"""opt_einsum: NumPy's arrays as inputs of an expression with backend="cuprum"; the result is NumPy's, as with
CuPy's backend.
"""

import numpy as np

import cuprum as cp


def register(dispatch):
    """`dispatch` is opt_einsum.backends.dispatch."""
    dispatch.CONVERT_BACKENDS["cuprum"] = _expression
    dispatch.EVAL_CONSTS_BACKENDS["cuprum"] = _constants


def _own(arrays):
    return [cp.asarray(x) if isinstance(x, np.ndarray) else x for x in arrays]


def _expression(_, expression):
    return lambda *arrays: cp.asnumpy(expression._contract(_own(arrays), backend="cuprum"))


def _constants(arrays, expression):
    return expression(*_own(arrays), backend="cuprum", evaluate_constants=True)
