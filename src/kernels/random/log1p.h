// log1p as C libraries compute it, bit for bit, for arguments in (-1, 0]: what a device needs to draw the
// host's numbers.
//
// The tails of the ziggurats are logarithms, and a number is NumPy's only if the last bit of its logarithm is
// the C library's. glibc has fdlibm's algorithm (Ng): 1 + x = 2^k (1 + f), and log(1 + f) is a series in s =
// f / (2 + f). From 2.39 on it is compiled with fused multiplications for float64, where the processor has
// them; from 2.41 on that of float32 is rounded correctly. Which of these the host has is found by trying.
#pragma once

#include "kernels/math.h"

CUPRUM_KERNELS_BEGIN

namespace random {

enum class Log1p : uint8 { separate, fused, rounded, unknown };

/// Of float64 and of float32.
struct Log1pForms {
  Log1p wide, narrow;
};

template <class T>
struct Log1pFacts;
template <>
struct Log1pFacts<double> {
  static constexpr int kMantissa = 52, kBias = 1023;
  static constexpr uint64 kRootTwo = 0x6a09e00000000;  // the fraction of sqrt(2), as far as it is looked at
  static constexpr double kNear = 0x1.2bec5p-2;        // k = 0 for x above the negative of this
  static constexpr double kHigh = 6.93147180369123816490e-01, kLow = 1.90821492927058770002e-10;  // log(2)
};
template <>
struct Log1pFacts<float> {
  static constexpr int kMantissa = 23, kBias = 127;
  static constexpr uint32 kRootTwo = 0x3504f7;
  static constexpr float kNear = 0x1.2bec40p-2f;
  static constexpr float kHigh = 6.9313812256e-01f, kLow = 9.0580006145e-06f;
};

template <Log1p kForm>
struct Log1pSums {
  template <class T>
  CUPRUM_FN static T mad(T a, T b, T c) {  // a * b + c
    if constexpr (kForm == Log1p::fused)
      return CUPRUM_MATH(fma)(a, b, c);
    else
      return a * b + c;
  }
  /// In powers of z = s^2, without the term of order 0.
  CUPRUM_FN static double series(double z) {
    const double z2 = z * z, z4 = z2 * z2, z6 = z4 * z2;
    const double second = mad(z, 2.857142874366239149e-01, 3.999999999940941908e-01);
    const double third = mad(z, 1.818357216161805012e-01, 2.222219843214978396e-01);
    const double fourth = mad(z, 1.479819860511658591e-01, 1.531383769920937332e-01);
    return mad(z6, fourth, mad(z4, third, mad(z, 6.666666666666735130e-01, z2 * second)));
  }
  CUPRUM_FN static float series(float z) {
    float sum = 1.5313838422e-01f + z * 1.4798198640e-01f;
    sum = 1.8183572590e-01f + z * sum;
    sum = 2.2222198546e-01f + z * sum;
    sum = 2.8571429849e-01f + z * sum;
    sum = 4.0000000596e-01f + z * sum;
    sum = 6.6666668653e-01f + z * sum;
    return z * sum;
  }
};

template <Log1p kForm, class T>
CUPRUM_FN_LARGE T log1p_as(T x) {
  using Facts = Log1pFacts<T>;
  using Sums = Log1pSums<kForm>;
  constexpr T half = static_cast<T>(0.5);
  if (-x < static_cast<T>(0x1p-29)) return -x < static_cast<T>(0x1p-54) ? x : Sums::mad(-(x * x), half, x);
  T f = x, k = 0, lost = 0;  // lost: what 1 + x was rounded by, over 1 + x
  bool tiny = false;         // |f| < 2^-20
  if (-x >= Facts::kNear) {
    using U = unsigned_of_size<sizeof(T)>;
    constexpr U one = static_cast<U>(Facts::kBias) << Facts::kMantissa,
                fraction_bits = (U{1} << Facts::kMantissa) - 1;
    const T sum = T{1} + x;
    int exponent = static_cast<int>(to_bits(sum) >> Facts::kMantissa) - Facts::kBias;
    lost = (x - (sum - T{1})) / sum;
    const U fraction = to_bits(sum) & fraction_bits;
    const bool small = fraction < Facts::kRootTwo;
    f = bit_cast<T>(fraction | (small ? one : one - (U{1} << Facts::kMantissa))) - T{1};
    exponent += small ? 0 : 1;
    k = static_cast<T>(exponent);
    // The upper 20 bits of float64 are looked at, and all of float32's.
    constexpr int below = Facts::kMantissa > 23 ? Facts::kMantissa - 20 : 0;
    const U upper = fraction >> below, all = (U{1} << Facts::kMantissa) >> below;
    tiny = (small ? upper : (all - upper) >> 2) == 0;
  }
  const T square = half * f * f;
  if (tiny) {
    if (f == T{0}) return k == T{0} ? T{0} : Sums::mad(k, Facts::kHigh, Sums::mad(k, Facts::kLow, lost));
    const T rest = square * Sums::mad(static_cast<T>(-0.66666666666666666), f, T{1});
    return Sums::mad(k, Facts::kHigh, -((rest - Sums::mad(k, Facts::kLow, lost)) - f));
  }
  const T s = f / (T{2} + f), product = s * (square + Sums::series(s * s));
  if (k == T{0}) return f - (square - product);
  return Sums::mad(k, Facts::kHigh, -((square - (product + Sums::mad(k, Facts::kLow, lost))) - f));
}

CUPRUM_FN_LARGE double log1p_as(Log1p form, double x) {
  return form == Log1p::fused ? log1p_as<Log1p::fused>(x) : log1p_as<Log1p::separate>(x);
}
CUPRUM_FN_LARGE float log1p_as(Log1p form, float x) {
  return form == Log1p::rounded ? static_cast<float>(log1p_as<Log1p::fused>(static_cast<double>(x)))
                                : log1p_as<Log1p::separate>(x);
}

}  // namespace random

CUPRUM_KERNELS_END
