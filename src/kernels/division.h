// floor_divide, remainder and fmod of real numbers.
//
// floor_divide rounds down and remainder has the sign of the divisor, as in Python; fmod has the sign of the dividend,
// as in C. Integers divided by zero give 0 and the lowest integer divided by -1 wraps to itself. Floating
// results agree with each other: floor_divide(a, b) * b + remainder(a, b) is a, up to rounding.
#pragma once

#include "kernels/arithmetic.h"

CUPRUM_KERNELS_BEGIN

/// a / b rounded towards zero, for b != 0. The CPU has no vector division of integers, but for up to 32 bits the
/// rounded floating-point quotient truncates to the exact one: a quotient that is no integer differs from the next
/// integer by more than the rounding (8 x int32 in 3 ns instead of 20 ns).
template <integer T>
CUPRUM_FN T truncated_quotient(T a, T b) {
#if !defined(__CUDACC__)
  if constexpr (sizeof(T) <= 2) {
    return static_cast<T>(static_cast<int32>(static_cast<float>(a) / static_cast<float>(b)));
  } else if constexpr (sizeof(T) == 4) {
    // Adding 1.5 * 2^52 leaves the integer in the low bits, modulo 2^32.
    const double quotient = math::trunc(static_cast<double>(a) / static_cast<double>(b));
    return static_cast<T>(to_bits(quotient + 0x1.8p52));
  } else
#endif
      if constexpr (signed_integer<T>) {
    return b == T(-1) ? negative(a) : static_cast<T>(a / (b == T(-1) ? T(1) : b));
  } else {
    return static_cast<T>(a / b);
  }
}

template <integer T>
CUPRUM_FN T fmod(T a, T b) {
  const T divisor = b == 0 ? T(1) : b;
  return subtract(a, multiply(truncated_quotient(a, divisor), divisor));
}

template <integer T>
CUPRUM_FN T remainder(T a, T b) {
  const T rest = fmod(a, b);
  if constexpr (signed_integer<T>) {
    return add(rest, ((rest != 0) & ((rest < 0) != (b < 0))) ? b : T(0));
  } else {
    return rest;
  }
}

template <integer T>
CUPRUM_FN T floor_divide(T a, T b) {
  const T divisor = b == 0 ? T(1) : b;
  T quotient = truncated_quotient(a, divisor);
  if constexpr (signed_integer<T>) {
    const T rest = subtract(a, multiply(quotient, divisor));
    quotient = subtract(quotient, static_cast<T>((rest != 0) & ((rest < 0) != (divisor < 0))));
  }
  return b == 0 ? T(0) : quotient;
}

template <native_float T>
CUPRUM_FN T fmod(T a, T b) {
  return math::fmod(a, b);
}

/// remainder(a, b) from fmod(a, b).
template <native_float T>
CUPRUM_FN T remainder_of_fmod(T rest, T b) {
  const T moved = rest + ((b < 0) != (rest < 0) ? b : T(0));
  const T number = rest == 0 ? math::copysign(T(0), b) : moved;
  return b == 0 ? rest : number;
}

/// floor_divide(a, b) from fmod(a, b).
template <native_float T>
CUPRUM_FN T floor_divide_of_fmod(T a, T rest, T b) {
  const T quotient = (a - rest) / b - (((rest != 0) & ((b < 0) != (rest < 0))) ? T(1) : T(0));
  const T floored = math::floor(quotient);
  const T snapped = floored + (quotient - floored > T(0.5) ? T(1) : T(0));
  const T number = quotient != 0 ? snapped : math::copysign(T(0), a / b);
  return b == 0 ? a / b : number;
}

template <native_float T>
CUPRUM_FN T remainder(T a, T b) {
  return remainder_of_fmod(fmod(a, b), b);
}

template <native_float T>
CUPRUM_FN T floor_divide(T a, T b) {
  return floor_divide_of_fmod(a, fmod(a, b), b);
}

CUPRUM_VIA_FLOAT_2(fmod)
CUPRUM_VIA_FLOAT_2(remainder)
CUPRUM_VIA_FLOAT_2(floor_divide)

CUPRUM_KERNELS_END
