"""NumPy itself: its functions on Cuprum's arrays, its arrays beside them, its files."""

import copy
import io
import pickle

import numpy as np

X = np.random.default_rng(0).normal(size=(40, 5))


def functions_dispatch(xp):
    x = xp.asarray(X)
    return np.mean(x, axis=0), np.concatenate([x, x]), np.sort(x, axis=0)


def ufuncs_dispatch(xp):
    x = xp.asarray(X)
    return np.sqrt(np.abs(x)), np.add.reduce(x, axis=0), np.maximum(x, 0)


def linalg_dispatches(xp):
    x = xp.asarray(X)
    return np.linalg.norm(x, axis=1), np.linalg.inv(x.T @ x)


def fft_dispatches(xp):
    return np.fft.rfft(xp.asarray(X), axis=0)


def operand_without_dimensions(xp):
    x = xp.asarray(X)
    return x * np.array(2.0), np.array(3.0) - x, x + np.float32(1)


def operand_beside(xp):
    return xp.asarray(X) - np.asarray(X.mean(axis=0)), X.std(axis=0) * xp.asarray(X)


def comparison_beside(xp):
    return xp.asarray(X) > X.mean(axis=0)


def parameters_of_the_host(xp):
    x = xp.asarray(X)
    return (
        xp.percentile(x, np.array([10.0, 50.0])),
        xp.histogram(x, bins=np.linspace(-2, 2, 5))[0],
        xp.digitize(x, np.array([-1.0, 0.0, 1.0])),
        xp.average(x, axis=1, weights=np.arange(1.0, 6.0)),
    )


def index_of_the_host(xp):
    x = xp.asarray(X)
    return x[np.array([3, 1, 2])], x[X > 0], np.take(x, np.array([0, 2]), axis=1)


def assignment_from_the_host(xp):
    x = xp.array(X)
    x[:2] = np.zeros((2, 5))
    x[np.array([5, 6]), 0] = np.array([1.0, 2.0])
    return x


def fills_a_host_array(xp):
    out = np.empty_like(X)
    out[...] = xp.asarray(X) * 2
    return out


def as_numpy(xp):
    return np.asarray(xp.asarray(X)), np.array(xp.asarray(X), dtype="f4")


def list_of_results(xp):
    x = xp.asarray(X)
    return np.array([float(row.sum()) for row in x]), np.stack([x[0], x[1]])


def pickles_and_copies(xp):
    x = xp.asarray(X)
    return pickle.loads(pickle.dumps(x)), copy.deepcopy(x)


def saves_and_loads(xp):
    file = io.BytesIO()
    np.save(file, xp.asarray(X))
    file.seek(0)
    return np.load(file)


def saves_text(xp):
    file = io.StringIO()
    np.savetxt(file, xp.asarray(X))
    return file.getvalue()


def testing_compares(xp):
    np.testing.assert_allclose(xp.asarray(X) * 2, X * 2)
    np.testing.assert_array_equal(xp.asarray(X), X)


def formatted(xp):
    x = xp.asarray(X)
    return f"{x[0, 0]:.3f} {float(x.sum()):.2f}"
