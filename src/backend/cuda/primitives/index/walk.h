// Gathers and sums at places of an array beyond the cache, in the order of the array (walk_kernels.cuh).
#pragma once

#include "backend/cuda/primitives/index/indices.h"

namespace cuprum::cuda::primitives {

/// Does the gather, if it is one of single words, and large enough to gain by it.
bool gathered_walking(Context& context, const Move& move);

/// array[place] += line[position], or -=, of a dtype whose sums atomics can make: the same.
bool summed_walking(Context& context, dtype type, bool subtract, const Move& move);

}  // namespace cuprum::cuda::primitives
