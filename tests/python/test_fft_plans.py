"""CuPy's plans and their cache."""

import threading

import numpy as np
import pytest

import cuprum as cp
from cuprum.cupyx.scipy.fftpack import get_fft_plan


@pytest.fixture
def cache():
    cache = cp.fft.config.get_plan_cache()
    size, memsize = cache.get_size(), cache.get_memsize()
    cache.clear()
    yield cache
    cache.set_size(size)
    cache.set_memsize(memsize)
    cache.clear()


def run(function, *args, **kwargs):
    return cp.asnumpy(function(*args, **kwargs))


def lengths(cache):
    return [key[1][0] for key, _ in cache]


def test_plans_are_found_again(cache):
    run(cp.fft.fft, cp.ones(10))
    assert cache.get_curr_size() == 1
    run(cp.fft.ifft, cp.ones((3, 10)))
    if cp.asarray(0).device == "cpu":  # a plan of the CPU's serves any number of lines
        assert (cache.hits, cache.misses, cache.get_curr_size()) == (1, 1, 1)
    run(cp.fft.fft, cp.ones((3, 10)))
    hits, size = cache.hits, cache.get_curr_size()
    run(cp.fft.fft, cp.ones(10, "f"))  # another precision
    run(cp.fft.fft, cp.ones(10, "D"))  # not from reals
    run(cp.fft.rfft, cp.ones(10))
    assert cache.hits == hits > 0 and cache.get_curr_size() == size + 3
    assert cache.get_curr_memsize() == sum(plan.memsize for _, plan in cache) > 0


def test_the_least_used_go_first(cache):
    cache.set_size(2)
    for n in (10, 20, 10, 30):
        run(cp.fft.fft, cp.ones(n))
    assert lengths(cache) == [30, 10]
    cache.set_size(1)
    assert lengths(cache) == [30]
    cache.set_size(0)
    assert lengths(cache) == []
    np.testing.assert_array_equal(run(cp.fft.fft, cp.ones(4)), [4, 0, 0, 0])
    assert lengths(cache) == []


def test_bytes_are_bounded(cache):
    run(cp.fft.fft, cp.ones(1000))
    bytes_of_one = cache.get_curr_memsize()
    cache.set_memsize(bytes_of_one)
    assert lengths(cache) == [1000]
    run(cp.fft.fft, cp.ones(8))
    assert lengths(cache) == [8]
    cache.set_memsize(0)
    assert cache.get_curr_size() == 0


def test_bounds_are_checked(cache):
    for call in (cache.set_size, cache.set_memsize):
        with pytest.raises(ValueError, match="-1"):
            call(-2)


def test_what_the_cache_shows(cache, capsys):
    run(cp.fft.rfft, cp.ones(12, "f"))
    cp.fft.config.show_plan_cache_info()
    text = capsys.readouterr().out
    assert "1 / 16 (counts)" in text
    assert "R2C, 12 points, complex64" in text
    run(cp.fft.fft2, cp.ones((3, 4)))
    assert "C2C, 3 x 4 points, of reals, complex128" in str(cache)


def test_plans_are_made_by_the_call(cache):
    x = cp.fft.fft(cp.ones(10, "F"))
    assert lengths(cache) == [10]
    y = cp.fft.fftn(cp.ones((4, 6, 5)))  # several axes: one plan
    assert [key[1] for key, _ in cache] == [(4, 6, 5), (10,)]
    cache.clear()
    assert (cache.hits, cache.misses) == (0, 0)
    np.testing.assert_allclose(cp.asnumpy(x), [10] + [0] * 9, atol=1e-6)  # what was recorded keeps its plan
    np.testing.assert_allclose(cp.asnumpy(y).ravel()[:2], [120, 0], atol=1e-12)
    assert (cache.hits, cache.misses) == (0, 0)


def test_keys_find_plans(cache):
    for n in (10, 20):
        cp.fft.fft(cp.ones((n,)))
    (_, twenty), (ten, node) = cache
    plan = cache[ten]
    assert plan is node.plan and plan.nx == 10 and plan.memsize == node.memsize == plan.work_area.mem.size > 0
    assert lengths(cache) == [10, 20] and cache.hits == 1
    assert next(iter(cache))[1].plan is plan
    del cache[ten]
    assert lengths(cache) == [20] and cache.get_curr_memsize() == twenty.memsize
    for call in (cache.__getitem__, cache.__delitem__):
        with pytest.raises(KeyError, match="no plan has the key"):
            call(ten)


def test_one_plan_serves_transforms_to_reals_of_several_axes(cache):
    x = np.random.default_rng(1).standard_normal((4, 5, 6))
    y = run(cp.fft.rfftn, cp.asarray(x))
    np.testing.assert_allclose(y, np.fft.rfftn(x), atol=1e-12)
    np.testing.assert_allclose(run(cp.fft.irfftn, cp.asarray(y), s=(4, 5, 6), axes=(0, 1, 2)), x, atol=1e-12)
    kinds = [key[0] for key, _ in cache]
    assert kinds == ["C2R", "R2C"]


