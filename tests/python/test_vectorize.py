"""vectorize, frompyfunc and ndenumerate against NumPy."""

import math

import numpy as np
import pytest

import cuprum as cp
from oracle import check_expression, lines
from strategies import assert_same

SCOPE = {"a": np.arange(6.0).reshape(2, 3), "v": np.arange(3), "e": np.zeros((0, 3)), "z": np.array(5),
         "b": np.arange(6).reshape(2, 3) % 2 == 0, "c": np.arange(3) * 1j, "f": np.arange(3, dtype="f4")}  # fmt: skip

EXPRESSIONS = lines("""
xp.vectorize(lambda x: x + 1)(a)
xp.vectorize(lambda x: x + 1)(v)
xp.vectorize(lambda x: x + 1)(f)
xp.vectorize(lambda x: x * 2)(c)
xp.vectorize(lambda x: xp.sqrt(x))(a)
xp.vectorize(lambda x, y: (xp.add(x, y), xp.maximum(x, y)))(a, v)
xp.vectorize(lambda x: not x)(b)
xp.vectorize(lambda x: x > 2)(v)
xp.vectorize(lambda x, y: x - y if x > y else x + y)(a, v)
xp.vectorize(lambda x, y: x - y if x > y else x + y)(a, 2)
xp.vectorize(lambda x, y: (x, y + 0.5))(a, v)
xp.vectorize(lambda x: 1)(z)
xp.vectorize(lambda x: x, otypes=['f4'])(v)
xp.vectorize(lambda x: x, otypes='i')(a)
xp.vectorize(lambda x, y: (x, y), otypes=['f4', 'i2'])(a, v)
xp.vectorize(lambda x: x, otypes=[float])(e)
xp.vectorize(lambda x: x)(e)
xp.vectorize(lambda x, p: x ** p[0], excluded=['p'])(v, p=[3])
xp.vectorize(lambda x, p: x ** p[0], excluded=[1])(v, [3])
xp.vectorize(lambda x, y=2: x + y)(v)
xp.vectorize(lambda x, y=2: x + y)(v, y=a)
xp.vectorize(lambda x: x + 1, cache=True)(v)
xp.vectorize(lambda x: x.sum(), signature='(n)->()')(a)
xp.vectorize(lambda x, y: x * y, signature='(n),()->(n)')(a, xp.array([2.0, 3.0]))
xp.vectorize(lambda x: (x.sum(), x * 2), signature='(n)->(),(n)')(a)
xp.vectorize(lambda x: x, signature='(n)->(n')(a)
xp.vectorize(lambda x: x.sum(), signature='(n,m)->()')(v)
xp.vectorize(lambda x: 'text')(v)
xp.vectorize(lambda x: 1 / 0)(v)
xp.vectorize(lambda x: x, otypes='?!')
xp.vectorize(otypes=['f4'])(lambda x: x)(v)
xp.vectorize(lambda x, y: x)(a, xp.ones(4))
""")


@pytest.mark.parametrize("source", [x for x in EXPRESSIONS if "'text'" not in x])
def test_vectorize(source):
    check_expression(source, texts=False, **SCOPE)


def test_results_that_are_no_numbers():
    with pytest.raises(TypeError, match="numbers"):
        cp.vectorize(lambda x: "text")(cp.arange(2))


def test_attributes_and_decorators():
    @cp.vectorize
    def double(x):
        """Twice."""
        return 2 * x

    @cp.vectorize(otypes=["f4"], doc="Half.")
    def half(x):
        return x / 2

    assert double.__name__ == "double" and double.__doc__ == "Twice." and half.__doc__ == "Half."
    assert (
        double.pyfunc(3) == 6
        and half.otypes == np.vectorize(len, otypes=["f4"]).otypes
        and double.signature is None
        and not double.cache
    )
    assert_same(double(cp.arange(3)), np.arange(3) * 2)
    assert_same(half(cp.arange(3)), (np.arange(3) / 2).astype("f4"))


