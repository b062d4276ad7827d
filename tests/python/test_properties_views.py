"""Views and writes against NumPy: indexing of every kind, chains of views of pending arrays, overlap."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import cuprum as cp
from strategies import arrays, assert_same, check, dtypes, quiet, same_exception, shapes


@st.composite
def slices(draw, n):
    bound = st.none() | st.integers(-n - 2, n + 2)
    step = draw(st.none() | st.sampled_from([1, 2, 3, -1, -2]))
    return slice(draw(bound), draw(bound), step)


@st.composite
def indices(draw, shape, advanced=True):
    """A mixture of integers, slices, newaxis, ellipsis and, if `advanced`, lists, integer arrays and masks."""
    items, axis = [], 0
    ellipsis = False
    while axis < len(shape) and draw(st.integers(0, 4)):
        n = shape[axis]
        kind = draw(
            st.sampled_from(["slice", "slice", "int", "newaxis", "ellipsis"] + ["array", "mask"] * advanced)
        )
        if kind == "slice":
            items.append(draw(slices(n)))
            axis += 1
        elif kind == "int":
            items.append(draw(st.integers(-n - (draw(st.integers(0, 9)) == 0), max(n - 1, 0))))
            axis += 1
        elif kind == "newaxis":
            items.append(None)
        elif kind == "ellipsis" and not ellipsis:
            items.append(Ellipsis)
            ellipsis = True
            axis += draw(st.integers(0, len(shape) - axis))
        elif kind == "array" and n:
            side = draw(st.sampled_from([(2,), (3,), (1,), (2, 3), (0,), ()]))
            size = int(np.prod(side, dtype=int))
            kind = draw(st.sampled_from(["i8", "i4", "u1", "i1"]))
            lowest = 0 if kind[0] == "u" else -n
            values = draw(st.lists(st.integers(lowest, n - 1), min_size=size, max_size=size))
            items.append(np.array(values, dtype=kind).reshape(side))
            axis += 1
        elif kind == "mask":
            width = draw(st.integers(1, min(2, len(shape) - axis)))
            side = shape[axis : axis + width]
            size = int(np.prod(side, dtype=int))
            bits = draw(st.lists(st.booleans(), min_size=size, max_size=size))
            items.append(np.array(bits, dtype=bool).reshape(side))
            axis += width
    return tuple(items)


def on_device(index):
    """The same index with cuprum arrays for NumPy's."""
    return tuple(cp.asarray(i) if isinstance(i, np.ndarray) else i for i in index)


@given(data=st.data())
def test_get(data):
    a, b = data.draw(arrays(shape=shapes(4, 5)))
    index = data.draw(indices(a.shape))
    check(None, (a, index), (b, on_device(index)), xp_functions=(lambda x, i: x[i],) * 2)


@given(data=st.data())
def test_set(data):
    a, b = data.draw(arrays(shape=shapes(3, 5), special=False))
    index = data.draw(indices(a.shape))
    region, error = quiet(lambda: a[index])
    if error is None and data.draw(st.booleans()):
        value = data.draw(arrays(a.dtype, np.shape(region), special=False))
    else:
        value = (1, 1)

    def write(x, i, v):
        x[i] = v
        return x

    _, want_error = quiet(write, a, index, value[0])
    _, got_error = quiet(write, b, on_device(index), value[1])
    if want_error is not None:
        assert got_error is not None and same_exception(got_error, want_error), (got_error, want_error)
    elif got_error is not None:
        raise got_error
    assert_same(b, a)


@given(data=st.data())
def test_augmented(data):
    """x[i] op= v reads and writes through the same index; overlapping operands see the old values."""
    a, b = data.draw(arrays(shape=shapes(3, 5), special=False))
    index = data.draw(indices(a.shape))
    operator = data.draw(st.sampled_from(["+", "*", "-", "//"]))
    own = data.draw(st.booleans())
    scope_a, scope_b = {"x": a, "i": index, "v": 2}, {"x": b, "i": on_device(index), "v": 2}
    source = f"x[i] {operator}= {'x[i]' if own else 'v'}"
    _, want_error = quiet(exec, source, scope_a)
    _, got_error = quiet(exec, source, scope_b)
    if want_error is not None:
        assert got_error is not None and same_exception(got_error, want_error), (got_error, want_error)
    elif got_error is not None:
        raise got_error
    assert_same(b, a, 4 if a.dtype.kind == "c" else 0)


