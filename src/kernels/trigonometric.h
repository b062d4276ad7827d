// The circular and hyperbolic functions of real numbers, their inverses, and conversion between degrees and radians.
//
// On the CPU a scalar call is the C library's (at most 2 ULP). The vector loops are bounded by 4 ULP, function by
// function in tests/cpp/test_math_ulp.cpp, for all arguments however large.
#pragma once

#include "kernels/math.h"
#include "kernels/small_float.h"

CUPRUM_KERNELS_BEGIN

#define CUPRUM_MEANING(name, function) \
  template <native_float T>            \
  CUPRUM_FN T name(T x) {              \
    return math::function(x);          \
  }                                    \
  CUPRUM_VIA_FLOAT_1(name)

CUPRUM_MEANING(sin, sin)
CUPRUM_MEANING(cos, cos)
CUPRUM_MEANING(tan, tan)
CUPRUM_MEANING(arcsin, asin)
CUPRUM_MEANING(arccos, acos)
CUPRUM_MEANING(arctan, atan)
CUPRUM_MEANING(sinh, sinh)
CUPRUM_MEANING(cosh, cosh)
CUPRUM_MEANING(tanh, tanh)
CUPRUM_MEANING(arcsinh, asinh)
CUPRUM_MEANING(arccosh, acosh)
CUPRUM_MEANING(arctanh, atanh)
#undef CUPRUM_MEANING

// A kernel with both sin(x) and cos(x) writes sin_of(a) and cos_of(a), a = angle_of(x), which is the same to the bit.
#if defined(__CUDACC__)
CUPRUM_FN circular::Angle angle_of(float x) { return circular::angle(x); }
CUPRUM_FN float sin_of(circular::Angle a) { return circular::sin(a); }
CUPRUM_FN float cos_of(circular::Angle a) { return circular::cos(a); }
#else
CUPRUM_FN float angle_of(float x) { return x; }
CUPRUM_FN float sin_of(float x) { return math::sin(x); }
CUPRUM_FN float cos_of(float x) { return math::cos(x); }
#endif

template <native_float T>
CUPRUM_FN T arctan2(T y, T x) {
  return math::atan2(y, x);
}

template <native_float T>
CUPRUM_FN T hypot(T a, T b) {
  return math::hypot(a, b);
}

template <native_float T>
CUPRUM_FN T degrees(T x) {
  return x * (T(180) / T(3.141592653589793238462643383279502884));
}

template <native_float T>
CUPRUM_FN T radians(T x) {
  return x * (T(3.141592653589793238462643383279502884) / T(180));
}

template <native_float T>
CUPRUM_FN T rad2deg(T x) {
  return degrees(x);
}

template <native_float T>
CUPRUM_FN T deg2rad(T x) {
  return radians(x);
}

CUPRUM_VIA_FLOAT_2(arctan2)
CUPRUM_VIA_FLOAT_2(hypot)
CUPRUM_VIA_FLOAT_1(degrees)
CUPRUM_VIA_FLOAT_1(radians)
CUPRUM_VIA_FLOAT_1(rad2deg)
CUPRUM_VIA_FLOAT_1(deg2rad)

CUPRUM_KERNELS_END