def step(x, y):
    return x - y if x > y else x + y


def rounds(x):
    n = 0
    while x > 1:
        x = x / 2
        n += 1
    return n


SCALE = 3.0


def scaled(x):
    return x * SCALE


def test_what_can_be_translated_is_recorded():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(3) - 1.0
    for function, args in [
        (step, (a, b)),
        (step, (a, 2.0)),
        (rounds, (a * 9,)),
        (scaled, (a,)),
        (np.sqrt, (a,)),
    ]:
        ours = [cp.asarray(x) if isinstance(x, np.ndarray) else x for x in args]
        got = cp.vectorize(function)(*ours)
        assert_same(got, np.vectorize(function)(*args))
    a2, stepped = cp.asarray(a) * 2, cp.vectorize(step)
    total = stepped(a2, cp.asarray(b)).sum()
    assert stepped._translated._kernels  # the host computes nothing
    assert_same(total, np.vectorize(step)(a * 2, b).sum())
    assert_same(cp.vectorize(step, otypes=["f4"])(cp.asarray(a), 1), np.vectorize(step, otypes=["f4"])(a, 1))


def test_values_from_outside_are_those_of_the_call(monkeypatch):
    twice = cp.vectorize(scaled)
    x = cp.arange(3.0)
    assert_same(twice(x), np.arange(3.0) * 3)
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert_same(twice(x), np.arange(3.0) * 5)
    monkeypatch.setitem(globals(), "SCALE", np.array(7.0))  # may change unnoticed: on the host
    assert_same(twice(x), np.arange(3.0) * 7)


def test_a_signature_passes_cuprum_arrays():
    seen = []

    def total(x):
        seen.append(type(x))
        return cp.sum(x)

    assert_same(cp.vectorize(total, signature="(n)->()")(cp.ones((2, 3))), np.array([3.0, 3.0]))
    assert set(seen) == {cp.ndarray}


def test_numpy_arrays_are_refused():
    with pytest.raises(TypeError, match="asarray"):
        cp.vectorize(lambda x: x)(np.ones(3))
    with pytest.raises(TypeError, match="asarray"):
        cp.frompyfunc(lambda x: x, 1, 1)(np.ones(3))


def test_frompyfunc():
    gcd = cp.frompyfunc(math.gcd, 2, 1)
    assert (gcd.nin, gcd.nout, gcd.nargs, gcd.identity) == (2, 1, 3, None) and "gcd" in repr(gcd)
    x = np.array([[12, 18, 27], [4, 6, 9]])
    device = cp.asarray(x)
    assert_same(gcd(device, 6), np.gcd(x, 6))
    assert_same(gcd.reduce(device), np.gcd.reduce(x))
    assert_same(gcd.reduce(device, axis=1, keepdims=True), np.gcd.reduce(x, axis=1, keepdims=True))
    assert_same(gcd.accumulate(device, axis=1), np.gcd.accumulate(x, axis=1))
    assert_same(gcd.outer(device[0], device[1]), np.gcd.outer(x[0], x[1]))
    quotient, rest = cp.frompyfunc(divmod, 2, 2)(device, 5)
    assert_same(quotient, x // 5)
    assert_same(rest, x % 5)
    assert_same(cp.frompyfunc(lambda a: a / 2, 1, 1)(cp.asarray([[1, 2]])), np.array([[0.5, 1.0]]))
    with pytest.raises(TypeError, match="numbers"):
        cp.frompyfunc(str, 1, 1)(device)


def test_ndenumerate():
    x = np.arange(6).reshape(2, 3)
    assert [(i, int(v)) for i, v in cp.ndenumerate(cp.asarray(x))] == [
        (i, int(v)) for i, v in np.ndenumerate(x)
    ]
    assert [i for i, _ in cp.ndenumerate(cp.array(3))] == [()]
    assert list(cp.ndenumerate(cp.zeros((0, 3)))) == []
