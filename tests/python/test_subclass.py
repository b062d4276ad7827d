"""Classes derived from ndarray: which results keep the class, __array_finalize__, __array_wrap__, priorities.

The expressions are evaluated on NumPy and on Cuprum with the same class body; the classes of the results must agree.
"""

import copy
import gc
import pickle
import warnings
import weakref

import numpy as np
import pytest

import cuprum as cp
from oracle import lines

VIEWS = """
s[0]
s[0, 0]
s[()]
s[...]
s[0, 0, ...]
s[:, None]
s[[0, 1]]
s[s > 2]
s[xp.array([0])]
s.T
s.mT
s.real
(s * 1j).imag
s.reshape(6)
s.ravel()
s.flatten()
s.copy()
s.astype('f4')
s.astype('f4', subok=False)
s.view('i8')
s.view(xp.ndarray)
s.view('i8', xp.ndarray)
x.view('i8', S)
x.view(type=S)
s.swapaxes(0, 1)
s.transpose()
s.squeeze()
s.diagonal()
next(iter(s))
s.flat[:2]
xp.split(s, 2)
xp.broadcast_to(s, (2, 2, 3))
xp.broadcast_to(s, (2, 2, 3), subok=True)
xp.broadcast_arrays(s, b)
xp.broadcast_arrays(s, b, subok=True)
xp.expand_dims(s, 0)
xp.moveaxis(s, 0, 1)
xp.flip(s)
xp.rot90(s)
xp.matrix_transpose(s)
xp.unstack(s)
"""

METHODS = """
s.repeat(2)
s.take([0])
s.compress([True, False], axis=0)
s.sum()
s.sum(axis=0)
s.mean()
s.mean(axis=0)
s.max()
s.std(axis=0)
s.any()
xp.nanargmax(s)
xp.nanargmin(s, axis=0)
s.argmax()
s.argmax(axis=0)
s.cumsum()
s.argsort()
s.nonzero()
s[0].searchsorted(b)
s.round()
s.clip(1, 2)
s.dot(s.T)
s.trace()
s.conj()
i.clip(0, 1).choose([b, b])
"""

UFUNCS = """
s + 1
1 + s
s + b
b + s
-s
abs(s)
s == s
s < 2
s @ s.T
s @ b
b @ s.T
divmod(s, 2)
s ** 2
~i
i & 1
xp.sin(s)
xp.sin(s, subok=False)
xp.add(s, b)
xp.add(b, s)
xp.add(s, 1, dtype='f4')
xp.add(s, 1, out=x.copy())
xp.add(x, 1, out=s.copy())
xp.modf(s)
xp.add.reduce(s)
xp.add.reduce(s, axis=None)
xp.add.reduce(s, out=b.copy())
xp.add.accumulate(s)
xp.add.outer(s, b)
xp.add.outer(b, s)
xp.add.reduceat(s, [0])
"""

FUNCTIONS = """
xp.concatenate([s, s])
xp.stack([s, s])
xp.where(s > 2, s, s)
xp.where(s > 2)
xp.sort(s)
xp.argsort(s)
xp.unique(s)
xp.sum(s)
xp.mean(s, axis=0)
xp.zeros_like(s)
xp.zeros_like(s, subok=False)
xp.ones_like(s, dtype='f4')
xp.empty_like(s)
xp.full_like(s, 1)
xp.array(s)
xp.array(s, subok=True)
xp.array(s, subok=True, ndmin=3)
xp.asarray(s)
xp.asarray(s, dtype='f4')
xp.asanyarray(s)
xp.asanyarray(s, dtype='f4')
xp.ascontiguousarray(s)
xp.require(s, requirements='C')
xp.require(s, requirements=['C', 'E'])
xp.copy(s)
xp.copy(s, subok=True)
xp.tile(s, 2)
xp.roll(s, 1)
xp.pad(s, 1)
xp.diff(s)
xp.nonzero(s)
xp.argwhere(s)
xp.flatnonzero(s)
xp.searchsorted(b, s)
xp.dot(s, s.T)
xp.inner(s, s)
xp.diag(s)
xp.tril(s)
xp.isclose(s, s)
xp.allclose(s, s)
xp.take_along_axis(s, xp.zeros((2, 3), int), 0)
xp.ptp(s, axis=0)
xp.nansum(s, axis=0)
xp.linspace(s[0], s[1], 3)
xp.vecdot(s, s)
xp.astype(s, 'f4')
xp.insert(s, 0, 1, axis=0)
xp.delete(s, 0, axis=0)
xp.median(s, axis=0)
xp.percentile(s, 50, axis=0)
xp.percentile(a=s, q=50, axis=0)
xp.quantile(s, [0.5, 0.2], axis=1)
xp.median(s, axis=0, out=b)
xp.nanmedian(s, axis=0)
xp.nan_to_num(s)
xp.packbits(i > 1)
xp.i0(s)
xp.cov(s)
xp.corrcoef(s)
xp.einsum('ij->i', s)
xp.einsum('ij,ij->i', s, s)
xp.convolve(b.view(S), b)
xp.iscomplex(s)
xp.isin(s, b)
xp.sort_complex(s)
xp.unwrap(s)
xp.tensordot(s, s)
xp.resize(s, (3, 3))
"""


def scope(xp):
    class S(xp.ndarray):
        pass

    x = xp.arange(1.0, 7.0).reshape(2, 3)
    integers = xp.arange(6).reshape(2, 3).view(S)
    return {"xp": xp, "S": S, "x": x, "s": x.view(S), "i": integers, "b": xp.ones(3)}


def classes(result, names):
    if isinstance(result, (tuple, list)):
        return tuple(classes(r, names) for r in result)
    if type(result) is names["S"]:
        return "S"
    return "ndarray" if isinstance(result, (names["xp"].ndarray, np.generic)) else type(result).__name__


