"""array-api-extra: functions over the standard."""

import array_api_extra as xpx
import numpy as np

X = np.random.default_rng(0).normal(size=(4, 5))


def sets_at(xp):
    x = xp.array(X)
    return xpx.at(x)[1, :].set(0.0), xpx.at(x)[x > 0].add(1.0)


def at_least(xp):
    return xpx.atleast_nd(xp.asarray(X), ndim=3)


def covariance(xp):
    return xpx.cov(xp.asarray(X))


def diagonal(xp):
    return xpx.create_diagonal(xp.asarray(X[0]))


def kronecker(xp):
    return xpx.kron(xp.asarray(X), xp.asarray(X))


def pads(xp):
    return xpx.pad(xp.asarray(X), 1)


def is_close(xp):
    return xpx.isclose(xp.asarray(X), xp.asarray(X))


def sinc(xp):
    return xpx.sinc(xp.asarray(X))


def where_applies(xp):
    x = xp.asarray(X)
    return xpx.apply_where(x > 0, x, xp.sqrt, fill_value=0.0)


def unique(xp):
    return int(xpx.nunique(xp.asarray(np.array([1, 2, 2, 3]))))


def host_function(xp):
    return xpx.lazy_apply(np.cumsum, xp.asarray(X[0]), as_numpy=True)


def default_dtype(xp):
    return str(xpx.default_dtype(xp.asarray(X).__array_namespace__()))
