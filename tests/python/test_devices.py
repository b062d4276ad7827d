"""Devices: choosing one, moving between two, mixing them, and why one cannot be had.

The device `far` (the CPU at addresses that the host cannot read) stands for a GPU: a few files of tests run on it, so
that a host access to device memory is found on a machine without one.
"""

import doctest
import operator
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import cuprum as cp

HERE = Path(__file__).parent


def run(source, **environment):
    """The output of a Python program under other settings."""
    return subprocess.run(
        [sys.executable, "-c", source], env={**os.environ, **environment}, capture_output=True, text=True
    )


PARTS = [cp.cuda.device, cp.cuda.event, cp.cuda.graph, cp.cuda.runtime, cp.cuda.stream]


@pytest.mark.parametrize("module", [cp.cuda, cp._device, *PARTS])
def test_examples(module):
    result = doctest.testmod(module, extraglobs={"cp": cp})
    assert result.attempted and not result.failed


def test_device_of_arrays_and_threads():
    with cp.Device("far") as far:
        a = cp.arange(3.0)
        with cp.Device("cpu"):
            assert cp.zeros(2).device == "cpu"
        assert cp.zeros(2).device == far == "far"
    assert cp.zeros(2).device == cp.Device()
    assert a.device == far and str(a.device) == "far" and (a + 1).device == far
    assert cp.zeros(2, device="far").device == far and cp.zeros_like(a).device == far
    assert cp.ones_like(a, device="cpu").device == "cpu"
    assert a.tolist() == [0, 1, 2]


def test_one_device_and_one_stream_in_blocks_of_two_threads():
    """Each thread gets back what it had, although the other one has entered in between."""
    with cp.Device("far") as far:
        shared, own, null = cp.cuda.Stream(), cp.cuda.Stream(), cp.cuda.Stream.null
    entered, left, found = threading.Event(), threading.Event(), []

    def other():
        with cp.Device("far"), own:
            with far, shared:
                entered.set()
                left.wait(10)
            found.append((cp.Device(), cp.cuda.get_current_stream()))

    thread = threading.Thread(target=other)
    with cp.Device("cpu"):
        with far, shared:
            thread.start()
            entered.wait(10)
        assert cp.Device() == "cpu"
        with far:
            assert cp.cuda.get_current_stream() == null
    left.set()
    thread.join()
    assert found == [(far, own)]


def test_results_live_where_their_operands_do():
    with cp.Device("far"):
        a = cp.arange(6.0).reshape(2, 3)
    for result in (
        a * 2, -a, a.sum(), a[0], a[a > 1], a[[0, 1]], cp.sort(a), a @ a.T, cp.cumsum(a), cp.where(a > 1, a, 0),
        a.astype(int), cp.concatenate([a, a]), a.copy(), cp.nonzero(a)[0], cp.add.reduce(a), cp.full_like(a, 3),
        cp.asarray(a),
    ):  # fmt: skip
        assert result.device == "far"
    a[0] = 7
    a[1, [0, 2]] = np.array([8, 9])
    assert a.get().tolist() == [[7, 7, 7], [8, 4, 9]]
    a.set(np.ones((2, 3)))
    assert a.sum().item() == 6


@pytest.mark.parametrize("order", "CF")
def test_moving(order):
    x = np.arange(6.0).reshape(2, 3)
    a = cp.asarray(x, order=order, device="cpu")
    far = a.to_device("far")
    assert far.device == "far" and a.to_device("cpu") is a
    np.testing.assert_array_equal(far.get(), x)
    np.testing.assert_array_equal(far[:, ::2].to_device("cpu").get(), x[:, ::2])
    np.testing.assert_array_equal(cp.asarray(far, device="cpu").get(), x)
    assert cp.asarray(far) is far
    with pytest.raises(ValueError, match="another device"):
        cp.asarray(far, device="cpu", copy=False)
    np.testing.assert_array_equal(np.from_dlpack(far, device="cpu"), x)
    assert cp.from_dlpack(x, device="far").device == "far"


