"""Writes into a part of an array that run with the statement: what they store is what recorded work stores, and what
the program still names afterwards has the elements that it had before.
"""

import ctypes
import operator

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core

# Around the lengths at which a line is cut, needs a program, and is no small kernel any more.
LENGTHS = [1, 2, 31, 127, 128, 129, 256, 1000, 1024, 1025, 3000, 25000]
PLACES = {
    "line": lambda x, n: x[1, 1 : n + 1],
    "column": lambda x, n: x.T[1 : n + 1, 1],
    "backwards": lambda x, n: x[2, n + 1 : 1 : -1],
    "steps": lambda x, n: x[0, : 2 * n : 2],
    "block": lambda x, n: x[:, 1 : n + 1],
}
STATEMENTS = {
    "memory": lambda to, a, b, c: operator.iadd(to, a),
    "number": lambda to, a, b, c: operator.imul(to, 1.5),
    "expression": lambda to, a, b, c: operator.isub(to, 2 * a * b),
    "twice": lambda to, a, b, c: operator.iadd(to, (a - b) * (a - b) + a),
    "other type": lambda to, a, b, c: operator.iadd(to, c * 2 + c),
    "itself": lambda to, a, b, c: operator.iadd(to, to * 0.5 - a),
    "neighbours": lambda to, a, b, c: operator.iadd(to[..., 1:], to[..., :-1] * 2),
    "copy": lambda to, a, b, c: operator.setitem(to, ..., a),
    "cast": lambda to, a, b, c: operator.setitem(to, ..., c),
    "computed": lambda to, a, b, c: operator.setitem(to, ..., a * b - c + 1),
    "from itself": lambda to, a, b, c: operator.setitem(to, ..., to + a),
    "long": lambda to, a, b, c: operator.iadd(to, sum((a * k - b for k in range(12)), c * a)),
}


def operands(xp, n, dtype):
    rng = np.random.default_rng(n)
    x, a, b = ((rng.random((3, 2 * n + 3)) * 8 - 4).astype(dtype) for _ in range(3))
    c = (x * 3).astype("i2")
    made = [xp.array(v) for v in (x, a, b, c)]
    if xp is cp:
        cp.evaluate(*made)
    return made


def stored(xp, statement, place, n, dtype, names=False):
    x, a, b, c = operands(xp, n, dtype)
    to, a, b, c = (place(v, n) for v in (x, a, b, c))
    if names:
        a = a + 0  # pending, and alive when the statement ends
    statement(to, a, b, c)
    return xp.asarray(x) if xp is np else x.get()


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", STATEMENTS)
@pytest.mark.parametrize("where", PLACES)
def test_parts_hold_what_numpy_stores(where, name, dtype):
    for n in LENGTHS:
        if where == "column" and n > 2:
            continue
        want = stored(np, STATEMENTS[name], PLACES[where], n, dtype)
        for names in (False, True):
            got = stored(cp, STATEMENTS[name], PLACES[where], n, dtype, names)
            assert got.tobytes() == want.tobytes(), (n, names)
        before = _core.set_small_bytes(0)
        try:
            assert stored(cp, STATEMENTS[name], PLACES[where], n, dtype).tobytes() == want.tobytes(), n
        finally:
            _core.set_small_bytes(before)


@pytest.mark.parametrize("n", [5, 200, 5000])
def test_tall_columns(n):
    rng = np.random.default_rng(n)
    host, other = rng.random((n, 7)), rng.random((n, 9))
    x, y = cp.evaluate(cp.array(host), cp.array(other))
    for a, b in ((host, other), (x, y)):
        a[:, 2] -= b[:, 3] * a[1, 1]
        a[::-1, 4] += a[:, 2] - a[:, 5]
        a[:, 0] = b[:, 0]
        a[1:, 6] = a[:-1, 6] * b[1:, 8]
    assert x.get().tobytes() == host.tobytes()


@pytest.mark.parametrize("n", [4, 300, 30000])
def test_names_keep_their_elements(n):
    x, a = cp.evaluate(cp.arange(float(n + 2)), cp.arange(float(n + 2)) % 7)
    apart, of_itself = a[1:-1] * 2, x[1:-1] * 2
    x[1:-1] += apart
    x[1:-1] += of_itself
    line = np.arange(float(n + 2))
    assert np.array_equal(of_itself.get(), line[1:-1] * 2)
    assert np.array_equal(apart.get(), line[1:-1] % 7 * 2)
    assert np.array_equal(x.get()[1:-1], line[1:-1] * 3 + line[1:-1] % 7 * 2)
    kept = x[1:-1] = a[1:-1] + 1
    x[1:-1] = 0
    assert np.array_equal(kept.get(), line[1:-1] % 7 + 1)


@pytest.mark.parametrize("n", [4, 300, 30000])
@pytest.mark.parametrize("reads_itself", [False, True])
def test_a_borrowed_value_keeps_its_elements(n, reads_itself):
    """C code may hand over a value that only a list holds: it looks like one that dies with the statement."""
    add = ctypes.pythonapi.PyNumber_InPlaceAdd
    add.restype, add.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_void_p]
    x, a = cp.evaluate(cp.arange(float(n + 2)), cp.ones(n + 2))
    part = x[1:-1]
    held = [(x if reads_itself else a)[1:-1] * 3]
    want = held[0].copy().get()
    add(id(part), id(held[0]))
    a[:] = 5
    x[:] = 7
    assert np.array_equal(held[0].get(), want)


