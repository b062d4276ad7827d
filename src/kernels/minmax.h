// maximum, minimum, fmax, fmin, clip.
//
// maximum and minimum return a NaN if there is one; fmax and fmin return the other argument. Complex numbers
// compare by real part, then by imaginary part. Of two equal arguments (0.0 and -0.0) float32 and float64
// return the second, as NumPy's vector code does, and all other types the first, as its plain loops do.
#pragma once

#include "kernels/comparison.h"

CUPRUM_KERNELS_BEGIN

template <class T>
CUPRUM_FN bool holds_nan(T x) {
  if constexpr (complex_number<T>) {
    return (x.re != x.re) | (x.im != x.im);
  } else if constexpr (small_float<T>) {
    return (x.bits & 0x7fff) > float_format<T>::infinity;
  } else if constexpr (native_float<T>) {
    return x != x;
  } else {
    return false;
  }
}

// Whether the first argument is taken for the larger (smaller) of the two, NaN aside.
template <class T>
CUPRUM_FN bool first_is_larger(T a, T b) {
  if constexpr (native_float<T>) {
    return a > b;
  } else {
    return greater_equal(a, b);
  }
}
template <class T>
CUPRUM_FN bool first_is_smaller(T a, T b) {
  if constexpr (native_float<T>) {
    return a < b;
  } else {
    return less_equal(a, b);
  }
}

template <class T>
CUPRUM_FN T maximum(T a, T b) {
  return first_is_larger(a, b) | holds_nan(a) ? a : b;
}
template <class T>
CUPRUM_FN T minimum(T a, T b) {
  return first_is_smaller(a, b) | holds_nan(a) ? a : b;
}
template <class T>
CUPRUM_FN T fmax(T a, T b) {
  return first_is_larger(a, b) | holds_nan(b) ? a : b;
}
template <class T>
CUPRUM_FN T fmin(T a, T b) {
  return first_is_smaller(a, b) | holds_nan(b) ? a : b;
}

/// minimum(maximum(x, low), high): where low > high the result is high. A NaN in any argument wins.
template <class T>
CUPRUM_FN T clip(T x, T low, T high) {
  return minimum(maximum(x, low), high);
}

CUPRUM_KERNELS_END
