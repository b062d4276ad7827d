"""POT: optimal transport between clouds of points."""

import numpy as np
import ot

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(12, 2)), RNG.normal(size=(10, 2)) + 1
WA, WB = np.full(12, 1 / 12), np.full(10, 1 / 10)


def cost_matrix(xp):
    return ot.dist(xp.asarray(A), xp.asarray(B))


def exact_plan(xp):
    return ot.emd(xp.asarray(WA), xp.asarray(WB), xp.asarray(ot.dist(A, B)))


def exact_cost(xp):
    return float(ot.emd2(xp.asarray(WA), xp.asarray(WB), xp.asarray(ot.dist(A, B))))


def sinkhorn(xp):
    return ot.sinkhorn(xp.asarray(WA), xp.asarray(WB), xp.asarray(ot.dist(A, B)), 1.0)


def sinkhorn_cost(xp):
    return float(ot.sinkhorn2(xp.asarray(WA), xp.asarray(WB), xp.asarray(ot.dist(A, B)), 1.0))


def one_dimension(xp):
    return float(ot.wasserstein_1d(xp.asarray(A[:, 0]), xp.asarray(B[:, 0])))


def sliced(xp):
    directions = np.random.default_rng(1).normal(size=(2, 20))
    directions /= np.linalg.norm(directions, axis=0)
    return float(
        ot.sliced_wasserstein_distance(xp.asarray(A), xp.asarray(B), projections=xp.asarray(directions))
    )


def bary_center(xp):
    a = np.stack([WA, np.arange(1.0, 13) / 78], axis=1)
    return ot.bregman.barycenter(xp.asarray(a), xp.asarray(ot.dist(A, A)), 1.0)


def uniform_weights(xp):
    return ot.unif(12, type_as=xp.asarray(A))