def test_names_of_the_config(cache):
    config = cp.fft.config
    config.set_plan_cache_size(5)
    assert config.get_plan_cache_size() == 5
    config.set_plan_cache_max_memsize(1 << 20)
    assert config.get_plan_cache_max_memsize() == 1 << 20
    config.clear_plan_cache()
    with pytest.warns(DeprecationWarning, match="enable_nd_planning"):
        assert config.enable_nd_planning
    assert not config.use_multi_gpus and config.devices is None
    with pytest.raises(ValueError, match="at least 2"):
        config.set_cufft_gpus(1)
    with pytest.raises(ValueError, match="int or a list"):
        config.set_cufft_gpus("0")


def test_threads_share_the_cache(cache):
    threads = [threading.Thread(target=run, args=(cp.fft.fft, cp.ones(n))) for n in (8, 9, 8, 9, 10, 11) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(lengths(cache)) == [8, 9, 10, 11]


def test_a_plan_in_use():
    x = cp.asarray(np.random.default_rng(0).standard_normal((4, 8)))
    plan = get_fft_plan(x, axes=1)
    assert isinstance(plan, cp.cuda.cufft.Plan1d) and plan.nx == 8 and plan.batch == 4 and plan.memsize > 0
    with plan:
        assert cp.cuda.cufft.get_current_plan() is plan
        np.testing.assert_allclose(run(cp.fft.fft, x), np.fft.fft(cp.asnumpy(x)), rtol=1e-12, atol=1e-12)
        with pytest.raises(ValueError, match="size does not match the plan"):
            cp.fft.fft(x, 6)
        with pytest.raises(ValueError, match="Batch size does not match the plan"):
            cp.fft.fft(x[:2])
        with pytest.raises(ValueError, match="does not match the plan"):
            cp.fft.fft(x.astype("f"))
        with pytest.raises(ValueError, match="does not match the plan"):
            cp.fft.rfft(x)
    assert cp.cuda.cufft.get_current_plan() is None
    cp.fft.fft(x, 6)


def test_a_plan_in_use_needs_no_cache(cache):
    x = cp.ones((4, 8))
    plan = get_fft_plan(x, axes=1)
    cache.set_size(0)
    cache.clear()
    with plan:
        np.testing.assert_array_equal(run(cp.fft.fft, x)[:, 0], [8] * 4)
    assert (cache.hits, cache.misses) == (0, 0)


def test_plans_by_their_classes():
    cufft = cp.cuda.cufft
    for plan in (
        cufft.Plan1d(8, "C2C", 4),
        cufft.Plan1d(8, "R2C", 4, "complex64"),
        cufft.Plan1d(8, "C2R", 4),
    ):
        assert (plan.nx, plan.batch, plan.shape) == (8, 4, (8,)) and plan.memsize > 0
    assert cufft.PlanNd((4, 8), "C2R").shape == (4, 8)
    with cufft.Plan1d(8, "R2C", 4):
        np.testing.assert_array_equal(run(cp.fft.rfft, cp.ones((4, 8)))[:, 0], [8] * 4)


def test_plans_of_other_kinds():
    x = cp.ones((4, 8))
    with get_fft_plan(x) as plan:
        assert isinstance(plan, cp.cuda.cufft.PlanNd)
        cp.fft.fftn(x)
        with pytest.raises(ValueError, match="plan"):
            cp.fft.fftn(x, s=(4, 4), axes=(0, 1))
    with get_fft_plan(x, value_type="R2C"):
        y = cp.fft.rfftn(x)
    with get_fft_plan(y, value_type="C2R"):
        assert cp.fft.irfftn(y).shape == (4, 8)
    with get_fft_plan(y, shape=(4, 9), value_type="C2R"):
        assert cp.fft.irfftn(y, s=(4, 9), axes=(0, 1)).shape == (4, 9)


def test_plans_that_are_refused():
    x = cp.ones((4, 8))
    with pytest.raises(ValueError, match="contiguous"):
        get_fft_plan(x[:, ::2])
    with pytest.raises(ValueError, match="different lengths"):
        get_fft_plan(x, shape=(4, 4), axes=0)
    with pytest.raises(ValueError, match="exceeds the number of dimensions"):
        get_fft_plan(x, axes=2)
    with pytest.raises(ValueError, match="value_type"):
        get_fft_plan(x, value_type="C2X")
    with pytest.raises(ValueError, match="real"):
        get_fft_plan(x.astype("D"), value_type="R2C")
    for empty in (cp.ones((0, 5)), cp.ones(0)):
        with pytest.raises(ValueError, match="Invalid number of FFT data points"):
            get_fft_plan(empty)
