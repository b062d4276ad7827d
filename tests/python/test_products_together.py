"""Two products of one matrix with a vector each take one pass over it where they are evaluated together.

A matrix that only such a product reads is made a few rows at a time. Lazy, eager and alone they have the same bits.
"""

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core

CASES = {
    "both sides": lambda a, x, y: (a @ x, y @ a),
    "the other order": lambda a, x, y: (y @ a, a @ x),
    "transposed": lambda a, x, y: (a.T @ y, x @ a.T),
    "one by the other": lambda a, x, y: ((a @ x) @ a,),
    "one by the other, transposed": lambda a, x, y: (a.T @ (a @ x),),
    "one side twice": lambda a, x, y: (a @ x, a @ (x * 2)),
    "of what is pending": lambda a, x, y: ((a + 1) @ x, y @ (a + 1)),
    "scaled": lambda a, x, y: (x * 2 + y @ a, y - a @ x),
    "the first is read twice": lambda a, x, y: (a @ x + 1, (a @ x) @ a),
    "of a sum": lambda a, x, y: ((a @ x + 1) @ a,),
    "made by the product": lambda a, x, y: (1.5 * a @ x + 0.5 * a @ x,),
    "made by two": lambda a, x, y: ((a * y[:, None]) @ x, (a - x) @ x, y @ a),
    "made, from the left": lambda a, x, y: (y @ (a * 2), (a * 2) @ x),
    "made and read": lambda a, x, y: (lambda b: (b @ x, b.sum()))(a + 1),
    "made of another dtype": lambda a, x, y: (a.astype(np.float64) @ x,),
}


@pytest.fixture(params=[np.float32, np.float64, np.complex128, np.int64], ids=str)
def operands(request):
    rng = np.random.default_rng(3)
    return [
        (rng.standard_normal(shape) * 8).astype(request.param) for shape in ((1100, 300), (300,), (1100,))
    ]


def evaluated(results):
    cp.evaluate(*results)
    return [r.get() for r in results]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("part", [slice(None), slice(2, -1)], ids=["whole", "part"])
def test_lazy_is_eager_is_numpy(case, part, operands):
    a, x, y = operands
    a, x = a[:, part], x[part]
    function = CASES[case]
    b = cp.array(operands[0])[:, part]
    u, v = cp.array(x), cp.array(y)
    lazy = evaluated(function(b, u, v))
    with cp.eager():
        eager = evaluated(function(b, u, v))
    for ours, alone, theirs in zip(lazy, eager, function(a, x, y), strict=True):
        assert ours.tobytes() == alone.tobytes()
        np.testing.assert_allclose(ours, theirs, rtol=1e-3 if a.dtype == np.float32 else 1e-9, atol=1e-2)


def test_the_number_of_threads_changes_no_bit(operands):
    a, x, y = map(cp.array, operands)
    before = _core.get_num_threads()
    results = []
    try:
        for threads in (1, 2, 5):
            _core.set_num_threads(threads)
            results.append([r.tobytes() for f in CASES.values() for r in evaluated(f(a, x, y))])
    finally:
        _core.set_num_threads(before)
    assert results[0] == results[1] == results[2]
