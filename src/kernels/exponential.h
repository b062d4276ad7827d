// exp, exp2, expm1, log, log2, log10, log1p, logaddexp, logaddexp2, sqrt, cbrt, power of real numbers.
//
// On the CPU a scalar call is the C library's (at most 1 ULP). The vector loops are bounded by 4 ULP, function by
// function in tests/cpp/test_math_ulp.cpp; sqrt is correctly rounded everywhere.
#pragma once

#include "kernels/math.h"
#include "kernels/small_float.h"

CUPRUM_KERNELS_BEGIN

#define CUPRUM_MEANING(name) \
  template <native_float T>  \
  CUPRUM_FN T name(T x) {    \
    return math::name(x);    \
  }                          \
  CUPRUM_VIA_FLOAT_1(name)

CUPRUM_MEANING(exp)
CUPRUM_MEANING(exp2)
CUPRUM_MEANING(expm1)
CUPRUM_MEANING(log)
CUPRUM_MEANING(log2)
CUPRUM_MEANING(log10)
CUPRUM_MEANING(log1p)
CUPRUM_MEANING(sqrt)
CUPRUM_MEANING(cbrt)
#undef CUPRUM_MEANING

/// logaddexp(a, b) given rest = log1p(exp(-|a - b|)): the larger argument and the rest. Equal arguments, infinities
/// among them, are apart.
template <native_float T>
CUPRUM_FN T logaddexp_of_rest(T a, T b, T rest) {
  const T difference = a - b;
  const T sum = (difference > 0 ? a : b) + rest;
  return a == b ? a + T(0.693147180559945309417232121458176568) : difference != difference ? difference : sum;
}
template <native_float T>
CUPRUM_FN T logaddexp2_of_rest(T a, T b, T rest) {
  constexpr T log2_e = T(1.442695040888963407359924681001892137);
  const T difference = a - b;
  const T sum = (difference > 0 ? a : b) + log2_e * rest;
  return a == b ? a + T(1) : difference != difference ? difference : sum;
}

/// log(exp(a) + exp(b)).
template <native_float T>
CUPRUM_FN T logaddexp(T a, T b) {
  return logaddexp_of_rest(a, b, math::log1p(math::exp(-math::fabs(a - b))));
}

/// log2(2**a + 2**b).
template <native_float T>
CUPRUM_FN T logaddexp2(T a, T b) {
  return logaddexp2_of_rest(a, b, math::log1p(math::exp2(-math::fabs(a - b))));
}

/// base ** n for 0 <= n <= 16, by squaring in double: its rounding errors are 2^-50 of the result, which is then rounded
/// to float.
CUPRUM_FN float whole_power(float base, int n) {
  double square = base, product = 1;
  for (; n != 0; n >>= 1) {
    product = n & 1 ? product * square : product;
    square *= square;
  }
  return static_cast<float>(product);
}

/// Small whole exponents are multiplications: they are common, most of all 3, and mostly the same for all elements.
template <native_float T>
CUPRUM_FN T power(T base, T exponent) {
  if constexpr (same<T, float>) {
    if (exponent == 3) return whole_power(base, 3);
    const int n = (exponent >= 2) & (exponent <= 16) ? static_cast<int>(exponent) : 0;
    if (n > 0 && static_cast<float>(n) == exponent) return whole_power(base, n);
  }
  return math::pow(base, exponent);
}

/// power; the engine has converted the arguments to float64 or complex128.
template <class T>
CUPRUM_FN T float_power(T base, T exponent) {
  return power(base, exponent);
}

CUPRUM_VIA_FLOAT_2(logaddexp)
CUPRUM_VIA_FLOAT_2(logaddexp2)
CUPRUM_VIA_FLOAT_2(power)

CUPRUM_KERNELS_END
