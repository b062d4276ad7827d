// Primitives that CUDA has no form of, and calls of others for which the CPU is faster: the CPU computes them, with one copy there and
// one back (runtime/on_host.h).
#pragma once

#include "backend/cuda/primitives/linalg/eigen.h"
#include "runtime/on_host.h"

namespace cuprum::cuda {

template <class P>
inline constexpr bool kOnHost = false;

#define CUPRUM_ON_HOST(P) \
  template <>             \
  inline constexpr bool kOnHost<P> = true;
CUPRUM_ON_HOST(Draw)
#undef CUPRUM_ON_HOST

/// This call, of a primitive that has a form.
template <class P>
bool runs_on_host(const P& p, Operands in) {
  if constexpr (requires { primitives::runs_on_host(p, in); })
    return primitives::runs_on_host(p, in);
  else
    return false;
}

}  // namespace cuprum::cuda
