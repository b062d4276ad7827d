// LU factors of a small matrix, a row in each lane. Rows stay where they are: a lane remembers as which pivot its row was chosen.
#pragma once

#include "backend/cuda/primitives/linalg/small_stack.cuh"

namespace cuprum::cuda::primitives {

template <class T, int N>
struct SmallFactors {
  using R = Real<T>;

  T row[N];      // of L left of its pivot, of U from there on
  int order[N];  // the lane of each pivot
  int step = N;  // as which pivot this lane's row was chosen; N: none
  T pivot = {};  // and that pivot
  T reciprocal;
  bool failed = false;
  bool odd = false;      // the number of exchanges
  bool moderate = true;  // reciprocals of the pivots neither overflow nor vanish

  __device__ __forceinline__ SmallFactors(const MatrixAt& a, int lane, int n) {
#pragma unroll
    for (int j = 0; j < N; ++j) row[j] = lane < n && j < n ? a.get<T>(lane, j) : T{};
#pragma unroll
    for (int p = 0; p < N; ++p) {
      if (p < n) eliminate(p, lane, n);
    }
    const R size = size_of_number(pivot);
    constexpr R kHigh = sizeof(R) == 4 ? R(0x1p100) : R(0x1p900);
    reciprocal = kernels::divide(number<T>(1), pivot);
    moderate = __all_sync(~0u, step == N || (size < kHigh && size > 1 / kHigh));
  }

  /// x of a x = b, for one column, of which each lane has the element of its row. Lane l then has element step of x.
  __device__ __forceinline__ T solve(T b, int n) const {
#pragma unroll
    for (int p = 0; p < N; ++p) {
      if (p >= n) break;
      const T above = from_lane(b, order[p], N);
      if (step > p && step < N) b = subtract_product(b, row[p], above);
    }
#pragma unroll
    for (int p = N - 1; p >= 0; --p) {
      if (p >= n) continue;
      if (step == p) b = moderate ? product(b, reciprocal) : kernels::divide(b, pivot);
      const T below = from_lane(b, order[p], N);
      if (step < p) b = subtract_product(b, row[p], below);
    }
    return b;
  }

 private:
  static __device__ T product(T a, T b) { return add_product(T{}, a, b); }

  __device__ __forceinline__ void eliminate(int p, int lane, int n) {
    const int best = largest(p, lane, n);
    const unsigned group = __ballot_sync(~0u, step == N && lane < n) >> (threadIdx.x % 32 / N * N);
    odd ^= (__popc(group & ((1u << best) - 1)) & 1) != 0;
    order[p] = best;
    if (lane == best) {
      step = p;
      pivot = row[p];
    }
    const T top = from_lane(row[p], best, N);
    failed = failed || is_zero(top);
    const T factor = kernels::divide(row[p], top);
    const bool below = step == N;
    if (below) row[p] = factor;
#pragma unroll
    for (int j = 0; j < N; ++j) {
      if (j <= p) continue;
      const T right = from_lane(row[j], best, N);
      if (below) row[j] = subtract_product(row[j], factor, right);
    }
  }

  /// The lane with the largest element of column p among the rows that have not been chosen; the first of equals. NaN is larger than
  /// anything.
  __device__ __forceinline__ int largest(int p, int lane, int n) const {
    const R own = size_of_number(row[p]);
    R size = step == N && lane < n ? (own == own ? own : R(INFINITY)) : R(-1);
    int best = lane;
#pragma unroll
    for (int gap = N / 2; gap > 0; gap /= 2) {
      const R other = __shfl_xor_sync(~0u, size, gap, N);
      const int there = __shfl_xor_sync(~0u, best, gap, N);
      if (other > size || (other == size && there < best)) {
        size = other;
        best = there;
      }
    }
    return best;
  }
};

}  // namespace cuprum::cuda::primitives
