// Primitives that CUDA has no form of: the CPU computes them, with one copy there and one back (runtime/on_host.h).
#pragma once

#include "runtime/on_host.h"

namespace cuprum::cuda {

template <class P>
inline constexpr bool kOnHost = false;

#define CUPRUM_ON_HOST(P) \
  template <>             \
  inline constexpr bool kOnHost<P> = true;
CUPRUM_LINALG_PRIMITIVES(CUPRUM_ON_HOST)
CUPRUM_ON_HOST(Draw)
#undef CUPRUM_ON_HOST

}  // namespace cuprum::cuda
