"""Arguments that programs give rarely, and that NumPy has a rule for: numbers beyond 64 bits, bools for integers,
generators for sequences, keywords that few know. Each expression gives the same value or the same exception."""

import ctypes

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from oracle import check_expression, check_statement, lines

X = np.arange(24.0).reshape(2, 3, 4)

EXPRESSIONS = lines("""
# bases of logspace broadcast with its ends
xp.logspace([1, 2], [3, 4], 3, base=[2, 3])
xp.logspace(1, 3, 3, base=b)
xp.logspace(1, 3, 3, base=b, axis=-1)
xp.logspace(1, b, 4, base=xp.reshape(b, (2, 1)), axis=1)
xp.logspace(1, b, 4, base=xp.reshape(b, (2, 1)), axis=2, endpoint=False)
# layouts in small letters
xp.einsum('ijk->kji', x, order='f').flags.f_contiguous
xp.einsum('ijk,k', x, x[0, 0], order='c').flags.c_contiguous
xp.einsum('ijk->kji', x, order='a').flags.c_contiguous
xp.einsum('ijk->kji', x, order='x')
# Python's numbers are weak where vectors are joined, as in arithmetic
xp.concatenate([np.float32(1), 1.0], axis=None)
xp.concatenate([i, 1], axis=None)
xp.concatenate([i, 1000], axis=None)
xp.concatenate([i, 1.5], axis=None)
xp.concatenate([i, True], axis=None)
xp.concatenate([i, [1]], axis=None)
xp.concatenate([1, 2.5], axis=None)
xp.concatenate([1j, np.float32(1)], axis=None, casting='no')
xp.stack([np.float32(1), 1.0])
# what can be read only once is no sequence
xp.stack(v for v in (b, b))
xp.vstack(v for v in (b, b))
xp.hstack(iter([b, b]))
xp.dstack(map(abs, [b, b]))
xp.column_stack(v for v in (b, b))
xp.concatenate(v for v in (b, b))
xp.lexsort(iter([b, b]))
# of a vector `axis` names everything there is, and NaN equals NaN
xp.unique(n, axis=0)
xp.unique(n, axis=-1, return_index=True, return_inverse=True, return_counts=True)
xp.unique(n, axis=0, equal_nan=False)
# how hard to look for a common byte
xp.shares_memory(x, x, max_work=None)
xp.shares_memory(x[:, ::2, ::3], x[:, ::3, ::2])
xp.shares_memory(x, x, max_work=0)
xp.may_share_memory(x[:, ::2], x[:, 1::2])
xp.may_share_memory(x[:, :, ::2], x[:, :, 1::2], max_work=-1)
xp.may_share_memory(x, x, max_work=10**100)
xp.shares_memory(x, x, max_work=-3)
xp.shares_memory(x, x, max_work=1.5)
# a bool is no length and no axis
x.reshape(True, 24)
x.reshape((True, -1))
x[0, 0, :1].reshape(True)
xp.zeros((2, True))
xp.zeros(True)
xp.sum(x, axis=True)
xp.sum(x, axis=(0, True))
xp.cumsum(x, axis=True)
xp.take(x, [0], axis=True)
xp.concatenate([x, x], axis=True)
xp.squeeze(x[:1], axis=False)
xp.argmax(x, axis=True)
xp.broadcast_to(b, (True, 2))
xp.eye(True)
xp.round(x, True)
xp.take(b, True)
# and keepdims is an integer
xp.sum(x, keepdims='a')
xp.mean(x, axis=0, keepdims=1.0)
xp.max(x, axis=1, keepdims=2)
# arrays of integers where tuples are usual
xp.zeros(xp.asarray([2, 3]))
xp.zeros(np.array([2, 3]))
xp.zeros(xp.asarray(2))
x.reshape(xp.asarray([6, -1]))
xp.broadcast_to(b, xp.asarray([3, 2]))
xp.zeros(xp.asarray([2.0, 3.0]))
xp.transpose(x, xp.asarray([2, 0, 1]))
xp.roll(x, 1, axis=xp.asarray([0, 1]))
# beyond 64 bits
xp.zeros(2**70)
xp.zeros((2, 2**70))
xp.roll(b, 2**70 + 1)
xp.roll(x, 2**70 + 1, axis=1)
xp.roll(b, np.uint64(2**63 + 1))
xp.roll(x, -2**80 + 1, axis=(0, 2))
# steps that leave nothing between two numbers
xp.arange(0, 1, xp.inf)
xp.arange(0, 1, -xp.inf)
xp.arange(0, -1, -xp.inf)
xp.arange(0, 5e-324, 4.0)
xp.arange(0, -5e-324, 4.0)
# arguments of arange by name
xp.arange(stop=3)
xp.arange(start=1, stop=3)
xp.arange(start=1, stop=9, step=3, dtype='f4')
xp.arange(1, stop=3)
xp.arange(start=3)
xp.arange(step=3)
xp.arange()
xp.arange(3, start=1)
xp.arange(5, None, 2)
xp.arange(3, other=1)
xp.arange(1, 2, 3, 'f4', 5)
# what array() takes
xp.array([1], ndmax=65)
xp.array([1], ndmax=-1)
xp.array([[1, 2]], ndmax=1)
xp.array([1], copy='no')
b.flat.__delitem__(0)
# clip is a ufunc
xp.clip(b, 1, 1.5, casting='unsafe', dtype='i4')
xp.clip(b, 1, 1.5, dtype='i4')
xp.clip(b, 1, 1.5, dtype='f4')
b.clip(1, 1.5, dtype='f4')
xp.clip(b, 1, 1.5, out=xp.zeros(2), where=xp.asarray([True, False]))
xp.clip(b, None, 1.5, out=xp.zeros(2), where=xp.asarray([True, False]))
xp.clip(b, 1, 3.5, out=xp.zeros(2, 'i4'), casting='unsafe')
b.clip(1, 3.5, out=xp.zeros(2, 'i4'), casting='unsafe')
xp.clip(b, 1, 3.5, out=xp.zeros(2, 'i4'))
xp.clip(b, 1, 2, max=3)
# modes
xp.convolve(b, b, mode=None)
xp.convolve(b, b, mode=1.0)
xp.convolve(b, b, mode=2)
xp.convolve(b, b, mode=3)
# numbers in the place of arrays and dtypes
xp.finfo(1.5).bits
xp.finfo(1j).bits
xp.astype(np.float32(3), float)
xp.isclose(np.float32(1), 0.9999999999999998, atol=0, rtol=0)
xp.isclose(xp.asarray(b, dtype='f4'), 2.0000000000000004, atol=0, rtol=0)
xp.isclose(2, b)
xp.isclose(b, 3)
xp.isclose(b, xp.inf)
xp.isclose(n, xp.nan, equal_nan=True)
xp.isclose(xp.nan, n, equal_nan=True)
xp.isclose(1, 1.0)
xp.isclose([1, 2], [1, 2.5], rtol=[0.0, 0.5])
xp.isclose(i, 300)
# values without dimensions
xp.nan_to_num(complex(xp.nan, -xp.inf))
xp.nan_to_num(xp.asarray(1j) / 0, nan=1)
xp.nan_to_num(n[1] * 1j)
xp.nan_to_num(n[1])
xp.nan_to_num(n * 1j)[1]
xp.nan_to_num(xp.asarray(complex(xp.inf, 1)), copy=False)
# so many arrays broadcast together, and no more
xp.broadcast(*[b] * 64).shape
xp.broadcast(*[b] * 65)
# the axis of a vector needs no name
xp.add.accumulate(b, axis=None)
xp.add.reduceat(b, [0, 1], axis=None)
# masks as lists of numbers, and an array asked for by `...`
xp.add(b, 1, out=xp.zeros(2), where=[1, 0])
xp.add(b, 1, out=xp.zeros(2), where=xp.asarray([1, 0]))
xp.sum(x, axis=2, where=[1, 0, 2, 0])
xp.add.reduce(x, axis=2, where=[1, 0, 2, 0])
xp.max(x, initial=0, where=[[0], [1], [0]])
xp.add(b, 1, out=...)
xp.add.reduce(x, out=...)
xp.add(b, 1, ...)
xp.unique(n, axis=0.0)
xp.pad(b, 0, 'minimum', stat_length=0)
xp.pad(b, 1, 'maximum', stat_length=(1, 0))
xp.pad(b, 1, 'mean', stat_length=1)
# arrays are sequences, for C code too
[float(v) for v in reversed(b)]
__import__('operator').countOf(b, 2.0)
__import__('bisect').bisect(b, 2.5)
__import__('operator').concat(b, b)
b + object()
""")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    check_expression(
        source,
        texts=False,
        ulps=2 if "logspace" in source else 0,
        x=X,
        b=np.array([2.0, 3.0]),
        i=np.array([1, 2], dtype="int8"),
        n=np.array([1.0, np.nan, 0.0, np.nan]),
    )


