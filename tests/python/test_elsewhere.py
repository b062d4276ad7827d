"""Arrays on a device that is not the current one: a call computes where its arrays are, and numbers, lists and host
memory go there. Only a call without an array reads the current device. `pytest --arrays-on far` asks all tests."""

import copy
import pickle
import re

import numpy as np
import pytest

import cuprum as cp

HERE = cp.Device()
THERE = "cpu" if HERE == "far" else "far"

OPERANDS = {
    "a": np.array([3.0, -1.0, 2.0, 0.5, 4.0]),
    "b": np.array([1.0, 2.0, 0.0, 5.0, -2.0]),
    "i": np.array([1, 3, 1, 0, 2]),
    "m": np.arange(12.0).reshape(3, 4),
    "s": np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]]),
    "c": np.array([True, False, True, True, False]),
    "z": np.array([1 + 2j, 3 - 1j]),
}

CALLS = [
    # operators, with lists and NumPy's scalars
    "a + [1, 2, 3, 4, 5]", "[1, 2, 3, 4, 5] - a", "a ** [2, 2, 2, 2, 2]", "a @ [1, 2, 3, 4, 5]",
    "a < [1, 2, 3, 4, 5]", "a == np.float32(2)", "divmod(a, [2, 3, 2, 3, 2])[1]", "m @ m.T", "2 in a", "[1.0] in m",
    # ufuncs and their methods
    "xp.add(a, [1, 2, 3, 4, 5])", "xp.hypot([1, 2, 3, 4, 5], a)",
    "xp.add(a, b, where=[True, False] * 2 + [True], out=a)", "xp.modf(a)[1]",
    "xp.add.reduce(a, where=[True, False, True, False, True])", "xp.add.reduceat(a, [0, 2])",
    "xp.multiply.outer(a, [1, 2])", "xp.multiply.outer([1, 2], a)", "xp.maximum.accumulate(a)",
    "xp.add.at(a, i, 1.0)", "xp.add.at(a, [0, 0], [1.0, 2.0])", "xp.negative.at(a, [1, 3])", "xp.sqrt(1, out=a[:1])",
    # indexing and assignment
    "a[[0, 2]]", "a[[True, False, True, False, True]]", "m[[0, 1], 1:]", "m[xp.ix_(i[:1], [1, 3])]", "a[True]",
    "a[np.array([1, 2])]", "a.__setitem__([0, 1], [7, 8])", "m.__setitem__((slice(None), [1, 2]), [[7], [8], [9]])",
    "a.__setitem__(slice(1, 3), [5, 6])", "a.__setitem__(c, 0)", "m.__setitem__(0, range(4))",
    "a.flat.__setitem__([0, 1], [5, 6])", "a.fill(np.array(3.0))", "a.put([0, 1], [9])", "a.take([0, 1])",
    "setattr(z, 'real', [7, 8])", "a.clip([0] * 5, [2] * 5)", "xp.sort(a).searchsorted([1, 2])",
    "i.choose([a, b, a, [9] * 5])", "m.repeat([1, 0, 2], axis=0)", "a.compress([1, 0, 1])", "a.dot([1] * 5)",
    # functions, most of them written in Python
    "xp.percentile(m, 50, axis=0)", "xp.quantile(m, [0.2, 0.7])", "xp.median(m, axis=1)",
    "xp.nanpercentile(m, [10, 20])", "xp.histogram(a, bins=3)", "xp.histogram(a, [0, 1, 2])",
    "xp.histogram2d(a, b, bins=2)", "xp.histogramdd(m, bins=2)", "xp.histogram_bin_edges(a, 'auto')",
    "xp.digitize(a, [0, 1, 2])", "xp.bincount(i)", "xp.bincount(i, [1, 2, 3, 4, 5])", "xp.pad(a, 2)",
    "xp.pad(m, ((1, 2), (0, 1)), constant_values=7)", "xp.pad(m, 1, mode='reflect')", "xp.fill_diagonal(m, 1)",
    "xp.insert(a, 1, [7, 8])", "xp.append(a, [1, 2])", "xp.delete(a, [0, 1])", "xp.where(c, a, [1, 2, 3, 4, 5])",
    "xp.where(c, 1, 0)", "xp.select([a > 1, a < 0], [a, [1, 2, 3, 4, 5]], 7)", "xp.select([[True] * 5], [a])",
    "xp.piecewise(a, [a < 0, a >= 0], [-1, 1])", "xp.clip(a, [0] * 5, 2)", "xp.interp([0.5, 1.5], xp.sort(a), b)",
    "xp.interp(a, [0, 1, 2], [5, 6, 7])", "xp.convolve(a, [1, 2])", "xp.correlate([1, 2], a, 'full')",
    "xp.cross(m[:, :3], [1, 2, 3])", "xp.kron(s, [1, 2])", "xp.outer([1, 2], a)",
    "xp.einsum('ij,j->i', m, [1, 2, 3, 4])", "xp.tensordot(m, [1, 2, 3, 4], 1)", "xp.vander(a, 3)", "xp.diag(a)",
    "xp.diagflat([a[:2], b[:2]])", "xp.tril(m)", "xp.trace(m)", "xp.concatenate([a, [1, 2]])",
    "xp.concatenate([[1, 2], a])", "xp.stack([[1] * 5, a])", "xp.hstack((1, a))", "xp.vstack([a, [1] * 5])",
    "xp.block([1, a, 2])", "xp.column_stack(([1] * 5, a))", "xp.meshgrid(a, [1, 2])", "xp.r_[a, 1, 2:4]",
    "xp.c_[a, [1] * 5]", "xp.broadcast_arrays([[1], [2]], a)", "xp.full_like(a, [1, 2, 3, 4, 5])", "xp.ones_like(m)",
    "xp.linspace(a, 10, 3)", "xp.isin(i, [1, 2])", "xp.intersect1d(i, [1, 2, 9])", "xp.setdiff1d([1, 7], i)",
    "xp.unique(i, return_counts=True)", "xp.searchsorted(xp.sort(a), [1, 2])",
    "xp.take_along_axis(m, i[None, :4] % 3, 0)", "xp.put_along_axis(m, i[:3, None], 9, 1)",
    "xp.unravel_index(i, (2, 3))", "xp.ravel_multi_index((i, [0, 1, 2, 0, 1]), (4, 3))", "xp.choose(i, [a, b, a, b])",
    "xp.lexsort([[1, 2, 1, 2, 1], a])", "xp.place(a, c, [1, 2])", "xp.putmask(a, c, [1, 2])",
    "xp.copyto(a, [1, 2, 3, 4, 5], where=c)", "xp.cov(m, aweights=[1, 2, 3, 4])", "xp.corrcoef(m)",
    "xp.average(a, weights=[1, 2, 3, 4, 5])", "xp.gradient(a, [1, 2, 3, 5, 8])", "xp.diff(a, prepend=0)",
    "xp.trapezoid(a, [1, 2, 3, 5, 8])", "xp.ediff1d(a, to_end=[1, 2])", "xp.unwrap(a)", "xp.polyval([1, 2], a)",
    "xp.polyval(a, 2.0)", "xp.polyadd(a, [1, 2])", "xp.polydiv(a, [1, 2])", "xp.polyfit(b, a, 1)",
    "xp.poly1d(a)(2.0)", "(xp.poly1d(a) * [1, 2]).coeffs", "xp.apply_along_axis(lambda v: v * xp.arange(4), 1, m)",
    "xp.polynomial.legendre.legval([0.5, 1.0], a)", "xp.polynomial.chebyshev.chebmul([1, 2], a)",
    "xp.polynomial.laguerre.lagder(a)", "xp.polynomial.hermite.poly2herm(a)", "xp.polynomial.Chebyshev(a)(0.5)",
    "xp.polynomial.Legendre(a).convert(kind=xp.polynomial.Polynomial).coef",
    "xp.vectorize(lambda x, y: x + y)(a, [1, 2, 3, 4, 5])", "xp.nan_to_num(a, nan=[1, 2, 3, 4, 5])",
    "xp.allclose(a, [1, 2, 3, 4, 5])", "xp.array_equal(a, [1, 2, 3, 4, 5])", "xp.isclose(a, 2)", "xp.array([a, b])",
    "xp.array([a[0], 1.0])", "xp.tri(3)", "xp.emath.sqrt(a)", "xp.rot90(m)", "xp.roll(m, (1, 2), (0, 1))",
    "xp.tile(a, [2, 1])", "xp.resize(a, (2, 4))", "xp.trim_zeros(b)", "xp.round(a, 1)", "xp.logspace(a, 2, 3)",
    "xp.geomspace(a[2:], 10, 3)", "xp.i0(a)", "xp.sinc(a)", "xp.heaviside(a, [0.5] * 5)", "xp.real_if_close(z)",
    "xp.angle(z)", "xp.packbits(c)",
]  # fmt: skip


