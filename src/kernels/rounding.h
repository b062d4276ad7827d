// floor, ceil, trunc, rint. Integers and bool are already whole.
#pragma once

#include "kernels/math.h"
#include "kernels/small_float.h"

CUPRUM_KERNELS_BEGIN

template <real_number T>
CUPRUM_FN T floor(T x) {
  if constexpr (native_float<T>) {
    return math::floor(x);
  } else {
    return x;
  }
}
template <real_number T>
CUPRUM_FN T ceil(T x) {
  if constexpr (native_float<T>) {
    return math::ceil(x);
  } else {
    return x;
  }
}
template <real_number T>
CUPRUM_FN T trunc(T x) {
  if constexpr (native_float<T>) {
    return math::trunc(x);
  } else {
    return x;
  }
}

/// Nearest whole number, ties to even.
template <native_float T>
CUPRUM_FN T rint(T x) {
  return math::rint(x);
}
template <class R>
CUPRUM_FN complex<R> rint(complex<R> z) {
  return {math::rint(z.re), math::rint(z.im)};
}

CUPRUM_VIA_FLOAT_1(floor)
CUPRUM_VIA_FLOAT_1(ceil)
CUPRUM_VIA_FLOAT_1(trunc)
CUPRUM_VIA_FLOAT_1(rint)

CUPRUM_KERNELS_END
