"""pandas: frames from arrays, and arrays beside frames."""

import numpy as np
import pandas as pd

X = np.random.default_rng(0).normal(size=(8, 3))
V = X[:, 0].copy()


def series(xp):
    return pd.Series(xp.asarray(V)).to_numpy()


def frame(xp):
    return pd.DataFrame(xp.asarray(X), columns=list("abc")).to_numpy()


def frame_of_columns(xp):
    return pd.DataFrame({"a": xp.asarray(V), "b": xp.asarray(X[:, 1])}).mean().to_numpy()


def new_column(xp):
    frame = pd.DataFrame(X, columns=list("abc"))
    frame["d"] = xp.asarray(V) * 2
    return frame.to_numpy()


def series_plus_array(xp):
    return (pd.Series(V) + xp.asarray(V)).to_numpy()


def array_plus_series(xp):
    return np.asarray(xp.asarray(V) * pd.Series(V))


def masks(xp):
    return pd.Series(V)[xp.asarray(V) > 0].to_numpy()


def unique(xp):
    return pd.unique(xp.asarray(np.array([3, 1, 3, 2])))


def cuts(xp):
    return pd.cut(xp.asarray(V), 3).codes


def is_in(xp):
    return pd.Series([1, 2, 3]).isin(xp.asarray([1, 3])).to_numpy()


def from_a_frame(xp):
    return xp.asarray(pd.DataFrame(X).to_numpy()).sum(axis=0)


def from_a_series(xp):
    return xp.asarray(pd.Series(V)) * 2


def index(xp):
    return pd.Series(V, index=xp.arange(8)).loc[3], pd.Index(xp.arange(3)).to_numpy()


def maps(xp):
    return pd.DataFrame(X).apply(lambda column: float(xp.asarray(column.to_numpy()).sum())).to_numpy()


def rolls(xp):
    return pd.Series(xp.asarray(V)).rolling(2).mean().to_numpy()


def assigns_rows(xp):
    frame = pd.DataFrame(X.copy())
    frame.iloc[0] = xp.zeros(3)
    return frame.to_numpy()
