"""dask: chunks of Cuprum's arrays, beside which a dask array answers; its tables of functions per type of chunk."""

import numpy as np

import cuprum as cp


def register(backends):
    """`backends` is dask.array.backends."""
    from dask.array.chunk_types import register_chunk_type

    register_chunk_type(cp.ndarray)
    backends.concatenate_lookup.register(cp.ndarray, cp.concatenate)
    backends.take_lookup.register(cp.ndarray, cp.take)
    backends.tensordot_lookup.register(cp.ndarray, cp.tensordot)
    backends.einsum_lookup.register(cp.ndarray, cp.einsum)
    backends.empty_lookup.register(cp.ndarray, cp.empty)
    backends.divide_lookup.register(cp.ndarray, _divide)
    backends.percentile_lookup.register(cp.ndarray, _percentile)
    backends.numel_lookup.register(cp.ndarray, _numel)
    backends.nannumel_lookup.register(cp.ndarray, _nannumel)
    backends.to_numpy_dispatch.register(cp.ndarray, lambda data, **kwargs: cp.asnumpy(data, **kwargs))


def _divide(a, b, dtype=None):
    result = cp.divide(a, b)
    return result if dtype is None else result.astype(dtype, copy=False)


def _percentile(a, q, method="linear"):
    """The percentiles of a chunk, and how many elements it has: dask merges them with those of other chunks."""
    return cp.percentile(a, q, method=method), a.size


def _shape(x, axis, keepdims):
    """Of a reduction of `x`, and how many elements each result has."""
    axes = range(x.ndim) if axis is None else {i % x.ndim for i in np.atleast_1d(axis)}
    count = int(np.prod([x.shape[i] for i in axes]))
    kept = [1 if i in axes else n for i, n in enumerate(x.shape) if keepdims or i not in axes]
    return tuple(kept), count


def _numel(x, axis=None, keepdims=False, dtype=None, **_):
    shape, count = _shape(x, axis, keepdims)
    return cp.full(shape, count, dtype=dtype or np.float64)


def _nannumel(x, axis=None, keepdims=False, dtype=None, **_):
    return cp.sum(~cp.isnan(x), axis=axis, keepdims=keepdims, dtype=dtype)
