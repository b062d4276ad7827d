// Polynomials, bits and facts about dtypes in the public C++ API. Expected values are NumPy's.
#include <cuprum/cuprum.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace cp = cuprum;
using Doubles = std::vector<double>;
using Longs = std::vector<std::int64_t>;
using cp::dtype;

namespace {

Longs longs(const cp::array& a) { return a.to_host<std::int64_t>(); }
Doubles doubles(const cp::array& a) { return a.to_host<double>(); }

void expect_near(const cp::array& got, const Doubles& want) {
  const Doubles host = doubles(got);
  ASSERT_EQ(host.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(host[i], want[i], 1e-9) << "at " << i;
}

}  // namespace

TEST(Polynomials, Arithmetic) {
  EXPECT_EQ(longs(cp::polyadd(cp::array{1, 2}, cp::array{9, 5, 4})), (Longs{9, 6, 6}));
  EXPECT_EQ(longs(cp::polysub(cp::array{2, 10, -2}, cp::array{3, 10, -4})), (Longs{-1, 0, 2}));
  EXPECT_EQ(longs(cp::polymul(cp::array{0, 1, 2, 3}, cp::array{9, 5, 1})), (Longs{9, 23, 38, 17, 3}));
  const auto [quotient, remainder] = cp::polydiv(cp::array{3, 5, 2}, cp::array{2, 1});
  EXPECT_EQ(doubles(quotient), (Doubles{1.5, 1.75}));
  EXPECT_EQ(doubles(remainder), (Doubles{0.25}));
}

TEST(Polynomials, CalculusAndValues) {
  const cp::array p{1, 1, 1, 1};
  EXPECT_EQ(longs(cp::polyder(p)), (Longs{3, 2, 1}));
  EXPECT_EQ(cp::polyder(p, 9).size(), 0);
  EXPECT_THROW(cp::polyder(p, -1), cp::ValueError);
  EXPECT_EQ(doubles(cp::polyint(cp::array{3, 2, 1})), (Doubles{1, 1, 1, 0}));
  EXPECT_EQ(doubles(cp::polyint(cp::array{6}, 2, cp::array{1, 2})), (Doubles{3, 1, 2}));
  EXPECT_THROW(cp::polyint(p, 3, cp::array{1, 2}), cp::ValueError);
  EXPECT_EQ(longs(cp::polyval(cp::array{3, 0, 1}, cp::array{5, 6})), (Longs{76, 109}));
}

TEST(Polynomials, RootsAndBack) {
  expect_near(cp::sort(cp::real(cp::roots(cp::array{1, -3, 2, 0}))), {0, 1, 2});
  EXPECT_EQ(cp::roots(cp::array{0, 0}).size(), 0);
  expect_near(cp::poly(cp::array{1, 2, 3}), {1, -6, 11, -6});
  expect_near(cp::poly(cp::array{{2.0, 1.0}, {1.0, 2.0}}), {1, -4, 3});
  const cp::array pair{std::complex<double>(0, 1), std::complex<double>(0, -1)};
  expect_near(cp::poly(pair), {1, 0, 1});  // of conjugate pairs it is real
  EXPECT_THROW(cp::poly(cp::zeros({2, 3})), cp::ValueError);
}

TEST(Polynomials, Fits) {
  const cp::array x = cp::arange(5.0), y = 2.0 * x + 1.0;
  expect_near(cp::polyfit(x, y, 1), {2, 1});
  expect_near(cp::polyfit(x, y, 1, {.w = cp::array{1.0, 2.0, 3.0, 2.0, 1.0}}), {2, 1});
  const cp::polyfit_result all = cp::polyfit_full(x, y + cp::array{0.0, 1.0, 0.0, 1.0, 0.0}, 1);
  EXPECT_EQ(all.rank.item<int>(), 2);
  EXPECT_NEAR(all.residuals.item<double>(), 1.2, 1e-9);
  EXPECT_NEAR(all.covariance(0, 0).item<double>(), 0.04, 1e-9);
  const cp::array many = cp::linspace(-1.0, 1.0, 4000);  // by a reduction to few equations
  expect_near(cp::polyfit(many, many * many * 3.0 - many, 2), {3, -1, 0});
  EXPECT_THROW(cp::polyfit(x, y, -1), cp::ValueError);
  EXPECT_THROW(cp::polyfit(x, cp::arange(3), 1), cp::TypeError);
}

TEST(Bits, PackAndUnpack) {
  const cp::array bits{1, 0, 1, 0, 0, 0, 0, 0, 1};
  EXPECT_EQ(cp::packbits(bits).to_host<std::uint8_t>(), (std::vector<std::uint8_t>{160, 128}));
  EXPECT_EQ(cp::packbits(bits, {}, "little").to_host<std::uint8_t>(), (std::vector<std::uint8_t>{5, 1}));
  const cp::array back = cp::unpackbits(cp::packbits(bits), {.count = 9});
  EXPECT_EQ(longs(back.astype(dtype::int64)), longs(bits));
  const cp::array column = cp::packbits(cp::ones({9, 2}, dtype::bool_), 0);
  EXPECT_EQ(column.to_host<std::uint8_t>(), (std::vector<std::uint8_t>{255, 255, 128, 128}));
  EXPECT_THROW(cp::packbits(cp::zeros({2})), cp::TypeError);
  EXPECT_THROW(cp::unpackbits(bits), cp::TypeError);
  EXPECT_THROW(cp::unpackbits(column, {.count = -99}), cp::ValueError);
}

TEST(Types, PromotionAndCasts) {
  EXPECT_EQ(cp::promote_types(dtype::int32, dtype::float32), dtype::float64);
  EXPECT_EQ(cp::result_type({cp::ones({2}, dtype::float32), 3}), dtype::float32);
  EXPECT_TRUE(cp::can_cast(dtype::int32, dtype::int64));
  EXPECT_FALSE(cp::can_cast(dtype::float64, dtype::float32));
  EXPECT_TRUE(cp::can_cast(dtype::float64, dtype::float32, "same_kind"));
  EXPECT_THROW(cp::can_cast(dtype::int8, dtype::int8, "nothing"), cp::ValueError);
  EXPECT_EQ(cp::common_type({cp::ones({2}, dtype::float32), cp::arange(2)}), dtype::float64);
  EXPECT_THROW(cp::common_type({cp::array{true}}), cp::TypeError);
}

TEST(Types, SmallestTypes) {
  EXPECT_EQ(cp::min_scalar_type(10), dtype::uint8);
  EXPECT_EQ(cp::min_scalar_type(-260), dtype::int16);
  EXPECT_EQ(cp::min_scalar_type(3.1), dtype::float16);
  EXPECT_EQ(cp::min_scalar_type(1e50), dtype::float64);
  EXPECT_EQ(cp::min_scalar_type(std::complex<double>(1e5, 0)), dtype::complex64);
  EXPECT_EQ(cp::min_scalar_type(cp::arange(3)), dtype::int64);
  EXPECT_EQ(cp::min_scalar_type(cp::array(70000)), dtype::uint32);
}

TEST(Types, Limits) {
  EXPECT_EQ(cp::finfo(dtype::float32).eps, std::numeric_limits<float>::epsilon());
  EXPECT_EQ(cp::finfo(dtype::complex128).max, std::numeric_limits<double>::max());
  EXPECT_EQ(cp::finfo(dtype::float16).max, 65504.0);
  EXPECT_EQ(cp::finfo(dtype::float64).tiny, std::numeric_limits<double>::min());
  EXPECT_EQ(cp::finfo(dtype::float64).smallest_subnormal, std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(cp::finfo(dtype::float64).precision, 15);
  EXPECT_THROW(cp::finfo(dtype::int8), cp::ValueError);
  EXPECT_EQ(cp::iinfo(dtype::int8).min, -128);
  EXPECT_EQ(cp::iinfo(dtype::uint64).max, ~std::uint64_t{0});
  EXPECT_THROW(cp::iinfo(dtype::float32), cp::ValueError);
  static_assert(cp::pi > 3.14159 && cp::e > 2.71828 && cp::inf > 1e308);
  EXPECT_TRUE(std::isnan(cp::nan));
}

TEST(Types, ShapesAndMemory) {
  EXPECT_EQ(cp::broadcast_shapes({{2, 1}, {3}}), (cp::shape_type{2, 3}));
  EXPECT_THROW(cp::broadcast_shapes({{2}, {3}}), cp::ValueError);
  const cp::array x = cp::arange(6);
  EXPECT_FALSE(cp::shares_memory(x(cp::slice({}, {}, 2)), x(cp::slice(1, {}, 2))));
  EXPECT_TRUE(cp::may_share_memory(x(cp::slice({}, {}, 2)), x(cp::slice(1, {}, 2))));
  EXPECT_TRUE(cp::shares_memory(x(cp::slice(0, 4)), x(cp::slice(3, {}))));
  EXPECT_TRUE(cp::isfortran(cp::transpose(cp::zeros({2, 3}))));
  EXPECT_TRUE(cp::iscomplexobj(std::complex<double>(0, 1) * x));
  EXPECT_TRUE(cp::isrealobj(x));
}
