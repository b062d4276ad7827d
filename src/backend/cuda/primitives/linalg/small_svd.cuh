// Singular values and vectors of a small matrix.
#pragma once

#include "backend/cuda/primitives/linalg/small_jacobi.cuh"

namespace cuprum::cuda::primitives {

/// The views of a call, in the order of the stack's: left and right are those of the high matrix.
struct SvdViews {
  enum : int { matrix, values, left, right, count };
};

/// Makes columns of zeros unit vectors, orthogonal to each other and to the other columns, which are of
/// length 1: in lanes below `width`. Each time the unit vector that the columns have the least of is made
/// orthogonal to them, twice for the sake of rounding.
template <class T, int N>
__device__ void complete_basis(T (&column)[N], int lane, int rows, int width, bool is_zero_column) {
  using R = Real<T>;
  const auto sum = [](R a, R b) { return a + b; };
  for (int target = 0; target < width; ++target) {
    const bool missing = __shfl_sync(~0u, is_zero_column ? 1 : 0, target, N) != 0;
    if (!__any_sync(~0u, missing)) continue;
    R least = R(INFINITY);
    int axis = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const R here = SmallJacobi<T, N, false>::over_group(add_square(R(0), column[i]), sum);
      if (i < rows && here < least) {
        least = here;
        axis = i;
      }
    }
    T made[N];
#pragma unroll
    for (int i = 0; i < N; ++i) made[i] = number<T>(i == axis ? 1 : 0);
    for (int pass = 0; pass < 2; ++pass) {
      T along = {};
#pragma unroll
      for (int i = 0; i < N; ++i) along = add_product(along, conjugated(column[i]), made[i]);
      R squares = 0;
#pragma unroll
      for (int i = 0; i < N; ++i) {
        T part = add_product(T{}, along, column[i]);
        if constexpr (complex_number<T>) {
          part.re = SmallJacobi<T, N, false>::over_group(part.re, sum);
          part.im = SmallJacobi<T, N, false>::over_group(part.im, sum);
        } else {
          part = SmallJacobi<T, N, false>::over_group(part, sum);
        }
        made[i] = subtract_product(made[i], part, number<T>(1));
        squares = add_square(squares, made[i]);
      }
      const R length = 1 / sqrt(squares);
#pragma unroll
      for (int i = 0; i < N; ++i) made[i] = scaled(made[i], length);
    }
    if (missing && lane == target) {
#pragma unroll
      for (int i = 0; i < N; ++i) column[i] = made[i];
    }
  }
}

struct SvdShape {
  int high, low;
  int width;  // columns of u
};

/// Of a high matrix: u in the columns of each lane, v in those that they were turned by.
template <class T, int N, bool Vectors>
__global__ void __launch_bounds__(kSmallThreads)
    svd_small(const __grid_constant__ SmallStack<SvdViews::count> p, const SvdShape s, int* info) {
  using R = Real<T>;
  const Lane<N> self(p.batch.size);
  const int lane = self.lane;
  const auto m = p.at(self.number);
  SmallJacobi<T, N, Vectors> jacobi(lane);
#pragma unroll
  for (int i = 0; i < N; ++i) {
    if (i < s.high && lane < s.low) jacobi.column[i] = m[SvdViews::matrix].template get<T>(i, lane);
  }
  jacobi.scale();
  jacobi.rotate();
  const R size = lane < s.low ? jacobi.norm() : R(-1);  // the others come last
  const int at = jacobi.rank(size, true);
  if (self.writes && lane == 0) info[self.number] = jacobi.failed;
  if (self.writes && lane < s.low && !jacobi.failed)
    m[SvdViews::values].template set<R>(0, at, ldexp(size, jacobi.exponent));
  if constexpr (Vectors) {
    const bool empty = !(size > 0);
#pragma unroll
    for (int i = 0; i < N; ++i) jacobi.column[i] = empty ? T{} : scaled(jacobi.column[i], 1 / size);
    complete_basis(jacobi.column, lane, s.high, s.width, empty);
    if (!self.writes || jacobi.failed) return;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (i < s.high && lane < s.width) m[SvdViews::left].set(i, at, jacobi.column[i]);
      if (i < s.low && lane < s.low) m[SvdViews::right].set(i, at, conjugated(jacobi.turned[i]));
    }
  }
}

}  // namespace cuprum::cuda::primitives
