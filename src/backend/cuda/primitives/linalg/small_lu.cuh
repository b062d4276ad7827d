// LU factors of a small matrix, a row in each lane, and what they are made for: equations, inverses,
// determinants. Rows stay where they are: a lane remembers as which pivot its row was chosen.
#pragma once

#include "backend/cuda/primitives/linalg/scaled_product.cuh"
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

  /// x of a x = b, for one column, of which each lane has the element of its row. Lane l then has element
  /// step of x.
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

  /// The lane with the largest element of column p among the rows that have not been chosen; the first of
  /// equals. NaN is larger than anything.
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

/// Right-hand sides of one block: more columns are shared out to further ones, which factorize anew.
inline constexpr std::int64_t kSolveColumns = 128;

template <class T, int N>
__global__ void __launch_bounds__(kSmallThreads)
    solve_small(const __grid_constant__ SmallStack<3> p, int n, std::int64_t columns, int* info) {
  const Lane<N> self(p.batch.size);
  const auto m = p.at(self.number);
  const SmallFactors<T, N> factors(m[0], self.lane, n);
  const std::int64_t first = blockIdx.y * kSolveColumns, last = min(first + kSolveColumns, columns);
  for (std::int64_t c = first; c < last; ++c) {
    const T unit = number<T>(self.lane == c ? 1 : 0);
    const T b = !p.matrix[1].data ? unit : self.lane < n ? m[1].template get<T>(self.lane, c) : T{};
    const T x = factors.solve(b, n);
    if (self.writes && factors.step < n) m[2].set(factors.step, c, factors.failed ? not_a_number<T>() : x);
  }
  if (self.writes && self.lane == 0 && blockIdx.y == 0) info[self.number] = factors.failed;
}

template <class T, int N>
__global__ void __launch_bounds__(kSmallThreads)
    determinant_small(const __grid_constant__ SmallStack<1> p, int n, T* first, Real<T>* second) {
  const Lane<N> self(p.batch.size);
  const SmallFactors<T, N> factors(p.at(self.number)[0], self.lane, n);
  ScaledProduct<T> product;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    if (i >= n) break;
    product.multiply(from_lane(factors.pivot, factors.order[i], N));
  }
  if (factors.odd) product.value = negated(product.value);
  if (factors.failed) product.value = T{};
  if (self.writes && self.lane == 0)
    put_determinant(product, first + self.number, second ? second + self.number : nullptr);
}

}  // namespace cuprum::cuda::primitives
