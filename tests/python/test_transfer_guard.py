"""The transfer guard: what happens where NumPy's arrays are mixed in, and where NumPy asks for an array's bytes."""

import asyncio
import contextvars
import os
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from cuprum.profiler import TransferWarning
from devices import HOST_MEMORY

HOST = np.arange(6.0).reshape(2, 3)


@pytest.fixture
def x():
    return cp.asarray(HOST)


MIXED = {
    "x + host": lambda x: x + HOST,
    "host + x": lambda x: HOST + x,
    "host > x": lambda x: x < HOST,
    "x @ host": lambda x: x @ HOST.T,
    "add": lambda x: cp.add(x, HOST),
    "numpy.add": lambda x: np.add(HOST, x),
    "concatenate": lambda x: np.concatenate([x, HOST]),
    "where": lambda x: np.where(HOST > 1, x, HOST),
    "dot": lambda x: np.dot(x, HOST.T),
    "sum": lambda x: cp.sum(HOST) + x,
    "einsum": lambda x: np.einsum("ij,ij->i", x, HOST),
}


@pytest.mark.parametrize("name", MIXED)
def test_operands_of_the_host(name, x):
    program = MIXED[name]
    with cp.transfer_guard("allow"):
        want = np.asarray(program(HOST))
    with pytest.raises(TypeError, match=r"cp\.asarray\(x\).*transfer_guard"):
        with cp.transfer_guard("error"):
            program(x)
    with cp.transfer_guard("allow"):
        got = program(x)
    assert isinstance(got, cp.ndarray) and got.device == x.device
    np.testing.assert_array_equal(got.get(), want)
    with cp.transfer_guard("warn"), pytest.warns(TransferWarning, match="48 bytes is copied to"):
        np.testing.assert_array_equal(program(x).get(), want)


def test_inplace_operands(x):
    with cp.transfer_guard("allow"):
        x += HOST
        host = HOST.copy()
        host += x
    assert type(host) is np.ndarray
    np.testing.assert_array_equal(x.get(), HOST * 2)
    np.testing.assert_array_equal(host, HOST * 3)
    with cp.transfer_guard("error"), pytest.raises(TypeError, match=r"numpy\.ndarray"):
        host += x


NUMBERS = [
    np.array(2.0),
    np.array(2, "i4"),
    np.array(True),
    np.float32(2),
    np.array(2.0, ">f8"),
    np.array(1j),
]


@pytest.mark.parametrize("number", NUMBERS, ids=repr)
def test_single_numbers_are_always_taken(number, x):
    with cp.transfer_guard("error"):
        for program in (lambda a: a * number, lambda a: number + a, lambda a: np.multiply(a, number)):
            got, want = program(x), program(HOST)
            assert isinstance(got, cp.ndarray) and got.dtype == want.dtype
            np.testing.assert_array_equal(got.get(), want)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("kind", ["masked", "matrix", "masked number"])
def test_what_is_more_than_its_numbers_is_refused(kind, x):
    other = {
        "masked": np.ma.masked_array(HOST, mask=HOST > 2),
        "matrix": np.asmatrix(HOST),
        "masked number": np.ma.masked_array(2.0, mask=True),
    }[kind]
    for mode in ("error", "warn", "allow"):
        with cp.transfer_guard(mode):
            for program in (
                lambda: x + other,
                lambda: cp.add(x, other),
                lambda: cp.histogram(x, weights=other),
            ):
                with pytest.raises(TypeError, match=r"argument \d is a numpy\.(ma|matrix).*cp\.asarray"):
                    program()


def test_files_that_are_mapped_are_arrays(x, tmp_path):
    np.save(tmp_path / "x.npy", HOST)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    with cp.transfer_guard("allow"):
        np.testing.assert_array_equal((x + mapped).get(), HOST * 2)


def test_numpy_asks_for_the_bytes(x):
    ways = {
        "asarray": lambda: np.asarray(x),
        "array": lambda: np.array(x, dtype="f4"),
        "__array__": lambda: x.__array__(),
        "list": lambda: np.array([x, x]),
        "assignment": lambda: _assigned(x),
    }
    for name, way in ways.items():
        with cp.transfer_guard("allow"):
            got = way()
        assert type(got) is np.ndarray, name
        np.testing.assert_array_equal(got, np.broadcast_to(HOST, got.shape).astype(got.dtype))
        if HOST_MEMORY:
            continue
        with cp.transfer_guard("error"), pytest.raises(TypeError, match=r"implicit conversion.*asnumpy"):
            way()
        with cp.transfer_guard("warn"), pytest.warns(TransferWarning, match="to the host; write cp.asnumpy"):
            way()


def _assigned(x):
    out = np.zeros(x.shape)
    out[...] = x
    return out


def test_array_protocol(x):
    with cp.transfer_guard("allow"):
        assert x.__array__("f4").dtype == np.float32
        assert x.__array__(copy=True).flags.writeable
        if HOST_MEMORY:
            assert np.shares_memory(x.__array__(), np.asarray(x)), "a view, as ever"
            with pytest.raises(ValueError, match=r"[Uu]nable to avoid copy"):
                x.__array__("f4", copy=False)
        else:
            with pytest.raises(ValueError, match="Unable to avoid copy"):
                x.__array__(copy=False)


