// sin and cos of float32 as the GPU computes them (kernels/circular.h), on the host: every exponent, and the numbers closest
// to multiples of pi/2.
#include "kernels/circular.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace cuprum {
namespace {

namespace circular = kernels::circular;

/// The distance from the true value, in units in the last place of a float.
double error(float got, double want) {
  int exponent;
  std::frexp(want, &exponent);
  return std::fabs(got - want) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

void check(float x) {
  const circular::Angle angle = circular::angle(x);
  ASSERT_LE(error(circular::sin(angle), std::sin(static_cast<double>(x))), 1.6) << std::hexfloat << x;
  ASSERT_LE(error(circular::cos(angle), std::cos(static_cast<double>(x))), 1.6) << std::hexfloat << x;
}

TEST(Circular, EveryExponent) {
  std::mt19937 random(1);
  for (int i = 0; i < 1 << 20; ++i) {
    const float x =
        std::ldexp(static_cast<float>(random() % (1 << 24)), static_cast<int>(random() % 253) - 149);
    if (std::isfinite(x)) check(random() % 2 ? x : -x);
  }
}

TEST(Circular, NearMultiplesOfHalfPi) {
  std::mt19937 random(2);
  for (int i = 0; i < 1 << 20; ++i) {
    const double multiple = i < 100000 ? i : std::ldexp(random(), static_cast<int>(random() % 90));
    const auto x = static_cast<float>(multiple * 1.57079632679489661923);
    for (const float y : {x, std::nextafter(x, 0.0f), std::nextafter(x, HUGE_VALF)}) check(y);
  }
  for (const float edge : {0x1p16f, 0x1.fffffep15f, 0x1.fffffep127f, 16367173.0f * 0x1p72f}) {
    check(edge);
    check(-edge);
  }
}

TEST(Circular, SpecialValues) {
  EXPECT_TRUE(std::signbit(circular::sin(circular::angle(-0.0f))));
  EXPECT_FALSE(std::signbit(circular::sin(circular::angle(0.0f))));
  EXPECT_EQ(circular::cos(circular::angle(-0.0f)), 1.0f);
  EXPECT_EQ(circular::sin(circular::angle(0x1p-149f)), 0x1p-149f);
  for (const float x : {HUGE_VALF, -HUGE_VALF, std::nanf("")}) {
    EXPECT_TRUE(std::isnan(circular::sin(circular::angle(x))));
    EXPECT_TRUE(std::isnan(circular::cos(circular::angle(x))));
  }
}

}  // namespace
}  // namespace cuprum
