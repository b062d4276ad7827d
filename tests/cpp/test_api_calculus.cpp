// Differences, signals, comparisons of wholes and other names of the public C++ API.
#include <cuprum/cuprum.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cp = cuprum;
using Doubles = std::vector<double>;
using Longs = std::vector<std::int64_t>;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST(ApiCalculus, Differences) {
  const cp::array a{1, 4, 9, 16};
  EXPECT_EQ(cp::diff(a).to_host<std::int64_t>(), (Longs{3, 5, 7}));
  EXPECT_EQ(cp::diff(a, 2).to_host<std::int64_t>(), (Longs{2, 2}));
  EXPECT_EQ(cp::diff(a, 9).size(), 0);
  EXPECT_EQ(cp::diff(a, 1, {.prepend = cp::array(0)}).to_host<std::int64_t>(), (Longs{1, 3, 5, 7}));
  EXPECT_EQ(cp::diff(a.reshape({2, 2}), 1, 0).to_host<std::int64_t>(), (Longs{8, 12}));
  EXPECT_EQ(cp::diff(cp::array{true, false, false}).type(), cp::dtype::bool_);
  EXPECT_THROW(cp::diff(a, -1), cp::ValueError);
  EXPECT_EQ(cp::ediff1d(a, {.to_end = cp::array{99}, .to_begin = cp::array{-1}}).to_host<std::int64_t>(),
            (Longs{-1, 3, 5, 7, 99}));
  EXPECT_THROW(cp::ediff1d(a, {.to_end = cp::array{0.5}}), cp::TypeError);
}

TEST(ApiCalculus, Gradients) {
  const cp::array f{1.0, 2.0, 4.0, 7.0, 11.0, 16.0};
  EXPECT_EQ(cp::gradient(f)[0].to_host<double>(), (Doubles{1, 1.5, 2.5, 3.5, 4.5, 5}));
  EXPECT_EQ(cp::gradient(f, {2.0})[0].to_host<double>(), (Doubles{0.5, 0.75, 1.25, 1.75, 2.25, 2.5}));
  EXPECT_EQ(cp::gradient(f, {}, {.edge_order = 2})[0].to_host<double>(),
            (Doubles{0.5, 1.5, 2.5, 3.5, 4.5, 5.5}));
  const cp::array x{0.0, 1.0, 1.5, 3.5, 4.0, 6.0};
  EXPECT_TRUE(
      cp::allclose(cp::gradient(f, {x})[0], cp::array{1.0, 3.0, 3.5, 6.7, 6.9, 2.5}, {.rtol = 1e-14}));
  EXPECT_EQ(cp::gradient(f.reshape({2, 3})).size(), 2u);
  EXPECT_EQ(cp::gradient(f.astype(cp::dtype::float32), {0.5})[0].type(), cp::dtype::float32);
  EXPECT_THROW(cp::gradient(f, {1.0, 2.0}), cp::TypeError);
  EXPECT_THROW(cp::gradient(f, {}, {.edge_order = 3}), cp::ValueError);
  EXPECT_THROW(cp::gradient(cp::array{1.0}), cp::ValueError);
}

TEST(ApiCalculus, IntegralsAndPhases) {
  const cp::array y{1, 2, 3};
  EXPECT_EQ(cp::trapezoid(y).item<double>(), 4.0);
  EXPECT_EQ(cp::trapezoid(y, {.dx = 2.0}).item<double>(), 8.0);
  EXPECT_EQ(cp::trapezoid(y, cp::array{4.0, 6.0, 8.0}).item<double>(), 8.0);
  EXPECT_THROW(cp::trapezoid(y, {.axis = 1}), cp::AxisError);
  EXPECT_EQ(cp::unwrap(cp::array{0.0, 1.0, 2.0, -1.0, 0.0}, {.period = 4}).to_host<double>(),
            (Doubles{0, 1, 2, 3, 4}));
}

