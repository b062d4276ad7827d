// Elements in the memory of the device.
#pragma once

#include "core/element.h"

namespace cuprum::cuda::primitives {

using kernels::Element;

/// An element of memory. A bool may have any bits but 0 for true in memory that others wrote.
template <class T>
__device__ T read_element(const char* p) {
  if constexpr (kernels::boolean<T>) {
    return *reinterpret_cast<const kernels::uint8*>(p) != 0;
  } else if constexpr (sizeof(T) == 16) {
    return __builtin_bit_cast(T, *reinterpret_cast<const uint4*>(p));
  } else if constexpr (kernels::complex_number<T>) {
    return __builtin_bit_cast(T, *reinterpret_cast<const uint2*>(p));
  } else {
    return *reinterpret_cast<const T*>(p);
  }
}

template <class T>
__device__ void write_element(char* p, T x) {
  if constexpr (sizeof(T) == 16) {
    *reinterpret_cast<uint4*>(p) = __builtin_bit_cast(uint4, x);
  } else if constexpr (kernels::complex_number<T>) {
    *reinterpret_cast<uint2*>(p) = __builtin_bit_cast(uint2, x);
  } else {
    *reinterpret_cast<T*>(p) = x;
  }
}

}  // namespace cuprum::cuda::primitives
