"""zarr: arrays in chunked stores."""

import numpy as np
import zarr

X = np.random.default_rng(0).normal(size=(8, 6))


def _array(shape=X.shape):
    return zarr.create_array(zarr.storage.MemoryStore(), shape=shape, chunks=(4, 3), dtype="f8")


def writes(xp):
    z = _array()
    z[:] = xp.asarray(X)
    return z[:]


def writes_a_part(xp):
    z = _array()
    z[2:5, 1:3] = xp.asarray(X[2:5, 1:3])
    return z[:]


def creates_from_data(xp):
    return zarr.create_array(zarr.storage.MemoryStore(), data=xp.asarray(X), chunks=(4, 3))[:]


def reads(xp):
    z = _array()
    z[:] = X
    return xp.asarray(z[2:4]) * 2


def reads_all(xp):
    z = _array()
    z[:] = X
    return xp.asarray(z[:]).sum(axis=0)


def groups(xp):
    group = zarr.create_group(zarr.storage.MemoryStore())
    data = group.create_array("x", shape=X.shape, dtype="f8")
    data[:] = xp.asarray(X)
    return group["x"][:]


def selects(xp):
    z = _array()
    z[:] = X
    return z.oindex[xp.asarray([1, 3])], z.vindex[np.array([1, 2]), np.array([0, 1])]


def appends(xp):
    z = _array()
    z[:] = X
    z.append(xp.asarray(X))
    return z[:]


def saves(xp):
    store = zarr.storage.MemoryStore()
    zarr.save_array(store, xp.asarray(X))
    return zarr.load(store)
