"""autoray: one program for the arrays of any library."""

import autoray as ar
import numpy as np

X = np.random.default_rng(0).normal(size=(6, 6))
SYMMETRIC = X + X.T


def functions(xp):
    x = xp.asarray(X)
    return ar.do("sum", x, axis=0), ar.do("exp", x), ar.do("transpose", x), ar.do("reshape", x, (4, 9))


def infers(xp):
    return ar.infer_backend(xp.asarray(X)) == xp.__name__


def linear_algebra(xp):
    x = xp.asarray(SYMMETRIC)
    q, r = ar.do("linalg.qr", x)
    return ar.do("linalg.norm", x), ar.do("linalg.eigvalsh", x), q @ r


def helper_functions(xp):
    x = xp.asarray(X + 1j * X)
    return ar.conj(x), ar.dag(x), ar.transpose(x), ar.reshape(x, (-1,)), ar.astype(xp.asarray(X), "float32")


def flattens(xp):
    return ar.do("ravel", xp.asarray(X)), ar.do("squeeze", xp.asarray(X[None]))


def exponential(xp):
    return ar.do("linalg.expm", xp.asarray(X / 10)), ar.do("linalg.solve", xp.asarray(X), xp.asarray(X))


def creates(xp):
    like = xp.asarray(X)
    return ar.do("zeros", (2, 3), like=like), ar.do("eye", 3, like=like), ar.do("arange", 5, like=xp.__name__)


def asks_for_arrays(xp):
    return ar.do("array", [1.0, 2.0], like=xp.asarray(X)), ar.do("asarray", X, like=xp.__name__)


def joins(xp):
    x = xp.asarray(X)
    return ar.do("stack", (x, x)), ar.do("concatenate", (x, x), axis=1), ar.do("where", x > 0, x, -x)


def lazy(xp):
    x = ar.lazy.array(xp.asarray(X))
    return ar.do("sum", x @ x, axis=0).compute()


def numpy_mimic(xp):
    nump = ar.numpy
    return nump.tensordot(xp.asarray(X), xp.asarray(X), axes=1), nump.linalg.svd(xp.asarray(X))[1]


def to_numpy(xp):
    return ar.to_numpy(xp.asarray(X))


def einsum(xp):
    return ar.do("einsum", "ij,jk->ik", xp.asarray(X), xp.asarray(X))


def random_numbers(xp):
    return ar.do("random.uniform", size=(3, 2), like=xp.__name__).shape


def compiled(xp):
    f = ar.autojit(lambda x: ar.do("sum", x * 2, axis=0))
    return f(xp.asarray(X))
