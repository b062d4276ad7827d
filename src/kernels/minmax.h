// maximum, minimum, fmax, fmin, clip.
//
// maximum and minimum return a NaN if there is one; fmax and fmin return the other argument. Complex numbers
// compare by real part, then by imaginary part. Of two equal arguments (0.0 and -0.0) float32,
// float64 and bfloat16 give the second, as NumPy's vector code does, and float16 the first, as its plain loop does.
#pragma once

#include "kernels/comparison.h"

CUPRUM_KERNELS_BEGIN

/// A vector of numbers, as gcc and clang know it: what follows means the same for each of its lanes.
template <class T>
concept vector_lanes = requires(T x) {
  x[0];
};

template <class T>
CUPRUM_FN auto holds_nan(T x) {
  if constexpr (complex_number<T>) {
    return (x.re != x.re) | (x.im != x.im);
  } else if constexpr (small_float<T>) {
    return (x.bits & 0x7fff) > float_format<T>::infinity;
  } else if constexpr (native_float<T> || vector_lanes<T>) {
    return x != x;
  } else {
    return false;
  }
}

// Whether the first argument is taken for the larger (smaller) of the two, NaN aside.
template <class T>
CUPRUM_FN auto first_is_larger(T a, T b) {
  if constexpr (vector_lanes<T>) {
    return a > b;
  } else if constexpr (native_float<T> || same<T, bfloat16>) {
    return greater(a, b);
  } else {
    return greater_equal(a, b);
  }
}
template <class T>
CUPRUM_FN auto first_is_smaller(T a, T b) {
  if constexpr (vector_lanes<T>) {
    return a < b;
  } else if constexpr (native_float<T> || same<T, bfloat16>) {
    return less(a, b);
  } else {
    return less_equal(a, b);
  }
}

template <class T>
CUPRUM_FN T maximum(T a, T b) {
  return (first_is_larger(a, b) | holds_nan(a)) ? a : b;
}
template <class T>
CUPRUM_FN T minimum(T a, T b) {
  return (first_is_smaller(a, b) | holds_nan(a)) ? a : b;
}
template <class T>
CUPRUM_FN T fmax(T a, T b) {
  return (first_is_larger(a, b) | holds_nan(b)) ? a : b;
}
template <class T>
CUPRUM_FN T fmin(T a, T b) {
  return (first_is_smaller(a, b) | holds_nan(b)) ? a : b;
}

/// minimum(maximum(x, low), high): where low > high the result is high. A NaN in any argument wins.
template <class T>
CUPRUM_FN T clip(T x, T low, T high) {
  return minimum(maximum(x, low), high);
}

/// Of complex numbers, NumPy lets a NaN in the imaginary part of a limit count only between equal real parts.
template <class R>
CUPRUM_FN complex<R> clip(complex<R> z, complex<R> low, complex<R> high) {
  const bool above = z.re == low.re ? z.im > low.im : z.re > low.re;
  const complex<R> raised = (above | holds_nan(z)) ? z : low;
  const bool below = raised.re == high.re ? raised.im < high.im : raised.re < high.re;
  return (below | holds_nan(raised)) ? raised : high;
}

CUPRUM_KERNELS_END
