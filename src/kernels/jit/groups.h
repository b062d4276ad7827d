// Cooperative groups, and copies that a block makes together.
#pragma once

#include <cooperative_groups.h>

#include "kernels/jit/meanings.h"

namespace jit {

/// Every thread of the block copies some of the bytes. They are there behind the next barrier.
template <class To, class From>
CUPRUM_FN void copy_together(To* to, const From* from, long long bytes) {
  const unsigned count = blockDim.x * blockDim.y * blockDim.z;
  const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  for (long long i = rank; i < bytes; i += count)
    reinterpret_cast<unsigned char*>(to)[i] = reinterpret_cast<const unsigned char*>(from)[i];
}

}  // namespace jit
