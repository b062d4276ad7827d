"""Mistakes: NumPy's exception type, raised by the call that made the mistake, with a message that names the function
and says what was given; and everything is as before afterwards."""

import re
import tracemalloc

import numpy as np
import pytest

import cuprum as cp
from devices import asks_for_index_errors
from strategies import same_exception

A = lambda xp: xp.arange(6.0).reshape(2, 3)

# (source, what the message must contain)
MISTAKES = [
    ("a + xp.ones((4,))", ["add", "(2,3)", "(4,)"]),
    ("xp.add(a, xp.ones((3, 3)))", ["add", "(2,3)", "(3,3)"]),
    ("a.sum(axis=2)", ["axis 2", "2"]),
    ("xp.max(a, axis=-3)", ["axis -3"]),
    ("a.sum(axis=(0, 0))", ["duplicate"]),
    ("a[2]", ["index 2", "axis 0", "size 2"]),
    ("a[0, 3]", ["index 3", "axis 1", "size 3"]),
    ("a[0, 0, 0]", ["too many indices"]),
    ("a[1.5]", ["integers"]),
    ("a['x']", ["integers"]),
    ("a[xp.ones(3, '?')]", ["boolean"]),
    ("a[xp.array([5])]", ["index 5", "size 2"]),
    ("a[xp.array([0.5])]", ["integer"]),
    ("a.__setitem__(2, 1)", ["index 2"]),
    ("a.__setitem__(slice(None), xp.ones((5, 5)))", ["broadcast"]),
    ("a.reshape(7)", ["reshape", "size 6", "(7,)"]),
    ("a.reshape(-1, -1)", ["one unknown dimension"]),
    ("a.transpose(0, 0)", ["repeated axis"]),
    ("a.transpose(0)", ["axes don't match"]),
    ("xp.concatenate([a, xp.ones(3)])", ["dimension"]),
    ("xp.concatenate([a, xp.ones((2, 4))])", ["dimension", "3", "4"]),
    ("xp.concatenate([])", ["at least one array"]),
    ("xp.stack([a, xp.ones(3)])", ["same shape"]),
    ("xp.broadcast_to(a, (2, 2))", ["broadcast"]),
    ("xp.broadcast_to(a, (2, 2, 3)).__setitem__(0, 1)", ["read-only"]),
    ("a.squeeze(0)", ["size not equal to one"]),
    ("xp.expand_dims(a, 5)", ["axis 5"]),
    ("xp.swapaxes(a, 0, 2)", ["axis"]),
    ("a @ xp.ones((2, 2))", ["matmul", "mismatch"]),
    ("a @ 2", ["matmul"]),
    ("xp.dot(a, a)", ["not aligned"]),
    ("xp.zeros((0, 3)).max()", ["zero-size"]),
    ("xp.zeros(0).argmax()", ["empty"]),
    ("xp.array([1, 2]) ** -1", ["negative integer powers"]),
    ("xp.array([1], 'u1') + 256", ["256", "uint8"]),
    ("xp.array([1], 'u1') - (-1)", ["-1", "uint8"]),
    ("xp.array([True]) - xp.array([True])", ["boolean subtract"]),
    ("-xp.array([True])", ["boolean negative"]),
    ("xp.invert(a)", ["invert"]),
    ("xp.left_shift(a, 1)", ["left_shift"]),
    ("xp.add(a, 1, out=xp.zeros((2, 3), int))", ["cast", "float64", "int64"]),
    ("xp.add(a, 1, out=xp.zeros((3, 3)))", ["broadcast"]),
    ("xp.add(a, 1, dtype='i4')", ["cast"]),
    ("xp.sin(a, dtype='i4')", ["sin"]),
    ("xp.add(a, 1, casting='wrong')", ["casting"]),
    ("xp.add(a)", ["add"]),
    ("xp.add(a, 1, 2, 3, 4)", ["add"]),
    ("xp.add(a, 1, nonsense=3)", ["nonsense"]),
    ("exec('b = xp.arange(3); b += 1.5', {'xp': xp})", ["add", "float64", "int64"]),
    ("exec('b = xp.arange(3); b /= 2', {'xp': xp})", ["divide"]),
    ("exec('b = xp.arange(3); b += xp.ones((2, 3), int)', {'xp': xp})", ["broadcast"]),
    ("bool(a)", ["ambiguous"]),
    ("float(a)", []),
    ("int(a)", []),
    ("len(xp.float64(3) * xp.array(1.0))", []),
    ("hash(a)", ["unhashable"]),
    ("a.astype('nonsense')", ["nonsense"]),
    ("a.astype('i4', casting='safe')", ["safe"]),
    ("a.view('i3')", []),
    ("xp.zeros((-1,))", ["negative dimensions"]),
    ("xp.zeros('abc')", []),
    ("xp.arange(0, 1, 0)", []),
    ("xp.split(xp.arange(7), 2)", ["equal division"]),
    ("xp.take(a, [7])", ["index 7", "size 6"]),
    ("xp.take(a, [0], axis=4)", ["axis 4"]),
    ("xp.take(a, [0], mode='x')", ["mode"]),
    ("xp.sort(a, axis=3)", ["axis 3"]),
    ("xp.sort(a, kind='bubble')", ["kind"]),
    ("xp.partition(a, 9)", ["kth"]),
    ("xp.searchsorted(a, 1)", []),
    ("xp.cumsum(a, axis=3)", ["axis 3"]),
    ("xp.where(a, a)", ["both or neither"]),
    ("xp.moveaxis(a, 0, (0, 1))", ["same number"]),
    ("xp.array([[1, 2], [3]])", ["inhomogeneous"]),
    ("xp.repeat(a, [1, 2], axis=1)", []),
    ("xp.copyto(a, xp.ones(5))", ["broadcast"]),
    ("xp.nanargmax(xp.array([xp.nan]))", ["All-NaN"]),
    ("xp.linspace(0, 1, -3)", ["non-negative"]),
    ("a.item()", []),
    ("a.item(9)", []),
    ("xp.array(1.0)[0]", ["too many indices"]),
    ("iter(xp.array(1.0))", ["0-d"]),
    ("len(xp.array(1.0))", ["unsized"]),
]