@pytest.mark.parametrize("method", ["accumulate", "reduceat"])
def test_a_scan_has_one_axis(method):
    arguments = ([0],) if method == "reduceat" else ()
    for xp in (np, cp):
        with pytest.raises(ValueError, match="does not allow multiple axes"):
            getattr(xp.add, method)(xp.ones((2, 2)), *arguments, axis=None)


@pytest.mark.parametrize(
    "key",
    lines("""
True
False
(True,)
[True]
[True, False, True, True]
[True, 1]
[]
()
...
(1, 2)
None
xp.asarray([True, False, True, True])
xp.asarray([[0, 1], [3, 0]])
(slice(0, 2),)
[7]
"""),
)
def test_keys_of_flat(key):
    """NumPy's rules for `flat` are not those of a vector: a list of bools is no mask."""
    check_expression(f"a.flat[{key}]", texts=False, a=np.arange(4).reshape(2, 2))
    check_statement(f"a.flat[{key}] = 7", texts=False, a=np.arange(4).reshape(2, 2))


@pytest.mark.parametrize("shape", ["()", "", "None", "3", "(2, 2)", "1, 2", "[]"])
def test_resize(shape):
    """`x.resize(())` is a shape, no shape is none."""
    check_statement(f"x.resize({', '.join(filter(None, (shape, 'refcheck=False')))})", x=np.ones(1))


