"""NumPy's protocols: its functions on Cuprum arrays, and Cuprum's ufuncs on objects that answer for themselves."""

import numpy as np
import pytest

import cuprum as cp
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
        (lambda x: x.__array__(), "get"),
        (lambda x: x.__array__(np.float32, copy=True), "asnumpy"),
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
    assert cp.add(x, other) == cp.add(other, x) == (cp.add, "__call__", 2, [])
    assert cp.add(x, 1, out=other) == (cp.add, "__call__", 2, ["out"])
    assert cp.add(x, 1, other) == (cp.add, "__call__", 2, ["out"])
    assert cp.sin(other, dtype="f4") == (cp.sin, "__call__", 1, ["dtype"])
    assert cp.modf(x, out=(None, other)) == (cp.modf, "__call__", 1, ["out"])
    assert cp.add.reduce(other, axis=0) == (cp.add, "reduce", 1, ["axis"])
    assert cp.add.accumulate(other) == (cp.add, "accumulate", 1, [])
    assert cp.add.outer(x, other) == (cp.add, "outer", 2, [])
    assert cp.add.at(x, [0], other) == (cp.add, "at", 3, [])
    assert cp.add.reduceat(other, [0]) == (cp.add, "reduceat", 2, [])
    assert cp.add(Answers(), Derived()) == cp.add(Derived(), Answers()) == "derived"


def test_operators_defer_too():
    x, other = cp.ones(3), Answers()
    assert x + other == (cp.add, "__call__", 2, [])
    assert other - x == (cp.subtract, "__call__", 2, [])
    assert (x < other) == (cp.less, "__call__", 2, [])
    assert divmod(x, other) == (cp.divmod, "__call__", 2, [])
    y = x
    y *= other
    assert y == (cp.multiply, "__call__", 2, ["out"])
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
    assert cp.add(Declines(), Answers()) == (cp.add, "__call__", 2, [])


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
    assert hasattr(x, "__array_interface__") == x.device.attributes["host_accessible"]
    with cp.Device("cpu"):
        assert not hasattr(cp.ones(3, dtype=cp.bfloat16), "__array_interface__")
