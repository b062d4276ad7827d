"""einsum and einsum_path: all forms of subscripts, dtypes, layouts, views, out and errors, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp
from oracle import check_expression, check_statement, lines
from strategies import assert_same, fill, layouts

RNG = np.random.default_rng(11)
SCOPE = {"x": 1 + RNG.random((2, 3)), "y": 1 + RNG.random((3, 4)), "v": 1 + RNG.random(3),
         "s": 1 + RNG.random((3, 3)), "t": 1 + RNG.random((2, 3, 4)), "u": 1 + RNG.random((2, 4, 5)),
         "c": 1 + RNG.random((2, 3)) + 1j, "i": np.arange(6).reshape(2, 3), "b": np.arange(6).reshape(2, 3) % 2 == 0,
         "d": np.arange(27.0).reshape(3, 3, 3), "z": np.array(3.0), "w": 1 + RNG.random((1, 4))}  # fmt: skip

EXPRESSIONS = lines("""
xp.einsum('ij,jk->ik', x, y)
xp.einsum('ij,jk->ki', x, y)
xp.einsum('ij,jk', x, y)
xp.einsum('ba', x)
xp.einsum('Ba', x)
xp.einsum(' i j , j k -> i k ', x, y)
xp.einsum('ij->', x)
xp.einsum('ij->j', x)
xp.einsum('ij->ij', x)
xp.einsum('ii', s)
xp.einsum('ii->i', s)
xp.einsum('iii->i', d)
xp.einsum('iij->j', d)
xp.einsum('iji->ij', d)
xp.einsum('ii,i->i', s, v)
xp.einsum('ii,jj->', s, s)
xp.einsum('i,i', v, v)
xp.einsum('i,j', v, v)
xp.einsum('i,j->ji', v, v)
xp.einsum('ij,j->i', x, v)
xp.einsum('j,ij->i', v, x)
xp.einsum('ij,ij->ij', x, x)
xp.einsum('ij,ij->i', x, x)
xp.einsum('ij,ij->', x, x)
xp.einsum('ij,ik->jk', x, x)
xp.einsum('bij,bjk->bik', t, u)
xp.einsum('bij,bjk->bki', t, u)
xp.einsum('bij,bjk->ikb', t, u)
xp.einsum('bij,bjk->jik', t, u)
xp.einsum('bij,bjk->ik', t, u)
xp.einsum('bij,bjk->', t, u)
xp.einsum('bij,bij->b', t, t)
xp.einsum('bij,kij->bk', t, t)
xp.einsum('bij,bkj->bik', t, t)
xp.einsum('bij,cij->jbc', t, t)
xp.einsum('...ij,...jk->...ik', t, u)
xp.einsum('...ij,...jk', t, u)
xp.einsum('...j,j->...', t, t[0, 0])
xp.einsum('...j->j...', t)
xp.einsum('i...->...', t)
xp.einsum('...', t)
xp.einsum('...,...', z, x)
xp.einsum('...ii->...i', d)
xp.einsum('i...i', d)
xp.einsum('i...,...i->...i', s, s)
xp.einsum('...,...->...', t, y)
xp.einsum(',ij', z, x)
xp.einsum('', z)
xp.einsum(',', z, z)
xp.einsum(',', 3, z)
xp.einsum('ij,jk->ik', x, w)
xp.einsum('ij,ij->ij', y, w)
xp.einsum('ij,ij->j', w, y)
xp.einsum('ij,jk->ik', w.T, y[:1])
xp.einsum('ij,jk,kl->il', x, y, y.T)
xp.einsum('ij,jk,kl->il', x, y, y.T, optimize=True)
xp.einsum('ij,jk,kl->il', x, y, y.T, optimize='greedy')
xp.einsum('ij,jk,kl->il', x, y, y.T, optimize='optimal')
xp.einsum('ij,jk,kl->il', x, y, y.T, optimize=('optimal', 5))
xp.einsum('ij,jk,kl->il', x, y, y.T, optimize=['einsum_path', (1, 2), (0, 1)])
xp.einsum('ij,jk,kl->il', x, y, y.T, optimize=['einsum_path', (0, 1, 2)])
xp.einsum('ij,jk,kl->il', x, y, y.T, optimize=['einsum_path', (0, 1)])
xp.einsum('ij,jk,kl->il', x, y, y.T, optimize=['einsum_path', (0, 7), (0, 1)])
xp.einsum('ij,jk,kl->il', x, y, y.T, optimize=[(0, 1), (0, 1)])
xp.einsum('ij,jk,kl->il', x, y, y.T, optimize='none')
xp.einsum('ij,jk->ik', x, y, optimize=True)
xp.einsum('ij,jk->ik', x, y, optimize=['einsum_path', (0, 1)])
xp.einsum('ij,jk->ik', x, y, optimize=3)
xp.einsum('i,j,k->ijk', v, v, v)
xp.einsum('i,i,i->', v, v, v)
xp.einsum('i,i,i->i', v, v, v)
xp.einsum('bij,bjk,bk->bi', t, u, u[:, 0])
xp.einsum('...i,ij,j...->...', t[:, 0, :3], s, s[:, :2])
xp.einsum('...i,ij,j...->...', t[:, 0, :3], s, s)
xp.einsum('ij,ij,jk,kl,lm->im', x, i, y, y.T, s)
xp.einsum(x, [0, 1], y, [1, 2])
xp.einsum(x, [0, 1], y, [1, 2], [2, 0])
xp.einsum(x, [1, 0])
xp.einsum(x, [26, 0])
xp.einsum(s, [0, 0])
xp.einsum(t, [Ellipsis, 0], [0, Ellipsis])
xp.einsum(v, [Ellipsis], v, [0], [Ellipsis, 0])
xp.einsum(v, [0], v, [0], [])
xp.einsum('ij,ij->', b, b)
xp.einsum('ij->i', b)
xp.einsum('ij,kj->ik', b, b)
xp.einsum('ij,kj->ik', i.astype('i1') * 40, i.astype('i1') * 30)
xp.einsum('ij->', i.astype('i1') * 40)
xp.einsum('ij,ij->i', i.astype('u1'), i.astype('i2'))
xp.einsum('ij,jk->ik', i, y)
xp.einsum('ij,jk->ik', c, y)
xp.einsum('ij,ij->', c, c)
xp.einsum('ij,jk->ik', x.astype('f4'), y.astype('f4'))
xp.einsum('ij,jk->ik', i.astype('f2'), i.T.astype('f2'))
xp.einsum('ij,ij->i', i.astype('f2'), i.astype('f2'))
xp.einsum('ij,jk->ik', i, i.T, dtype='f8')
xp.einsum('ij,jk->ik', x, y, dtype='f4')
xp.einsum('ij,jk->ik', x, y, dtype='f4', casting='same_kind')
xp.einsum('ij,jk->ik', x, y, dtype='c16')
xp.einsum('ij->ji', x, dtype='f4', order='C')
xp.einsum('', 3, dtype='f4')
xp.einsum('ij->', x, casting='never')
xp.einsum('ij->', x, order='never')
xp.einsum('ij->', x, size=3)
xp.einsum('ij,jk->ik', xp.ones((2, 0)), xp.ones((0, 4)))
xp.einsum('ij->i', xp.ones((2, 0)))
xp.einsum('ij,jk->ik', xp.ones((0, 3)), y)
xp.einsum('i,i->', xp.ones(0), xp.ones(0))
xp.einsum('...i->', x)
xp.einsum('i,i->i', v, x[0, :2])
xp.einsum('ii->i', x)
xp.einsum('ii,i->i', w, v)
xp.einsum('ij', v)
xp.einsum('i', x)
xp.einsum('i->j', v)
xp.einsum('i->ii', v)
xp.einsum('i.j', x)
xp.einsum('i$', x)
xp.einsum('i1', x)
xp.einsum('i,j', v)
xp.einsum('i', v, v)
xp.einsum('i...->...i...', x)
xp.einsum('ij->i,j', x)
xp.einsum('ij-i', x)
xp.einsum('i...,j...->ij', x, x)
xp.einsum('i->...i', v)
xp.einsum('ij->')
xp.einsum()
xp.einsum(v, [0, 53])
xp.einsum(v, [-1])
xp.einsum(v, [0], [0, 0])
xp.einsum(v, ['a'])
xp.einsum(v, 'a')
""")

OWN_TEXTS = ("x[0, :2])", "s, s)", "size=3", "order=", "casting=", "(v, 'a')", "optimize=", "'ii->i', x",
             "'ii,i->i', w", "dtype='f4')")  # fmt: skip


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source):
    check_expression(source, texts=not any(t in source for t in OWN_TEXTS), ulps=64, zeros=False, **SCOPE)


STATEMENTS = lines("""
xp.einsum('ij,jk->ik', x, y, out=o)
xp.einsum('ij,jk->ki', x, y, out=o.T)
xp.einsum('ij,jk->ik', x.astype('f4'), y.astype('f4'), out=o)
xp.einsum('ij,jk->ik', x, y, out=f)
xp.einsum('ij,jk->ik', x, y, out=f, casting='same_kind')
xp.einsum('ij,jk->ki', x, y, out=o)
xp.einsum('ij,jk->ik', x, y, out=n, casting='unsafe')
xp.einsum('ij,ij->ij', o, o, out=o)
xp.einsum('ij,jk,kl->il', x, y, y.T @ y, out=o)
xp.einsum('ii->i', s)[:] = 7
xp.einsum('ij->ji', s)[0] = 7
xp.einsum('iji->ij', d)[:] = -1
""")


@pytest.mark.parametrize("source", STATEMENTS)
def test_writes(source):
    check_statement(source, texts=False, ulps=64, o=np.ones((2, 4)), f=np.ones((2, 4), "f4"), n=np.ones((2, 4), int),
                    x=SCOPE["x"], y=SCOPE["y"], s=SCOPE["s"], d=SCOPE["d"])  # fmt: skip


def test_one_operand_that_is_not_summed_is_a_view():
    s = cp.asarray(SCOPE["s"])
    for text in ("ii->i", "ij->ji", "ij", "..."):
        assert cp.einsum(text, s).base is s
    assert not cp.shares_memory(cp.einsum("ij->i", s), s)


def test_a_view_of_what_is_read_only_is_read_only():
    s = cp.broadcast_to(cp.arange(3.0), (3, 3))
    assert not cp.einsum("ii->i", s).flags.writeable


@pytest.mark.parametrize("order", "CFAK")
def test_order(order):
    x, y = cp.asarray(SCOPE["x"]), cp.asarray(SCOPE["y"])
    got = cp.einsum("ij,jk->ik", x, y, order=order)
    assert got.flags.f_contiguous if order == "F" else got.flags.c_contiguous
    assert_same(got, SCOPE["x"] @ SCOPE["y"], 64)


def test_bfloat16():
    a = np.arange(6).reshape(2, 3)
    got = cp.einsum("ij,kj->ik", cp.asarray(a).astype("bfloat16"), cp.asarray(a).astype("bfloat16"))
    assert got.dtype == cp.bfloat16
    assert np.array_equal(cp.asnumpy(got.astype("f4")), a @ a.T)


def test_pending_operands():
    x, y = cp.asarray(SCOPE["x"]), cp.asarray(SCOPE["y"])
    got = cp.einsum("ij,jk->ik", x * 2, y + 1)
    assert_same(got, np.einsum("ij,jk->ik", SCOPE["x"] * 2, SCOPE["y"] + 1), 64)


def test_products_without_a_contraction_stay_pending():
    v = cp.asarray(SCOPE["v"])
    with cp.eager(False):
        assert cp._core.is_pending(cp.einsum("i,j->ij", v, v))
        many = cp.arange(1000.0)  # the sum of few elements is computed by the call
        assert cp._core.is_pending(cp.einsum("i,i->", many, many))


@pytest.mark.parametrize("text, shapes", [
    ("ij,kj->ki", [(5, 6), (4, 6)]), ("ji,jk->ik", [(5, 6), (5, 4)]), ("bij,bkj->bik", [(4, 5, 6), (4, 3, 6)]),
    ("bij,kj->bik", [(4, 5, 6), (3, 6)]), ("ijb,ikb->bjk", [(4, 5, 6), (4, 3, 6)]),
    ("abcd,abce->de", [(2, 3, 4, 5), (2, 3, 4, 6)]), ("bqhd,bkhd->bhqk", [(2, 3, 4, 5), (2, 6, 4, 5)])])  # fmt: skip
def test_a_transpose_is_no_copy(text, shapes):
    """The product alone runs: no kernel of the engine's before or after it."""
    operands = cp.evaluate(*(cp.ones(shape) for shape in shapes))
    before = cp._core.engine_stats()
    got = cp.evaluate(cp.einsum(text, *operands))
    after = cp._core.engine_stats()
    assert (after["kernels"], after["calls"]) == (before["kernels"], before["calls"] + 1)
    assert_same(got, np.einsum(text, *(np.ones(shape) for shape in shapes)))


