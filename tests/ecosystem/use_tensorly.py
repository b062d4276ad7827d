"""tensorly: tensor decompositions; its functions on the arrays that the user has."""

import numpy as np
import tensorly as tl
from tensorly import decomposition

T = np.random.default_rng(0).normal(size=(4, 5, 6))


def _backend(xp):
    tl.set_backend(xp.__name__)
    return xp.asarray(T)


def unfolds(xp):
    t = _backend(xp)
    return tl.unfold(t, 1), tl.fold(tl.unfold(t, 1), 1, T.shape)


def mode_product(xp):
    t = _backend(xp)
    return tl.tenalg.mode_dot(t, xp.asarray(T[0, :3, :5]), 1)


def inner_and_norm(xp):
    t = _backend(xp)
    return tl.tenalg.inner(t, t), tl.norm(t)


def khatri_rao(xp):
    _backend(xp)
    return tl.tenalg.khatri_rao([xp.asarray(T[0]), xp.asarray(T[1])])


def parafac(xp):
    t = _backend(xp)
    return tl.cp_to_tensor(decomposition.parafac(t, 2, init="svd", n_iter_max=5, random_state=0))


def tucker(xp):
    t = _backend(xp)
    return tl.tucker_to_tensor(decomposition.tucker(t, [2, 2, 2], n_iter_max=5, random_state=0))


def tensor_train(xp):
    t = _backend(xp)
    return tl.tt_to_tensor(decomposition.tensor_train(t, [1, 4, 6, 1]))


def truncated_svd(xp):
    t = _backend(xp)
    return tl.truncated_svd(t[0], n_eigenvecs=2)[1] if hasattr(tl, "truncated_svd") else tl.svd(t[0])[1]


def makes_tensors(xp):
    _backend(xp)
    return tl.tensor([1.0, 2.0]), tl.zeros((2, 3)), tl.to_numpy(xp.asarray(T))
