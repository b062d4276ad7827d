// The kernels' type of each dtype. Light on purpose: files compiled once per instruction set and by nvcc include it, hence
// the namespace of the kernels, which is another one in each of those compilations.
#pragma once

#include "cuprum/dtype.h"
#include "kernels/types.h"

CUPRUM_KERNELS_BEGIN

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

CUPRUM_KERNELS_END
