// sin and cos of float32 as GPUs compute them: one reduction of the argument, which a kernel that has both shares.
//
// The toolkit's functions give the same accuracy, but reduce large arguments in line, once per function: in a fused kernel
// with both, the instructions around those never-taken branches cost more than the polynomials.
// Here the quadrant and the rest of a moderate argument are five instructions, both polynomials are computed and chosen
// from without a branch, and the compiler merges what sin and cos of one operand have in common.
// At most 1.6 ULP, for all arguments however large (tests/cpp/test_circular.cpp).
#pragma once

#include "kernels/types.h"

CUPRUM_KERNELS_BEGIN

namespace circular {

#if defined(__CUDACC__)
#define CUPRUM_FN_RARE __host__ __device__ __noinline__ inline
CUPRUM_FN float fused(float a, float b, float c) { return ::fmaf(a, b, c); }
#else
#define CUPRUM_FN_RARE inline __attribute__((noinline))
CUPRUM_FN float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#endif

/// x = quadrant * pi/2 + rest, the quadrant modulo 4 (its other bits are arbitrary), |rest| a little above pi/4 at most.
struct Reduced {
  float rest;
  uint32 quadrant;
};

/// |x| >= 2^16, infinite or NaN. With x = m * 2^(e-23), the bits of 2/pi above 2^(24-e) give multiples of four turns: of the
/// others the 96 highest, multiplied by m modulo 2^96, are two bits of quadrant and a fraction.
CUPRUM_FN_RARE Reduced reduce_large(float x) {
  static const uint32 two_over_pi[8] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                        0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
  const uint32 bits = to_bits(x), exponent = bits >> 23 & 255;
  if (exponent == 255) return {quiet_nan<float>(), 0};
  const uint32 from = exponent - 127 - 25 + 32, word = from >> 5, shift = from & 31;
  uint64 window[3];
  for (uint32 i = 0; i < 3; ++i) {
    const uint64 pair = uint64(two_over_pi[word + i]) << 32 | two_over_pi[word + i + 1];
    window[i] = pair << shift >> 32;
  }
  const uint64 m = (bits & 0x7fffff) | 0x800000;
  const uint64 turns =
      (m * window[0] << 32) + m * window[1] + (m * window[2] >> 32);  // two bits, 62 of fraction
  const uint64 quadrant = (turns + (uint64(1) << 61)) >> 62;
  const auto fraction = static_cast<int64>(turns - (quadrant << 62));
  const auto rest =
      static_cast<float>(static_cast<double>(fraction) * (1.570796326794896619231321691639751442 * 0x1p-62));
  const bool negative = bits >> 31;
  return {negative ? -rest : rest, static_cast<uint32>(negative ? 0 - quadrant : quadrant)};
}

CUPRUM_FN Reduced reduce(float x) {
  // Adding 1.5 * 2^23 rounds to a whole number, which stands in the low bits of the sum.
  const float shifted = fused(x, 0x1.45f306p-1f, 0x1.8p23f), turns = shifted - 0x1.8p23f;
  // pi/2 in three parts, all of one sign, so that -0 stays -0; the first difference is exact.
  float rest = fused(turns, -0x1.921fb4p+0f, x);
  rest = fused(turns, -0x1.4442d0p-24f, rest);
  rest = fused(turns, -0x1.846988p-48f, rest);
  if (!((to_bits(x) & 0x7fffffff) < 0x47800000)) return reduce_large(x);  // 2^16
  return {rest, to_bits(shifted)};
}

/// For |x| up to pi/4. The product with x is formed by an addition of zero: so the sine of -0 is -0.
CUPRUM_FN float sine(float x, float square) {
  const float series = fused(fused(-0x1.9951f6p-13f, square, 0x1.110774p-7f), square, -0x1.555546p-3f);
  return fused(series, fused(x, square, 0.0f), x);
}
CUPRUM_FN float cosine(float square) {
  const float series = fused(fused(0x1.99e80cp-16f, square, -0x1.6c0c28p-10f), square, 0x1.55554ap-5f);
  return fused(fused(series, square, -0.5f), square, 1.0f);
}

/// What sin(x) and cos(x) are chosen from.
struct Angle {
  float sine, cosine;  // of the rest
  uint32 quadrant;
};

CUPRUM_FN Angle angle(float x) {
  const Reduced r = reduce(x);
  const float square = r.rest * r.rest;
  return {sine(r.rest, square), cosine(square), r.quadrant};
}
CUPRUM_FN float sin(Angle a) {
  const float value = a.quadrant & 1 ? a.cosine : a.sine;
  return bit_cast<float>(to_bits(value) ^ (a.quadrant << 30 & 0x80000000u));
}
CUPRUM_FN float cos(Angle a) {
  const float value = a.quadrant & 1 ? a.sine : a.cosine;
  return bit_cast<float>(to_bits(value) ^ ((a.quadrant + 1) << 30 & 0x80000000u));
}

#undef CUPRUM_FN_RARE

}  // namespace circular

CUPRUM_KERNELS_END