@given(data=st.data())
def test_overlapping_writes(data):
    """Two views of one array, one written from the other."""
    a, b = data.draw(arrays(shape=shapes(3, 6).filter(len), special=False))
    pairs = [(slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None)), (slice(None, None, -1), slice(None)),
             (slice(None, None, 2), slice(None, (a.shape[0] + 1) // 2)), (slice(2, None), slice(None, -2))]  # fmt: skip
    to, source = data.draw(st.sampled_from(pairs))
    for x, xp in ((a, np), (b, cp)):
        quiet(xp.add, x[to], x[source], out=x[to])
        quiet(x.__setitem__, to, x[source] * 2)
    assert_same(b, a, 4 if a.dtype.kind == "c" else 0)


VIEWS = {
    "T": lambda x: x.T,
    "ravel": lambda x: x.ravel(),
    "ravel_f": lambda x: x.ravel("F"),
    "ravel_k": lambda x: x.ravel("K"),
    "flip": lambda x: x[::-1] if x.ndim else x,
    "step": lambda x: x[..., ::2] if x.ndim else x,
    "newaxis": lambda x: x[..., None],
    "squeeze": lambda x: x.squeeze(),
    "flat": lambda x: x.reshape(-1),
    "columns": lambda x: x.reshape(x.shape[0], -1) if x.ndim > 1 and x.size else x,
    "swap": lambda x: x.swapaxes(0, -1) if x.ndim else x,
    "diagonal": lambda x: x.diagonal() if x.ndim > 1 else x,
    "double": lambda x: x * 2,
    "copy": lambda x: x.copy(),
    "real": lambda x: x.real,
    "imag": lambda x: x.imag,
}


@given(data=st.data())
def test_chains_of_views(data):
    """Views of pending arrays: what they share is seen by writes through any of them."""
    pair = data.draw(arrays(shape=shapes(3, 5), special=False))
    chain = [pair]
    for name in data.draw(st.lists(st.sampled_from(sorted(VIEWS)), min_size=1, max_size=5)):
        (a, ea), (b, eb) = quiet(VIEWS[name], chain[-1][0]), quiet(VIEWS[name], chain[-1][1])
        assert (ea is None) == (eb is None), (ea, eb)
        if ea is None:
            if not isinstance(a, np.generic) and not isinstance(chain[-1][0], np.generic):  # nobody's memory
                assert np.shares_memory(a, chain[-1][0]) == cp.shares_memory(b, chain[-1][1]), name
            assert a.flags.writeable == b.flags.writeable or isinstance(a, np.generic), name
            if (
                name != "imag" or chain[-1][0].dtype.kind == "c"
            ):  # the zeros of a real array have no layout of their own
                got = (b.flags.c_contiguous, b.flags.f_contiguous)
                assert got == (a.flags.c_contiguous, a.flags.f_contiguous), name
            chain.append((a, b))
    writable = [p for p in chain if isinstance(p[0], np.ndarray) and p[0].flags.writeable]
    if writable:
        a, b = data.draw(st.sampled_from(writable))
        a[...] = 1
        b[...] = 1
    for a, b in chain:
        assert_same(b, a, 4)


@given(data=st.data())
def test_transform(data):
    """Functions that rearrange elements."""
    a, b = data.draw(arrays(shape=shapes(3, 4)))
    axis = data.draw(st.integers(-a.ndim - 1, a.ndim)) if data.draw(st.integers(0, 9)) == 0 else None
    if axis is None and a.ndim:
        axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    k = data.draw(st.integers(-3, 3))
    function = data.draw(
        st.sampled_from(
            [
                lambda xp: lambda x: xp.roll(x, k, axis),
                lambda xp: lambda x: xp.repeat(x, abs(k), axis),
                lambda xp: lambda x: xp.tile(x, (abs(k), 2)),
                lambda xp: lambda x: xp.flip(x, axis),
                lambda xp: lambda x: xp.concatenate([x, x], axis),
                lambda xp: lambda x: xp.stack([x, x], axis if axis is not None else 0),
                lambda xp: lambda x: xp.rot90(x, k),
                lambda xp: lambda x: xp.moveaxis(x, axis or 0, k),
                lambda xp: lambda x: xp.expand_dims(x, k),
                lambda xp: lambda x: xp.diff(x, abs(k), axis if axis is not None else -1),
                lambda xp: lambda x: xp.tril(x, k),
                lambda xp: lambda x: xp.triu(x, k),
                lambda xp: lambda x: xp.trace(x, k),
                lambda xp: lambda x: xp.diag(x, k),
                lambda xp: lambda x: xp.argwhere(x),
                lambda xp: lambda x: xp.nonzero(x),
                lambda xp: lambda x: tuple(xp.array_split(x, abs(k), axis or 0)),
                lambda xp: lambda x: xp.squeeze(x, axis),
                lambda xp: lambda x: xp.resize(x, (3, abs(k))),
                lambda xp: (
                    lambda x: xp.take_along_axis(x, xp.argsort(x, axis=axis, kind="stable"), axis=axis)
                ),
            ]
        )
    )
    if a.ndim == 0:  # NumPy answers tril(scalar) with an internal TypeError
        assume(function(np) is not None and "tri" not in function(np).__code__.co_names[0])
    check(function, (a,), (b,), 8 if a.dtype.kind in "fc" else 0, zeros=False)


@given(arrays(dtypes), st.sampled_from(["C", "F", "A", "K"]))
def test_copies_keep_the_layout(pair, order):
    a, b = pair
    want, got = a.copy(order=order), b.copy(order=order)
    assert_same(got, want)
    assert (got.flags.c_contiguous, got.flags.f_contiguous) == (
        want.flags.c_contiguous,
        want.flags.f_contiguous,
    )
    if a.size > 1:
        assert got.strides == want.strides or 1 in a.shape