def leaves(x):
    """The arrays in a result."""
    if isinstance(x, (tuple, list)):
        return [leaf for item in x for leaf in leaves(item)]
    return [x] if isinstance(x, (np.ndarray, np.generic, cp.ndarray)) else []


def on_host(x):
    return x.get() if isinstance(x, cp.ndarray) else x


@pytest.mark.parametrize("source", CALLS)
def test_calls_compute_where_their_arrays_are(source):
    host = {name: x.copy() for name, x in OPERANDS.items()}
    there = {name: cp.asarray(x, device=THERE) for name, x in OPERANDS.items()}
    expected = eval(source, {"xp": np, "np": np, **host})
    result = eval(source, {"xp": cp, "np": np, **there})
    names = set(re.findall(r"\b[abimscz]\b", source))
    for got, wanted in zip(leaves(result), leaves(expected), strict=True):
        np.testing.assert_allclose(on_host(got), wanted)
        assert not names or not isinstance(got, cp.ndarray) or got.device == THERE
    if not leaves(expected):
        assert result == expected
    for name in OPERANDS:  # what was written
        np.testing.assert_allclose(there[name].get(), host[name])
        assert there[name].device == THERE
    assert cp.Device() == HERE


def test_only_calls_without_arrays_read_the_current_device():
    a = cp.ones(3, device=THERE)
    with cp.Device(HERE):
        for make in (cp.array, cp.sort, cp.median, cp.ptp, cp.vander, cp.negative, cp.add.reduce):
            assert make([1, 2]).device == HERE
        assert cp.add(1, 2).device == cp.where(True, 1, 2).device == HERE
        for made in (
            cp.zeros_like(a),
            cp.array(a),
            cp.asarray([a, a]),
            cp.array([[1, 2, 3], a]),
            cp.full(3, a),
        ):
            assert made.device == THERE
        for made in (cp.zeros_like(a, device=HERE), cp.asarray(a, device=HERE)):
            assert made.device == HERE
    with pytest.raises(ZeroDivisionError):
        cp.apply_along_axis(lambda row: 1 / 0, 0, a)
    assert cp.Device() == HERE  # after an error, too


