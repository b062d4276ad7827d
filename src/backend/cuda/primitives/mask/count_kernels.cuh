// Counting the true elements of a mask's tiles, and adding the counts up. One file includes this: kernels have one home.
#pragma once

#include "backend/cuda/primitives/mask/mask_kernels.cuh"

namespace cuprum::cuda::primitives {

inline constexpr int kSumThreads = 1024, kSumEach = 8;

/// The number of true elements among the 16 from i on; i is a multiple of 16.
__device__ inline unsigned count_sixteen(const Mask& mask, std::int64_t i) {
  if (mask.aligned && i + 16 <= mask.size) {
    const uint4 word = __ldg(reinterpret_cast<const uint4*>(mask.data + i));
    return __popc(true_bytes(word.x)) + __popc(true_bytes(word.y)) + __popc(true_bytes(word.z)) +
           __popc(true_bytes(word.w));
  }
  unsigned count = 0;
  for (int j = 0; j < 16; ++j) count += i + j < mask.size && mask.data[i + j] != 0;
  return count;
}

/// counts[t] = true elements of tile t. A warp counts a tile.
__global__ void __launch_bounds__(kMaskThreads)
    count_tiles(const Mask mask, std::int64_t tiles, std::int64_t* counts) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::int64_t tile = std::int64_t{blockIdx.x} * kMaskWarps + warp;
  if (tile >= tiles) return;
  unsigned count = 0;
#pragma unroll 8
  for (int k = 0; k < kMaskTile / (32 * 16); ++k) {
    count += count_sixteen(mask, tile * kMaskTile + (k * 32 + lane) * 16);
  }
  count = __reduce_add_sync(~0u, count);
  if (lane == 0) counts[tile] = count;
}

/// The sum of `value` over this lane and all lower ones.
__device__ inline std::int64_t sum_of_lower(std::int64_t value, int lane) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const auto bits = static_cast<std::uint64_t>(value);
    const unsigned low = __shfl_up_sync(~0u, static_cast<unsigned>(bits), step);
    const unsigned high = __shfl_up_sync(~0u, static_cast<unsigned>(bits >> 32), step);
    if (lane >= step) value += static_cast<std::int64_t>(std::uint64_t{high} << 32 | low);
  }
  return value;
}

/// counts[i] becomes the sum of those before it, counts[n] that of all. One block; n is a few ten thousand.
__global__ void __launch_bounds__(kSumThreads) sum_counts(std::int64_t* counts, std::int64_t n) {
  __shared__ std::int64_t warps[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::int64_t carry = 0;
  for (std::int64_t begin = 0; begin < n; begin += kSumThreads * kSumEach) {
    const std::int64_t first = begin + std::int64_t{threadIdx.x} * kSumEach;
    std::int64_t value[kSumEach], own = 0;
#pragma unroll
    for (int j = 0; j < kSumEach; ++j) value[j] = first + j < n ? counts[first + j] : 0;
#pragma unroll
    for (int j = 0; j < kSumEach; ++j) own += value[j];
    const std::int64_t sum = sum_of_lower(own, lane);
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    if (warp == 0) warps[lane] = sum_of_lower(warps[lane], lane);
    __syncthreads();
    std::int64_t before = carry + (warp > 0 ? warps[warp - 1] : 0) + sum - own;
#pragma unroll
    for (int j = 0; j < kSumEach; ++j) {
      if (first + j < n) counts[first + j] = before;
      before += value[j];
    }
    carry += warps[31];
    __syncthreads();
  }
  if (threadIdx.x == 0) counts[n] = carry;
}

}  // namespace cuprum::cuda::primitives