def test_what_has_no_counterpart_is_numpys(x):
    half = np.frompyfunc(lambda a: a / 2, 1, 1)  # its results are objects, which only NumPy has
    with cp.transfer_guard("error"):
        with pytest.raises(TypeError, match=r"the ufunc .* has no counterpart; write cp\.asnumpy"):
            half(x)
        with pytest.raises(TypeError, match=r"numpy\.isnat has no counterpart"):
            np.isnat(x)
    with cp.transfer_guard("allow"):
        assert half(x).dtype == object
        assert half(x)[1, 2] == 2.5
        with pytest.raises(TypeError, match="isnat"):  # NumPy's own
            np.isnat(x)


@pytest.fixture
def fewer_names(monkeypatch):
    """Cuprum without some of NumPy's names."""
    monkeypatch.setattr(cp, "__all__", [name for name in cp.__all__ if name not in ("trapezoid", "spacing")])


def test_a_function_without_counterpart_gives_arrays_of_the_device(x, fewer_names):
    with cp.transfer_guard("error"), pytest.raises(TypeError, match=r"numpy\.trapezoid has no counterpart"):
        np.trapezoid(x)
    with cp.transfer_guard("allow"):
        got = np.trapezoid(x, axis=0)
    assert isinstance(got, cp.ndarray) and got.device == x.device
    np.testing.assert_array_equal(got.get(), np.trapezoid(HOST, axis=0))


def test_a_ufunc_without_counterpart_writes_into_out(x, fewer_names):
    out, host = cp.zeros_like(x), np.zeros_like(HOST)
    with cp.transfer_guard("allow"):
        assert np.spacing(x, out=out) is out
        assert np.spacing(x, out=host) is host
    np.testing.assert_array_equal(out.get(), np.spacing(HOST))
    np.testing.assert_array_equal(host, np.spacing(HOST))


def test_with_statement_restores(x):
    def mode():
        return _core.transfers(x)

    with cp.transfer_guard("allow"):
        assert mode() == "allow"
        with cp.transfer_guard("warn"):
            assert mode() == "warn"
            with pytest.raises(RuntimeError), cp.transfer_guard("error"):
                assert mode() == "error"
                raise RuntimeError
            assert mode() == "warn"
        assert mode() == "allow"
    assert mode() == "error"  # of the tests (conftest.py)


def test_called_it_stays_set(x):
    def program():
        cp.transfer_guard("allow")
        assert _core.transfers(x) == "allow"
        cp.transfer_guard("warn")
        assert _core.transfers(x) == "warn"

    contextvars.copy_context().run(program)
    assert _core.transfers(x) == "error"


def test_threads_and_tasks_have_their_own(x):
    seen = []
    with cp.transfer_guard("allow"):
        thread = threading.Thread(target=lambda: seen.append(_core.transfers(x)))
        thread.start()
        thread.join()
    assert seen == ["allow" if getattr(sys.flags, "thread_inherit_context", 0) else "error"]

    async def task(mode):
        with cp.transfer_guard(mode):
            await asyncio.sleep(0)
            return _core.transfers(x)

    async def both():
        return await asyncio.gather(task("allow"), task("warn"))

    assert asyncio.run(both()) == ["allow", "warn"]


def test_all_threads(x):
    seen = []
    with cp.transfer_guard("allow", all_threads=True):
        thread = threading.Thread(target=lambda: seen.append(_core.transfers(x)))
        thread.start()
        thread.join()
        with cp.transfer_guard("error"):  # a guard of its own is nearer
            assert _core.transfers(x) == "error"
    assert seen == ["allow"] and _core.transfers(x) == "error"


@pytest.mark.parametrize("mode", ["maybe", "", 1, True])
def test_other_words_are_refused(mode):
    with pytest.raises(ValueError, match=r'cuprum\.transfer_guard: write "error", "warn" or "allow"'):
        cp.transfer_guard(mode)


def test_a_warning_names_the_line_once(x):
    with cp.transfer_guard("warn"), warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        for _ in range(3):
            x + HOST
        line = sys._getframe().f_lineno - 1
    assert [(w.filename, w.lineno) for w in seen] == [(__file__, line)]


def test_profiler_lists_the_copies(x):
    if HOST_MEMORY:
        pytest.skip("nothing is copied")
    big = cp.arange(2000.0, device=x.device)
    with cp.transfer_guard("allow"), cp.profiler.transfers(warn=False) as t:
        np.asarray(big)
        cp.evaluate(big + np.ones(2000))
    assert sorted(copy.direction for copy in t) == [
        f"{big.device.name} -> host",
        f"host -> {big.device.name}",
    ]
    assert t.bytes == 32000


DEFAULT = """
import numpy as np, cuprum as cp
from cuprum import _core
x = cp.arange(3.0)
print(_core.transfers(x))
try:
    print(type(x + np.ones(3)).__module__)
except TypeError:
    print("refused")
"""


@pytest.mark.parametrize(
    "device, setting, printed",
    [
        ("cpu", "", "allow cuprum"),
        ("cpu", "error", "error refused"),
        ("far", "", "error refused"),
        ("far", "allow", "allow cuprum"),
    ],
)
def test_setting(device, setting, printed):
    environment = {**os.environ, "CUPRUM_DEVICE": device, "CUPRUM_TRANSFERS": setting}
    found = subprocess.run([sys.executable, "-c", DEFAULT], env=environment, capture_output=True, text=True)
    assert (found.returncode, found.stdout.split()) == (0, printed.split()), found.stderr


def test_a_setting_that_is_not_understood():
    environment = {**os.environ, "CUPRUM_TRANSFERS": "sometimes"}
    found = subprocess.run(
        [sys.executable, "-c", "import cuprum"], env=environment, capture_output=True, text=True
    )
    assert "CUPRUM_TRANSFERS is 'sometimes'; write error, warn or allow" in found.stderr
