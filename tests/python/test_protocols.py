"""NumPy's protocols: its functions on Cuprum arrays, and Cuprum's ufuncs on objects that answer for themselves."""

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from oracle import compare, lines, run, scopes

# `np` is NumPy for both, so that the second run goes through the protocol.
ANSWERED = """
np.sin(x)
np.add(x, np.float32(1))
np.add(np.float64(2), x)
np.float64(2) * x
np.int8(2) ** x
np.float32(3) < x
np.add(x, 1, dtype='f4')
np.maximum(x, 2, where=x > 1, out=x)
np.modf(x)
np.divmod(x, 2)
np.matmul(x, x.T)
np.add.reduce(x, axis=1, keepdims=True)
np.multiply.accumulate(x, axis=0)
np.add.outer(x[0], x[1])
np.add.reduceat(x[0], [0, 2])
np.concatenate([x, x], axis=1)
np.stack([x, x])
np.vstack((x, x))
np.mean(x, axis=0)
np.sum(x)
np.var(x, axis=1, ddof=1)
np.where(x > 1, x, 0)
np.nonzero(x)
np.sort(x, axis=0)
np.argsort(x)
np.cumsum(x)
np.clip(x, 1, 2)
np.round(x, 1)
np.dot(x, x.T)
np.tensordot(x, x)
np.einsum('ij,ij->i', x, x)
np.broadcast_to(x, (2, 2, 3))
np.reshape(x, -1)
np.pad(x, 1)
np.tile(x, 2)
np.roll(x, 1)
np.diff(x)
np.percentile(x, 40)
np.median(x, axis=0)
np.unique(x)
np.histogram(x, bins=3)
np.allclose(x, x)
np.array_equal(x, x)
np.shape(x)
np.ndim(x)
np.ones_like(x)
np.full_like(x, 3)
np.zeros(3, like=x)
np.arange(3, like=x)
np.asarray([1, 2], like=x)
np.result_type(x, np.float32)
np.iscomplexobj(x)
"""


@pytest.mark.parametrize("source", lines(ANSWERED))
def test_numpys_functions_stay_on_the_device(source):
    host, device = scopes(x=np.arange(6.0).reshape(2, 3))
    want, got = run(source, host), run(source, device)
    first = got[0] if isinstance(got, (tuple, list)) else got
    wanted = want[0] if isinstance(want, (tuple, list)) else want
    assert isinstance(first, cp.ndarray) == isinstance(wanted, (np.ndarray, np.generic))
    compare(got, want, ulps=2)


def test_numpys_at_writes_into_the_array():
    x = cp.zeros(3)
    np.add.at(x, [0, 0, 2], 1)
    assert x.get().tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    "call, advice",
    [
        (lambda x: np.busday_count(x, x), "asnumpy"),
        (lambda x: np.frompyfunc(abs, 1, 1)(x), r"the ufunc abs.*asnumpy"),
        (lambda x: np.add(np.ones(3), x), "asarray"),
        (lambda x: np.add(x, 1, out=np.ones(3)), "get"),
        (lambda x: cp.add(x, 1, out=np.ones(3)), "get"),
        (lambda x: np.sum(x, out=np.ones(())), "get"),
        (lambda x: np.concatenate([x, np.ones(3)]), "asarray"),
    ],
)
def test_refusals_say_what_to_write(call, advice):
    with pytest.raises(TypeError, match=advice):
        call(cp.ones(3))


