// The scalar meanings where NumPy's rules are easy to get wrong. Expected values were read from NumPy 2.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/all.h"

namespace cuprum {
namespace {

namespace k = kernels;
using std::isnan;
using std::signbit;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

template <class T>
T lowest() {
  return std::numeric_limits<T>::min();
}

TEST(Meanings, IntegerDivisionRoundsDownAndZeroGivesZero) {
  EXPECT_EQ(k::floor_divide<int>(7, 2), 3);
  EXPECT_EQ(k::floor_divide<int>(-7, 2), -4);
  EXPECT_EQ(k::floor_divide<int>(7, -2), -4);
  EXPECT_EQ(k::floor_divide<int>(-7, -2), 3);
  EXPECT_EQ(k::floor_divide<int>(7, 0), 0);
  EXPECT_EQ(k::remainder<int>(7, -2), -1);
  EXPECT_EQ(k::remainder<int>(-7, 2), 1);
  EXPECT_EQ(k::remainder<int>(-7, 0), 0);
  EXPECT_EQ(k::fmod<int>(-7, 2), -1);
  EXPECT_EQ(k::fmod<int>(7, -2), 1);
  EXPECT_EQ(k::floor_divide(kLowest, std::int64_t(-1)), kLowest);
  EXPECT_EQ(k::remainder(kLowest, std::int64_t(-1)), 0);
  EXPECT_EQ(k::floor_divide(lowest<int>(), -1), lowest<int>());
  EXPECT_EQ(k::floor_divide<std::uint32_t>(4294967295u, 1u), 4294967295u);
}

TEST(Meanings, IntegerDivisionIsExactThroughFloatingPoint) {
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      const auto x = static_cast<k::int8>(a), y = static_cast<k::int8>(b);
      const int quotient = b == 0 ? 0 : static_cast<int>(std::floor(static_cast<double>(a) / b));
      ASSERT_EQ(k::floor_divide(x, y), static_cast<k::int8>(quotient)) << a << " // " << b;
      ASSERT_EQ(k::remainder(x, y), b == 0 ? 0 : static_cast<k::int8>(a - quotient * b)) << a << " % " << b;
    }
  }
  for (std::uint32_t a : {4294967295u, 4294967294u, 2147483648u, 65537u}) {
    for (std::uint32_t b = 1; b != 0 && b < 4294000000u; b = b * 3 + 7)
      ASSERT_EQ(k::floor_divide(a, b), a / b);
  }
}

TEST(Meanings, FloatingDivisionFollowsPython) {
  EXPECT_EQ(k::floor_divide(-7.0, 2.0), -4.0);
  EXPECT_EQ(k::remainder(-7.0, 2.0), 1.0);
  EXPECT_EQ(k::remainder(7.0, -2.0), -1.0);
  EXPECT_EQ(k::fmod(-7.0, 2.0), -1.0);
  EXPECT_EQ(k::floor_divide(1.0, 0.0), kInf);
  EXPECT_EQ(k::floor_divide(-1.0, 0.0), -kInf);
  EXPECT_TRUE(isnan(k::floor_divide(0.0, 0.0)));
  EXPECT_TRUE(isnan(k::remainder(5.0, 0.0)));
  EXPECT_EQ(k::remainder(-1.0, kInf), kInf);
  EXPECT_EQ(k::remainder(1.0, -kInf), -kInf);
  EXPECT_TRUE(signbit(k::remainder(4.0, -2.0)));
  EXPECT_FALSE(signbit(k::remainder(-4.0, 2.0)));
}

TEST(Meanings, IntegersWrapAround) {
  EXPECT_EQ(k::add(std::numeric_limits<int>::max(), 1), lowest<int>());
  EXPECT_EQ(k::multiply<k::uint16>(65535, 65535), 1);
  EXPECT_EQ(k::negative(kLowest), kLowest);
  EXPECT_EQ(k::absolute(lowest<k::int8>()), lowest<k::int8>());
  EXPECT_EQ(k::power<k::int8>(2, 7), -128);
  EXPECT_EQ(k::power<int>(0, 0), 1);
  EXPECT_EQ(k::power<std::uint64_t>(3, 41), 18026252303461234787ull);
  EXPECT_EQ(k::gcd<k::int8>(-128, 0), -128);
  EXPECT_EQ(k::gcd<int>(-12, 18), 6);
  EXPECT_EQ(k::lcm<int>(-4, 6), 12);
  EXPECT_EQ(k::lcm<int>(0, 0), 0);
}