def test_arrays_of_several_devices_where_nothing_is_computed():
    a, b = cp.ones(3, device="cpu"), cp.ones(3, "f4", device="far")
    assert cp.result_type(a, b) == np.float64
    assert not cp.shares_memory(a, b) and not cp.may_share_memory(a, b)
    assert cp.get_array_module(a, b) is cp
    cp.evaluate(a + 1, b + 1)


def test_functions_written_in_python_stay_functions():
    """They are entered by way of an object, which shows nothing of it."""
    assert isinstance(cp.piecewise, cp._core.composite) or cp.piecewise.__wrapped__
    assert pickle.loads(pickle.dumps(cp.meshgrid)) is cp.meshgrid
    assert copy.copy(cp.meshgrid) is copy.deepcopy(cp.meshgrid) is cp.meshgrid
    assert (
        cp.meshgrid.__name__ == cp.meshgrid.__qualname__ == "meshgrid" and cp.meshgrid.__module__ == "cuprum"
    )
    assert repr(cp.meshgrid).startswith("<function meshgrid")

    class Holder:
        method = cp._core.composite(lambda self, x: (self, x))

    holder = Holder()
    assert holder.method(3) == (holder, 3) and Holder.method(holder, x=4) == (holder, 4)
    for wrong in ((), (1,), (len,)):
        with pytest.raises(TypeError):
            cp._core.composite(*wrong)
    with pytest.raises(TypeError):
        cp._core.composite(lambda: 1)(2)
