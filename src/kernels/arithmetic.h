// add, subtract, multiply, divide, negative, positive, absolute, sign, square, reciprocal of real numbers.
//
// Integers wrap around. bool has NumPy's meaning: add is `or`, multiply is `and`.
#pragma once

#include "kernels/cast.h"
#include "kernels/math.h"
#include "kernels/small_float.h"

CUPRUM_KERNELS_BEGIN

template <real_number T>
CUPRUM_FN T add(T a, T b) {
  if constexpr (boolean<T>) {
    return a | b;
  } else if constexpr (integer<T>) {
    return static_cast<T>(static_cast<wrapping<T>>(a) + static_cast<wrapping<T>>(b));
  } else {
    return a + b;
  }
}

template <real_number T>
CUPRUM_FN T subtract(T a, T b) {
  if constexpr (integer<T>) {
    return static_cast<T>(static_cast<wrapping<T>>(a) - static_cast<wrapping<T>>(b));
  } else {
    return a - b;
  }
}

template <real_number T>
CUPRUM_FN T multiply(T a, T b) {
  if constexpr (boolean<T>) {
    return a & b;
  } else if constexpr (integer<T>) {
    return static_cast<T>(static_cast<wrapping<T>>(a) * static_cast<wrapping<T>>(b));
  } else {
    return a * b;
  }
}

template <native_float T>
CUPRUM_FN T divide(T a, T b) {
  return a / b;
}

template <real_number T>
CUPRUM_FN T negative(T x) {
  if constexpr (integer<T>) {
    return static_cast<T>(wrapping<T>(0) - static_cast<wrapping<T>>(x));
  } else {
    return -x;
  }
}

template <class T>
CUPRUM_FN T positive(T x) {
  return x;
}

template <real_number T>
CUPRUM_FN T absolute(T x) {
  if constexpr (signed_integer<T>) {
    return x < 0 ? negative(x) : x;
  } else if constexpr (native_float<T>) {
    return math::fabs(x);
  } else {
    return x;
  }
}

// The sign of a small float is its highest bit, of a NaN too.
template <small_float T>
CUPRUM_FN T negative(T x) {
  return T{static_cast<uint16>(x.bits ^ 0x8000)};
}
template <small_float T>
CUPRUM_FN T absolute(T x) {
  return T{static_cast<uint16>(x.bits & 0x7fff)};
}

/// -1, 0 or 1; the zero is positive, NaN stays NaN.
template <real_number T>
CUPRUM_FN T sign(T x) {
  if constexpr (unsigned_integer<T>) {
    return x != 0 ? T(1) : T(0);
  } else {
    const T of_number = static_cast<T>(x > T(0) ? T(1) : x < T(0) ? T(-1) : T(0));
    return x != x ? x : of_number;
  }
}

template <real_number T>
CUPRUM_FN T square(T x) {
  return multiply(x, x);
}

/// 1 / x; of an integer rounded towards zero, of the integer 0 what the cast of an infinity gives.
template <real_number T>
CUPRUM_FN T reciprocal(T x) {
  if constexpr (integer<T>) {
    return cast<T>(1.0 / static_cast<double>(x));
  } else {
    return T(1) / x;
  }
}

CUPRUM_VIA_FLOAT_2(add)
CUPRUM_VIA_FLOAT_2(subtract)
CUPRUM_VIA_FLOAT_2(multiply)
CUPRUM_VIA_FLOAT_2(divide)
CUPRUM_VIA_FLOAT_1(sign)
CUPRUM_VIA_FLOAT_1(square)
CUPRUM_VIA_FLOAT_1(reciprocal)

CUPRUM_KERNELS_END