def test_flat_and_one_bool():
    with pytest.warns(DeprecationWarning, match="0-dimensional boolean index"):
        assert cp.arange(3).flat[True] == 0


class Holder:
    """An array-like of somebody's, around an array of either library."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


@pytest.mark.parametrize(
    "source", ["xp.asarray(h)", "xp.array(h)", "xp.sum(h)", "xp.bincount(h)", "xp.intersect1d(h, [1, 2])"]
)
def test_what_gives_an_array_is_one(source):
    scopes = ({"xp": xp, "h": Holder(xp.asarray([2, 0, 2]))} for xp in (np, cp))
    want, got = (eval(source, scope) for scope in scopes)
    assert isinstance(got, cp.ndarray) and got.tolist() == want.tolist()


@pytest.mark.parametrize("shape", [(), (3,), (3, 2), (0, 2)])
@pytest.mark.parametrize("i", [-4, -3, -1, 0, 2, 3])
def test_items_of_sequences(shape, i):
    """C's PySequence_GetItem and PySequence_SetItem: a negative index is counted from the end once."""
    get, put = (getattr(ctypes.pythonapi, f"PySequence_{name}Item") for name in ("Get", "Set"))
    get.argtypes, get.restype = (ctypes.py_object, ctypes.c_ssize_t), ctypes.py_object
    put.argtypes = (ctypes.py_object, ctypes.c_ssize_t, ctypes.py_object)
    x = cp.arange(float(np.prod(shape, dtype=int))).reshape(shape)
    if shape and -shape[0] <= i < shape[0]:
        assert get(x, i).tolist() == x[i].tolist()
        put(x, i, 7.0)
        assert (x[i] == 7).all()
    else:
        for call in (lambda: get(x, i), lambda: put(x, i, 7.0)):
            with pytest.raises((IndexError, TypeError)):
                call()


def test_where_without_out_is_warned_of():
    x = cp.ones(3)
    for where in ([True, False, True], cp.asarray([True, False, True])):
        with pytest.warns(UserWarning, match="'where' used without 'out'"):
            cp.add(x, 1, where=where)
        cp.add(x, 1, where=where, out=None)  # meant


def test_vectorize_can_be_changed():
    for xp in (np, cp):
        f = xp.vectorize(lambda v: v + 1)
        f.otypes = "f"
        f.cache = True
        assert f(xp.arange(3)).dtype == np.float32 and f.otypes == "f" and f.cache


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: cp.abs(x, casting="\ud800"), ValueError, r"casting must be one of .*'\\ud800'"),
        (lambda x: x.astype("f4", casting="\ud800"), ValueError, r"casting must be one of .*'\\ud800'"),
        (lambda x: x.get(order="\ud800"), ValueError, r"order must be one of .*'\\ud800'"),
        (lambda x: x.sum(**{"\ud800": 1}), TypeError, r"unexpected keyword argument '\\ud800'"),
        (lambda x: cp.add(x, x, **{"\ud800": 1}), TypeError, r"unexpected keyword argument '\\ud800'"),
        (lambda x: x.reshape(3, **{"\ud800": 1}), TypeError, r"unexpected keyword argument '\\ud800'"),
        (lambda x: x.sort(kind="\ud800"), ValueError, r"sort kind must be one of .*'\\ud800'"),
        (lambda x: cp.zeros(3, device="\ud800"), ValueError, r"'\\ud800' is not a device"),
        (lambda x: x.flags["\ud800"], KeyError, "Unknown flag"),
    ],
)
def test_text_that_has_no_utf8(call, error, text):
    with pytest.raises(error, match=text):
        call(cp.ones(3))