@asks_for_index_errors
@pytest.mark.parametrize("source,words", MISTAKES, ids=[m[0] for m in MISTAKES])
def test_mistake(source, words):
    with pytest.raises(Exception) as want:
        eval(source, {"xp": np, "a": A(np)})
    a = A(cp)
    with pytest.raises(Exception) as got:
        eval(source, {"xp": cp, "a": a})
    assert same_exception(got.value, want.value), f"{got.value!r}, NumPy: {want.value!r}"
    text = str(got.value).replace(" ", "")
    for word in words:
        assert word.replace(" ", "") in text, f"{word!r} is not in {got.value!r}"
    assert a.tolist() == A(np).tolist()


# What NumPy, Python or a method of the argument has words for still names the call that was made.
NAMED = [
    ("sum", "xp.sum(a, axis=a)"),
    ("sum", "xp.sum(a, axis='x')"),
    ("sum", "a.sum(axis=2**70)"),
    ("sum", "xp.sum(a, dtype='nonsense')"),
    ("sum", "xp.sum(a, dtype=7)"),
    ("sum", "xp.sum(a, keepdims='yes')"),
    ("sum", "xp.sum(a, keepdims=None)"),
    ("max", "a.max(0, None, 1.5)"),
    ("var", "xp.var(a, keepdims=a)"),
    ("add.reduce", "xp.add.reduce(a, keepdims=[])"),
    ("zeros", "xp.zeros(3, xp.ones(2))"),
    ("zeros", "xp.zeros(3, dtype=())"),
    ("zeros", "xp.zeros(2**70)"),
    ("add", "xp.add(a, 1, dtype='f5')"),
    ("sort", "xp.sort([[1], [2, 3]])"),
    ("sort", "xp.sort(a, axis=a)"),
    ("diff", "xp.diff([[1], [2, 3]])"),
    ("clip", "xp.clip([[1], [2, 3]], 0, 1)"),
    ("reshape", "xp.reshape(a, (2.0, 3))"),
    ("linspace", "xp.linspace(0, 1, a)"),
    ("cross", "xp.cross(a, a, axisa=7)"),
    ("gradient", "xp.gradient(a, axis='x')"),
    ("diff", "xp.diff(a, axis=9)"),
    ("quantile", "xp.quantile(a, 1.5)"),
    ("nanpercentile", "xp.nanpercentile(a, 50, axis=4)"),
    ("median", "xp.median(a, axis='x')"),
    ("average", "xp.average(a, weights=xp.ones(7))"),
    ("histogram", "xp.histogram(a, bins=-3)"),
    ("histogram", "xp.histogram(a, range=3)"),
    ("histogram_bin_edges", "xp.histogram_bin_edges(a, 'nonsense')"),
    ("bincount", "xp.bincount(a)"),
    ("digitize", "xp.digitize(a, a)"),
    ("convolve", "xp.convolve(a, a)"),
    ("interp", "xp.interp(a, xp.ones(3), xp.ones(4))"),
    ("packbits", "xp.packbits(a)"),
    ("hanning", "xp.hanning(None)"),
    ("std", "a.std(ddof=None)"),
    ("nanvar", "xp.nanvar(a, ddof=None)"),
    ("var", "xp.var(a, ddof=1, correction=1)"),
    ("transpose", "xp.transpose(a, (0, 1.0))"),
    ("moveaxis", "xp.moveaxis(a, 'x', 0)"),
    ("hstack", "xp.hstack(3)"),
    ("vstack", "xp.vstack(None)"),
    ("column_stack", "xp.column_stack(1.5)"),
    ("nan_to_num", "xp.nan_to_num(a, nan=1j)"),
    ("interp", "xp.interp(a, xp.arange(3.0), xp.arange(3.0), left=[1.0, 2.0])"),
    ("poly1d", "xp.poly1d(a)"),
    ("unwrap", "xp.unwrap(a, period=None)"),
    ("frombuffer", "xp.frombuffer(3)"),
    ("frombuffer", "xp.frombuffer(b'123')"),
    ("ndarray.resize", "xp.ones(3).resize(xp.ones(5))"),
    ("can_cast", "xp.can_cast(None, 'f4')"),
    ("diag", "xp.diag(xp.ones(3), None)"),
    ("lib.stride_tricks.sliding_window_view", "xp.lib.stride_tricks.sliding_window_view(a, 3, axis=5)"),
]


