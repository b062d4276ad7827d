"""Calls on few elements, where the call itself is all there is; the project promises at most twice NumPy's time.

Every row sees `xp`, `a` and `b` (16 float32), and what `names` gives. A row is an expression, or a statement where it
changes something in place.
"""

from dataclasses import dataclass

import numpy as np

TWICE = 1 / 2  # of NumPy's speed


@dataclass
class SmallRow:
    """A call on small arrays `a`, `b`, where the overhead of the call is all there is; timed in nanoseconds.

    `evaluated`: the result's bytes exist at the end; otherwise a lazy library may only record the operation.
    """

    name: str
    expression: str
    evaluated: bool = True
    target: float | None = None
    elements: int = 16

    def statement(self):
        """What is timed: an expression's result gets a name, as in a program."""
        try:
            compile(self.expression, self.name, "eval")
        except SyntaxError:
            return self.expression
        return f"r = {self.expression}"


def names(asarray):
    """What the rows name beside `a` and `b`: `d` float64, `c` complex, `k` integers, `m` a mask, `M`, `N` 4 x 4."""
    line = np.linspace(0.0, 1.0, 16)
    arrays = {
        "d": line,
        "e": line[::-1].copy(),
        "c": line + 1j * line,
        "k": np.arange(16) % 5,
        "m": line > 0.7,
        "idx": np.array([1, 5, 3]),
        "M": np.eye(4) + 0.1,
        "N": np.arange(16.0).reshape(4, 4),
        "v": np.arange(4.0),
        "V": np.arange(12.0).reshape(4, 3),
        "A": np.ones((8, 8)),
        "B": np.linspace(0, 1, 4096).reshape(64, 64),
        "w": np.linspace(0, 1, 64),
    }
    made = {name: asarray(array) for name, array in arrays.items()}
    return {**made, "i": 3, "j": 4}


def _rows(*expressions):
    return [SmallRow(e.removeprefix("xp."), e, target=TWICE) for e in expressions]


BASIC = [
    SmallRow("a16 + b16, recorded", "a + b", evaluated=False, target=1 / 1.2),
    SmallRow("a16 + b16", "a + b", target=1 / 1.5),
    SmallRow("sin(a16)", "xp.sin(a)"),
    SmallRow("a16.sum()", "a.sum()"),
    SmallRow("a16[2:5]", "a[2:5]", evaluated=False, target=1 / 1.5),
    SmallRow("a16*2 + b16", "a * 2 + b"),
]

ELEMENTS = _rows(
    "float(a[3])",
    "a[3]",
    "A[i, j]",
    "A[i, j] * 2.0",
    "A[i, j] += A[i, j - 1]",
    "A[i, j] = 1.0",
    "A[i][j]",
    "A[i, j] > 0.5",
    "if A[i, j] > 0.5: pass",
    "d.item(3)",
    "int(a.argmax())",
    "float(d.sum())",
    "bool(m.any())",
    "for t in d: pass",
    "d.tolist()",
    "len(d)",
    "d.shape",
    "d.dtype",
)

INDEXING = _rows(
    "d[idx]",
    "d[[1, 5, 3]]",
    "d[m]",
    "d[d > 0.7]",
    "A[idx]",
    "A[idx, idx]",
    "A[:, 2]",
    "A[1:-1, 1:-1]",
    "d[idx] = 0.0",
    "d[m] = 0.8",
    "d[2:5] = 1.0",
    "A[2] = 1.0",
    "A[i, :j] @ A[:j, j]",
    "d.take(idx)",
    "xp.where(m, d, e)",
    "xp.nonzero(m)",
    "xp.flatnonzero(m)",
)

CREATION = _rows(
    "xp.asarray([1.0, 2.0])",
    "xp.array([[1, 2], [3, 4]])",
    "xp.array(d)",
    "xp.asarray(d)",
    "xp.zeros(16)",
    "xp.zeros((4, 4))",
    "xp.empty(16)",
    "xp.ones(16)",
    "xp.full(16, 2.0)",
    "xp.zeros_like(d)",
    "xp.arange(16)",
    "xp.linspace(0, 1, 16)",
    "xp.eye(4)",
    "d.copy()",
    "d.astype('float32')",
)

SHAPES = _rows(
    "N.T",
    "d.reshape(4, 4)",
    "d.ravel()",
    "xp.concatenate((d, e))",
    "xp.stack((d, e))",
    "xp.vstack((d, e))",
    "xp.hstack((d, e))",
    "xp.roll(d, 1)",
    "xp.flip(d)",
    "xp.expand_dims(d, 0)",
    "xp.broadcast_to(v, (4, 4))",
    "xp.tile(d, 2)",
    "xp.repeat(d, 2)",
    "xp.meshgrid(v, v)",
    "xp.pad(d, 1)",
)

ARITHMETIC = _rows(
    "d.__iadd__(1.0)",
    "d * 2.0 + e",
    "abs(c)",
    "d == e",
    "d ** 2",
    "xp.sqrt(d)",
    "xp.exp(d)",
    "xp.maximum(d, e)",
    "xp.clip(d, 0.2, 0.8)",
    "xp.add(d, e, out=e)",
    "xp.allclose(d, d)",
    "xp.array_equal(d, e)",
    "xp.isclose(d, e)",
    "xp.sign(d)",
    "xp.round(d, 2)",
)

REDUCTIONS = _rows(
    "d.sum()",
    "d.max()",
    "d.mean()",
    "d.std()",
    "xp.sum(N, axis=0)",
    "N.mean(axis=1)",
    "d.cumsum()",
    "xp.median(d)",
    "xp.percentile(d, 50)",
    "xp.diff(d)",
    "xp.all(m)",
    "xp.count_nonzero(m)",
    "xp.trapezoid(d)",
    "xp.average(d, weights=e)",
    "xp.gradient(d)",
)

PRODUCTS = _rows(
    "d @ e",
    "xp.dot(d, e)",
    "M @ N",
    "v @ M",
    "M @ v",
    "w @ B",
    "B @ w",
    "xp.einsum('ij,jk->ik', M, N)",
    "xp.einsum('i,i', d, e)",
    "xp.einsum('ii', M)",
    "xp.einsum('ij->ji', M)",
    "xp.vecdot(d, e)",
    "xp.matvec(M, v)",
    "xp.vdot(d, e)",
    "xp.inner(d, e)",
    "xp.outer(v, v)",
    "xp.tensordot(M, N, 1)",
    "xp.kron(v, v)",
    "xp.cross(V, V)",
    "xp.trace(M)",
    "xp.linalg.norm(d)",
    "xp.linalg.solve(M, v)",
    "xp.linalg.inv(M)",
    "xp.linalg.det(M)",
)

ALGORITHMS = _rows(
    "xp.sort(d)",
    "xp.argsort(d)",
    "xp.searchsorted(d, 0.5)",
    "xp.searchsorted(d, e)",
    "xp.digitize(e, d)",
    "xp.unique(k)",
    "xp.bincount(k)",
    "xp.histogram(d, 4)",
    "xp.interp(0.5, d, e)",
    "xp.interp(e, d, e)",
    "xp.convolve(d, v)",
    "xp.polyval(v, d)",
    "xp.polyfit(d, e, 1)",
    "xp.fft.fft(d)",
    "xp.isin(k, v)",
)

SMALL_ROWS = BASIC + ELEMENTS + INDEXING + CREATION + SHAPES + ARITHMETIC + REDUCTIONS + PRODUCTS + ALGORITHMS