def test_pending_readers_see_what_was_there():
    x = cp.evaluate(cp.arange(10.0))
    reader = x[2:5] * 10
    x[2:5] += 1
    assert reader.tolist() == [20, 30, 40] and x[2:5].tolist() == [3, 4, 5]
    again = x[:3] + x[7:]
    x[:3] = x[7:]
    assert again.tolist() == [7, 9, 12] and x[:3].tolist() == [7, 8, 9]


def test_repeated_elements_and_memory_of_others():
    host = np.arange(6.0)
    shared = cp.from_dlpack(host)
    shared[1:4] += shared[2:5] * 1.0
    assert host.tolist() == [0, 3, 5, 7, 4, 5]
    wide = cp.lib.stride_tricks.as_strided(cp.evaluate(cp.zeros(3)), (4, 3), (0, 8))
    wide += cp.ones((4, 3))
    assert wide[0].tolist() in ([1, 1, 1], [4, 4, 4])  # as with NumPy, some of the sums


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("step", [1, 2])
def test_masks_with_runs(dtype, step):
    rng = np.random.default_rng(1)
    for density in (0, 0.02, 0.3, 0.9, 1):
        for run in (1, 8, 40):
            mask = np.repeat(rng.random(500) < density, run)[::step]
            host = (rng.random(len(mask)) * 100).astype(dtype)
            x, m = cp.array(host), cp.array(mask)
            assert x[m].get().tobytes() == host[mask].tobytes()
            values = (rng.random(mask.sum()) * 100).astype(dtype)
            x[m], host[mask] = cp.array(values), values
            assert x.get().tobytes() == host.tobytes()


INTEGERS = [0, 1, -1, 7, 127, 128, 255, 256, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 2**70]


def outcome(f):
    with np.errstate(all="ignore"):
        try:
            result = f()
        except Exception as error:
            return type(error), str(error)
    return str(result.dtype), np.asarray(cp.asnumpy(result)).tobytes()


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c16"])
def test_elements_and_integers(dtype):
    host = np.array([3, 1], dtype)
    a, b = host[0], cp.evaluate(cp.array(host))[0]
    functions = [operator.add, operator.sub, operator.mul, operator.lt, operator.eq, operator.truediv]
    functions += [operator.and_, operator.rshift] if dtype[0] in "?iu" else []
    for f in functions:
        for n in INTEGERS:
            for theirs, ours in ((lambda: f(a, n), lambda: f(b, n)), (lambda: f(n, a), lambda: f(n, b))):
                want, got = outcome(theirs), outcome(ours)
                if isinstance(want[0], type):
                    assert got[0] is want[0], (f, n, want, got)
                else:
                    assert got == want, (f, n)


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f4", "c8"])
def test_elements_are_stored_alike(dtype):
    for value in (1.5, -2.0, 3, True, 2**40, float("nan"), np.float32(2.5), np.int8(-3)):
        host = np.zeros((2, 2), dtype)
        x = cp.array(host)

        def store(to, value=value):
            to[1, 0] = value
            return to

        want, got = outcome(lambda: store(host)), outcome(lambda: store(x))
        if isinstance(want[0], type):
            assert got[0] is want[0], value
        elif np.isfinite(value) or dtype in (
            "f4",
            "c8",
        ):  # NaN as an integer is whatever the machine makes of it
            assert got == want, value
    x = cp.evaluate(cp.arange(6.0).reshape(2, 3))
    x[-1, -1] = x[0, 1]
    assert x.tolist() == [[0, 1, 2], [3, 4, 1]]
    for wrong in ((2, 0), (0, -4), (0, 2**70), (2**70, 0)):
        with pytest.raises(IndexError):
            x[wrong]
        with pytest.raises(IndexError):
            x[wrong] = x[0, 0]
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x[0, 0] = x[0, 1]


def test_covariances_are_symmetric():
    rng = np.random.default_rng(0)
    for shape, dtype in (((40, 300), "f8"), ((200, 70), "f4")):
        host = rng.random(shape).astype(dtype)
        got = cp.cov(cp.array(host)).get()
        np.testing.assert_allclose(got, np.cov(host), rtol=1e-6)
        assert (got == got.T).all()


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_products_of_two_vectors(dtype):
    rng = np.random.default_rng(0)
    host = (rng.random((3, 40000)) - 0.5).astype(dtype)
    x = cp.evaluate(cp.array(host))
    for n in (1, 300, 5000, 40000):
        for cut in (slice(None, n), slice(n - 1, None, -1) if n < 40000 else slice(None, None, -1)):
            a, b = x[0, cut][:n], x[1, :n]
            want = host[0, cut][:n] @ host[1, :n]
            near = 1e-4 if dtype in ("f4", "c8") else 1e-11
            np.testing.assert_allclose((a @ b).get(), want, rtol=0, atol=near * np.sqrt(n))
            assert (a @ b).get().tobytes() == ((a + 0) @ b).get().tobytes()
    assert np.isnan((x[2, :2000] * np.nan @ x[1, :2000]).get())
