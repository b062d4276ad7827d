"""Which dtype holds a value or several arrays, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, lines
from strategies import DTYPES, arrays

SCOPE = {
    "b": np.array([True]),
    "h": np.ones(2, "e"),
    "f": np.ones(2, "f"),
    "i": np.arange(3),
    "c": np.ones(2, "F"),
    "z": np.array(300),
    "m": np.array(-2.5),
}

EXPRESSIONS = lines("""
xp.min_scalar_type(10), xp.min_scalar_type(-1), xp.min_scalar_type(1e50), xp.min_scalar_type(1j)
xp.min_scalar_type(True)
xp.min_scalar_type(z), xp.min_scalar_type(m), xp.min_scalar_type(i), xp.min_scalar_type(np.float64(1))
xp.min_scalar_type([1, 2])
xp.mintypecode('df'), xp.mintypecode(['d', 'F']), xp.mintypecode([f, c]), xp.mintypecode([i]), xp.mintypecode('e', 'ef')
xp.mintypecode([]), xp.mintypecode('i', default='f'), xp.mintypecode([1.5, 'f'])
xp.typename('d'), xp.typename('?'), xp.typename('S1')
xp.typename('wrong')
xp.common_type(), xp.common_type(h), xp.common_type(f, h), xp.common_type(f, i), xp.common_type(i)
xp.common_type(c), xp.common_type(c, f), xp.common_type(c, i), xp.common_type(h, c)
xp.common_type(b)
xp.common_type(f, b)
""")


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    check_expression(source, **SCOPE)


@given(arrays())
def test_min_scalar_type(pair):
    assert cp.min_scalar_type(pair[1]) == np.min_scalar_type(pair[0])


@given(st.lists(st.sampled_from(DTYPES), max_size=4))
def test_common_type_and_mintypecode(kinds):
    host, device = [np.ones(2, d) for d in kinds], [cp.ones(2, d) for d in kinds]
    assert cp.mintypecode(device) == np.mintypecode(host)
    if any(d.kind == "b" for d in kinds):
        with pytest.raises(TypeError, match="non-numeric"):
            cp.common_type(*device)
    else:
        assert cp.common_type(*device) is np.common_type(*host)


def test_bfloat16():
    x = cp.ones((), cp.bfloat16)
    assert cp.min_scalar_type(x) == x.dtype
    assert cp.common_type(x) is cp.bfloat16 and cp.common_type(x, cp.ones(1, cp.float16)) is cp.float32


def test_numpys_arrays_are_refused():
    for function in (cp.min_scalar_type, cp.common_type, lambda x: cp.mintypecode([x])):
        with pytest.raises(TypeError, match="asarray"):
            function(np.ones(2))


def test_show_config(capsys):
    assert cp.show_config() is None
    text = capsys.readouterr().out
    topics = cp.show_config("dicts")
    assert topics["device"] in text and cp.__version__ in topics["cuprum"]
    with pytest.raises(AttributeError, match="Invalid `mode`"):
        cp.show_config("x")