def test_numpys_function_is_answered_by_cuprum():
    x = cp.asarray(SCOPE["x"])
    assert isinstance(np.einsum("ij->i", x), cp.ndarray)
    assert np.einsum_path("ij,kj->ik", x, x)[0] == ["einsum_path", (0, 1)]


def test_numpy_arrays_are_refused():
    with pytest.raises(TypeError, match="asarray"):
        cp.einsum("i,i->", cp.ones(3), np.ones(3))
    with pytest.raises(TypeError, match="out"):
        cp.einsum("i->i", cp.ones(3), out=np.ones(3))


def test_more_labels_than_the_search_can_name():
    """Three operands of 53 labels in all, ellipses and letters: contracted from the left."""
    a = np.arange(2.0).reshape((2,) + (1,) * 29)
    got = cp.einsum("...a,...b,ab->...", *map(cp.asarray, (a[..., None], a[..., None], np.ones((1, 1)))))
    assert_same(got, a * a)


PATHS = [
    ("ij,jk,kl->il", "x", "y", "y.T"),
    ("x", [0, 1], "y", [1, 2], "y.T", [2, 3]),
    ("...j,jk,...k", "x", "y", "w"),
]


@pytest.mark.parametrize(
    "optimize", [True, False, "greedy", "optimal", ("greedy", 100), ["einsum_path", (0, 1, 2)]]
)
@pytest.mark.parametrize("arguments", PATHS)
def test_path(arguments, optimize):
    """Path and text are NumPy's."""

    def made(xp):
        scope = {name: xp.asarray(value) for name, value in SCOPE.items()}
        return [eval(a, scope) if a in ("x", "y", "y.T", "w") else a for a in arguments]

    assert cp.einsum_path(*made(cp), optimize=optimize) == np.einsum_path(*made(np), optimize=optimize)


