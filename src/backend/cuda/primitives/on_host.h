// Calls that the CPU computes, with one copy there and one back (runtime/on_host.h): those that CUDA has no form of, and those at
// which the CPU is faster.
#pragma once

#include "backend/cuda/primitives/linalg/eigen.h"
#include "backend/cuda/primitives/random/draw.h"
#include "runtime/on_host.h"

namespace cuprum::cuda {

template <class P>
bool runs_on_host(const P&, Operands) {
  return false;
}
inline bool runs_on_host(const Eig& p, Operands in) { return primitives::runs_on_host(p, in); }
inline bool runs_on_host(const Draw& p, Operands in) { return !has_form(p, in); }

}  // namespace cuprum::cuda
