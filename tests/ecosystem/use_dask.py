"""dask: arrays in chunks of Cuprum's."""

import sys

import dask
import dask.array as da
import numpy as np

X = np.random.default_rng(0).normal(size=(40, 12))


def _array(xp):
    return da.from_array(xp.asarray(X), chunks=(10, 6), asarray=False)


def round_trip(xp):
    return _array(xp).compute(), da.from_array(xp.asarray(X), chunks=20).compute()


def sums(xp):
    x = _array(xp)
    return x.sum(axis=0).compute(), x.max().compute(), x.prod(axis=1).compute()


def mean(xp):
    return _array(xp).mean(axis=0).compute(), _array(xp).mean().compute()


def deviation(xp):
    return _array(xp).std(axis=0).compute(), _array(xp).var(axis=1, ddof=1).compute()


def covariance(xp):
    return da.cov(_array(xp).T).compute(), da.corrcoef(_array(xp).T).compute()


def elementwise(xp):
    x = _array(xp)
    return da.sin(x).compute(), (x**2 + 1).compute(), da.where(x > 0, x, 0).compute()


def numpy_functions(xp):
    x = _array(xp)
    return np.exp(x).compute(), np.sum(x, axis=1).compute()


def operand_on_the_left(xp):
    return (xp.ones(12) + _array(xp)).compute(), (xp.asarray(X) * _array(xp)).compute()


def operand_on_the_right(xp):
    return (_array(xp) + xp.ones(12)).compute(), (_array(xp) - xp.asarray(X)).compute()


def host_operand(xp):
    return (_array(xp) * np.arange(12.0)).compute()


def slices(xp):
    x = _array(xp)
    return x[5:15, ::2].compute(), x[:, [3, 1]].compute(), x[3].compute()


def masks(xp):
    x = _array(xp)
    return x[x[:, 0] > 0].compute()


def transposes(xp):
    x = _array(xp)
    return x.T.compute(), x.reshape(480).compute(), da.concatenate([x, x]).compute()


def multiplies(xp):
    x = _array(xp)
    return (x.T @ x).compute(), da.tensordot(x, x, axes=(0, 0)).compute()


def maps_blocks(xp):
    return _array(xp).map_blocks(lambda block: block * 2).compute()


def maps_overlap(xp):
    return _array(xp).map_overlap(lambda block: block + 1, depth=1, boundary="reflect").compute()


def histogram(xp):
    return da.histogram(_array(xp), bins=5, range=(-2, 2))[0].compute()


def quantile(xp):
    return da.percentile(_array(xp)[:, 0].rechunk(40), [25, 50]).compute()


def median(xp):
    return da.median(_array(xp), axis=0).compute()


def cumulative(xp):
    return _array(xp).cumsum(axis=0).compute(), da.diff(_array(xp), axis=0).compute()


def arg_max(xp):
    return _array(xp).argmax(axis=0).compute()


def qr(xp):
    q, r = da.linalg.qr(da.from_array(xp.asarray(X), chunks=(20, 12), asarray=False))
    return (q @ r).compute()


def singular_values(xp):
    return da.linalg.svd(da.from_array(xp.asarray(X), chunks=(20, 12), asarray=False))[1].compute()


def norm(xp):
    return da.linalg.norm(_array(xp)).compute()


def fourier(xp):
    return da.fft.fft(_array(xp).rechunk((40, 6)), axis=0).compute()


def rechunks(xp):
    return _array(xp).rechunk((40, 3)).compute()


def einsum(xp):
    return da.einsum("ij,kj->ik", _array(xp), _array(xp)).compute()


def size_of(xp):
    x = xp.zeros(100000)
    return _dask_sizeof(x) >= x.nbytes, sys.getsizeof(x) >= x.nbytes


def _dask_sizeof(x):
    from dask.sizeof import sizeof

    return sizeof(x)


def delayed(xp):
    total = dask.delayed(lambda a, b: a + b)(xp.asarray(X), 1)
    return da.from_delayed(total, X.shape, X.dtype).compute()


def stores(xp):
    target = np.zeros_like(X)
    da.store(_array(xp), target)
    return target


def creates(xp):
    with dask.config.set({"array.backend": xp.__name__}):
        made = da.ones((4, 6), chunks=2), da.zeros(5, chunks=2), da.arange(6, chunks=3), da.full((3,), 2.0)
        return [x.compute() for x in made], isinstance(da.ones(2).compute(), xp.ndarray)


def random_numbers(xp):
    with dask.config.set({"array.backend": xp.__name__}):
        return da.random.default_rng(0).normal(size=(20, 3), chunks=10).mean(axis=0).compute()