@pytest.mark.parametrize("function,source", NAMED, ids=[m[1] for m in NAMED])
def test_mistake_names_the_function(function, source):
    with pytest.raises((TypeError, ValueError, OverflowError)) as want:
        eval(source, {"xp": np, "a": A(np)})
    with pytest.raises(type(want.value)) as got:
        eval(source, {"xp": cp, "a": A(cp)})
    assert str(got.value).startswith(f"cuprum.{function}: "), str(got.value)


@pytest.mark.parametrize("text", ["abc", ["a"]])
@pytest.mark.parametrize("name", ["sum", "sort", "diff", "average", "median", "unique", "pad", "histogram"])
def test_text_is_refused_by_name(name, text):
    args = [1] if name == "pad" else []
    with pytest.raises(TypeError, match=rf"^cuprum\.{name}: no dtype"):
        getattr(cp, name)(text, *args)


HOST = """a + h; h + a; a * h; xp.add(a, h); xp.sum(h); a @ h; xp.concatenate([a, h]); a < h; h == a; xp.sin(h);
    xp.where(a > 0, a, h); a.__iadd__(h)"""


@pytest.mark.parametrize("source", [s.strip() for s in HOST.split(";")])
def test_numpy_arrays_are_refused_with_the_remedy(source):
    with pytest.raises(TypeError, match=r"asarray"):
        eval(source, {"xp": cp, "a": A(cp), "h": A(np)})


def test_writing_a_numpy_array_into_an_array_is_asked_for():
    """Assignment names its direction: it may take host data, as it takes lists."""
    a = A(cp)
    a[...] = [1, 2, 3]
    assert a.tolist() == [[1, 2, 3], [1, 2, 3]]


def test_errors_leave_pending_work_intact():
    a = A(cp)
    b = a * 2
    for source in ("b + a[:, :2]", "b[5]", "b.sum(axis=7)", "xp.add(b, a, out=a[:1])"):
        with pytest.raises((ValueError, IndexError)):
            eval(source, {"xp": cp, "a": a, "b": b})
    assert b.tolist() == (A(np) * 2).tolist()


@pytest.mark.parametrize("shape", [(2**40,), (2**62,), (2**31, 2**31), (1,) * 65, (2**20,) * 5])
@pytest.mark.parametrize("name", ["zeros", "empty", "ones"])
def test_impossible_sizes(name, shape):
    with pytest.raises((MemoryError, ValueError)) as error:
        cp.evaluate(getattr(cp, name)(shape) + 1)
    assert "cuprum" in str(error.value) or "dimension" in str(error.value)
    assert float(cp.ones(10).sum()) == 10


def test_impossible_sizes_by_broadcasting():
    a, b = cp.ones((2**20, 1)), cp.ones((1, 2**20))
    with pytest.raises(MemoryError):
        cp.evaluate(a * b)
    assert float(a.sum() + b.sum()) == 2**21


def test_out_of_memory_leaves_everything_intact():
    pool = cp.get_default_memory_pool()
    a = cp.evaluate(cp.arange(1000.0))
    pending = a * 2
    pool.set_limit(pool.used_bytes() + 100_000)
    try:
        for _ in range(3):
            with pytest.raises(MemoryError, match=r"limit|memory"):
                cp.evaluate(cp.zeros(1_000_000) + 1)
        assert float(pending.sum()) == 999_000
    finally:
        pool.set_limit(0)
    assert float(a.sum()) == 499_500


