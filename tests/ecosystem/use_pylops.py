"""PyLops: linear operators and their inverses."""

import numpy as np
import pylops

RNG = np.random.default_rng(0)
M = RNG.normal(size=(12, 8))
X = RNG.normal(size=8)
V = RNG.normal(size=64)


def matrix(xp):
    op = pylops.MatrixMult(xp.asarray(M))
    return op @ xp.asarray(X), op.H @ xp.asarray(V[:12])


def diagonal(xp):
    return pylops.Diagonal(xp.asarray(X)) @ xp.asarray(X)


def derivative(xp):
    op = pylops.FirstDerivative(64)
    return op @ xp.asarray(V), op.H @ xp.asarray(V)


def laplacian(xp):
    return pylops.Laplacian((8, 8)) @ xp.asarray(V)


def restricts(xp):
    op = pylops.Restriction(64, np.array([1, 5, 9]))
    return op @ xp.asarray(V), op.H @ xp.asarray(V[:3])


def sums_of_operators(xp):
    a, b = pylops.MatrixMult(xp.asarray(M)), pylops.Diagonal(xp.asarray(X))
    return (a @ b) @ xp.asarray(X), (2 * a) @ xp.asarray(X)


def stacks(xp):
    op = pylops.VStack([pylops.MatrixMult(xp.asarray(M)), pylops.Identity(8)])
    return op @ xp.asarray(X)


def fourier(xp):
    return pylops.signalprocessing.FFT(64) @ xp.asarray(V)


def convolves(xp):
    return pylops.signalprocessing.Convolve1D(64, h=xp.asarray(np.ones(3)), offset=1) @ xp.asarray(V)


def inverts(xp):
    op = pylops.MatrixMult(xp.asarray(M))
    return pylops.optimization.basic.cgls(op, xp.asarray(M @ X), niter=50)[0]


def divides(xp):
    return pylops.MatrixMult(xp.asarray(M)) / xp.asarray(M @ X)


def sparse_inversion(xp):
    op = pylops.MatrixMult(xp.asarray(M))
    return pylops.optimization.sparsity.fista(op, xp.asarray(M @ X), niter=20, eps=0.1)[0]
