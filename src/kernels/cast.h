// cast<To>(x): NumPy's astype(casting="unsafe").
//
// Floating to integer truncates. Where the value does not fit, C++ leaves the result undefined; here it is what
// NumPy gives on x86-64, on every machine: the conversion is made to int32 (for the types up to int32 and uint16)
// or to int64 (for uint32 and int64), whose lowest value stands for "does not fit" and for NaN, and the
// low bits are kept. uint64 takes values from 2^63 up through a subtraction of 2^63.
#pragma once

#include "kernels/small_float.h"

CUPRUM_KERNELS_BEGIN

template <native_float T>
CUPRUM_FN int32 truncate_to_int32(T x) {
  const bool fits = x > T(-2147483649.0) && x < T(2147483648.0);
  return fits || x == T(-2147483648.0) ? static_cast<int32>(x) : int32(-2147483647 - 1);
}

template <native_float T>
CUPRUM_FN int64 truncate_to_int64(T x) {
  const bool fits = x >= T(-9223372036854775808.0) && x < T(9223372036854775808.0);
  return fits ? static_cast<int64>(x) : int64(-9223372036854775807 - 1);
}

template <integer To, native_float From>
CUPRUM_FN To float_to_integer(From x) {
  if constexpr (sizeof(To) < 4 || same<To, int32>) {
    return static_cast<To>(truncate_to_int32(x));
  } else if constexpr (unsigned_integer<To> && sizeof(To) == 8) {
    constexpr From half_range = From(9223372036854775808.0);
    const bool upper = x >= half_range;
    const uint64 low = static_cast<uint64>(truncate_to_int64(upper ? x - half_range : x));
    return low ^ (upper ? uint64(1) << 63 : uint64(0));
  } else {
    return static_cast<To>(truncate_to_int64(x));
  }
}

template <class To, class From>
CUPRUM_FN To cast(From x) {
  if constexpr (same<To, From>) {
    return x;
  } else if constexpr (boolean<From>) {
    return cast<To>(static_cast<uint8>(x));
  } else if constexpr (complex_number<From>) {
    if constexpr (complex_number<To>) {
      using R = decltype(To::re);
      return To{static_cast<R>(x.re), static_cast<R>(x.im)};
    } else if constexpr (boolean<To>) {
      return (x.re != 0) | (x.im != 0);
    } else {
      return cast<To>(x.re);
    }
  } else if constexpr (complex_number<To>) {
    return To{cast<decltype(To::re)>(x), 0};
  } else if constexpr (small_float<From>) {
    if constexpr (same<To, float> || same<To, double>) {
      return widen(x);
    } else {
      return cast<To>(widen(x));
    }
  } else if constexpr (small_float<To>) {
    if constexpr (integer<From> && sizeof(From) <= 2) {
      return narrow<To>(static_cast<float>(x));
    } else if constexpr (integer<From>) {
      return narrow<To>(sticky_double(x));
    } else {
      return narrow<To>(x);
    }
  } else if constexpr (boolean<To>) {
    return x != From(0);
  } else if constexpr (integer<To> && native_float<From>) {
    return float_to_integer<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

CUPRUM_KERNELS_END