TEST(Meanings, WholePowersOfFloatsAreRoundedOnce) {
  for (int n = 2; n <= 17; ++n) {
    for (float x = -3; x < 3; x += 0.0625f) {
      const double exact = std::pow(static_cast<double>(x), n);
      EXPECT_NEAR(k::power(x, static_cast<float>(n)), exact, std::fabs(exact) * 0x1.01p-24)
          << x << " ** " << n;
    }
    const auto exponent = static_cast<float>(n);
    const bool odd = n % 2 != 0;
    EXPECT_EQ(signbit(k::power(-0.0f, exponent)), odd);
    EXPECT_EQ(k::power(-0.0f, exponent), 0.0f);
    EXPECT_EQ(k::power(-HUGE_VALF, exponent), odd ? -HUGE_VALF : HUGE_VALF);
    EXPECT_EQ(k::power(-2e38f, exponent), odd ? -HUGE_VALF : HUGE_VALF);
    EXPECT_EQ(k::power(1e-38f, exponent), 0.0f);
    EXPECT_TRUE(isnan(k::power(std::nanf(""), exponent)));
  }
  EXPECT_EQ(k::power(1.5f, 2.5f), std::pow(1.5f, 2.5f));
  EXPECT_TRUE(isnan(k::power(-1.5f, 2.5f)));
}

TEST(Meanings, ShiftsBeyondTheWidth) {
  EXPECT_EQ(k::left_shift<int>(1, 31), lowest<int>());
  EXPECT_EQ(k::left_shift<int>(1, 32), 0);
  EXPECT_EQ(k::left_shift<int>(1, -1), 0);
  EXPECT_EQ(k::right_shift<int>(-8, 1), -4);
  EXPECT_EQ(k::right_shift<int>(-8, 40), -1);
  EXPECT_EQ(k::right_shift<int>(8, 40), 0);
  EXPECT_EQ(k::right_shift<k::uint8>(255, 8), 0);
  EXPECT_EQ(k::bitwise_count<int>(-1), 1);
  EXPECT_EQ(k::bitwise_count(kLowest), 1);
  EXPECT_EQ(k::bitwise_count<std::uint64_t>(~0ull), 64);
}

TEST(Meanings, MaximumAndNan) {
  EXPECT_TRUE(isnan(k::maximum(kNan, 1.0)));
  EXPECT_TRUE(isnan(k::maximum(1.0, kNan)));
  EXPECT_EQ(k::fmax(kNan, 1.0), 1.0);
  EXPECT_EQ(k::fmax(1.0, kNan), 1.0);
  EXPECT_TRUE(isnan(k::fmin(kNan, kNan)));
  EXPECT_EQ(k::clip(5.0, 0.0, 3.0), 3.0);
  EXPECT_EQ(k::clip(5.0, 4.0, 3.0), 3.0);
  EXPECT_TRUE(isnan(k::clip(kNan, 0.0, 3.0)));
  EXPECT_TRUE(isnan(k::sign(kNan)));
  EXPECT_FALSE(signbit(k::sign(-0.0)));
  EXPECT_EQ(k::heaviside(0.0, 0.25), 0.25);
  EXPECT_TRUE(isnan(k::heaviside(kNan, 0.25)));
}

TEST(Meanings, ComparisonOfSignedWithUnsigned) {
  EXPECT_TRUE(k::less_mixed(k::int64(-1), k::uint64(0)));
  EXPECT_FALSE(k::equal_mixed(k::int64(-1), ~k::uint64(0)));
  EXPECT_TRUE(k::greater_mixed(~k::uint64(0), k::int64(-1)));
  EXPECT_TRUE(k::greater_equal_mixed(k::uint64(5), k::int64(5)));
  EXPECT_FALSE(k::less_mixed(k::uint64(5), k::int64(-5)));
}

TEST(Meanings, ComplexNumbersAreOrderedLexicographically) {
  using C = k::complex128;
  EXPECT_TRUE(k::less(C{1, 5}, C{2, 0}));
  EXPECT_TRUE(k::less(C{1, 4}, C{1, 5}));
  EXPECT_FALSE(k::less(C{1, kNan}, C{2, 0}));
  EXPECT_TRUE(k::not_equal(C{kNan, 0}, C{kNan, 0}));
  EXPECT_EQ(k::maximum(C{1, 5}, C{1, 4}).im, 5);
  EXPECT_TRUE(isnan(k::maximum(C{1, 5}, C{0, kNan}).im));
}