@pytest.mark.parametrize(
    "source, message",
    [
        ("a + b", r"cuprum\.add: argument 2 is on far"),
        ("cp.multiply(a, b)", r"cuprum\.multiply: argument 2 is on far"),
        ("cp.where(a > 0, a, b)", r"cuprum\.where: argument 3 is on far"),
        ("cp.concatenate([a, b])", r"cuprum\.concatenate: argument 2 is on far"),
        ("a @ b", r"cuprum\.matmul: argument 2 is on far"),
        ("cp.dot(a, b)", r"cuprum\.dot: argument 2 is on far"),
        ("a.__iadd__(b)", r"cuprum\.add: argument 2 is on far"),
        ("cp.add(a, a, out=b)", r"cuprum\.add: argument out is on far"),
        ("cp.sum(a, out=b[0])", r"cuprum\.sum: argument 4 is on far"),
        ("a[b.astype(int)]", r"cuprum\.ndarray\.__getitem__: an index is on far"),
        ("a[b > 1]", r"cuprum\.ndarray\.__getitem__: an index is on far"),
        ("a.__setitem__(b > 1, 0)", r"cuprum\.ndarray\.__setitem__: an index is on far"),
        ("cp.add.at(a, b.astype(int), 1)", r"cuprum\.add\.at: argument 2 is on far"),
        ("cp.add.at(a, ([0], b.astype(int)), 1)", r"ufunc\.at: an index is on far"),
        ("cp.allclose(a, b)", r"cuprum\.allclose: argument 2 is on far"),
        ("cp.interp(a, a, fp=b)", r"cuprum\.interp: argument 3 is on far"),
        ("cp.trapezoid(a, x=b)", r"cuprum\.trapezoid: argument 2 is on far"),
        ("cp.stack([a, b])", r"cuprum\.stack: argument 2 is on far"),
        ("cp.einsum('i,i', a, b)", r"cuprum\.einsum: argument 3 is on far"),
        ("a.__ipow__(b)", r"cuprum\.power: argument 2 is on far"),
    ],
)
def test_mixing_is_refused(source, message):
    names = {"cp": cp, "a": cp.arange(3.0, device="cpu"), "b": cp.arange(3.0, device="far")}
    with pytest.raises(TypeError, match=message) as error:
        eval(source, names)
    assert "to_device" in str(error.value)
    assert names["a"].tolist() == names["b"].tolist() == [0, 1, 2]


def test_unknown_devices():
    for name in ("gpu", "cuda:x", "cuda:-1", ""):
        with pytest.raises(ValueError, match="not a device"):
            cp.zeros(1, device=name)
    found = run("import cuprum as cp; cp.zeros(1)", CUPRUM_DEVICE="gpu")
    assert found.returncode and "'cuda:N'" in found.stderr


def test_without_cuda_the_reason_is_told():
    if cp.cuda.is_available():
        assert cp.cuda.runtime.getDeviceCount() > 0
        assert len(cp.cuda.Device(0).compute_capability) >= 2
        return
    with pytest.raises(RuntimeError, match=r"cuda:0 cannot be used: .*;"):
        cp.zeros(3, device="cuda")
    found = run("import cuprum as cp; cp.zeros(1)", CUPRUM_DEVICE="cuda")
    assert found.returncode and "cannot be used" in found.stderr
    info = run(
        "import runpy; runpy.run_module('cuprum', run_name='__main__', alter_sys=True)", CUPRUM_DEVICE="cpu"
    )
    assert info.returncode == 2  # no command
    info = subprocess.run([sys.executable, "-m", "cuprum", "info"], capture_output=True, text=True)
    assert "cuda " in info.stdout and "cannot be used" in info.stdout


def test_events_and_synchronisation_evaluate():
    start, stop = cp.cuda.Event(), cp.cuda.Event()
    start.record()
    a = cp.arange(1000.0) * 2 + 1
    stop.record()
    assert not cp._core.is_pending(a)
    stop.synchronize()
    assert stop.done and cp.cuda.get_elapsed_time(start, stop) >= 0
    for wait in (cp.Device().synchronize, cp.cuda.Stream.null.synchronize, cp.cuda.synchronize):
        b, c = a + 1, cp.sqrt(a)
        wait()
        assert not cp._core.is_pending(b) and not cp._core.is_pending(c)
    with pytest.raises(ValueError, match="recorded"):
        cp.cuda.get_elapsed_time(start, cp.cuda.Event())


def test_the_pool_of_the_device_is_asked():
    pool = cp.get_default_memory_pool()
    before = pool.used_bytes()
    a = cp.evaluate(cp.zeros(1 << 16))
    assert pool.used_bytes() >= before + a.nbytes
    free, total = cp.Device("cpu").mem_info
    assert 0 < free <= total


@pytest.mark.skipif(
    os.environ.get("CUPRUM_DEVICE", "cpu") != "cpu", reason="runs the suite on another device"
)
@pytest.mark.parametrize(
    "name",
    ["test_ndarray.py", "test_operators.py", "test_indexing.py", "test_laziness.py", "test_reductions.py"],
)
def test_nothing_touches_device_memory(name):
    found = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            str(HERE / name),
        ],
        env={**os.environ, "CUPRUM_DEVICE": "far"},
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-2000:]


STUB = """
int cuDriverGetVersion(int* version) { *version = %d; return 0; }
"""


