// gcd, lcm and power of integers.
#pragma once

#include "kernels/arithmetic.h"

CUPRUM_KERNELS_BEGIN

/// Greatest common divisor of the magnitudes; gcd(0, 0) is 0.
template <integer T>
CUPRUM_FN T gcd(T a, T b) {
  using U = bits_of<T>;
  U x = static_cast<U>(absolute(a)), y = static_cast<U>(absolute(b));
  while (y != 0) {
    const U rest = static_cast<U>(x % y);
    x = y;
    y = rest;
  }
  return static_cast<T>(x);
}

/// Least common multiple of the magnitudes, wrapping around; 0 where an argument is 0.
template <integer T>
CUPRUM_FN T lcm(T a, T b) {
  using U = bits_of<T>;
  const U divisor = static_cast<U>(gcd(a, b));
  if (divisor == 0) return 0;
  return static_cast<T>(
      multiply(static_cast<U>(static_cast<U>(absolute(a)) / divisor), static_cast<U>(absolute(b))));
}

/// base ** exponent, wrapping around. A negative exponent, which the caller refuses, gives the truncated quotient.
template <integer T>
CUPRUM_FN T power(T base, T exponent) {
  if constexpr (signed_integer<T>) {
    if (exponent < 0) {
      const bool odd = (exponent & 1) != 0;
      return base == 1 || (base == -1 && !odd) ? T(1) : base == -1 ? T(-1) : T(0);
    }
  }
  using U = bits_of<T>;
  U factor = static_cast<U>(base), result = 1;
  for (U rest = static_cast<U>(exponent); rest != 0; rest = static_cast<U>(rest >> 1)) {
    if (rest & 1) result = multiply(result, factor);
    factor = multiply(factor, factor);
  }
  return static_cast<T>(result);
}

CUPRUM_KERNELS_END
