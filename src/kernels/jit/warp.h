// Numbers that CUDA's shuffles do not take go through them as an int.
#pragma once

#include "kernels/jit/meanings.h"

namespace jit {

template <class T>
CUPRUM_FN auto carrier(T x) {
  if constexpr (np::small_float<T>) {
    return static_cast<int>(x.bits);
  } else {
    return x;
  }
}
template <class T, class Carrier>
CUPRUM_FN T carried(Carrier x) {
  if constexpr (np::small_float<T>) {
    return T{static_cast<unsigned short>(x)};
  } else {
    return x;
  }
}

}  // namespace jit
