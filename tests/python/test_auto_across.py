"""Calls whose operands are on both sides of the device `auto`: what they give, and which arrays have moved."""

import numpy as np
import pytest

import cuprum as cp
from test_auto import auto  # noqa: F401 (a fixture)

WRITES = """
cp.add(x[:10], a, out=a); cp.add(a, a, out=x[:10]); a.__setitem__(slice(None), x[:10])
x[:10].__setitem__(slice(None), a); cp.copyto(a, x[5:15]); cp.copyto(x[:10], a); x.__setitem__(i, a)
a.__setitem__(i, x[:10]); a.__setitem__(x[:10] > 3, 1); x[:10].__setitem__(a > 3, 1); a.put(i, x[:10])
cp.add.at(a, i, x[:10]); cp.add.at(x, i, a); cp.multiply(a, 2, out=a, where=x[:10] > 3)
cp.put_along_axis(a, i, x[:10], 0); a.__iadd__(x[3]); a.__setitem__(3, x[77]); cp.place(a, x[:10] > 2, a[:3])
cp.matmul(x[:100].reshape(10, 10), a, out=a); cp.fft.fft(x[:10], out=c); a.sort(); cp.cumsum(x[:10], out=a)
cp.sum(x.reshape(10, 100), axis=1, out=a); x.__setitem__(slice(0, 20, 2), a); cp.fill_diagonal(m, x[:3])
"""


def each(calls):
    return [call for line in calls.strip().splitlines() for call in line.split("; ")]


@pytest.mark.parametrize("mixed", each(WRITES))
def test_writes_across(mixed):
    def run(xp):
        names = {
            "cp": xp, "a": xp.arange(10.0), "x": xp.arange(1000.0), "i": xp.arange(10)[::-1].copy(),
            "c": xp.zeros(10, dtype="c16"), "m": xp.zeros((3, 3)),
        }  # fmt: skip
        view = names["a"][::2]
        exec(mixed, names)
        return [*(names[k] for k in "axcm"), view]

    for ours, theirs in zip(run(cp), run(np)):
        np.testing.assert_allclose(ours.get(), theirs, rtol=1e-12)


READS = """
cp.concatenate([a, x]); cp.stack([x[:10], a], axis=1); cp.where(a > 3, x[:10], a); x[i]; a[(x[:5]).astype(int)]
cp.searchsorted(x, a); cp.searchsorted(a, x); cp.isin(x, a); cp.interp(x, a, a); x[:100].reshape(10, 10) @ a
a @ x[:100].reshape(10, 10); cp.clip(x, a[1], a[7]); cp.take(x, i); cp.take_along_axis(x, i, 0)
cp.dot(a, x[:10]); cp.einsum('i,ij->j', a, x[:100].reshape(10, 10)); cp.convolve(x, a); cp.histogram(x, a)[0]
cp.select([a > 2], [x[:10]], 5); cp.bincount(i, x[:10])
cp.linalg.solve(x[:100].reshape(10, 10) + 200 * cp.eye(10), a); cp.insert(x, i, a); x[:10][a > 3]
cp.lexsort([a, x[:10]]); cp.digitize(x, a); cp.choose(i % 2, [a, x[:10]]); cp.trapezoid(x[:10], a)
cp.allclose(a, x[:10]); cp.polyval(a, x / 1000); cp.average(x[:10], weights=a); cp.quantile(x, a / 10)
cp.setdiff1d(x, a); cp.kron(a, x); x[2:12] - a if (a == x[:10]).all() else None; divmod(x[:10], a + 1)[1]
cp.broadcast_arrays(x[:10, None], a)[1]; cp.block([a, x])
cp.lib.stride_tricks.sliding_window_view(x, 3)[a.astype(int)]; cp.union1d(a, x)
"""


@pytest.mark.parametrize("mixed", each(READS))
def test_reads_across(mixed):
    def run(xp):
        names = {"cp": xp, "a": xp.arange(10.0), "x": xp.arange(1000.0), "i": xp.arange(10)[::-1].copy()}
        return eval(mixed.replace("cp.lib", "np.lib") if xp is np else mixed, {**names, "np": np})

    ours, theirs = run(cp), run(np)
    np.testing.assert_allclose(cp.asnumpy(ours), theirs, rtol=1e-9)
