// where and copy: values pass through untouched, bit for bit.
#pragma once

#include "kernels/types.h"

CUPRUM_KERNELS_BEGIN

template <class T>
CUPRUM_FN T where(bool condition, T a, T b) {
  return condition ? a : b;
}

template <class T>
CUPRUM_FN T copy(T x) {
  return x;
}

CUPRUM_KERNELS_END
