// Primitives that CUDA has no form of: the CPU computes them, with one copy there and one back (runtime/on_host.h).
#pragma once

#include "runtime/on_host.h"

namespace cuprum::cuda {

template <class P>
inline constexpr bool kOnHost = false;

template <>
inline constexpr bool kOnHost<Fft> = true;

}  // namespace cuprum::cuda
