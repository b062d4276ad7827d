"""dask: chunks of Cuprum's arrays, beside which a dask array answers; its tables of functions per type of chunk; and
`dask.config.set({"array.backend": "cuprum"})`, for arrays that dask makes of nothing."""

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
    backends.array_creation_dispatch.register_backend("cuprum", _creation(backends)())


def _divide(a, b, dtype=None):
    result = cp.divide(a, b)
    return result if dtype is None else result.astype(dtype, copy=False)


def _percentile(a, q, method="linear"):
    """The percentiles of a chunk, and how many elements it has: dask merges them with those of other chunks."""
    return cp.percentile(a, q, method=method), a.size


def _numel(x, axis=None, keepdims=False, dtype=None, **_):
    """How many elements each result of a reduction has, in the shape of the results."""
    axes = range(x.ndim) if axis is None else {i % x.ndim for i in np.atleast_1d(axis)}
    shape = [1 if i in axes else n for i, n in enumerate(x.shape) if keepdims or i not in axes]
    return cp.full(shape, int(np.prod([x.shape[i] for i in axes])), dtype=dtype or np.float64)


def _nannumel(x, axis=None, keepdims=False, dtype=None, **_):
    return cp.sum(~cp.isnan(x), axis=axis, keepdims=keepdims, dtype=dtype)


def _made(name, example):
    """dask's own function, told by the parameter `example` what its chunks are."""

    def make(*args, **kwargs):
        import dask
        import dask.array as da

        if kwargs.get(example) is None:
            kwargs[example] = cp.empty(())
        with dask.config.set({"array.backend": "numpy"}):
            return getattr(da, name)(*args, **kwargs)

    return staticmethod(make)


def _creation(backends):
    class CuprumBackend(backends.ArrayBackendEntrypoint):
        RandomState = property(lambda self: cp.random.RandomState)
        default_bit_generator = property(lambda self: cp.random.PCG64)
        ones, zeros, empty, full = (_made(name, "meta") for name in ("ones", "zeros", "empty", "full"))
        arange = _made("arange", "like")

        @classmethod
        def to_backend_dispatch(cls):
            return cp.asarray

        @classmethod
        def to_backend(cls, data, **kwargs):
            return data if isinstance(data._meta, cp.ndarray) else data.map_blocks(cp.asarray, **kwargs)

    return CuprumBackend
