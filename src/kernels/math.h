// The mathematical functions of the environment, under one name for float and double: CUDA's on the GPU, the C
// library's on the CPU. The CPU's vector loops replace the transcendental ones (backend/cpu/simd/vector_math.h); sin and cos
// of float32 on the GPU are our own (circular.h).
#pragma once

#include "kernels/circular.h"

#if defined(__CUDACC__)
#define CUPRUM_MATH(name) ::name
#else
#define CUPRUM_MATH(name) __builtin_##name
#endif

CUPRUM_KERNELS_BEGIN

namespace math {

#define CUPRUM_MATH_1(name)                                         \
  CUPRUM_FN float name(float x) { return CUPRUM_MATH(name##f)(x); } \
  CUPRUM_FN double name(double x) { return CUPRUM_MATH(name)(x); }
#define CUPRUM_MATH_2(name)                                                     \
  CUPRUM_FN float name(float a, float b) { return CUPRUM_MATH(name##f)(a, b); } \
  CUPRUM_FN double name(double a, double b) { return CUPRUM_MATH(name)(a, b); }

// Correctly rounded everywhere.
CUPRUM_MATH_1(sqrt)
CUPRUM_MATH_1(floor)
CUPRUM_MATH_1(ceil)
CUPRUM_MATH_1(trunc)
CUPRUM_MATH_1(rint)
CUPRUM_MATH_1(fabs)
CUPRUM_MATH_2(fmod)
CUPRUM_MATH_2(copysign)

CUPRUM_MATH_1(exp)
CUPRUM_MATH_1(exp2)
CUPRUM_MATH_1(expm1)
CUPRUM_MATH_1(log)
CUPRUM_MATH_1(log2)
CUPRUM_MATH_1(log10)
CUPRUM_MATH_1(log1p)
CUPRUM_MATH_1(cbrt)
CUPRUM_MATH_1(tan)
CUPRUM_MATH_1(asin)
CUPRUM_MATH_1(acos)
CUPRUM_MATH_1(atan)
CUPRUM_MATH_1(sinh)
CUPRUM_MATH_1(cosh)
CUPRUM_MATH_1(tanh)
CUPRUM_MATH_1(asinh)
CUPRUM_MATH_1(acosh)
CUPRUM_MATH_1(atanh)
CUPRUM_MATH_2(pow)
CUPRUM_MATH_2(atan2)
CUPRUM_MATH_2(hypot)

#if defined(__CUDACC__)
CUPRUM_FN float sin(float x) { return circular::sin(circular::angle(x)); }
CUPRUM_FN float cos(float x) { return circular::cos(circular::angle(x)); }
CUPRUM_FN double sin(double x) { return ::sin(x); }
CUPRUM_FN double cos(double x) { return ::cos(x); }
#else
CUPRUM_MATH_1(sin)
CUPRUM_MATH_1(cos)
#endif

#undef CUPRUM_MATH_1
#undef CUPRUM_MATH_2

CUPRUM_FN float ldexp(float x, int exponent) { return CUPRUM_MATH(ldexpf)(x, exponent); }
CUPRUM_FN double ldexp(double x, int exponent) { return CUPRUM_MATH(ldexp)(x, exponent); }

}  // namespace math

// Tests that need no library and become single vector instructions.
template <native_float T>
CUPRUM_FN bool is_nan(T x) {
  return x != x;
}
template <native_float T>
CUPRUM_FN bool is_inf(T x) {
  return math::fabs(x) == infinity<T>();
}
template <native_float T>
CUPRUM_FN bool is_finite(T x) {
  return math::fabs(x) < infinity<T>();
}
template <native_float T>
CUPRUM_FN bool sign_bit(T x) {
  return (to_bits(x) & float_format<T>::sign) != 0;
}

CUPRUM_KERNELS_END
