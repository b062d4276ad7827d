"""h5py: arrays in HDF5 files."""

import contextlib
import io

import h5py
import numpy as np

X = np.random.default_rng(0).normal(size=(6, 4))


@contextlib.contextmanager
def _file():
    with h5py.File(io.BytesIO(), "w") as file:
        yield file


def creates(xp):
    with _file() as file:
        file.create_dataset("x", data=xp.asarray(X))
        return xp.asarray(file["x"][...])


def assigns(xp):
    with _file() as file:
        file["x"] = xp.asarray(X)
        return file["x"][1:3]


def writes_a_part(xp):
    with _file() as file:
        data = file.create_dataset("x", X.shape, X.dtype)
        data[2:4] = xp.asarray(X[2:4])
        return data[...]


def reads_a_dataset(xp):
    with _file() as file:
        file["x"] = X
        return xp.asarray(file["x"]).sum(axis=0)


def reads_directly(xp):
    with _file() as file:
        file["x"] = X
        out = np.empty_like(X)
        file["x"].read_direct(out)
        return xp.asarray(out)


def writes_directly(xp):
    with _file() as file:
        data = file.create_dataset("x", X.shape, X.dtype)
        data.write_direct(np.ascontiguousarray(xp.asarray(X)))
        return data[...]


def attributes(xp):
    with _file() as file:
        file.attrs["mean"] = xp.asarray(X).mean(axis=0)
        return file.attrs["mean"]


def selects_by_array(xp):
    with _file() as file:
        file["x"] = X
        return file["x"][xp.asarray([0, 2])]


def compressed(xp):
    with _file() as file:
        file.create_dataset("x", data=xp.asarray(X), compression="gzip", chunks=(3, 4))
        return file["x"][...]
