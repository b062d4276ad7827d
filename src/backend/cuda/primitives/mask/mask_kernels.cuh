// Doing something with every true element of a mask and its rank.
//
// First the places of a tile's true elements are listed in shared memory, one after the other: so neighbouring threads
// have neighbouring ranks, and what lies by rank is read and written in whole sectors.
#pragma once

#include "backend/cuda/primitives/mask/mask.h"

namespace cuprum::cuda::primitives {

inline constexpr int kMaskWarps = kMaskThreads / 32;

/// The highest bit of each byte that is not 0.
__device__ inline unsigned true_bytes(unsigned word) {
  return (((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word) & 0x80808080u;
}

/// Bit j of the result: is element i + j true? (j < 4; i a multiple of 4)
__device__ inline unsigned four_of(const Mask& mask, std::int64_t i) {
  if (mask.aligned && i + 4 <= mask.size) {
    const unsigned bytes = true_bytes(__ldg(reinterpret_cast<const unsigned*>(mask.data + i)));
    return ((bytes >> 7) * 0x10204080u) >> 28;
  }
  unsigned flags = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    if (i + j < mask.size && mask.data[i + j] != 0) flags |= 1u << j;
  }
  return flags;
}

/// Lists where the true elements of the block's tile lie in it, in order, and returns how many there are.
__device__ inline int list_places(const Mask& mask, unsigned short (&place)[kMaskTile]) {
  __shared__ unsigned counts[kMaskWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int first = warp * 1024 + lane * 4;  // four elements of a lane, 128 of a warp, eight times
  const std::int64_t tile = std::int64_t{blockIdx.x} * kMaskTile;
  unsigned all = 0;  // flags of the eight steps, four bits each
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const std::int64_t i = tile + first + k * 128;
    if (i < mask.size) all |= four_of(mask, i) << (4 * k);
  }
  const unsigned count = __reduce_add_sync(~0u, __popc(all));
  if (lane == 0) counts[warp] = count;
  __syncthreads();
  unsigned rank = 0, total = 0;
#pragma unroll
  for (int w = 0; w < kMaskWarps; ++w) {
    rank += w < warp ? counts[w] : 0;
    total += counts[w];
  }
  const unsigned lower = (1u << lane) - 1;
#pragma unroll 2
  for (int k = 0; k < 8; ++k) {
    const unsigned flags = all >> (4 * k) & 15;
    unsigned at = rank;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const unsigned votes = __ballot_sync(~0u, flags >> j & 1);
      at += __popc(votes & lower);
      rank += __popc(votes);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (flags >> j & 1) place[at++] = static_cast<unsigned short>(first + k * 128 + j);
    }
  }
  __syncthreads();
  return static_cast<int>(total);
}

/// use.write(i, rank, use.read(i, rank)) for every true element i; a few reads are under way at a time. Null `before`: ranks
/// are not asked for.
template <class Use>
__global__ void __launch_bounds__(kMaskThreads)
    each_true(const Mask mask, const std::int64_t* before, const __grid_constant__ Use use) {
  constexpr int kBatch = 4;
  __shared__ unsigned short place[kMaskTile];
  const int total = list_places(mask, place);
  const std::int64_t tile = std::int64_t{blockIdx.x} * kMaskTile, rank = before ? before[blockIdx.x] : 0;
  for (int begin = threadIdx.x; begin < total; begin += kBatch * kMaskThreads) {
    typename Use::Value value[kBatch];
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
      const int k = begin + b * kMaskThreads;
      if (k < total) value[b] = use.read(tile + place[k], rank + k);
    }
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
      const int k = begin + b * kMaskThreads;
      if (k < total) use.write(tile + place[k], rank + k, value[b]);
    }
  }
}

}  // namespace cuprum::cuda::primitives
