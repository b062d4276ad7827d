"""Few elements that the CPU has are computed with at once: the bits, the errors and the order are those of recorded
work. And functions that only hand their parameters on, which are left out of a call.
"""

import inspect

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core

on_cpu = pytest.mark.skipif(cp.zeros(1).device != "cpu", reason="what the host can read at once")


class Recorded:
    """While it lasts nothing is few."""

    def __enter__(self):
        self.before = _core.set_small_bytes(0)

    def __exit__(self, *_):
        _core.set_small_bytes(self.before)


def bits(x):
    x = cp.asnumpy(x)
    return x.dtype, x.shape, x.tobytes()


def both(program):
    """What a program gives at once, and what it gives where all is recorded."""
    now = bits(program())
    with Recorded():
        assert bits(program()) == now
    return now


def lines(dtype, length):
    values = np.random.default_rng(length).normal(size=3 * length + 1) * 100
    x = cp.array(values.astype(dtype))
    cp.evaluate(x)
    return [x[:length], x[length : 0 if length > 1 else None : -1][:length], x[: 3 * length : 3], x[:1][0:1]]


REDUCTIONS = ["sum", "prod", "min", "max", "any", "all", "argmin", "argmax", "mean", "var", "std"]


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "f2", "f4", "f8"])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_have_the_bits_of_recorded_ones(name, dtype):
    for length in (1, 2, 3, 7, 16, 33, 100, 128, 200):
        for x in lines(dtype, length):
            both(lambda x=x: getattr(x, name)())
            both(lambda x=x: getattr(x, name)(keepdims=True))


@on_cpu
def test_a_line_of_few_elements_is_a_number():
    x, y = cp.evaluate(cp.arange(16.0), cp.arange(1000.0))
    with cp.eager(False):
        total, place = x.sum(), x.argmax()
        assert "nothing is pending" in str(cp.show_graph(total, place))
        assert "reduce" in str(cp.show_graph(y.sum()))
    assert float(total) == 120 and int(place) == 15


LAYOUTS = {
    "some": lambda i: i[:4],
    "steps": lambda i: i[::3],
    "backwards": lambda i: i[::-2],
    "matrix": lambda i: i.reshape(3, 4),
    "transposed": lambda i: i.reshape(3, 4).T,
    "one": lambda i: i[5:6],
    "repeated": lambda i: i[3:4].repeat(7),
}


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_indices_of_every_dtype_and_layout(layout, dtype):
    host = np.arange(60.0).reshape(12, 5)
    for base in (np.arange(12), np.arange(12)[::-1] - 6):
        if base.min() < 0 and np.dtype(dtype).kind == "u":
            continue
        index = LAYOUTS[layout](base.astype(dtype))
        i = LAYOUTS[layout](cp.evaluate(cp.asarray(base.astype(dtype))))
        a = cp.asarray(host)
        assert bits(a[i]) == bits(host[index])
        assert bits(a[i, i % 5]) == bits(host[index, index % 5])
        assert bits(a[:, 0][i]) == bits(host[:, 0][index])
        a[i] = 7
        expected = host.copy()
        expected[index] = 7
        assert bits(a) == bits(expected)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u4", "i8", "u8"])
def test_indices_of_every_dtype_out_of_bounds(dtype):
    a = cp.arange(12.0)
    for bad in (12, 100) if np.dtype(dtype).kind == "u" else (12, 100, -13):
        index = cp.asarray(np.array([0, bad], dtype))
        with pytest.raises(IndexError, match=f"index {bad} is out of bounds"):
            cp.evaluate(a[index])
        with pytest.raises(IndexError, match=f"index {bad} is out of bounds"):
            a[index] = 1
            cp.evaluate(a)


