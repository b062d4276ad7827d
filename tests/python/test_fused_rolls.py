"""`roll(a, 1, 0) + roll(a, -1, 0)` reads `a` where it lies, in as many kernels as the shifts cut the space into."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from cuprum import _core
from devices import HOST_MEMORY
from kernel_counts import nothing_is_small, work


@pytest.fixture(autouse=True)
def lazy():
    with nothing_is_small():
        yield


def operand(xp, dtype="f8", shape=(40, 30)):
    return xp.asarray(np.random.default_rng(0).integers(-50, 50, shape).astype(dtype))


def same(ours, theirs):
    np.testing.assert_array_equal(cp.asnumpy(ours), theirs, strict=True)


# How many kernels: blocks where the rolls are leaves, and the blocks of each roll and a kernel where they are not.
FUSED = {
    "one": (2, lambda xp, a: xp.roll(a, 3, 0) + a),
    "itself": (2, lambda xp, a: xp.roll(a, -1, 1)),
    "along all axes": (4, lambda xp, a: xp.roll(a, (2, -3), (0, 1)) * a),
    "there and back": (3, lambda xp, a: xp.roll(a, 1, 0) - xp.roll(a, -1, 0)),
    "four neighbours": (
        9,
        lambda xp, a: xp.roll(a, 1, 0) + xp.roll(a, -1, 0) + xp.roll(a, 1, 1) + xp.roll(a, -1, 1) - 4 * a,
    ),
    "the same twice": (2, lambda xp, a: xp.roll(a, 5, 0) * xp.roll(a, 5, 0)),
    "of what is pending": (3, lambda xp, a: xp.roll(a * 3, 5, 0) + a),
    "of a view": (2, lambda xp, a: xp.roll(a[::-1, ::2], 1, 0) + 1),
    "of a turned array": (2, lambda xp, a: xp.roll(a.T, 1, 0) + a.T),
    "a line": (3, lambda xp, a: xp.roll(a[3], 1) - 2 * a[3] + xp.roll(a[3], -1)),
    "converted": (2, lambda xp, a: xp.roll(a, 1, 0).astype("c16") * 1j),
    "several outputs": (2, lambda xp, a: (lambda r: r * 2 + r)(xp.roll(a, 7, 0))),
}
APART = {
    "a sum": (3, lambda xp, a: (xp.roll(a, 1, 0) * a).sum()),
    "rows of a softmax": (None, lambda xp, a: xp.roll(a, 1, 0) - xp.roll(a, 1, 0).max(1, keepdims=True)),
    "of a roll": (4, lambda xp, a: xp.roll(xp.roll(a, 1, 0), 1, 1) + a),
    "turned": (3, lambda xp, a: xp.roll(a, 1, 0).T + a.T),
    "broadcast": (3, lambda xp, a: xp.roll(a[0], 1) + a),
    "flat": (3, lambda xp, a: xp.roll(a, 1) + a),
    "by indices too": (None, lambda xp, a: xp.roll(a, 1, 0) + a[xp.arange(40)[::-1]]),
    "a cube of few elements": (
        13,
        lambda xp, a: sum(
            (xp.roll(a.reshape(10, 15, 8), s, d) for d in range(3) for s in (1, -1)),
            start=a.reshape(10, 15, 8),
        ),
    ),
}


@pytest.mark.parametrize("name", [*FUSED, *APART])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i2", "c16"])
def test_takes_so_many_kernels(name, dtype):
    kernels, f = (FUSED | APART)[name]
    a = operand(cp, dtype)
    (done, _), result = work(lambda: f(cp, a))
    if kernels is not None:
        assert done == kernels
    same(result, f(np, operand(np, dtype)))


@pytest.mark.parametrize("name", [*FUSED, *APART])
def test_gives_the_bits_of_single_steps(name):
    _, f = (FUSED | APART)[name]
    a = operand(cp) / 7
    lazily = cp.asnumpy(f(cp, a))
    with cp.eager(True):
        same(f(cp, a), lazily)


def test_large_cubes_are_cut():
    a = cp.asarray(np.random.default_rng(0).random((48, 48, 48)))
    (kernels, _), _ = work(lambda: sum((cp.roll(a, s, d) for d in range(3) for s in (1, -1)), start=a))
    assert kernels == (27 if HOST_MEMORY else 13)


def test_nobody_asks_for_it():
    a = operand(cp)
    (kernels, calls), _ = work(lambda: [cp.roll(a, 1, 0), a + 1][1])
    assert (kernels, calls) == (1, 0)


def test_is_a_snapshot():
    a, e = operand(cp), operand(np)
    before, expected = cp.roll(a, 1, 0), np.roll(e, 1, 0)
    a[3:7] = 0
    a *= 2
    same(before, expected)
    r = cp.roll(a, 1, 0)
    r[0] = 5  # of its own memory
    e[3:7] = 0
    same(a, e * 2)


@pytest.mark.parametrize("write", [
    lambda xp, a: a.__setitem__(slice(1, None), xp.roll(a, 1, 0)[1:] + a[1:]),
    lambda xp, a: a.__setitem__(slice(1, None), xp.roll(a[1:], 1, 0) + a[1:]),
    lambda xp, a: a.__setitem__(slice(None, -1), xp.roll(a[1:], 2, 0) - xp.roll(a[:-1], -1, 1)),
    lambda xp, a: a.__setitem__(..., xp.roll(a, 1, 0) + xp.roll(a, -1, 1)),
    lambda xp, a: a.__iadd__(xp.roll(a, 1, 0)),
    lambda xp, a: a[:, 3:9].__imul__(xp.roll(a[:, 3:9], -1, 0)),
    lambda xp, a: xp.add(xp.roll(a, 1, 0), xp.roll(a, 1, 1), out=a),
    lambda xp, a: xp.copyto(a[::2], xp.roll(a, 1, 0)[1::2]),
])  # fmt: skip
def test_writes_see_what_was_there(write):
    a, e = operand(cp), operand(np)
    write(cp, a)
    write(np, e)
    same(a, e)


def test_goes_into_a_view_at_once():
    a, b = operand(cp), cp.zeros((42, 32))
    cp.evaluate(b)
    before = _core.engine_stats()["kernels"]
    b[1:-1, 1:-1] = cp.roll(a, 1, 0) + cp.roll(a, -1, 0)
    assert _core.engine_stats()["kernels"] - before == 3
    same(b[1:-1, 1:-1], np.roll(operand(np), 1, 0) + np.roll(operand(np), -1, 0))


def test_does_not_overwrite_what_it_reads_round():
    a = operand(cp)
    expected = np.roll(operand(np), 1, 0) + operand(np)
    a = cp.roll(a, 1, 0) + a  # `a` dies, but is read at two places
    same(a, expected)


def test_a_loop_of_steps():
    u, e = operand(cp), operand(np)
    for _ in range(20):
        u = u + 0.125 * (cp.roll(u, 1, 0) + cp.roll(u, -1, 0) + cp.roll(u, 1, 1) + cp.roll(u, -1, 1) - 4 * u)
        e = e + 0.125 * (np.roll(e, 1, 0) + np.roll(e, -1, 0) + np.roll(e, 1, 1) + np.roll(e, -1, 1) - 4 * e)
    same(u, e)


def test_the_graph_says_so():
    a = operand(cp)
    text = str(cp.show_graph(cp.roll(a, 1, 0) + cp.roll(a, -1, 1)))
    assert "(2 rolled, in 4 blocks)" in text
    assert "roll(a)" in text


shapes = st.lists(st.integers(0, 6), min_size=1, max_size=4).map(tuple)


@given(shapes, st.data())
def test_any_shape_and_shift(shape, data):
    axes = st.integers(-len(shape), len(shape) - 1)
    shift = st.integers(-9, 9)
    turns = data.draw(
        st.lists(
            st.tuples(shift, axes) | st.tuples(st.tuples(shift, shift), st.tuples(axes, axes)), max_size=4
        )
    )
    order, few = data.draw(st.sampled_from("CF")), data.draw(st.booleans())
    e = np.asarray(np.arange(np.prod(shape, dtype=int)).reshape(shape) * 1.0, order=order)

    def total(xp, a):
        r = a * 1
        for s, axis in turns:
            r = r * 2 + xp.roll(a, s, axis)
        return r

    _core.set_small_bytes(65536 if few else 0)
    a = cp.asarray(e)
    got, expected = total(cp, a), total(np, e)
    same(got, expected)
    assert got.strides == expected.strides or 1 in shape or 0 in shape
    for s, axis in turns:
        same(cp.roll(a, s, axis), np.roll(e, s, axis))
