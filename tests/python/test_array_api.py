"""What the array API standard asks beyond NumPy 2.4: the namespace's description of itself, descending sorts."""

import numpy as np
import pytest

import cuprum as cp

DTYPES = "?bhilBHILefdFD"


def test_version_and_namespace():
    x = cp.ones(2)
    assert cp.__array_api_version__ == "2025.12"
    assert x.__array_namespace__() is cp
    for version in (None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        assert x.__array_namespace__(api_version=version) is cp
    with pytest.raises(ValueError, match="2025"):
        x.__array_namespace__(api_version="2020.01")


def test_info_is_that_of_numpy():
    ours, numpys = cp.__array_namespace_info__(), np.__array_namespace_info__()
    assert ours.capabilities() == numpys.capabilities()
    assert ours.default_dtypes() == numpys.default_dtypes()
    kinds = [
        None, "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating",
        "numeric", ("bool", "integral"), (), ("real floating", "complex floating"),
    ]  # fmt: skip
    for kind in kinds:
        assert ours.dtypes(kind=kind) == numpys.dtypes(kind=kind), kind
    with pytest.raises(ValueError, match="kind='floaty'"):
        ours.dtypes(kind="floaty")


def test_info_of_devices():
    info = cp.__array_namespace_info__()
    assert info.default_device() == cp.ones(1).device
    assert cp.Device("cpu") in info.devices()
    for device in info.devices():
        x = cp.ones(3, device=device)
        assert x.device == device
        assert info.dtypes(device=device) == info.dtypes()
        assert info.default_dtypes(device=device) == info.default_dtypes()
    with pytest.raises(ValueError):
        info.dtypes(device="nowhere")


def test_to_device_and_astype_on_a_device():
    x = cp.arange(4.0)
    assert x.to_device(x.device) is x
    there = x.to_device("cpu", stream=None)
    assert there.device == "cpu" and there.get().tolist() == [0, 1, 2, 3]
    assert cp.astype(x, cp.float32, device="cpu").device == "cpu"
    assert cp.astype(x, x.dtype, copy=False, device="cpu").device == "cpu"
    assert cp.asarray([1.5], device="cpu").device == "cpu"
    with pytest.raises(ValueError):
        x.to_device("nowhere")


def descending(x, axis):
    """Stable, with NaN last: what NumPy's ascending sort says of the numbers' order turned around."""
    keys = ~x if x.dtype.kind in "biu" else -x
    return np.argsort(keys, axis=axis, kind="stable")


@pytest.mark.parametrize("char", DTYPES)
@pytest.mark.parametrize("shape, axis", [((9,), -1), ((5, 7), 0), ((5, 7), -1), ((2, 0), 1), ((3, 4), None)])
def test_descending(char, shape, axis):
    x = np.random.default_rng(3).integers(0, 5, shape).astype(char)
    if char in "efdFD" and x.size:
        x.flat[::4] = np.nan
        x.flat[1::5] = -np.inf
    if char in "bhil" and x.size:
        x.flat[0] = np.iinfo(x.dtype).min
    order = descending(x.ravel() if axis is None else x, axis if axis is not None else -1)
    want = np.take_along_axis(x.ravel() if axis is None else x, order, -1 if axis is None else axis)
    a = cp.asarray(x)
    assert cp.argsort(a, axis, descending=True).get().tolist() == order.tolist()
    np.testing.assert_array_equal(cp.sort(a, axis, descending=True, stable=True).get(), want)
    if axis is not None:
        assert a.argsort(axis, descending=True).get().tolist() == order.tolist()
        a.sort(axis, descending=True)
        np.testing.assert_array_equal(a.get(), want)
        assert a.dtype == x.dtype


def test_descending_on_views_and_beside_other_words():
    x = cp.arange(12).reshape(3, 4)
    assert cp.sort(x[:, ::-2], descending=True).get().tolist() == [[3, 1], [7, 5], [11, 9]]
    assert cp.sort(x[0], descending=False).get().tolist() == [0, 1, 2, 3]
    x[:, ::2].sort(axis=0, descending=True)
    assert x.get()[:, 0].tolist() == [8, 4, 0] and x.get()[:, 1].tolist() == [1, 5, 9]
    with pytest.raises(ValueError, match="kind"):
        cp.sort(x, kind="stable", descending=True)


@pytest.mark.parametrize(
    "call",
    [
        lambda xp, x: xp.clip(x, 1, 4),
        lambda xp, x: xp.clip(x, a_min=1, a_max=4),
        lambda xp, x: xp.clip(x, min=1, max=4),
        lambda xp, x: xp.clip(x, None, 4),
        lambda xp, x: xp.clip(x, min=2),
        lambda xp, x: xp.clip(x, 1, 4, x),
        lambda xp, x: xp.clip(x, 1.5, a_max=None),
    ],
)
def test_clip_takes_the_standards_names_and_numpys(call):
    want = call(np, np.arange(6))
    got = call(cp, cp.arange(6))
    assert got.dtype == want.dtype and got.get().tolist() == want.tolist()
