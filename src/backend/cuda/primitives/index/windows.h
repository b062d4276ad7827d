// scatter into an array that is much larger than the cache: positions are sorted by window first (window_kernels.cuh), so
// that what is written together lies together, and the last write of each place is found in shared memory.
//
// Writes to random places of 256 MB fetch and write back a sector of DRAM each, whatever the order: 2^23 of them take 0.51
// ms on an H200, and to find the last of each place by entries in memory takes as long again.
#pragma once

#include "backend/cuda/primitives/index/indices.h"

namespace cuprum::cuda::primitives {

/// Of single words at numbered places; index_strategy.h says when.
void scatter_by_windows(Context& context, const Move& move);

}  // namespace cuprum::cuda::primitives