def test_copies_and_full_arrays_are_new():
    a = cp.evaluate(cp.arange(12.0).reshape(3, 4))
    for make in (
        lambda: a.copy(),
        lambda: cp.array(a),
        lambda: cp.array(a, order="F"),
        lambda: a[::2].copy(),
    ):
        b = make()
        b += 1
        assert (a == cp.arange(12.0).reshape(3, 4)).all() and not cp.shares_memory(a, b)
    for dtype in ("?", "i2", "f4", "c16"):
        for shape in ((0,), (1,), (3,), (2, 5), (40, 1)):
            for order in "CF":
                both(lambda s=shape, d=dtype, o=order: cp.full(s, 3, d, order=o))
    assert cp.full((2, 3), 1.5, order="F").flags.f_contiguous


def test_gathers_of_few_elements():
    a = cp.evaluate(cp.arange(24.0).reshape(2, 3, 4))
    host = cp.asnumpy(a)
    i, j = np.array([1, 0, -1]), np.array([2, -3, 0])
    ci, cj = cp.evaluate(cp.array(i), cp.array(j))
    for x, h in ((a, host), (a.T, host.T), (a[:, ::-1], host[:, ::-1]), (a[..., 1], host[..., 1])):
        for index, own in (((i,), (ci,)), ((i, j), (ci, cj)), ((i.reshape(3, 1),), (ci.reshape(3, 1),))):
            want, got = h[index], x[own]
            assert np.array_equal(cp.asnumpy(got), want) and got.strides == want.strides
            both(lambda x=x, own=own: x[own])
    b = a[ci]
    a[...] = 0
    assert np.array_equal(cp.asnumpy(b), host[i])


def test_stores_at_few_places():
    host = np.arange(12.0).reshape(3, 4)
    a, i = cp.array(host), cp.array([2, 0, 2])
    reader = a * 2  # it reads what was there before
    a[i] = 7
    host[[2, 0, 2]] = 7
    assert np.array_equal(cp.asnumpy(a), host) and reader[0].tolist() == [0, 2, 4, 6]
    a.T[cp.array([1, 1]), cp.array([0, 2])] = -1
    host.T[[1, 1], [0, 2]] = -1
    assert np.array_equal(cp.asnumpy(a), host)
    k = cp.array([1, 2, 0])
    k[k] = 5  # the index is what is written
    assert k.tolist() == [5, 5, 5]
    small = cp.zeros(3, "i1")
    with pytest.raises(OverflowError):
        small[cp.array([0])] = 300
    assert small.tolist() == [0, 0, 0]


@pytest.mark.parametrize("length", [5, 5000])
def test_bad_indices_are_told_alike(length):
    a, i = cp.evaluate(cp.arange(float(length)), cp.array([0, length]))
    with pytest.raises(IndexError, match=f"index {length} is out of bounds for axis 0 with size {length}"):
        cp.evaluate(a[i])
        cp.synchronize()
    with pytest.raises(IndexError, match=f"index {length} is out of bounds for axis 0 with size {length}"):
        a[i] = 1.0
        cp.synchronize()
    assert float(a[0]) == 0
    fixed = cp.arange(3.0)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        fixed[cp.array([1])] = 2


# -- Functions that hand on -----------------------------------------------------------------------------

COMPOSITES = {
    name: getattr(cp, name) for name in cp.__all__ if isinstance(getattr(cp, name), _core.composite)
}


def error_of(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except Exception as error:
        return type(error), str(error)
    return None


@pytest.mark.parametrize("name", sorted(COMPOSITES))
def test_wrong_calls_are_told_by_the_function_itself(name):
    function = COMPOSITES[name]
    behind = function.__wrapped__
    assert inspect.signature(function) == inspect.signature(behind)
    parameters = inspect.signature(behind).parameters.values()
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        assert error_of(function, no_such_parameter=1) == error_of(behind, no_such_parameter=1) is not None
    if not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        many = [None] * (len(parameters) + 1)
        assert error_of(function, *many) == error_of(behind, *many) is not None


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "f2", "f4", "f8", "c16"])
def test_masks_pick_and_dtypes_change_as_where_all_is_recorded(dtype):
    for length in (1, 2, 16, 33, 128):
        chosen = np.random.default_rng(length).random(length) < 0.5
        for x in lines(dtype, length):
            for host in (chosen, ~chosen, chosen | True, chosen & False):
                mask = cp.asarray(host[: len(x)])
                assert both(lambda x=x, mask=mask: x[mask]) == bits(cp.asarray(cp.asnumpy(x)[host[: len(x)]]))
            for other in ("?", "i2", "f4", "f8", "c8"):
                if dtype != "c16" or other == "c8":
                    both(lambda x=x, other=other: x.astype(other))


