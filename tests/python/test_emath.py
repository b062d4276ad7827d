"""emath: real where it can be, complex where it must, as NumPy's."""

import numpy as np
import pytest

import cuprum as cp
from oracle import check_expression, lines

SCOPE = {"p": np.array([0.25, 1.0, 4.0]), "n": np.array([-4.0, 0.5, 9.0]), "i": np.array([1, 4, 100]),
         "j": np.array([-1, 4]), "f": np.array([-4.0, 0.5], "f4"), "s": np.array([-3, 2], "i2"),
         "c": np.array([1 + 2j, -3.0]), "u": np.array([0.5, -0.25]), "e": np.zeros(0)}  # fmt: skip

LOGARITHMS, INVERSES = ("sqrt", "log", "log2", "log10"), ("arccos", "arcsin", "arctanh")
EXPRESSIONS = [
    *(f"xp.emath.{name}({x})" for name in LOGARITHMS for x in "pnijfsce"),
    *(f"xp.emath.{name}({x})" for name in INVERSES for x in "unfce"),
    *lines("""
xp.emath.logn(2, p)
xp.emath.logn(2, n)
xp.emath.logn(-2, p)
xp.emath.power(p, 2)
xp.emath.power(n, 0.5)
xp.emath.power(i, -2)
xp.emath.power(i, 2)
xp.emath.power(j, xp.array([2, -1]))
xp.emath.power(p, c[:1])
xp.emath.sqrt([-1, 4])
xp.emath.sqrt(-1)
"""),
]  # fmt: skip


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    check_expression(source, texts=False, ulps=8, zeros=False, **SCOPE)


def test_numpy_arrays_are_refused():
    with pytest.raises(TypeError, match="asarray"):
        cp.emath.sqrt(np.ones(2))
