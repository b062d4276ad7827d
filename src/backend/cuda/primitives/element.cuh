// The element types by dtype, as the scalar meanings see them.
#pragma once

#include "cuprum/dtype.h"
#include "kernels/types.h"

namespace cuprum::cuda::primitives {

template <dtype t>
struct ElementOf;
#define CUPRUM_ELEMENT(name, T)   \
  template <>                     \
  struct ElementOf<dtype::name> { \
    using type = T;               \
  };
CUPRUM_ELEMENT(bool_, bool)
CUPRUM_ELEMENT(int8, kernels::int8)
CUPRUM_ELEMENT(int16, kernels::int16)
CUPRUM_ELEMENT(int32, kernels::int32)
CUPRUM_ELEMENT(int64, kernels::int64)
CUPRUM_ELEMENT(uint8, kernels::uint8)
CUPRUM_ELEMENT(uint16, kernels::uint16)
CUPRUM_ELEMENT(uint32, kernels::uint32)
CUPRUM_ELEMENT(uint64, kernels::uint64)
CUPRUM_ELEMENT(float16, kernels::float16)
CUPRUM_ELEMENT(bfloat16, kernels::bfloat16)
CUPRUM_ELEMENT(float32, float)
CUPRUM_ELEMENT(float64, double)
CUPRUM_ELEMENT(complex64, kernels::complex64)
CUPRUM_ELEMENT(complex128, kernels::complex128)
#undef CUPRUM_ELEMENT

template <dtype t>
using Element = typename ElementOf<t>::type;

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
