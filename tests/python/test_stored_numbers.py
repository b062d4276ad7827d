"""Numbers stored in an array: what does not fit is refused or cast as NumPy does, and a bad index comes before it."""

import numpy as np
import pytest

from oracle import check_statement, compare, lines, run, run_on_device, scopes
from strategies import assert_same

STORING = lines("""
xp.array({v}, a.dtype)
xp.array([{v}], a.dtype)
xp.full(2, {v}, a.dtype)
xp.full_like(a, {v})
a.fill({v})
a[0] = {v}
a[0, 1] = {v}
a[0:0] = {v}
a[...] = {v}
a[[0]] = {v}
a[a == 0] = {v}
a[0] = [{v}]
a[[0]] = [{v}]
a.flat[0] = {v}
a.flat[1:3] = {v}
a.flat[[0]] = {v}
xp.copyto(a, {v})
xp.copyto(a, {v}, 'unsafe')
xp.put(a, [0], {v})
xp.put(a, [0], [{v}])
xp.place(a, a == 0, {v})
xp.place(a, a == 0, [{v}])
xp.putmask(a, a == 0, {v})
xp.put_along_axis(a, xp.array([[0]]), {v}, 0)
xp.fill_diagonal(a, {v})
a[...] = xp.insert(a, 0, {v})[:6].reshape(2, 3)
a[...] = xp.max(a, initial={v})
a[...] = xp.sum(a, initial={v}, dtype=a.dtype)
a[...] = xp.pad(a, 1, constant_values={v})[:2, :3]
a[...] = xp.linspace(0, {v}, 3, dtype=a.dtype)
""")
NUMBERS = [
    "300", "-1", "2.5", "1e10", "np.nan", "2j", "True",
    "np.float64(300)", "np.float32(300)", "np.float64(np.nan)", "np.float64(-1)", "np.float64(1e10)",
    "np.int64(300)", "np.int64(-1)", "np.uint8(200)", "np.uint64(2**64 - 1)", "np.complex64(2)",
]  # fmt: skip


# C does not say what these become where they are cast to integers.
OUT_OF_RANGE = {"1e10", "np.nan", "np.float64(1e10)", "np.float64(np.nan)"}


@pytest.mark.parametrize("statement", STORING)
@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i8", "u8", "?", "f4"])
def test_numbers_that_may_not_fit(statement, dtype):
    for number in NUMBERS:
        host, device = scopes(a=np.zeros((2, 3), dtype))
        source = statement.replace("{v}", number)
        want = run(source, host, True)
        compare(run_on_device(source, device, want, True), want, texts=False)
        negative = number == "np.float64(-1)" and dtype[0] == "u"
        if dtype[0] not in "iu" or not (number in OUT_OF_RANGE or negative):
            assert_same(device["a"], host["a"])


BAD_INDICES = [
    "'x'", "1.5", "0, 0, 0", "xp.array([0]), 0, 0", "7", "slice(None), 7", "xp.array([7])", "xp.array([0]), 7",
    "xp.array([0, 1]), xp.array([0, 1, 2])", "xp.zeros((4, 3), bool)", "..., ...", "xp.array([1.5])", "[7]", "[]",
    "xp.zeros((2, 3), bool)", "xp.array([True, False, True])",
]  # fmt: skip
BAD_VALUES = [
    "300", "np.nan", "2j", "[1, 300]", "xp.zeros((7, 5))", "np.float64(300)", "'x'", "object()", "[[1], [1, 2]]",
    "None", "[2j, 1, 1]",
]  # fmt: skip


@pytest.mark.parametrize("index", BAD_INDICES)
@pytest.mark.parametrize("dtype", ["i1", "f4", "c8", "?"])
def test_of_two_errors_the_same_is_told(debugging, index, dtype):
    for value in BAD_VALUES:
        check_statement(f"a[{index}] = {value}", texts=False, a=np.zeros((2, 3), dtype))


@pytest.mark.parametrize("value", ["300", "2j", "np.nan"])
def test_a_value_before_indices_that_do_not_fit(debugging, value):
    statement = f"xp.put_along_axis(a, xp.array([[0], [1], [0]]), {value}, 1)"
    check_statement(statement, texts=False, a=np.zeros((2, 3), "i1"))


@pytest.mark.parametrize("statement", ["a[0] = 300", "a[0] = np.nan", "a.fill(300)"])
def test_read_only_before_the_value(statement):
    a = "a = xp.zeros((2, 3), 'i1'); a.setflags(write=False); "
    check_statement(a + statement, texts=False)
