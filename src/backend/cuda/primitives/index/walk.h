// Gathers and sums at places of an array beyond the cache, in the order of the array (walk_kernels.cuh);
// index_strategy.h says when.
#pragma once

#include "backend/cuda/primitives/index/indices.h"

namespace cuprum::cuda::primitives {

/// A gather of words of 4, 8 or 16 bytes.
void gather_walking(Context& context, const Move& move);

/// array[place] += line[position], or -=, of a dtype whose sums atomics can make.
void sum_walking(Context& context, dtype type, bool subtract, const Move& move);

}  // namespace cuprum::cuda::primitives