@pytest.mark.parametrize("source", lines(VIEWS + METHODS + UFUNCS + FUNCTIONS))
def test_class_of_the_result_is_numpys(source):
    host, device = scope(np), scope(cp)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want, got = eval(source, host), eval(source, device)
    assert classes(got, device) == classes(want, host)
    first = got[0] if isinstance(got, (tuple, list)) else got
    wanted = want[0] if isinstance(want, (tuple, list)) else want
    if isinstance(first, cp.ndarray) and "empty" not in source:
        np.testing.assert_allclose(first.get(), wanted)


def make_tagged(xp):
    class Tagged(xp.ndarray):
        """An array with a word beside it, as NumPy's documentation of subclassing does it."""

        def __new__(cls, data, tag=None):
            made = xp.asarray(data).view(cls)
            made.tag = tag
            return made

        def __array_finalize__(self, obj):
            seen.append(type(obj).__name__)
            self.tag = getattr(obj, "tag", None)

    seen = []
    return Tagged, seen


def test_finalize_is_called_as_numpy_calls_it():
    def program(xp):
        tagged, seen = make_tagged(xp)
        x = tagged([1.0, 2.0, 3.0], "metres")
        tags = [x.tag]
        for made in (
            x[1:],
            x.copy(),
            x.T,
            x * 2,
            2 * x,
            xp.sin(x),
            x.sum(),
            xp.zeros_like(x),
            x.astype("f4"),
        ):
            tags.append(made.tag)
        fresh = tagged.__new__(tagged, [1, 2])
        explicit = xp.ndarray.__new__(tagged, (2, 2))
        return tags, fresh.tag, explicit.tag, explicit.shape, seen[:3], seen[-1]

    assert program(cp) == program(np)


def test_inplace_and_out_keep_the_object():
    tagged, _ = make_tagged(cp)
    x = tagged([1.0, 2.0], "a")
    y = x
    y += 1
    assert y is x and x.tag == "a" and x.get().tolist() == [2, 3]
    out = tagged([0.0, 0.0], "b")
    assert cp.add(x, 1, out=out) is out and out.tag == "b"
    assert x.sum(out=tagged(0.0, "c")).tag == "c"


class Pickled(cp.ndarray):
    """A class that pickle finds, with a state of its own."""

    def __array_finalize__(self, obj):
        self.tag = getattr(obj, "tag", None)

    def __reduce__(self):
        function, arguments, state = super().__reduce__()
        return function, arguments, (*state, self.tag)

    def __setstate__(self, state):
        self.tag = state[-1]
        super().__setstate__(state[:-1])


@pytest.mark.parametrize("protocol", range(2, 6))
def test_pickle_and_copy(protocol):
    x = cp.arange(6.0).reshape(2, 3).view(Pickled)
    x.tag = "kept"
    for other in (pickle.loads(pickle.dumps(x, protocol)), copy.copy(x), copy.deepcopy(x)):
        assert type(other) is Pickled and other.tag == "kept"
        assert other.get().tolist() == x.get().tolist()
        other[0, 0] = 9
        assert float(x[0, 0]) == 0


def make_wrapping(xp):
    class Wrapping(xp.ndarray):
        def __array_wrap__(self, array, context=None, return_scalar=False):
            calls.append((context[0].__name__, context[2], array.shape, return_scalar))
            return super().__array_wrap__(array, context, return_scalar)

    calls = []
    return Wrapping, calls


def test_wrap_is_called_by_ufuncs():
    wrapping, calls = make_wrapping(cp)
    x = cp.arange(3.0).view(wrapping)
    assert type(cp.sin(x)) is wrapping and type(x + 1) is wrapping and type(cp.modf(x)[1]) is wrapping
    assert calls == [
        ("sin", 0, (3,), False), ("add", 0, (3,), False), ("modf", 0, (3,), False), ("modf", 1, (3,), False),
    ]  # fmt: skip
    plain = cp.ndarray.__array_wrap__(cp.ones(2), cp.zeros(2))
    assert type(plain) is cp.ndarray
    assert type(x.__array_wrap__(cp.ones(2), (cp.sin, (), 0))) is wrapping
    with pytest.raises(TypeError, match="__array_wrap__"):
        cp.ones(2).__array_wrap__(3)


def test_the_higher_priority_decides():
    class Low(cp.ndarray):
        __array_priority__ = 1.0

    class High(cp.ndarray):
        __array_priority__ = 2.0

    low, high, plain = cp.ones(2).view(Low), cp.ones(2).view(High), cp.ones(2)
    assert type(low + high) is type(high + low) is type(cp.maximum(low, high)) is High
    assert type(plain + low) is type(low + plain) is type(low + 1.5) is Low


def test_views_as_classes():
    class S(cp.ndarray):
        pass

    x = cp.arange(4.0)
    s = x.view(S)
    s[0] = 5
    assert float(x[0]) == 5 and s.base is x and type(x) is cp.ndarray
    assert isinstance(S((2, 3), cp.int8), S) and S((2, 3), cp.int8).dtype == cp.int8
    assert s[0].ndim == 0 and type(s[0]) is cp.ndarray
    with pytest.raises(ValueError, match="twice"):
        x.view(S, S)
    with pytest.raises(ValueError, match="subtype"):
        x.view("f8", int)


def test_text_and_cycles():
    def program(xp):
        class S(xp.ndarray):
            pass

        s = xp.arange(4.0).view(S)
        return repr(s), str(s), f"{s}", repr(s.sum()), repr(s[:0])

    assert program(cp) == program(np)
    tagged, _ = make_tagged(cp)
    x = tagged([1.0], "a")
    x.itself = [x]
    gone = weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None
