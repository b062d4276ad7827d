"""Names taken over from NumPy and CuPy that compute little: tables of types, fields, descriptions."""

import io

import numpy as np
import pytest

import cuprum as cp
from oracle import check_expression, check_statement, lines
from strategies import assert_same

TAKEN_OVER = (
    "False_", "True_", "ScalarType", "character", "dtypes", "exceptions", "flexible", "little_endian", "sctypeDict",
    "typecodes",
)  # fmt: skip


@pytest.mark.parametrize("name", TAKEN_OVER)
def test_numpys_own_objects(name):
    assert getattr(cp, name) is getattr(np, name)


FIELDS = {"z": np.array([[1 + 2j, 3 + 4j], [5, 6j]]), "i": np.arange(6, dtype="i4")[::2], "d": np.array(1.5)}


@pytest.mark.parametrize("source", lines("""
z.getfield('f8')
z.getfield('f8', 8)
z.T.getfield(dtype='f8', offset=8)
z.getfield('f8', 9)
z.getfield('f4', -1)
z.getfield('c16')
i.getfield('i2')
i.getfield('u1', 3)
i[::-1].getfield('i2', 2)
i.getfield('i8')
d.getfield('f4', 4)
"""))  # fmt: skip
def test_getfield(source):
    check_expression(source, texts=False, **FIELDS)


@pytest.mark.parametrize("source", lines("""
z.setfield(7, 'f8', 8)
z.setfield(xp.array([1.0, 2.0]), 'f8')
z.setfield(7, 'f8', 9)
i.setfield(-1, 'i2', offset=2)
i[::-1].setfield(xp.array([1, 2, 3]), dtype='i2')
"""))  # fmt: skip
def test_setfield(source):
    check_statement(source, texts=False, **FIELDS)


def test_fields_are_views():
    z = cp.zeros(3, complex)
    z.getfield(float, 8)[1] = 5
    assert_same(z, np.array([0, 5j, 0]))


@pytest.mark.parametrize("name", ["add", "sqrt", "divide", "equal", "frexp"])
def test_resolve_dtypes(name):
    own, numpys = getattr(cp, name), getattr(np, name)
    for kinds in [("i4", "f4"), ("i1", "i1"), ("f2", "c8")]:
        given = tuple(map(np.dtype, kinds[: numpys.nin])) + (None,) * numpys.nout
        try:
            want = numpys.resolve_dtypes(given)
        except TypeError:
            with pytest.raises(TypeError):
                own.resolve_dtypes(given)
        else:
            assert own.resolve_dtypes(given) == want
    assert cp.add.resolve_dtypes((np.dtype("f4"), float, None))[2] == np.float32


def test_annotations():
    assert cp.ndarray[tuple, np.dtype].__origin__ is cp.ndarray


def test_row_stack_is_deprecated():
    with pytest.warns(DeprecationWarning, match="vstack"):
        got = cp.row_stack([cp.arange(2), cp.arange(2)])
    assert_same(got, np.vstack([np.arange(2), np.arange(2)]))


def test_info():
    text = io.StringIO()
    cp.info(cp.zeros((2, 3)).T, output=text)
    assert "shape:  (3, 2)" in text.getvalue() and "fortran:  True" in text.getvalue()
    for asked in ("sum", cp.sum):
        text = io.StringIO()
        cp.info(asked, output=text)
        assert cp.sum.__doc__.strip().splitlines()[0] in text.getvalue()


def test_names_of_numpy_1():
    assert cp.find_common_type([np.float32], [np.int64, np.float64]) == np.float32
    assert cp.find_common_type([np.int8], [np.float32]) == np.float32
    assert cp.find_common_type([], [np.int8]) == np.int8 and cp.find_common_type([], []) is None
    assert cp.safe_eval("(1, 2.5)") == (1, 2.5)
    with pytest.raises(ValueError):
        cp.safe_eval("__import__('os')")
    text = io.StringIO()
    cp.disp(3, text, linefeed=False)
    assert text.getvalue() == "3"
    assert cp.get_array_wrap(3, 4.5) is None
    assert cp.get_array_wrap(3, cp.ones(1)) is not None
    assert isinstance(cp.is_available(), bool)
    assert cp.format_parser is np.rec.format_parser


BOUNDED = ("np.s_[...]", "np.s_[::2]", "np.s_[::-1]", "np.s_[:, ::-2]", "np.s_[:0]", "np.s_[1:2, 2:3]")


@pytest.mark.parametrize("index", BOUNDED)
def test_byte_bounds(index):
    at = eval(index)
    device, host = cp.zeros((4, 6), cp.int16), np.zeros((4, 6), np.int16)
    low, high = cp.byte_bounds(device[at])
    first, last = np.lib.array_utils.byte_bounds(host[at])
    assert high - low == (last - first if device[at].size else 0)
    assert low - device.data.ptr == first - host.ctypes.data


def test_who(capsys):
    x = cp.ones((2, 3))
    cp.who({"x": x, "part": x[0], "other": 5})
    text = capsys.readouterr().out
    assert "part" in text and "(shares x)" in text and "other" not in text and text.endswith("=       48\n")
    cp.who({})
    assert capsys.readouterr().out == "\nUpper bound on total bytes  =       0\n"
