"""Cumulative sums and products, and accumulate."""

import numpy as np
import pytest

import cuprum as cp
from oracle import check_expression, check_statement, lines

SCOPE = {
    "x": np.arange(24.0).reshape(2, 3, 4) / 8,
    "i": np.arange(6).reshape(2, 3),
    "n": np.array([1.0, np.nan, 3.0, np.inf]),
    "z": np.array(5),
    "e": np.zeros((0, 3)),
}

EXPRESSIONS = lines("""
x.cumsum()
x.cumsum(axis=0)
x.cumsum(1)
x.T.cumsum(axis=0)
x[:, ::-1, ::2].cumsum(axis=2)
x.cumprod(axis=-1)
x.cumsum(axis=3)
x.cumsum(axis=-4)
i.cumsum(axis=1, out=xp.zeros((2, 2)))
i.cumsum(out=xp.zeros(6, 'i1'))
(i > 2).cumsum()
i.astype('u2').cumsum()
i.astype('i1').cumsum(dtype='i1')
i.cumsum(dtype='f4')
i.astype('f2').cumsum()
i.astype('c8').cumprod(axis=0)
z.cumsum()
z.cumsum(axis=0)
e.cumsum()
e.cumsum(axis=0)
xp.cumsum(x, axis=0)
xp.nancumsum(n)
xp.nancumprod(n)
xp.nancumsum(i)
xp.cumulative_sum(i)
xp.cumulative_sum(i, axis=1)
xp.cumulative_sum(i, axis=1, include_initial=True)
xp.cumulative_prod(i + 1, axis=0, include_initial=True)
xp.cumulative_sum(i[0], include_initial=True)
xp.add.accumulate(i)
xp.add.accumulate(i, axis=1)
xp.add.accumulate(z)
xp.maximum.accumulate(n)
xp.minimum.accumulate(x, axis=2)
xp.multiply.accumulate(i.astype('i1'), axis=0)
xp.subtract.accumulate(i, axis=1)
xp.logical_or.accumulate(i, axis=1)
xp.equal.accumulate(i, axis=1)
xp.bitwise_or.accumulate(i, axis=1)
xp.add.reduceat(xp.arange(8), [0, 4, 1, 5, 2, 6, 3, 7])
xp.add.reduceat(xp.arange(8), [0, 9])
xp.add.reduceat(i, [0, 1], axis=1)
""")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    # NumPy words the mistake of `equal` in another way once ml_dtypes has been imported.
    texts = "out=" not in source and "equal" not in source
    check_expression(source, texts=texts, ulps=4, **SCOPE)


@pytest.mark.parametrize(
    "source", ["x.cumsum(axis=1, out=x)", "i.cumsum(axis=0, out=i)", "xp.add.accumulate(i, axis=1, out=i)"]
)
def test_in_place(source):
    check_statement(source, ulps=4, x=SCOPE["x"], i=SCOPE["i"])


def test_long_rows():
    x = np.random.default_rng(1).normal(size=(3, 20000)).astype(np.float32)
    got = cp.asnumpy(cp.asarray(x).cumsum(axis=1))
    want = x.astype(np.float64).cumsum(axis=1)
    assert np.abs(got - want).max() < 1e-2