@pytest.mark.parametrize("order", "CFAK")
def test_few_elements_are_converted_in_every_order(order):
    host = np.arange(24).reshape(2, 3, 4)
    for like in (lambda x: x, lambda x: x.T, lambda x: x.transpose(1, 0, 2), lambda x: x[:, ::-1, 1:3]):
        for dtype in ("i8", "f4"):
            made, wanted = like(cp.asarray(host)).astype(dtype, order), like(host).astype(dtype, order)
            assert bits(made) == bits(wanted) and made.strides == wanted.strides
            both(lambda like=like, dtype=dtype: like(cp.asarray(host)).astype(dtype, order))


@pytest.mark.parametrize(
    "expression",
    [
        "xp.arange(16)", "xp.arange(0)", "xp.arange(5, 2)", "xp.arange(5, 2, -2)", "xp.arange(-3, 4, 3)",
        "xp.arange(2**63 - 5, 2**63 - 1, 2)", "xp.arange(-(2**63), 2**63 - 1, 2**62)", "xp.arange(7, None, 2)",
        "xp.arange(1.5, 9)", "xp.arange(3, dtype='f2')", "xp.arange(stop=4, step=3)", "xp.arange(2, dtype=bool)",
        "xp.interp(0.5, x, x * 3)", "xp.interp(x[::-1] + 0.25, x, x**2)", "xp.interp(x, x[:1], x[:1])",
        "xp.interp(x, x, x * (1 + 2j))", "xp.interp(x, x[::2], x[1::2], left=-1)", "xp.interp([], x, x)",
        "xp.count_nonzero(x > 3)", "x.ravel()", "x[::3].ravel()", "x.reshape(2, 4).T.ravel('F')",
    ],
)  # fmt: skip
def test_few_numbers_are_made_by_the_call(expression):
    x = np.arange(8.0)
    wanted = eval(expression, {"xp": np, "x": x})
    made = both(lambda: cp.asarray(eval(expression, {"xp": cp, "x": cp.asarray(x)})))
    assert made == bits(np.asarray(wanted))


def test_one_element_as_a_number_of_python():
    host = np.arange(6.0).reshape(2, 3)
    a = cp.asarray(host)
    for index in ((0,), (-1,), (1, 2), (np.int8(1), 0), ((1, 1),), (cp.asarray(4),)):
        theirs = [cp.asnumpy(i) if isinstance(i, cp.ndarray) else i for i in index]
        assert a.item(*index) == a.T.T.item(*index) == host.item(*theirs)
    for index in ((6,), (0, 3), (0, 0, 0), (1.5,), ("0",), (None,), (0,) * 70):
        with pytest.raises(Exception) as theirs:
            host.item(*index)
        with pytest.raises((type(theirs.value), IndexError, ValueError)):
            a.item(*index)
    assert (cp.arange(3) + 1).item(1) == 2 and cp.asarray(5).item() == 5
    with pytest.raises(TypeError, match="keyword"):
        a.item(index=0)


def test_an_array_that_fits_is_itself_and_a_value_is_not():
    a = cp.arange(3.0)
    assert cp.asarray(a) is a and cp.asarray(a[1]) is not a[1] and cp.asarray(a, "f8", None) is a
    assert not cp.asarray(a[1]).flags.writeable or cp.asarray(a[1]).shape == ()

    class Own(cp.ndarray):
        pass

    assert type(cp.asarray(a.view(Own))) is cp.ndarray and type(cp.asanyarray(a.view(Own))) is Own


