"""numba: compiled functions on arrays."""

import numba
import numpy as np

V = np.random.default_rng(0).normal(size=50)


@numba.njit
def _total(x):
    total = 0.0
    for value in x:
        total += value
    return total


@numba.njit
def _double(x, out):
    for i in range(x.size):
        out[i] = 2 * x[i]


@numba.vectorize
def _clipped(x):
    return x if x > 0 else 0.0


@numba.guvectorize(["void(float64[:], float64[:])"], "(n)->()")
def _spread(x, out):
    out[0] = x.max() - x.min()


@numba.vectorize(["float64(float64, float64)"])
def _larger(x, y):
    return x if x > y else y


def loops(xp):
    return _total(np.asarray(xp.asarray(V)))


def loops_on_the_array(xp):
    return _total(xp.asarray(V))


def fills(xp):
    out = np.zeros(50)
    _double(np.asarray(xp.asarray(V)), out)
    return out


def fills_the_array(xp):
    out = xp.zeros(50)
    _double(xp.asarray(V), out)
    return out


def ufunc(xp):
    return _clipped(xp.asarray(V))


def ufunc_of_two(xp):
    return _larger(xp.asarray(V), xp.asarray(-V))


def generalized_ufunc(xp):
    return _spread(xp.asarray(V.reshape(5, 10)))


def results_come_back(xp):
    return xp.asarray(_clipped(np.asarray(xp.asarray(V)))).sum()
