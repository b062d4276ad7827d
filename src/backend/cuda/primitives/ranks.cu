#include "backend/cuda/primitives/ranks.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

__global__ void __launch_bounds__(kMaskThreads) count_tiles(const Mask mask, std::int64_t* counts) {
  __shared__ unsigned warps[kMaskThreads / 32];
  const std::int64_t first = std::int64_t{blockIdx.x} * kMaskTile + 4 * threadIdx.x;
  unsigned count = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const std::int64_t i = first + k * 4 * kMaskThreads;
    if (i < mask.size) count += __popc(mask.four(i));
  }
  count = __reduce_add_sync(~0u, count);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = count;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  const unsigned total = __reduce_add_sync(~0u, threadIdx.x < kMaskThreads / 32 ? warps[threadIdx.x] : 0u);
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

constexpr int kSumThreads = 1024;

/// counts[i] becomes the sum of those before it, counts[n] that of all. One block; n is a few ten thousand.
__global__ void __launch_bounds__(kSumThreads) sum_counts(std::int64_t* counts, std::int64_t n) {
  __shared__ std::int64_t warps[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::int64_t carry = 0;
  for (std::int64_t begin = 0; begin < n; begin += kSumThreads) {
    const std::int64_t i = begin + threadIdx.x;
    const std::int64_t own = i < n ? counts[i] : 0;
    std::int64_t sum = own;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const std::int64_t other = __shfl_up_sync(~0u, sum, step);
      if (lane >= step) sum += other;
    }
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
      std::int64_t total = warps[lane];
#pragma unroll
      for (int step = 1; step < 32; step *= 2) {
        const std::int64_t other = __shfl_up_sync(~0u, total, step);
        if (lane >= step) total += other;
      }
      warps[lane] = total;
    }
    __syncthreads();
    const std::int64_t before = carry + (warp > 0 ? warps[warp - 1] : 0);
    if (i < n) counts[i] = before + sum - own;
    carry += warps[31];
    __syncthreads();
  }
  if (threadIdx.x == 0) counts[n] = carry;
}

}  // namespace

Ranks::Ranks(Context& context, const Mask& mask)
    : tiles_(ceil_div(mask.size, kMaskTile)), before_(context, static_cast<std::size_t>(tiles_ + 1) * 8) {
  auto* counts = before_.get<std::int64_t>();
  if (tiles_ > 0) {
    count_tiles<<<block_count(mask.size, kMaskTile), kMaskThreads, 0, context.stream>>>(mask, counts);
    launched(context, "count_true");
  }
  sum_counts<<<1, kSumThreads, 0, context.stream>>>(counts, tiles_);
  launched(context, "count_true");
}

}  // namespace primitives

std::int64_t count_true(Context& context, const View& mask) {
  using namespace primitives;
  if (size_of(mask) == 0) return 0;
  const Dense dense(context, mask);
  const Ranks ranks(context, Mask(dense.view()));
  std::int64_t count = 0;
  read_back(context, &count, ranks.total(), sizeof(count));
  raise_index_fault(context);
  return count;
}

}  // namespace cuprum::cuda
