"""xarray: labelled arrays over Cuprum's."""

import os
import tempfile

import numpy as np
import xarray as xr

T = np.random.default_rng(0).normal(size=(6, 4, 5))


def _array(xp):
    coords = {"time": np.arange(6.0), "lat": np.linspace(-60, 60, 4), "lon": np.arange(5) * 10.0}
    return xr.DataArray(xp.asarray(T), dims=("time", "lat", "lon"), coords=coords, name="t")


def selects(xp):
    t = _array(xp)
    return t.sel(lat=-60).data, t.isel(time=slice(1, 3)).data, t.sel(lon=[10.0, 30.0]).data


def selects_nearest(xp):
    return _array(xp).sel(lat=10, method="nearest").data


def reduces(xp):
    t = _array(xp)
    return t.mean("time").data, t.std(("lat", "lon")).data, t.max().data


def arithmetic(xp):
    t = _array(xp)
    return (t - t.mean("time")).data, (2 * t + 1).data, np.sqrt(abs(t)).data


def with_coordinates(xp):
    t = _array(xp)
    return (t * np.cos(np.deg2rad(t.lat))).data, (t > t.lat).data


def weighted(xp):
    t = _array(xp)
    return t.weighted(np.cos(np.deg2rad(t.lat))).mean(("lat", "lon")).data


def groups(xp):
    t = _array(xp)
    return t.groupby(t.time % 2).mean().data


def rolls(xp):
    return _array(xp).rolling(time=3).mean().data


def coarsens(xp):
    return _array(xp).coarsen(time=2).mean().data


def resamples(xp):
    t = _array(xp).assign_coords(time=np.datetime64("2020-01-01") + np.arange(6))
    return t.resample(time="2D").mean().data


def quantiles(xp):
    return _array(xp).quantile([0.25, 0.5], dim="time").data, _array(xp).median("time").data


def differentiates(xp):
    return _array(xp).differentiate("time").data


def integrates(xp):
    return _array(xp).integrate("time").data


def shifts_and_differs(xp):
    t = _array(xp)
    return t.shift(time=1).data, t.diff("time").data, t.cumsum("time").data


def where_and_fill(xp):
    t = _array(xp)
    return t.where(t > 0).data, t.where(t > 0).fillna(0.0).data, t.clip(-1, 1).data


def joins(xp):
    t = _array(xp)
    return xr.concat([t, t], "time").data, xr.dot(t, t, dim="time").data


def stacks(xp):
    return _array(xp).stack(point=("lat", "lon")).transpose("point", "time").data


def sorts(xp):
    return _array(xp).sortby("lat", ascending=False).data, _array(xp).argmax("time").data


def interpolates(xp):
    return _array(xp).interp(time=[0.5, 1.5]).data


def reindexes(xp):
    return _array(xp).reindex(time=[0.0, 2.0, 9.0]).data


def applies(xp):
    t = _array(xp)
    return xr.apply_ufunc(lambda x: x - x.mean(axis=-1, keepdims=True), t, input_core_dims=[["lon"]],
                          output_core_dims=[["lon"]]).data  # fmt: skip


def dataset(xp):
    t = _array(xp)
    data = xr.Dataset({"a": t, "b": t * 2})
    return (data.mean("time").a.data, (data.a + data.b).data)


def correlates(xp):
    t = _array(xp)
    return xr.corr(t, t * 2 + 1, "time").data, xr.cov(t, t, "time").data


def to_numpy(xp):
    return _array(xp).to_numpy(), _array(xp).values


def to_pandas(xp):
    return _array(xp).isel(lon=0).to_pandas().to_numpy()


def saves(xp):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.nc")
        _array(xp).to_netcdf(path, engine="scipy")
        return xr.load_dataarray(path, engine="scipy").data


def plots(xp):
    import matplotlib as mpl

    mpl.use("Agg")
    line = _array(xp).isel(lat=0, lon=0).plot()[0]
    return np.asarray(line.get_ydata())


def shows(xp):
    return "lat" in repr(_array(xp))