@pytest.mark.skipif(cp.cuda.is_available(), reason="there is a driver")
@pytest.mark.parametrize(
    "version, reason", [(11040, "driver is too old: it supports CUDA 11.4"), (99000, "lacks cuInit; update")]
)
def test_drivers_that_do_not_serve(tmp_path, version, reason):
    source = tmp_path / "stub.c"
    source.write_text(STUB % version)
    made = subprocess.run(
        ["cc", "-shared", "-fPIC", "-o", tmp_path / "libcuda.so.1", source], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("no C compiler")
    source = "import cuprum as cp; print(cp.zeros(2).device, cp._core.cuda_problem())"
    found = run(source, LD_LIBRARY_PATH=str(tmp_path), CUPRUM_DEVICE="")
    if "no CUDA plug-in" in found.stdout:
        pytest.skip("the plug-in was not built")
    assert found.stdout.startswith("cpu ") and reason in found.stdout, found.stdout + found.stderr


WITHOUT_A_GPU = """
import cuprum as cp
assert cp.cuda.runtime.getDeviceCount() == 0
here = cp.Device()
with cp.cuda.Device(0) as device:
    assert cp.ones(2).device == here and device.id == 0
cp.cuda.runtime.setDevice(0)
assert cp.ones(2).device == here
try:
    with cp.cuda.Device(7):
        raise SystemExit("there is no device 7")
except RuntimeError as error:
    assert "cuda:7 cannot be used" in str(error) or "there is no device far:7" in str(error), error
"""


def test_device_zero_is_there_without_a_gpu():
    # In a process that sees no GPU, so that it asks the same on a machine that has one.
    here = os.environ.get("CUPRUM_DEVICE", "cpu")
    device = "cpu" if here.startswith("cuda") else here
    done = run(WITHOUT_A_GPU, CUDA_VISIBLE_DEVICES="", CUPRUM_DEVICE=device)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("make", [cp.Device, cp.cuda.Device])
@pytest.mark.parametrize("device", [1.5, (0,), {}])
def test_what_is_no_device(make, device):
    with pytest.raises(TypeError, match=r"^cuprum\.(cuda\.)?Device: device: "):
        make(device)


# -- CuPy's view of devices -----------------------------------------------------------------------------


def test_devices_are_ordered():
    names = ["cpu", "cuda:0", "cuda:1", "cuda:10", "far", "far:1"]
    devices = [cp.Device(name) for name in names]
    assert sorted(devices[i] for i in (3, 0, 5, 2, 1, 4)) == devices
    assert devices[1] <= cp.cuda.Device("cuda:0") >= devices[1] and devices[1] < devices[2] > devices[0]
    for other in (0, None, "cpu"):
        for compare in (operator.lt, operator.le, operator.gt, operator.ge):
            with pytest.raises(TypeError):
                compare(devices[0], other)
            with pytest.raises(TypeError):
                compare(other, devices[0])


def test_numbers_mean_devices_of_the_current_kind():
    runtime = cp.cuda.runtime
    with cp.Device("far:2"):
        assert (
            cp.cuda.Device(1).name == "far:1" and cp.cuda.Device(0).name == "far" and runtime.getDevice() == 2
        )
        with cp.cuda.Device(3) as device:
            assert cp.ones(1).device == device == "far:3"
        assert cp.cuda.Device(1).use() == "far:1" and cp.cuda.get_device_id() == 1
        runtime.setDevice(0)
        assert cp.Device() == "far"
        with pytest.raises(runtime.CUDARuntimeError, match="there is no device far:9"):
            cp.cuda.Device(9).use()
        with pytest.raises(runtime.CUDARuntimeError, match="there is no device far:9"), cp.cuda.Device(9):
            pass
    with cp.Device("cpu"), pytest.raises(runtime.CUDARuntimeError, match="cuda:99"):
        cp.cuda.Device(99).use()


@pytest.mark.parametrize("name", sorted({"cpu", "far", cp.Device().name}))
def test_attributes(name):
    runtime = cp.cuda.runtime
    with cp.Device(name) as device:
        attributes = device.attributes
        assert attributes["MaxThreadsPerBlock"] >= 1 and all(
            type(value) is int for value in attributes.values()
        )
        assert cp.cuda.device.from_pointer(cp.ones(3).data.ptr) == device
        with pytest.raises(runtime.CUDARuntimeError, match="no device has memory at 0x1 "):
            cp.cuda.device.from_pointer(1)
        if cp.cuda.Device(device.id) != device:  # the number is a GPU's
            return
        properties = runtime.getDeviceProperties(device.id)
        assert properties["totalGlobalMem"] == device.mem_info[1] and properties["name"]
        if name.startswith("cuda"):
            assert (
                len(attributes) > 100
                and attributes["MultiProcessorCount"] == properties["multiProcessorCount"]
            )
            assert cp.cuda.Device.from_pci_bus_id(device.pci_bus_id) == device
            assert runtime.deviceGetByPCIBusId(runtime.deviceGetPCIBusId(device.id)) == device.id
            assert runtime.runtimeGetVersion() >= 12000 <= runtime.driverGetVersion()
        else:
            with pytest.raises(runtime.CUDARuntimeError, match="no PCI bus"):
                device.pci_bus_id
    with pytest.raises(runtime.CUDARuntimeError, match=r"no CUDA device at 'FFFF:FF:FF\.F'"):
        cp.cuda.Device.from_pci_bus_id("FFFF:FF:FF.F")


def test_peers():
    runtime = cp.cuda.runtime
    with cp.Device("far:0"):
        assert [runtime.deviceCanAccessPeer(0, peer) for peer in range(3)] == [0, 1, 1]
        runtime.deviceEnablePeerAccess(1)
        with pytest.raises(runtime.CUDARuntimeError, match="has no direct way"):
            runtime.deviceEnablePeerAccess(0)


def test_errors_of_devices_can_be_pickled():
    error = cp.cuda.runtime.CUDARuntimeError("what", 1)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and again.args == error.args and isinstance(again, RuntimeError)