@st.composite
def contractions(draw):
    """Subscripts with sizes: labels repeat within operands and between them, some sizes are 1 or 0, some stretch."""
    labels = "abcde"[: draw(st.integers(1, 5))]
    sizes = {x: draw(st.sampled_from([0, 1, 2, 3, 4])) for x in labels}
    count = draw(st.integers(1, 4))
    terms = [draw(st.lists(st.sampled_from(labels), max_size=3)) for _ in range(count)]
    used = sorted({x for term in terms for x in term})
    output = draw(st.permutations(used))[: draw(st.integers(0, len(used)))]
    shapes = []
    for term in terms:
        narrow = {x for x in term if draw(st.integers(0, 5)) == 0}
        shapes.append(tuple(1 if x in narrow else sizes[x] for x in term))
    arrow = draw(st.booleans())
    text = ",".join(map("".join, terms)) + ("->" + "".join(output) if arrow else "")
    return text, shapes


@given(data=st.data())
def test_random_contractions(data):
    """Small whole numbers: exact in every dtype and order of contraction."""
    text, shapes = data.draw(contractions())
    dtype = np.dtype(data.draw(st.sampled_from("?bhiqBHIQefdFD")))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    hosts, devices = [], []
    for shape in shapes:
        base, index, order = data.draw(layouts(shape))
        values = rng.integers(0, 3, size=base).astype(dtype)
        index = (*index, ...)
        hosts.append(values[index].transpose(order))
        devices.append(cp.asarray(values)[index].transpose(order))
    optimize = data.draw(st.sampled_from([False, True, "optimal"]))
    assert_same(
        cp.einsum(text, *devices, optimize=optimize), np.einsum(text, *hosts), 8 if dtype == "f2" else 0
    )


