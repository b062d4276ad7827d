"""cp.testing: assertions that fail where they should, and decorators that run a test with both libraries."""

import unittest

import numpy as np
import pytest

import cuprum as cp
from cuprum import testing


@pytest.mark.parametrize(
    "check, equal, other",
    [
        (testing.assert_allclose, [1.0, 2.0], [1.0, 2.1]),
        (testing.assert_array_equal, [1, 2], [1, 3]),
        (testing.assert_array_almost_equal, [1.0], [1.1]),
        (testing.assert_array_almost_equal_nulp, [1.0], [1.1]),
        (testing.assert_array_max_ulp, [1.0], [1.1]),
    ],
)
def test_assertions(check, equal, other):
    for left, right in ((cp.asarray, np.asarray), (np.asarray, cp.asarray), (cp.asarray, cp.asarray)):
        check(left(equal), right(equal))
        with pytest.raises(AssertionError):
            check(left(equal), right(other))


def test_other_assertions():
    testing.assert_array_less(cp.array([1]), np.array([2]))
    with pytest.raises(AssertionError):
        testing.assert_array_less(cp.array([2]), 2)
    testing.assert_array_list_equal([cp.ones(2)], (np.ones(2),))
    for wrong in ([cp.ones(2)] * 2, [cp.zeros(2)], cp.ones(2)):
        with pytest.raises(AssertionError):
            testing.assert_array_list_equal(wrong, [np.ones(2)])
    x = cp.ones((2, 3))
    testing.assert_array_equal(x, np.ones((2, 3)), strides_check=True)
    with pytest.raises(AssertionError, match="strides"):
        testing.assert_array_equal(x, np.ones((2, 3), order="F"), strides_check=True)


def differing(xp):
    return xp.ones(2) * (1 if xp is np else 2)


@pytest.mark.parametrize("name", [n for n in testing.__all__ if n.startswith("numpy_cupy_a")])
def test_both_libraries_are_compared(name):
    seen = []

    def same(xp):
        seen.append(xp)
        value = xp.ones(2) * (2 if xp is np and name.endswith("less") else 1)
        return [value] if "list" in name else value

    decorate = getattr(testing, name)
    decorate()(same)()
    assert seen == [cp, np]
    with pytest.raises(AssertionError):
        decorate()(lambda xp: [differing(xp)] if "list" in name else differing(xp))()


def test_dtypes_and_layouts_are_compared():
    def other_dtype(xp):
        return xp.ones(2, "f4" if xp is cp else "f8")

    with pytest.raises(AssertionError, match="dtypes differ: cuprum: float32; numpy: float64"):
        testing.numpy_cupy_allclose()(other_dtype)()
    testing.numpy_cupy_allclose(type_check=False)(other_dtype)()

    def other_layout(xp):
        return xp.ones((2, 3), order="F" if xp is cp else "C")

    with pytest.raises(AssertionError, match="not contiguous in C order"):
        testing.numpy_cupy_allclose()(other_layout)()
    testing.numpy_cupy_allclose(contiguous_check=False)(other_layout)()


def test_tolerances_by_dtype():
    def near(xp, dtype):
        return xp.ones(2, dtype) * xp.asarray(1 + (1e-4 if xp is cp else 0), dtype)

    given = {np.float32: 1e-3, "default": 1e-9}
    testing.numpy_cupy_allclose(rtol=given)(near)(dtype="f4")
    with pytest.raises(AssertionError):
        testing.numpy_cupy_allclose(rtol=given)(near)(dtype="f8")


def test_errors_are_compared():
    @testing.numpy_cupy_raises()
    def both(xp):
        xp.ones(3).reshape(2)

    both()

    @testing.numpy_cupy_raises()
    def one(xp):
        if xp is np:
            raise ValueError

    with pytest.raises(AssertionError, match="cuprum: no error; numpy: ValueError"):
        one()

    @testing.numpy_cupy_raises()
    def different(xp):
        raise ValueError if xp is np else KeyError

    with pytest.raises(AssertionError, match="different kinds"):
        different()

    @testing.numpy_cupy_raises()
    def none(xp):
        pass

    with pytest.raises(AssertionError, match="neither"):
        none()

    @testing.numpy_cupy_array_equal(accept_error=TypeError)
    def accepted(xp):
        raise TypeError

    accepted()

    @testing.numpy_cupy_array_equal()
    def not_accepted(xp):
        raise TypeError("of both")

    with pytest.raises(TypeError, match="of both"):
        not_accepted()


