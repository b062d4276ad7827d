// Do places ascend?
#pragma once

#include <cstdint>

namespace cuprum::cuda::primitives {

/// Do the places of a block's tile from `begin` on fall anywhere, or go on lower in the next tile? To be asked by all its
/// threads. A bad index falls. place[k] and next[k] are those of position begin + k * threads + threadIdx.x.
template <int kEach, class Positions>
__device__ bool tile_falls(const Positions& positions, std::int64_t begin, int threads,
                           unsigned (&place)[kEach], unsigned (&next)[kEach]) {
  bool falls = false;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const std::int64_t p = begin + k * threads + threadIdx.x;
    place[k] = p < positions.size ? positions.find(p) : positions.nowhere();
    next[k] = p + 1 < positions.size ? positions.find(p + 1) : positions.nowhere();
    falls |= next[k] < place[k] || (p < positions.size && place[k] == positions.nowhere());
  }
  return __syncthreads_or(falls) != 0;
}

}  // namespace cuprum::cuda::primitives