@given(data=st.data())
def test_random_values(data):
    """Pairs with specials: where NumPy has a finite number, so has Cuprum, and it is close."""
    text, shapes = data.draw(st.sampled_from([
        ("ij,jk->ik", [(3, 4), (4, 2)]), ("bij,bjk->bik", [(2, 3, 4), (2, 4, 2)]), ("ij,ij->i", [(3, 4), (3, 4)]),
        ("i,j->ij", [(3,), (4,)]), ("ij->j", [(3, 4)])]))  # fmt: skip
    dtype = np.dtype(data.draw(st.sampled_from("fdFD")))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    hosts = [fill(rng, dtype, shape, special=False) for shape in shapes]
    got, want = cp.asnumpy(cp.einsum(text, *map(cp.asarray, hosts))), np.einsum(text, *hosts)
    scale = np.einsum(text, *map(np.abs, hosts))
    assert got.dtype == want.dtype and got.shape == want.shape
    assert (np.abs(got - want) <= 16 * np.finfo(dtype).eps * scale).all()


def test_a_list_is_an_operand():
    assert cp.einsum("ii->i", [[1, 2], [3, 4]]).tolist() == [1, 4]


def test_many_operands_contract_in_the_order_that_the_library_chooses():
    rng = np.random.default_rng(5)
    text = "ab,bc,cd,de,ef->af"
    arrays = [rng.random((n, m)) for n, m in [(2, 30), (30, 4), (4, 50), (50, 3), (3, 6)]]
    expected = np.einsum(text, *arrays, optimize=True)
    got = cp.einsum(text, *map(cp.asarray, arrays))
    np.testing.assert_allclose(got.get(), expected, rtol=1e-13)