def nested(depth, value):
    for _ in range(depth):
        value = [value]
    return value


def test_lists_without_end():
    itself = []
    itself.append(itself)
    twice = []
    twice += [twice, twice]
    x = cp.ones(3) + 1
    deep = nested(100_000, x)
    assert cp.evaluate(itself) is itself and cp.evaluate(twice) is twice
    assert cp.evaluate(deep) is deep and not _core.is_pending(x)
    assert str(cp.show_graph(itself, deep)) == str(cp.show_graph(x))
    for endless in (itself, twice, deep, nested(65, 1.0)):
        for function in (cp.asarray, cp.array, lambda a: cp.add(a, 1), cp.sum):
            with pytest.raises(ValueError, match="would exceed the maximum number of dimension of 64"):
                function(endless)
    with pytest.raises(RecursionError):
        cp.block(itself)


@pytest.mark.parametrize("make", [lambda: range(2**40), lambda: cp.arange(4 * 10**6), lambda: [1] * 100_000])
def test_shapes_are_not_read_where_they_are_too_long(make):
    shape = make()
    for call in (cp.zeros, cp.ones(1).reshape, cp.ones(1).resize, cp.broadcast_shapes, cp.ndarray):
        with pytest.raises(ValueError, match="maximum supported dimension for an ndarray is currently 64"):
            call(shape)


@pytest.mark.parametrize(
    "name", ["astype", "__copy__", "__dlpack__", "__format__", "sum", "fill", "__repr__"]
)
def test_methods_of_arrays_take_arrays_for_self(name):
    for wrong in (3, None, np.ones(3), cp.MemoryPool()):
        with pytest.raises(TypeError, match="ndarray"):
            getattr(cp.ndarray, name)(wrong)


@pytest.mark.parametrize("name", ["shape", "dtype", "T", "flags", "base", "real", "_device_name"])
def test_attributes_of_arrays_take_arrays_for_self(name):
    for wrong in (3, None, np.ones(3)):
        if wrong is not None:
            with pytest.raises(TypeError, match="ndarray"):
                getattr(cp.ndarray, name).__get__(wrong)
        with pytest.raises(TypeError, match="ndarray"):
            getattr(cp.ndarray, name).fget(wrong)


def test_calls_that_no_signature_takes_are_told_in_the_packages_words():
    pool = cp.get_default_memory_pool()
    with pytest.raises(TypeError, match=r"^cuprum.ndarray.tobytes: cannot be called with \(str, other=int\)"):
        cp.ones(3).tobytes("C", other=3)
    with pytest.raises(TypeError, match=r"^cuprum.ndarray.astype: casting must be str, not int"):
        cp.ones(3).astype("f4", casting=3)
    with pytest.raises(
        TypeError, match=r"^cuprum.MemoryPool.set_limit: cannot be called with \(int, int, int\)"
    ):
        pool.set_limit(1, 2, 3)
    with pytest.raises(TypeError, match=r"^cuprum.MemoryPool: allocator must be a function"):
        cp.MemoryPool(4)
    with pytest.raises(TypeError, match=r"^cuprum.ndarray.tobytes: cannot be called with"):
        cp.ones(3).tobytes(**{f"k{i}": i for i in range(1500)})
    with pytest.raises(TypeError, match="__init__ has not been called"):
        cp.MemoryPool.__new__(cp.MemoryPool).used_bytes()
    with pytest.raises(TypeError, match="__init__ has been called already"):
        pool.__init__()
    assert cp.ones(3).astype("f4", subok="yes").dtype == "f4"  # NumPy asks for the truth of any object


def test_objects_that_call_us_from_their_attributes():
    class Caller:
        def __getattr__(self, name):
            return cp.asarray(self)

    with pytest.raises(RecursionError):
        cp.asarray(Caller())
    with pytest.raises(RecursionError):
        cp.ones(3).take(Caller())


def test_objects_that_convert_themselves_by_two_protocols():
    """NumPy forgets the error of the first and tries the second: without a bound the work doubles at every level."""

    class Both:
        @property
        def __array_interface__(self):
            cp.asarray(self)

        @property
        def __array_struct__(self):
            cp.asarray(self)

        def __array__(self, dtype=None, copy=None):
            return cp.asarray(self)

        def __buffer__(self, flags):  # from Python 3.12 on
            cp.asarray(self)

    with pytest.raises((TypeError, ValueError, RecursionError)):
        cp.asarray(Both())

    class Wrapper:
        def __init__(self, inner):
            self.inner = inner

        def __array__(self, dtype=None, copy=None):
            return cp.asarray(self.inner).get()

    assert cp.asarray(Wrapper(Wrapper(Wrapper([1, 2])))).tolist() == [1, 2]
