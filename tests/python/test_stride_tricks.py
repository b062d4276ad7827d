"""Views with strides of the user's own, against NumPy's; and what NumPy would read outside of the memory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression
from strategies import assert_same

A = np.arange(24, dtype="i4").reshape(2, 3, 4)

WINDOWS = [
    "(b, 3)", "(b, (2,))", "(b, 5)", "(b, 6)", "(b, 0)", "(b, -1)", "(t, 2, 0)", "(t, (2, 2))", "(t, (1, 2, 3))",
    "(t, (2, 3), (0, 2))", "(t, (2, 2), (1, 1))", "(t, 2, 5)", "(t, (2, 2), 1)", "(t[:, ::-1, ::2], 2, -1)",
    "(z, 1, 0)", "([0.0, 1, 2], 2)", "(t[:0], (0, 1, 1))", "(t, 2, axis=(2,))",
]  # fmt: skip


@pytest.mark.parametrize("arguments", WINDOWS)
def test_sliding_window_view(arguments):
    source = f"xp.lib.stride_tricks.sliding_window_view{arguments}"
    check_expression(source, texts=False, b=np.arange(5), t=A, z=np.array(42))


VIEWS = [
    "(b)", "(b, (2,), (16,))", "(b, (3, 4), (0, 8))", "(b, (3, 3), (8, 8))", "(b[4:], (5,), (-8,))", "(t, (2, 2))",
    "(t, strides=(4, 4, 4))", "(b, (), ())", "(b, (0, 9), (800, 8))", "(b, (2,), (8, 8))", "(b, (-1,), (8,))",
    "(t[1], (2, 4), (16, 4))",
]  # fmt: skip


@pytest.mark.parametrize("arguments", VIEWS)
def test_as_strided(arguments):
    check_expression(f"xp.lib.stride_tricks.as_strided{arguments}", texts=False, b=np.arange(5), t=A)


@pytest.mark.parametrize(
    ("shape", "strides"), [((6,), (8,)), ((2,), (-8,)), ((2, 3), (24, 8)), ((2**40,), (2**40,))]
)
def test_outside_of_the_memory(shape, strides):
    with pytest.raises(ValueError, match="leaves the memory"):
        cp.lib.stride_tricks.as_strided(cp.arange(5), shape, strides)


def test_views_share_memory():
    a, b = cp.arange(5), np.arange(5)
    for module, x in ((cp, a), (np, b)):
        view = module.lib.stride_tricks.as_strided(x, (2, 2), (16, 8))
        assert view.flags.writeable
        view[1] = -1
        window = module.lib.stride_tricks.sliding_window_view(x, 2)
        assert not window.flags.writeable
        x[0] = 9
        assert int(window[0, 0]) == 9
        assert not module.lib.stride_tricks.as_strided(x, writeable=False).flags.writeable
    assert_same(a, b)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=3), st.data())
def test_windows_of_pending_arrays(shape, data):
    """Reductions over windows of an array that is not computed yet, in any layout."""
    host = np.arange(np.prod(shape), dtype="f8").reshape(shape)
    window = tuple(data.draw(st.integers(1, n)) for n in shape)
    axes = tuple(range(-len(shape), 0))
    x = (cp.asarray(host) * 2 + 1).T.copy(order="K").T
    got = cp.lib.stride_tricks.sliding_window_view(x, window).sum(axis=axes)
    assert_same(got, np.lib.stride_tricks.sliding_window_view(host * 2 + 1, window).sum(axis=axes))