def test_read_only():
    host = np.arange(3.0)
    host.setflags(write=False)
    a = cp.asarray(host, copy=False, device="cpu")
    for source in (
        "a[0] = 1",
        "a += 1",
        "a[...] = 0",
        "a[[0]] = 1",
        "a.sort()",
        "a.fill(1)",
        "xp.add(a, 1, out=a)",
    ):
        with pytest.raises(ValueError, match="read-only"):
            exec(source, {"xp": cp, "a": a})
    b = cp.arange(3)
    b.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        b[0] = 1


def test_errors_in_threads_come_out_where_they_were_made():
    from concurrent.futures import ThreadPoolExecutor

    def work(i):
        a = cp.arange(10.0) * i
        if i % 3 == 0:
            return a[99]
        return float(a.sum())

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(work, i) for i in range(30)]
        for i, future in enumerate(futures):
            if i % 3 == 0:
                with pytest.raises(IndexError):
                    future.result()
            else:
                assert future.result() == 45 * i


# -- More numbers than an array has dimensions ------------------------------------------------------------


class Endless:
    """A sequence that nobody should begin to read."""

    def __len__(self):
        return 10**9

    def __getitem__(self, i):
        raise AssertionError("the elements were read")


TOO_MANY = [
    "xp.zeros(n)",
    "xp.full(n, 1)",
    "xp.ndarray(n)",
    "xp.ndarray(3, strides=n)",
    "xp.zeros_like(a, shape=n)",
    "a.reshape(n)",
    "xp.resize(a, n)",
    "a.copy().resize(n)",
    "xp.broadcast_to(a, n)",
    "a.transpose(n)",
    "xp.moveaxis(a, n, n)",
    "xp.expand_dims(a, n)",
    "xp.lib.stride_tricks.as_strided(a, n, n)",
    "xp.lib.stride_tricks.sliding_window_view(a, n)",
    "xp.tensordot(a, a, (n, n))",
    "xp.broadcast_shapes(n)",
    "xp.indices(n)",
    "xp.unravel_index(0, n)",
    "xp.ravel_multi_index((0,), n)",
]
# These are read, but not for long.
TOO_MANY_TO_READ = [
    "xp.rot90(a, 1, n)",
    "xp.median(a, axis=n)",
    "xp.pad(a, n)",
    "xp.tile(a, n)",
    "xp.einsum(a, n)",
]


@pytest.mark.parametrize("source", TOO_MANY + TOO_MANY_TO_READ)
def test_too_many_dimensions_are_refused_before_they_are_read(source):
    for n in ([1] * 65, (0,) * 100):
        with pytest.raises(Exception) as want:
            eval(source, {"xp": np, "a": A(np), "n": n})
        with pytest.raises(Exception) as got:
            eval(source, {"xp": cp, "a": A(cp), "n": n})
        assert same_exception(got.value, want.value), (got.value, want.value)
    if source in TOO_MANY:
        with pytest.raises(ValueError, match="found 1000000000"):
            eval(source, {"xp": cp, "a": A(cp), "n": Endless()})
    # The elements of an array are arrays: to make them takes microseconds and hundreds of bytes each.
    n = cp.zeros(4 * 10**6, int)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError):
            eval(source, {"xp": cp, "a": A(cp), "n": n})
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100 * n.size  # a few copies of their numbers at most


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("xp.zeros((1,) * 65)", "maximum supported dimension for an ndarray is currently 64, found 65"),
        ("a.transpose((0,) * 100)", "maximum supported dimension for an ndarray is currently 64, found 100"),
        ("a.sum(axis=(0,) * 100)", "too many values for 'axis'"),
        ("xp.add.reduce(a, axis=(5,) * 100)", "too many values for 'axis'"),
        ("a[(0,) * 129]", "too many indices for array"),
        ("a[(None,) * 10**6]", "too many indices for array"),
        ("a.__setitem__((..., *[0] * 200), 1)", "too many indices for array"),
    ],
)
def test_too_many_dimensions_in_the_words_of_numpy(source, text):
    for xp in (np, cp):
        with pytest.raises((ValueError, IndexError), match=re.escape(text)) as error:
            eval(source, {"xp": xp, "a": A(xp)})
        assert type(error.value) is (IndexError if "indices" in text else ValueError)


def test_as_many_dimensions_as_there_may_be():
    for xp in (np, cp):
        assert xp.zeros((1,) * 64)[(0,) * 64 + (None,) * 64].ndim == 64
        assert xp.zeros((1,) * 64).transpose(range(64)).sum(axis=tuple(range(64))) == 0
    assert cp.zeros(cp.array([2, 3])).shape == (2, 3)
    assert cp.roll(cp.arange(6), 1, cp.zeros(100, int)).tolist() == np.roll(np.arange(6), 100).tolist()