TEST(ApiCalculus, InterpolationBeyondTheEnds) {
  const cp::array x{-1.0, 0.5, 9.0}, xp{0.0, 1.0}, fp{10.0, 20.0};
  EXPECT_EQ(cp::interp(x, xp, fp).to_host<double>(), (Doubles{10, 15, 20}));
  EXPECT_EQ(cp::interp(x, xp, fp, {.left = -5, .right = 5}).to_host<double>(), (Doubles{-5, 15, 5}));
  EXPECT_EQ(cp::interp(x, xp, fp, {.period = 2}).to_host<double>(), (Doubles{20, 15, 20}));
}

TEST(ApiSignal, Convolutions) {
  const cp::array a{1.0, 2.0, 3.0}, v{0.0, 1.0, 0.5};
  EXPECT_EQ(cp::convolve(a, v).to_host<double>(), (Doubles{0, 1, 2.5, 4, 1.5}));
  EXPECT_EQ(cp::convolve(a, v, "same").to_host<double>(), (Doubles{1, 2.5, 4}));
  EXPECT_EQ(cp::correlate(a, v).to_host<double>(), (Doubles{3.5}));
  EXPECT_EQ(cp::correlate(v, cp::array{1.0, 2.0, 3.0, 4.0}, "full").to_host<double>(),
            (Doubles{0, 4, 5, 3.5, 2, 0.5}));
  EXPECT_THROW(cp::convolve(a, v, "most"), cp::ValueError);
  EXPECT_THROW(cp::convolve(a, cp::zeros({0})), cp::ValueError);
}

TEST(ApiSignal, WindowsAndSpecialFunctions) {
  EXPECT_EQ(cp::bartlett(5).to_host<double>(), (Doubles{0, 0.5, 1, 0.5, 0}));
  EXPECT_EQ(cp::hanning(3).to_host<double>(), (Doubles{0, 1, 0}));
  EXPECT_NEAR(cp::hamming(3)(0).item<double>(), 0.08, 1e-15);
  EXPECT_NEAR(cp::blackman(3)(1).item<double>(), 1, 1e-15);
  EXPECT_EQ(cp::kaiser(3, 0.0).to_host<double>(), (Doubles{1, 1, 1}));
  EXPECT_EQ(cp::hanning(0).size(), 0);
  EXPECT_NEAR(cp::i0(cp::array(1.0)).item<double>(), 1.2660658777520082, 1e-15);
  EXPECT_NEAR(cp::i0(cp::array(20.0)).item<double>(), 43558282.559553534, 1e-6);
  EXPECT_NEAR(cp::sinc(cp::array{0.0, 0.5})(1).item<double>(), 2 / M_PI, 1e-15);
  EXPECT_EQ(cp::sinc(cp::array(0.0)).item<double>(), 1.0);
  EXPECT_EQ(cp::angle(cp::array{-1.0}, true).to_host<double>(), (Doubles{180}));
  EXPECT_EQ(cp::angle(cp::array{std::complex<double>(0, 1)}, true).to_host<double>(), (Doubles{90}));
}

TEST(ApiLogic, Nearness) {
  const cp::array a{1.0, 2.0, kNan}, b{1.0 + 1e-9, 2.1, kNan};
  EXPECT_EQ(cp::isclose(a, b).astype(cp::dtype::int64).to_host<std::int64_t>(), (Longs{1, 0, 0}));
  EXPECT_EQ(
      cp::isclose(a, b, {.rtol = 0.1, .equal_nan = true}).astype(cp::dtype::int64).to_host<std::int64_t>(),
      (Longs{1, 1, 1}));
  EXPECT_TRUE(cp::allclose(cp::ones({3}), 1));
  EXPECT_TRUE(cp::allclose(kInfinity, kInfinity));
  EXPECT_FALSE(cp::allclose(cp::array{1.0}, kInfinity));
  EXPECT_TRUE(cp::array_equal(cp::array{1, 2}, cp::array{1.0, 2.0}));
  EXPECT_FALSE(cp::array_equal(cp::array{1, 2}, cp::array{{1, 2}, {1, 2}}));
  EXPECT_TRUE(cp::array_equiv(cp::array{1, 2}, cp::array{{1, 2}, {1, 2}}));
  EXPECT_FALSE(cp::array_equiv(cp::array{1, 2}, cp::array{1, 2, 3}));
  EXPECT_FALSE(cp::array_equal(a, a));
  EXPECT_TRUE(cp::array_equal(a, a, true));
}

