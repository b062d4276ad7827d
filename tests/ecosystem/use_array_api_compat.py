"""array-api-compat: the namespace of an array, and what it says of it."""

import array_api_compat as compat
import numpy as np

X = np.random.default_rng(0).normal(size=(4, 5))


def namespace(xp):
    return compat.array_namespace(xp.asarray(X)).mean(xp.asarray(X))


def is_array(xp):
    return compat.is_array_api_obj(xp.asarray(X))


def device(xp):
    x = xp.asarray(X)
    return compat.to_device(x, compat.device(x))


def size(xp):
    return compat.size(xp.asarray(X))


def writeable(xp):
    return compat.is_writeable_array(xp.asarray(X))


def standard_functions(xp):
    x = xp.asarray(X)
    ns = compat.array_namespace(x)
    return ns.concat([x, x]), ns.permute_dims(x, (1, 0)), ns.matrix_transpose(x), ns.vecdot(x, x)


def standard_linalg(xp):
    x = xp.asarray(X)
    ns = compat.array_namespace(x)
    return ns.linalg.svdvals(x), ns.linalg.matrix_norm(x), ns.fft.rfft(x)


def standard_types(xp):
    ns = compat.array_namespace(xp.asarray(X))
    return ns.isdtype(ns.float64, "real floating"), str(ns.result_type(ns.float32, ns.float64))


def numbers_beside(xp):
    x = xp.asarray(X)
    return compat.array_namespace(x, 1.0, None).sum(x)
