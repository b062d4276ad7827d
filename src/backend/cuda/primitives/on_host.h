// Primitives that CUDA has no form of: the CPU computes them, with one copy there and one back (runtime/on_host.h).
#pragma once

#include "backend/cuda/primitives/random/draw.h"
#include "runtime/on_host.h"

namespace cuprum::cuda {

template <class P>
inline constexpr bool kOnHost = false;

#define CUPRUM_ON_HOST(P) \
  template <>             \
  inline constexpr bool kOnHost<P> = true;
CUPRUM_LINALG_PRIMITIVES(CUPRUM_ON_HOST)
CUPRUM_ON_HOST(Fft)
#undef CUPRUM_ON_HOST

/// The same for a primitive of which some calls have a form.
template <class P>
bool is_on_host(const P&, Operands) {
  return false;
}
inline bool is_on_host(const Draw& p, Operands in) { return !has_form(p, in); }

}  // namespace cuprum::cuda