class Answers:
    """An object of another library: it answers ufuncs, and only by them."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return ufunc, method, len(inputs), sorted(kwargs)


class Derived(Answers):
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return "derived"


class Declines:
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return NotImplemented


class Refuses:
    __array_ufunc__ = None

    def __radd__(self, other):
        return "radd"


def test_ufuncs_defer_to_objects_that_answer():
    x, other = cp.ones(3), Answers()
    assert cp.add(x, other) == cp.add(other, x) == (np.add, "__call__", 2, [])
    assert cp.add(x, 1, out=other) == (np.add, "__call__", 2, ["out"])
    assert cp.add(x, 1, other) == (np.add, "__call__", 2, ["out"])
    assert cp.sin(other, dtype="f4") == (np.sin, "__call__", 1, ["dtype"])
    assert cp.modf(x, out=(None, other)) == (np.modf, "__call__", 1, ["out"])
    assert cp.add.reduce(other, axis=0) == (np.add, "reduce", 1, ["axis"])
    assert cp.add.accumulate(other) == (np.add, "accumulate", 1, [])
    assert cp.add.outer(x, other) == (np.add, "outer", 2, [])
    assert cp.add.at(x, [0], other) == (np.add, "at", 3, [])
    assert cp.add.reduceat(other, [0]) == (np.add, "reduceat", 2, [])
    assert cp.add(Answers(), Derived()) == cp.add(Derived(), Answers()) == "derived"


def test_operators_defer_too():
    x, other = cp.ones(3), Answers()
    assert x + other == (np.add, "__call__", 2, [])
    assert other - x == (np.subtract, "__call__", 2, [])
    assert (x < other) == (np.less, "__call__", 2, [])
    assert divmod(x, other) == (np.divmod, "__call__", 2, [])
    y = x
    y *= other
    assert y == (np.multiply, "__call__", 2, ["out"])
    assert x + Refuses() == "radd"
    with pytest.raises(TypeError):
        x - Refuses()


def test_objects_that_do_not_answer():
    with pytest.raises(TypeError, match="NotImplemented"):
        cp.add(cp.ones(3), Declines())
    with pytest.raises(TypeError, match="__array_ufunc__=None"):
        cp.add(cp.ones(3), Refuses())
    with pytest.raises(TypeError, match="argument 2"):
        cp.add(cp.ones(3), object())
    assert cp.add(Declines(), Answers()) == (np.add, "__call__", 2, [])


class Units:
    """An array with a unit, as libraries of units make it: it answers NumPy's functions and ufuncs, by their names."""

    def __init__(self, numbers, unit):
        self.numbers, self.unit = numbers, unit

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("the numbers were taken without the unit")

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        assert isinstance(ufunc, np.ufunc)
        if ufunc in (np.add, np.less, np.subtract) and any(not isinstance(x, Units) for x in inputs):
            raise ValueError("units differ")
        numbers = [x.numbers if isinstance(x, Units) else x for x in inputs]
        return Units(getattr(ufunc, method)(*numbers, **kwargs), f"{ufunc.__name__} of {self.unit}")

    def __array_function__(self, function, types, args, kwargs):
        plain = lambda x: (
            x.numbers if isinstance(x, Units) else [*map(plain, x)] if isinstance(x, list) else x
        )
        return Units(function(*map(plain, args), **kwargs), f"{function.__name__} of {self.unit}")


NUMPYS = {
    "where": lambda x, q: np.where(x > 1, q, q),
    "concatenate": lambda x, q: np.concatenate([x, q]),
    "stack": lambda x, q: np.stack([x, q]),
    "dot": lambda x, q: np.dot(x, q),
    "einsum": lambda x, q: np.einsum("i,i", x, q),
    "interp": lambda x, q: np.interp(x, x, q),
    "sum": lambda x, q: np.sum(q),
}


@pytest.mark.parametrize("name", NUMPYS)
def test_numpys_functions_are_left_to_arrays_of_other_libraries(name):
    x, q = cp.arange(1.0, 4.0), Units(cp.arange(3.0), "m")
    answer = NUMPYS[name](x, q)
    assert answer.unit == f"{name} of m" and type(answer.numbers) is cp.ndarray


def test_functions_that_nobody_answers():
    class Mute:
        def __array_function__(self, function, types, args, kwargs):
            return NotImplemented

    class OfNumpy(np.ndarray):
        pass

    class OfCuprum(cp.ndarray):
        pass

    with pytest.raises(TypeError, match="no implementation found"):
        np.concatenate([cp.ones(2), Mute()])
    with pytest.raises(TypeError, match="asarray"):  # it leaves the functions to NumPy
        np.concatenate([cp.ones(2), np.ones(2).view(OfNumpy)])
    assert np.concatenate([cp.ones(2), cp.ones(2).view(OfCuprum)]).tolist() == [1, 1, 1, 1]


