// The kernels' type of each dtype. Light on purpose: files compiled once per instruction set and by nvcc include it, hence
// the namespace of the kernels, which is another one in each of those compilations.
#pragma once

#include "cuprum/dtype.h"
#include "kernels/types.h"

CUPRUM_KERNELS_BEGIN

#define CUPRUM_ELEMENTS(entry)                                                                            \
  entry(bool_, bool) entry(int8, kernels::int8) entry(int16, kernels::int16) entry(int32, kernels::int32) \
      entry(int64, kernels::int64) entry(uint8, kernels::uint8) entry(uint16, kernels::uint16)            \
          entry(uint32, kernels::uint32) entry(uint64, kernels::uint64) entry(float16, kernels::float16)  \
              entry(bfloat16, kernels::bfloat16) entry(float32, float) entry(float64, double)             \
                  entry(complex64, kernels::complex64) entry(complex128, kernels::complex128)

template <dtype t>
struct ElementOf;
#define CUPRUM_ELEMENT(name, T)   \
  template <>                     \
  struct ElementOf<dtype::name> { \
    using type = T;               \
  };
CUPRUM_ELEMENTS(CUPRUM_ELEMENT)
#undef CUPRUM_ELEMENT

template <dtype t>
using Element = typename ElementOf<t>::type;

/// f(T()) for the type of a dtype that is known at run time.
template <class F>
auto with_element(dtype t, F&& f) {
  switch (t) {
#define CUPRUM_ELEMENT(name, T) \
  case dtype::name: return f(T());
    CUPRUM_ELEMENTS(CUPRUM_ELEMENT)
#undef CUPRUM_ELEMENT
  }
  __builtin_unreachable();
}

CUPRUM_KERNELS_END