TEST(Meanings, CastsThatDoNotFit) {
  EXPECT_EQ(k::cast<k::int8>(300.7f), 44);
  EXPECT_EQ(k::cast<k::int8>(1e10), 0);
  EXPECT_EQ(k::cast<k::uint8>(-1.5), 255);
  EXPECT_EQ(k::cast<int>(kNan), lowest<int>());
  EXPECT_EQ(k::cast<int>(3e9f), lowest<int>());
  EXPECT_EQ(k::cast<int>(-2147483648.0f), lowest<int>());
  EXPECT_EQ(k::cast<std::uint32_t>(3e9), 3000000000u);
  EXPECT_EQ(k::cast<std::uint32_t>(-1.0), 4294967295u);
  EXPECT_EQ(k::cast<std::int64_t>(1e30), kLowest);
  EXPECT_EQ(k::cast<std::uint64_t>(1.5e19), 15000000000000000000ull);
  EXPECT_EQ(k::cast<std::uint64_t>(kInf), 0u);
  EXPECT_EQ(k::cast<std::uint64_t>(kNan), 9223372036854775808ull);
  EXPECT_TRUE(k::cast<bool>(kNan));
  EXPECT_FALSE(k::cast<bool>(k::complex64{0, 0}));
  EXPECT_TRUE(k::cast<bool>(k::complex64{0, 1}));
  EXPECT_EQ(k::cast<int>(k::complex128{2.9, 7}), 2);
  EXPECT_EQ(k::reciprocal<int>(0), lowest<int>());
  EXPECT_EQ(k::reciprocal<k::uint8>(0), 0);
}

TEST(Meanings, Float16ConvertsExactlyBothWays) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const k::float16 h = {static_cast<std::uint16_t>(bits)};
    const float wide = k::widen(h);
    if (k::isnan(h)) {
      ASSERT_TRUE(isnan(wide));
    } else {
      ASSERT_EQ(k::narrow<k::float16>(wide).bits, bits);
      ASSERT_EQ(k::narrow<k::float16>(static_cast<double>(wide)).bits, bits);
    }
  }
  EXPECT_EQ(k::widen(k::float16{0x3c00}), 1.0f);
  EXPECT_EQ(k::widen(k::float16{0x0001}), 0x1p-24f);
}

TEST(Meanings, Float16RoundsOnceToNearestEven) {
  const auto narrow = [](double x) { return k::narrow<k::float16>(x).bits; };
  EXPECT_EQ(narrow(1.0 + 0x1p-11), 0x3c00);            // tie: to even
  EXPECT_EQ(narrow(1.0 + 3 * 0x1p-11), 0x3c02);        // tie: to even
  EXPECT_EQ(narrow(1.0 + 0x1p-11 + 0x1p-40), 0x3c01);  // above the tie, which float32 would round to the tie
  EXPECT_EQ(narrow(65519.999), 0x7bff);
  EXPECT_EQ(narrow(65520.0), 0x7c00);
  EXPECT_EQ(narrow(0x1p-25), 0x0000);
  EXPECT_EQ(narrow(0x1p-25 * (1 + 0x1p-50)), 0x0001);
  EXPECT_EQ(narrow(-1e300), 0xfc00);
  EXPECT_EQ(narrow(-1e-300), 0x8000);
  EXPECT_EQ(k::cast<k::bfloat16>(k::int64(1) << 62 | k::int64(1) << 54 | 1).bits, 0x5e81);
}

TEST(Meanings, NeighboursAndSpacing) {
  EXPECT_EQ(k::nextafter(0.0, -1.0), -std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(k::nextafter(1.0, 2.0), std::nextafter(1.0, 2.0));
  EXPECT_EQ(k::nextafter(-1.0, 2.0), std::nextafter(-1.0, 2.0));
  EXPECT_EQ(k::spacing(1.0), 0x1p-52);
  EXPECT_EQ(k::spacing(-1.0), -0x1p-52);
  EXPECT_TRUE(isnan(k::spacing(kInf)));
  EXPECT_EQ(k::frexp_mantissa(-0x1p-1074), -0.5);
  EXPECT_EQ(k::frexp_exponent(-0x1p-1074), -1073);
  EXPECT_EQ(k::ldexp(1.0f, std::int64_t(1) << 40), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(signbit(k::modf_frac(-kInf)));
}

TEST(Meanings, SpecialValuesOfComplexFunctions) {
  using C = k::complex128;
  EXPECT_EQ(k::exp(C{-kInf, kNan}).re, 0);
  EXPECT_EQ(k::log(C{0, 0}).re, -kInf);
  EXPECT_DOUBLE_EQ(k::log(C{-1, -0.0}).im, -M_PI);
  EXPECT_EQ(k::sqrt(C{-4, -0.0}).im, -2);
  EXPECT_EQ(k::sqrt(C{kNan, kInf}).re, kInf);
  EXPECT_EQ(k::power(C{0, 0}, C{0, 0}).re, 1);
  EXPECT_EQ(k::power(C{0, 2}, C{2, 0}).re, -4);
  EXPECT_TRUE(isnan(k::power(C{0, 0}, C{-1, 0}).re));
  EXPECT_EQ(k::tanh(C{kInf, 1}).re, 1);
  EXPECT_DOUBLE_EQ(k::arcsin(C{2, 0.0}).re, M_PI / 2);
  EXPECT_TRUE(signbit(k::arccos(C{2, 0.0}).im));
  EXPECT_EQ(k::divide(C{1, 1}, C{0, 0}).re, kInf);
}

}  // namespace
}  // namespace cuprum
