// Conversions of float16 and bfloat16: exact where possible, else rounded once, to nearest, ties to even.
//
// All are free of branches, so that loops of them become vector code, and none relies on subnormal float
// arithmetic, so that flush-to-zero modes do not change them. NaN stays NaN, quiet, with its sign and upper bits
// (what the F16C instructions do).
#pragma once

#include "kernels/types.h"

CUPRUM_KERNELS_BEGIN

CUPRUM_FN float widen(float16 h) {
  const uint32 magnitude = h.bits & 0x7fffu;
  const uint32 sign = (h.bits & 0x8000u) << 16;
#if defined(__CUDA_ARCH__)  // exact, but for the bits of NaN
  float number;
  asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(h.bits));
  return magnitude > 0x7c00u ? bit_cast<float>((magnitude << 13) | 0x7fc00000u | sign) : number;
#else
  const uint32 normal = (magnitude << 13) + (112u << 23);
  const float subnormal = bit_cast<float>((magnitude << 13) + (113u << 23)) - 0x1p-14f;
  const uint32 special = (magnitude << 13) | 0x7f800000u | (magnitude > 0x7c00u ? 0x00400000u : 0u);
  const uint32 finite = magnitude < 0x0400u ? to_bits(subnormal) : normal;
  return bit_cast<float>((magnitude >= 0x7c00u ? special : finite) | sign);
#endif
}

CUPRUM_FN float widen(bfloat16 h) {
  const uint32 quiet = (h.bits & 0x7fffu) > 0x7f80u ? 0x00400000u : 0u;
  return bit_cast<float>((static_cast<uint32>(h.bits) << 16) | quiet);
}

template <small_float T>
CUPRUM_FN T narrow(float x);

template <>
CUPRUM_FN float16 narrow<float16>(float x) {
  const uint32 bits = to_bits(x);
  const uint32 magnitude = bits & 0x7fffffffu;
#if defined(__CUDA_ARCH__)  // rounded to nearest, ties to even, as below, but for the bits of NaN
  uint16 number;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(number) : "f"(x));
  const uint32 nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu) | ((bits >> 16) & 0x8000u);
  return float16{magnitude > 0x7f800000u ? static_cast<uint16>(nan) : number};
#else
  const uint32 normal = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  // In [0.5, 1) a float's last bit is worth 2^-24, the smallest float16: the addition rounds.
  const uint32 subnormal = to_bits(bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  const uint32 special = magnitude > 0x7f800000u ? 0x7e00u | ((magnitude >> 13) & 0x3ffu) : 0x7c00u;
  const uint32 finite = magnitude < (113u << 23) ? subnormal : normal;
  const uint32 result = (magnitude >= 0x47800000u ? special : finite) | ((bits >> 16) & 0x8000u);
  return float16{static_cast<uint16>(result)};
#endif
}

template <>
CUPRUM_FN bfloat16 narrow<bfloat16>(float x) {
  const uint32 bits = to_bits(x);
  const uint32 rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const uint32 nan = (bits >> 16) | 0x40u;
  return bfloat16{static_cast<uint16>((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded)};
}

/// A double as a float, rounded to odd: of the two neighbours the one whose last bit is set. Rounding the result
/// once more to a type that is at least two bits narrower gives what rounding once would have given.
CUPRUM_FN float round_to_odd(double x) {
  const float nearest = static_cast<float>(x);
  const double back = nearest;
  const double magnitude = bit_cast<double>(to_bits(x) & 0x7fffffffffffffffu);
  const double back_magnitude = bit_cast<double>(to_bits(back) & 0x7fffffffffffffffu);
  const uint32 truncated = to_bits(nearest) - (back_magnitude > magnitude ? 1u : 0u);
  return bit_cast<float>(truncated | (back_magnitude != magnitude ? 1u : 0u));
}

template <small_float T>
CUPRUM_FN T narrow(double x) {
  return narrow<T>(round_to_odd(x));
}

/// An integer as a double that rounds to any narrower type as the integer itself would.
template <integer T>
CUPRUM_FN double sticky_double(T x) {
  if constexpr (sizeof(T) < 8) {
    return static_cast<double>(x);
  } else {
    constexpr T limit = T(1) << 53;
    bool fits = x < limit;
    if constexpr (signed_integer<T>) fits &= x > -limit;
    const T odd = static_cast<T>((x >> 16) | ((x & 0xffff) != 0 ? 1 : 0));
    return fits ? static_cast<double>(x) : static_cast<double>(odd) * 65536.0;
  }
}

/// The result of an operation on small floats that was computed in float: rounded, or left if it is no float.
template <small_float T>
CUPRUM_FN T narrow_result(float x) {
  return narrow<T>(x);
}
template <small_float T>
CUPRUM_FN bool narrow_result(bool x) {
  return x;
}
template <small_float T>
CUPRUM_FN int32 narrow_result(int32 x) {
  return x;
}

CUPRUM_KERNELS_END

// An operation on float16 or bfloat16 is that of float32 on the converted arguments, rounded once at the end.
// These define it so, for functions of one to three arguments of one type.
#define CUPRUM_VIA_FLOAT_1(op)             \
  template <small_float T>                 \
  CUPRUM_FN auto op(T x) {                 \
    return narrow_result<T>(op(widen(x))); \
  }
#define CUPRUM_VIA_FLOAT_2(op)                       \
  template <small_float T>                           \
  CUPRUM_FN auto op(T a, T b) {                      \
    return narrow_result<T>(op(widen(a), widen(b))); \
  }
