"""errstate, seterr and their relatives: which operations tell which errors, and how."""

import io
import sys
import threading
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import lines
from strategies import FLOATS, fill

EXPRESSIONS = lines("""
xp.asarray([1.0, 2.0]) / 0
xp.asarray([1.0, 2.0]) / xp.asarray([1.0, 0.0])
xp.asarray([0.0]) / 0
1 / xp.asarray([0.0])
xp.asarray([1]) / 0
xp.asarray([1.0]) // 0
xp.asarray([1]) // 0
xp.asarray([1]) % 0
xp.asarray([1.0]) % 0
xp.fmod(xp.asarray([1]), 0)
xp.reciprocal(xp.asarray([0.0]))
xp.log(xp.asarray([0.0]))
xp.log(xp.asarray([-1.0]))
xp.log2(xp.asarray([0.0]))
xp.log10(xp.asarray([0.0]))
xp.log1p(xp.asarray([-1.0]))
xp.arctanh(xp.asarray([1.0]))
xp.arctanh(xp.asarray([2.0]))
xp.sqrt(xp.asarray([-1.0]))
xp.arccos(xp.asarray([2.0]))
xp.sin(xp.asarray([np.inf]))
xp.exp(xp.asarray([1000.0]))
xp.exp(xp.asarray([np.inf]))
xp.asarray([1e308]) * 10
xp.asarray([1e308]) + xp.asarray([1e308])
xp.asarray([1e300]) ** 2
xp.asarray([1e300]) ** 3
xp.asarray([0.0]) ** -1.5
xp.asarray([-8.0]) ** 0.3
xp.asarray([np.inf]) - np.inf
xp.asarray([np.inf]) * 0
xp.asarray([np.inf]) / 0
xp.asarray([np.nan]) / 0
xp.asarray([np.nan]) + 1
xp.asarray([np.inf]) + 1
xp.asarray([1.0]) + 1
xp.asarray([3, 4]) // 2
xp.asarray([1e30], dtype='f4') * xp.asarray([1e30], dtype='f4')
xp.asarray([60000], dtype='f2') + xp.asarray([60000], dtype='f2')
xp.asarray([1e308, 1e308]).sum()
xp.asarray([[1e308, 1e308], [np.inf, 1.0]]).sum(axis=1)
xp.asarray([[1.0, 2.0], [np.inf, 1.0]]).sum(axis=1)
xp.asarray([1e300, 1e300]).prod()
xp.asarray([np.inf, -np.inf]).sum()
xp.asarray([1.0, 2.0]).sum()
xp.asarray([]) / 0
xp.divide(xp.asarray([1.0, 2.0]), xp.asarray([1.0, 0.0]), out=xp.zeros(2), where=xp.asarray([True, False]))
xp.divide(xp.asarray([1.0, 2.0]), xp.asarray([1.0, 0.0]), out=xp.zeros(2))
xp.maximum(xp.asarray([np.nan]), 1)
xp.asarray([1.0]) < np.nan
xp.spacing(xp.asarray([np.inf]))
xp.hypot(xp.asarray([1e308]), xp.asarray([1.7e308]))
""")


def outcome(source, xp):
    with xp.errstate(all="raise", under="ignore"):
        try:
            eval(source, {"xp": xp, "np": np})
        except FloatingPointError as error:
            return str(error)
        return None


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_what_raises(source):
    assert outcome(source, cp) == outcome(source, np)


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_everything_is_ignored_at_first(source):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cp.evaluate(eval(source, {"xp": cp, "np": np}))


@given(data=st.data())
def test_values_with_errors_raise(data):
    """Random operands with specials: the first error told is NumPy's."""
    operator = data.draw(st.sampled_from(["+", "-", "*", "/"]))
    dtype = data.draw(st.sampled_from(FLOATS[1:]))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    a, b = fill(rng, dtype, (2,)), fill(rng, dtype, (2,))

    def told(xp, x, y):
        found = []
        with xp.errstate(all="call", under="ignore", call=lambda text, bits: found.append((text, bits))):
            eval(f"x {operator} y", {"x": x, "y": y})
        return found

    assert told(cp, cp.asarray(a), cp.asarray(b)) == told(np, a, b)


def test_modes(capsys):
    x = cp.asarray([1.0, 0.0])
    with cp.errstate(divide="warn", invalid="ignore"):
        with pytest.warns(RuntimeWarning, match="divide by zero encountered in divide") as record:
            x / 0
        assert record[0].filename == __file__
    with cp.errstate(all="print"):
        x / 0
    assert capsys.readouterr().err == (
        "Warning: divide by zero encountered in divide\nWarning: invalid value encountered in divide\n"
    )
    log = io.StringIO()
    with cp.errstate(all="log", call=log):
        x / 0
    assert log.getvalue().startswith("Warning: divide by zero encountered in divide\n")
    called = []
    with cp.errstate(all="call", call=lambda *args: called.append(args)):
        x / 0
    assert called == [("divide by zero", 9), ("invalid value", 9)]
    for mode in ("call", "log"):
        with cp.errstate(all=mode), pytest.raises(NameError):
            x / 0


def test_results_are_right_while_they_are_looked_at():
    x = cp.asarray([4.0, 9.0])
    with cp.errstate(all="raise"):
        x /= 2
        x **= 2
        y = cp.sqrt(x) + x.sum()
    assert cp.asnumpy(y).tolist() == [26.25, 28.75]


def test_state():
    assert set(cp.geterr().values()) == {"ignore"} and cp.geterrcall() is None
    before = cp.seterr(all="warn", divide="raise")
    assert before == dict.fromkeys(("divide", "over", "under", "invalid"), "ignore")
    assert cp.geterr() == {"divide": "raise", "over": "warn", "under": "warn", "invalid": "warn"}
    with cp.errstate(over="print"):
        assert cp.geterr()["over"] == "print" and cp.geterr()["divide"] == "raise"
        cp.seterr(divide="log")
    assert cp.geterr()["over"] == "warn" and cp.geterr()["divide"] == "raise"
    cp.seterr(**before)
    assert cp.geterr() == before
    assert cp.seterrcall(print) is None and cp.seterrcall(None) is print


def test_decorator():
    @cp.errstate(divide="raise")
    def inverse(x):
        """Named."""
        return 1 / x

    assert inverse.__doc__ == "Named."
    for _ in range(2):
        with pytest.raises(FloatingPointError):
            inverse(cp.zeros(1))
    assert cp.geterr()["divide"] == "ignore"


def test_threads_have_their_own():
    """That of the context that they start with, which is a new one, or a copy where Python is told so."""
    seen = []

    def divide():
        try:
            seen.append((cp.geterr()["divide"], float((cp.ones(1) / 0)[0])))
        except FloatingPointError:
            seen.append("raised")

    with cp.errstate(all="raise"):
        thread = threading.Thread(target=divide)
        thread.start()
        thread.join()
    inherits = getattr(sys.flags, "thread_inherit_context", False)
    assert seen == ["raised" if inherits else ("ignore", np.inf)]


def test_mistakes():
    with pytest.raises(ValueError, match="mode"):
        cp.seterr(divide="loud")
    with pytest.raises(ValueError, match="mode"), cp.errstate(all="loud"):
        pass
    with pytest.raises(TypeError):
        cp.seterrcall(3)
    state = cp.errstate(all="ignore")
    with state, pytest.raises(TypeError), state:
        pass


def test_a_state_that_was_not_entered_cannot_be_left():
    with pytest.raises(TypeError, match="not entered"):
        cp.errstate(divide="raise").__exit__(None, None, None)
    assert cp.geterr()["divide"] == "ignore"