def test_parameters_by_place_and_by_name():
    assert cp.zeros(shape=3).tolist() == cp.zeros(3, order="C").tolist() == [0, 0, 0]
    assert (
        cp.full(2, fill_value=3, dtype="i4").dtype
        == cp.full(dtype="i4", shape=2, fill_value=3).dtype
        == np.int32
    )
    assert cp.asanyarray([1, 2], float).dtype == np.float64
    assert cp.array([1, 2], ndmin=2, copy=None).shape == (1, 2)
    for wrong in (lambda: cp.zeros(3, shape=3), lambda: cp.zeros(3, float, "C", "cpu"), lambda: cp.zeros()):
        with pytest.raises(TypeError, match="zeros"):
            wrong()
    with pytest.raises(ValueError, match="ndmax"):
        cp.array([[1]], ndmax=1)
    with pytest.raises(ValueError, match="ndmax must be in the range"):
        cp.array([1], ndmax=65)
    with pytest.raises(ValueError, match="strings are not allowed"):
        cp.array([1], copy="always")


def test_plain_products_know_classes_and_options():
    class Own(cp.ndarray):
        pass

    a, b = cp.arange(6.0).reshape(2, 3), cp.arange(3.0)
    assert cp.vecdot(a, b).tolist() == [5, 14] == cp.vecdot(a, b, axis=-1).tolist()
    assert cp.matvec(a, b).tolist() == (a @ b).tolist() == cp.vecmat(b, a.T).tolist()
    assert type(cp.matmul(a.view(Own), b)) is type(a.view(Own) @ b)
    with pytest.raises(ValueError, match=r"vecdot.*mismatch"):
        cp.vecdot(a, cp.ones(2))
    with pytest.raises(TypeError):
        cp.vecdot(a)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "f2", "c16", "?"])
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "argmax", "var", "mean", "any", "all"])
def test_few_of_an_expression_are_reduced(name, dtype):
    e = (np.arange(40) % 7 - 3).astype(dtype)
    a = cp.asarray(e)

    def results(xp, a):
        d = a[::2] * a[1::2] + a[::-2]
        first = getattr(d, name)()
        return first, getattr((d & 1 if d.dtype.kind in "iub" else d * d), name)(), d

    got, want = results(cp, a), results(np, e)
    with cp.eager(True):
        single = results(cp, a)
    for g, w, s in zip(got, want, single, strict=True):
        assert g.dtype == w.dtype and g.shape == np.shape(w)
        np.testing.assert_array_equal(cp.asnumpy(g), cp.asnumpy(s))
        np.testing.assert_allclose(cp.asnumpy(g), w, rtol=1e-2 if dtype == "f2" else 1e-6)


def test_an_expression_that_was_reduced_is_there():
    a = cp.arange(16.0)
    d = a * 2
    s = d.sum()
    a *= 0  # what `d` reads is that of before
    d[3] = 100
    assert float(s) == 240 and float(d.sum()) == 334 and float(a.sum()) == 0


@pytest.mark.parametrize("rows", [
    lambda xp, x: [x[0] * 2, x[1]],
    lambda xp, x: [[x[0], x[1]], [x[2], x[0]]],
    lambda xp, x: [x[0], 2.5],
    lambda xp, x: (x.sum(), x.max()),
    lambda xp, x: [x[0], x[1] > 0],
    lambda xp, x: [x[0], 1],
    lambda xp, x: [x[:2], x[1:3]],
    lambda xp, x: [x.argmax(), x.argmin()],
    lambda xp, x: [x[0].astype("f4"), x[1].astype("f4")],
])  # fmt: skip
def test_lists_of_numbers_that_were_computed(rows):
    e = np.array([3.0, -1.5, 2.0])
    np.testing.assert_array_equal(
        cp.asnumpy(cp.array(rows(cp, cp.asarray(e)))), np.array(rows(np, e)), strict=True
    )
