"""What programs run around arrays: processes, threads, pickles of others."""

import concurrent.futures
import contextvars
import copy

import cloudpickle
import joblib
import numpy as np

X = np.random.default_rng(0).normal(size=(30, 4))


def joblib_threads(xp):
    x = xp.asarray(X)
    return joblib.Parallel(2, prefer="threads")(joblib.delayed(lambda i: x[i] * 2)(i) for i in range(4))


def joblib_hash(xp):
    return joblib.hash(xp.asarray(X)) == joblib.hash(xp.asarray(X))


def thread_pool(xp):
    x = xp.asarray(X)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda row: row.sum(), x))


def cloud_pickle(xp):
    return cloudpickle.loads(cloudpickle.dumps({"x": xp.asarray(X)}))["x"]


def deep_copy(xp):
    return copy.deepcopy([xp.asarray(X)])[0]


def context(xp):
    x = xp.asarray(X)
    return contextvars.copy_context().run(lambda: (x + 1).sum())


def text(xp):
    return str(xp.asarray(X[0])), repr(xp.asarray(X[:2]))


def as_a_key(xp):
    return {float(value): 1 for value in xp.asarray(X[0])} == {float(v): 1 for v in X[0]}
