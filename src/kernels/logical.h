// logical_and, logical_or, logical_xor, logical_not of any type, giving bool. Whatever is not zero is true, NaN too.
#pragma once

#include "kernels/cast.h"

CUPRUM_KERNELS_BEGIN

template <class T>
CUPRUM_FN bool logical_and(T a, T b) {
  return cast<bool>(a) & cast<bool>(b);
}
template <class T>
CUPRUM_FN bool logical_or(T a, T b) {
  return cast<bool>(a) | cast<bool>(b);
}
template <class T>
CUPRUM_FN bool logical_xor(T a, T b) {
  return cast<bool>(a) != cast<bool>(b);
}
template <class T>
CUPRUM_FN bool logical_not(T x) {
  return !cast<bool>(x);
}

CUPRUM_KERNELS_END
