// The Cholesky factor of a small matrix.
#pragma once

#include "backend/cuda/primitives/linalg/small_stack.cuh"

namespace cuprum::cuda::primitives {

/// A row of the lower factor in each lane. The upper factor is the lower one of the transposed matrix,
/// transposed.
template <class T, int N>
__global__ void __launch_bounds__(kSmallThreads)
    cholesky_small(const __grid_constant__ SmallStack<2> p, int n, int* info) {
  using R = Real<T>;
  const Lane<N> self(p.batch.size);
  const int lane = self.lane;
  const auto m = p.at(self.number);
  T row[N];
#pragma unroll
  for (int j = 0; j < N; ++j) row[j] = lane < n && j <= lane ? m[0].template get<T>(lane, j) : T{};
  int failed = 0;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    if (k >= n) break;
    const R square = from_lane(real_part(row[k]), k, N);
    if (!(square > 0) && failed == 0) failed = k + 1;
    const R root = sqrt(square);
    const T below = lane == k ? number<T>(root) : scaled(row[k], 1 / root);
    row[k] = lane >= k ? below : T{};
#pragma unroll
    for (int j = 0; j < N; ++j) {
      if (j <= k) continue;
      const T right = from_lane(row[k], j, N);
      if (j <= lane) row[j] = subtract_product(row[j], row[k], conjugated(right));
    }
  }
  if (!self.writes || lane >= n) return;
#pragma unroll
  for (int j = 0; j < N; ++j) {
    if (j < n) m[1].set(lane, j, row[j]);
  }
  if (lane == 0) info[self.number] = failed;
}

}  // namespace cuprum::cuda::primitives