def test_own_ufuncs_and_operators_give_arrays_of_other_libraries_numpys_ufunc():
    x, q = cp.arange(1.0, 4.0), Units(cp.arange(3.0), "m")
    for answer, unit in (
        (x * q, "multiply"), (cp.multiply(x, q), "multiply"), (np.multiply(x, q), "multiply"), (cp.sqrt(q), "sqrt"),
        (x @ q, "matmul"), (cp.matmul(x, q), "matmul"), (cp.matmul(x, q, dtype="f4"), "matmul"),
        (cp.vecdot(x, q), "vecdot"), (cp.add.reduce(q), "add"), (x**q, "power"), (divmod(x, q), "divmod"),
    ):  # fmt: skip
        assert answer.unit == f"{unit} of m" and type(answer.numbers) in (cp.ndarray, tuple)
    for mistake in (lambda: x + q, lambda: np.add(x, q), lambda: cp.add(x, q), lambda: x < q):
        with pytest.raises(ValueError, match="units differ"):
            mistake()
    with pytest.raises(TypeError, match="NotImplemented"):
        cp.add(x, x, where=Declines())
    assert cp.add(x, x, out=x, where=Answers()) == (np.add, "__call__", 2, ["out", "where"])


@pytest.mark.parametrize("call", [
    lambda x, q: cp.concatenate([x, q]), lambda x, q: cp.where(x > 1, q, 0), lambda x, q: cp.sum(q),
    lambda x, q: cp.dot(x, q), lambda x, q: cp.interp(x, x, q), lambda x, q: cp.einsum("i,i", x, q),
    lambda x, q: x.dot(q), lambda x, q: cp.clip(q, 0, 1), lambda x, q: cp.stack([q, q]), lambda x, q: cp.isin(x, q),
    lambda x, q: cp.mean(q), lambda x, q: cp.median(q),
])  # fmt: skip
def test_own_functions_do_not_take_the_numbers_out_of_arrays_of_other_libraries(call):
    with pytest.raises(TypeError, match=r"Units.*write np"):
        call(cp.arange(1.0, 4.0), Units(cp.arange(3.0), "m"))


def test_numbers_and_lists_with_a_priority_compute_themselves():
    """NumPy's older rule, for operators."""

    class Money(float):
        __array_priority__ = 1000

        def __rmul__(self, other):
            return "money"

        __radd__ = __gt__ = __rmul__

    class Low(float):
        __array_priority__ = -1
        __rmul__ = Money.__rmul__

    for x in (np.ones(2), cp.ones(2)):
        assert x * Money(2) == x + Money(2) == (x < Money(2)) == "money"
        assert (x * Low(2)).tolist() == [2, 2]


LOG = []


class Logged(cp.ndarray):
    """A derived class that lets Cuprum compute, as NumPy's documentation of __array_ufunc__ does it."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        LOG.append(ufunc.__name__ + "." + method)
        result = super().__array_ufunc__(ufunc, method, *inputs, **kwargs)
        return result.view(Logged) if isinstance(result, cp.ndarray) and "out" not in kwargs else result


def test_derived_classes_answer_first():
    x = cp.arange(3.0).view(Logged)
    LOG.clear()
    assert type(x + 1) is type(1 - x) is type(cp.sin(x)) is type(-x) is type(np.cos(x)) is Logged
    assert float(cp.add.reduce(x)) == 3
    y = x
    y += 1
    assert y is x and x.get().tolist() == [1, 2, 3]
    out = cp.zeros(3)
    assert cp.multiply(x, 2, out=out) is out and out.get().tolist() == [2, 4, 6]
    assert LOG == [
        "add.__call__", "subtract.__call__", "sin.__call__", "negative.__call__", "cos.__call__",
        "add.reduce", "add.__call__", "multiply.__call__",
    ]  # fmt: skip
    with pytest.raises(TypeError, match="NotImplemented"):
        cp.add(x, Declines())


def test_priority_lets_numpys_operators_ask():
    assert cp.ndarray.__array_priority__ > 0
    with pytest.raises(TypeError, match="asarray"):
        np.ones(3) * cp.ones(3)


def test_array_interface_shares_host_memory():
    class Exporter:  # shows nothing but the interface
        def __init__(self, array):
            self.array, self.__array_interface__ = array, array.__array_interface__

    with cp.Device("cpu"):
        x = cp.arange(6.0).reshape(2, 3)[:, ::2]
    host = np.asarray(Exporter(x))
    assert np.array_equal(host, [[0, 2], [3, 5]]) and host.flags.writeable
    x[0, 1] = 7
    assert host[0, 1] == 7
    x.setflags(write=False)
    assert not np.asarray(Exporter(x)).flags.writeable


def test_array_interface_is_not_there_for_memory_that_the_host_cannot_read():
    x = cp.ones(3)
    assert hasattr(x, "__array_interface__") == _core.device_info(x.device.name)["host_accessible"]
    with cp.Device("cpu"):
        assert not hasattr(cp.ones(3, dtype=cp.bfloat16), "__array_interface__")