TEST(ApiLogic, KindsOfNumbers) {
  const cp::array x{kInfinity, -kInfinity, kNan, 1.0},
      z{std::complex<double>(1, 0), std::complex<double>(0, 1)};
  EXPECT_EQ(cp::count_nonzero(cp::isposinf(x)).item<int>(), 1);
  EXPECT_TRUE(cp::isneginf(x)(1).item<bool>());
  EXPECT_THROW(cp::isposinf(z), cp::TypeError);
  EXPECT_TRUE(cp::isreal(z)(0).item<bool>());
  EXPECT_TRUE(cp::iscomplex(z)(1).item<bool>());
  EXPECT_EQ(cp::nan_to_num(x, {.nan = -1, .posinf = 8, .neginf = -8}).to_host<double>(),
            (Doubles{8, -8, -1, 1}));
  EXPECT_EQ(cp::nan_to_num(x)(0).item<double>(), std::numeric_limits<double>::max());
  EXPECT_TRUE(std::isnan(x(2).item<double>()));
  cp::nan_to_num(x, {.copy = false});
  EXPECT_EQ(x(2).item<double>(), 0.0);
  EXPECT_EQ(cp::real_if_close(cp::array{std::complex<double>(2, 1e-15)}).type(), cp::dtype::float64);
  EXPECT_EQ(cp::real_if_close(z).type(), cp::dtype::complex128);
  EXPECT_EQ(cp::sort_complex(cp::array{2, 1}).type(), cp::dtype::complex128);
}

TEST(ApiAliases, NameTheSameFunctions) {
  const cp::array x{0.25, 0.5}, i{5, -7};
  EXPECT_TRUE(cp::array_equal(cp::acos(x), cp::arccos(x)));
  EXPECT_TRUE(cp::array_equal(cp::pow(i, 2), i * i));
  EXPECT_TRUE(cp::array_equal(cp::mod(i, 3), i % 3));
  EXPECT_TRUE(cp::array_equal(cp::bitwise_invert(i), ~i));
  EXPECT_TRUE(cp::array_equal(cp::concat({i, i}), cp::concatenate({i, i})));
  EXPECT_EQ(cp::amax(i).item<int>(), 5);
  EXPECT_EQ(cp::amin(i, 0).item<int>(), -7);
  EXPECT_EQ(cp::fix(cp::array{2.7, -2.7}).to_host<double>(), (Doubles{2, -2}));
  const auto [quotient, rest] = cp::divmod(i, 3);
  EXPECT_EQ(quotient.to_host<std::int64_t>(), (Longs{1, -3}));
  EXPECT_EQ(rest.to_host<std::int64_t>(), (Longs{2, 2}));
  EXPECT_EQ(cp::modf(cp::array{2.5, -1.25}).first.to_host<double>(), (Doubles{0.5, -0.25}));
  EXPECT_EQ(cp::frexp(cp::array{8.0}).second.to_host<std::int32_t>(), std::vector<std::int32_t>{4});
  EXPECT_EQ(cp::cumulative_sum(cp::array{1, 2, 3}, {.include_initial = true}).to_host<std::int64_t>(),
            (Longs{0, 1, 3, 6}));
  EXPECT_EQ(cp::cumulative_prod(cp::array{1, 2, 3}).to_host<std::int64_t>(), (Longs{1, 2, 6}));
}