def test_equality_of_anything():
    testing.numpy_cupy_equal()(lambda xp: xp.ones((2, 3)).shape)()
    with pytest.raises(AssertionError, match="results differ"):
        testing.numpy_cupy_equal()(lambda xp: xp is np)()


def test_skipping_skips():
    @testing.numpy_cupy_equal()
    def skips(xp):
        raise unittest.SkipTest("later")

    with pytest.raises(unittest.SkipTest):
        skips()


def test_loops():
    seen = []
    testing.for_all_dtypes()(lambda dtype: seen.append(dtype))()
    assert {np.bool_, np.float16, np.complex128, np.uint64} <= set(seen)
    fewer = []
    testing.for_all_dtypes(no_float16=True, no_bool=True, no_complex=True)(fewer.append)
    testing.for_all_dtypes(name="t", no_float16=True, no_bool=True, no_complex=True)(
        lambda t: fewer.append(t)
    )()
    assert set(seen) - set(fewer) == {np.bool_, np.float16, np.complex64, np.complex128}
    orders = []
    testing.for_orders("CF")(lambda order: orders.append(order))()
    assert orders == ["C", "F"]
    pairs = []
    testing.for_dtypes_combination("fd", names=("a", "b"), full=True)(lambda a, b: pairs.append((a, b)))()
    assert len(pairs) == 4


def test_a_loop_names_what_fails(capsys):
    @testing.for_dtypes("fd")
    def test(dtype):
        assert dtype == np.float32

    with pytest.raises(AssertionError):
        test()
    assert "dtype is <class 'numpy.float64'>" in capsys.readouterr().out


class TestMethods:
    """As CuPy's tests are written: decorated methods, with fixtures beside."""

    @testing.for_all_dtypes(no_bool=True)
    @testing.numpy_cupy_allclose(rtol=1e-3)
    def test_mean(self, xp, dtype):
        return testing.shaped_arange((2, 3), xp, dtype).mean(axis=0)

    @testing.for_CF_orders()
    @testing.numpy_cupy_array_equal()
    def test_copy(self, xp, order):
        return testing.shaped_random((2, 3), xp).copy(order or "K")

    @testing.numpy_cupy_array_equal()
    def test_fixture(self, xp, tmp_path):
        assert tmp_path.exists()
        return testing.shaped_reverse_arange((3,), xp)


@testing.parameterize(*testing.product({"shape": [(2,), (2, 3)], "dtype": ["f4", "i4"]}))
class TestParameters:
    @testing.numpy_cupy_array_equal()
    def test_sum(self, xp):
        assert self.shape in ((2,), (2, 3)) and self.dtype in ("f4", "i4")
        return testing.shaped_arange(self.shape, xp, self.dtype).sum()


def test_parameterize_takes_classes():
    with pytest.raises(TypeError, match=r"unittest\.TestCase"):
        testing.parameterize({"n": 1})(type("Test", (unittest.TestCase,), {}))


def test_made_arrays_are_equal():
    for make in (testing.shaped_arange, testing.shaped_reverse_arange, testing.shaped_random):
        for dtype in "?bfdFD":
            mine, theirs = make((2, 3), cp, dtype), make((2, 3), np, dtype)
            assert mine.dtype == theirs.dtype == np.dtype(dtype)
            testing.assert_array_equal(mine, theirs)
    assert testing.shaped_arange((2,)).device == cp.empty(0).device
    with pytest.raises(TypeError):
        testing.generate_matrix((2, 2), dtype="i4")
    with pytest.raises(ValueError):
        testing.generate_matrix((2,))
    for dtype in "fdFD":
        a = testing.generate_matrix((2, 4, 3), cp, dtype, singular_values=[3.0, 2.0, 1.0])
        testing.assert_allclose(cp.linalg.svdvals(a), np.broadcast_to([3.0, 2.0, 1.0], (2, 3)), rtol=1e-5)


def test_requirements():
    assert testing.installed("numpy>=1") and not testing.installed("numpy<1")
    assert not testing.installed("no_such_package_at_all")
    assert testing.numpy_satisfies(">=1") and not testing.numpy_satisfies("<1")

    @testing.with_requires("numpy<1")
    def skipped():
        raise AssertionError

    with pytest.raises(unittest.SkipTest):
        skipped()
    assert testing.product_dict([{"a": 1}], [{"b": 2}, {"b": 3}]) == [{"a": 1, "b": 2}, {"a": 1, "b": 3}]
