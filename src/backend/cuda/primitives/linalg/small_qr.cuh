// QR factors of a small matrix by reflections.
#pragma once

#include "backend/cuda/primitives/linalg/small_stack.cuh"

namespace cuprum::cuda::primitives {

/// The views of a call, in the order of the stack's.
struct QrViews {
  enum : int { matrix, reflectors, factors, q, r, count };
};

struct QrShape {
  int m, n, columns;  // of q
};

/// A column in each lane, which is reflected step by step, as LAPACK's geqrf does it.
template <class T, int N>
struct SmallReflections {
  using R = Real<T>;

  T column[N];  // of R down to the diagonal; below it the reflector, whose first element, 1, is not kept
  T tau = {};

  __device__ __forceinline__ SmallReflections(const MatrixAt& a, int lane, const QrShape& s) {
#pragma unroll
    for (int i = 0; i < N; ++i) column[i] = i < s.m && lane < s.n ? a.get<T>(i, lane) : T{};
#pragma unroll
    for (int p = 0; p < N; ++p) {
      if (p >= s.m || p >= s.n) break;
      if (lane == p) make_reflector(p);
      reflect(column, p, conjugated(from_lane(tau, p, N)), lane > p);
    }
  }

  /// Column `lane` of Q, the product of the reflections.
  __device__ __forceinline__ void make_q(T (&q)[N], int lane, const QrShape& s) const {
#pragma unroll
    for (int i = 0; i < N; ++i) q[i] = number<T>(i == lane ? 1 : 0);
#pragma unroll
    for (int p = N - 1; p >= 0; --p) {
      if (p >= s.m || p >= s.n) continue;
      reflect(q, p, from_lane(tau, p, N), true);
    }
  }

 private:
  /// x -= factor v (v^H x) with the reflector of lane p, where this lane `takes` it; all of them send and
  /// receive.
  __device__ __forceinline__ void reflect(T (&x)[N], int p, T factor, bool takes) const {
    T v[N];
    T sum = x[p];
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (i <= p) continue;
      v[i] = from_lane(column[i], p, N);
      sum = add_product(sum, conjugated(v[i]), x[i]);
    }
    if (!takes) return;
    sum = add_product(T{}, sum, factor);
    x[p] = subtract_product(x[p], sum, number<T>(1));
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (i > p) x[i] = subtract_product(x[i], v[i], sum);
    }
  }

  /// Of this lane's own column, scaled by a power of two so that no square overflows or vanishes.
  __device__ __forceinline__ void make_reflector(int p) {
    R largest = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (i >= p) largest = fmax(largest, size_of_number(column[i]));
    }
    constexpr int kLow = sizeof(R) == 4 ? -125 : -1021, kHigh = -kLow - 1;
    const int e = largest > 0 && largest < R(INFINITY) ? min(max(ilogb(largest), kLow), kHigh) : 0;
    const R down = ldexp(R(1), -e);
    R rest = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (i > p) rest = add_square(rest, scaled(column[i], down));
    }
    const T alpha = scaled(column[p], down);
    tau = T{};
    if (rest == 0 && is_real(alpha)) return;
    const R norm = sqrt(add_square(rest, alpha)), beta = real_part(alpha) >= 0 ? -norm : norm;
    const T gap = subtract_product(alpha, number<T>(beta), number<T>(1));
    tau = scaled(gap, -1 / beta);
    const T reciprocal = kernels::divide(number<T>(down), gap);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (i > p) column[i] = add_product(T{}, column[i], reciprocal);
    }
    column[p] = number<T>(ldexp(beta, e));
  }
};

template <class T, int N>
__global__ void __launch_bounds__(kSmallThreads)
    qr_small(const __grid_constant__ SmallStack<QrViews::count> p, const QrShape s) {
  const Lane<N> self(p.batch.size);
  const int lane = self.lane, k = min(s.m, s.n);
  const auto to = p.at(self.number);
  const SmallReflections<T, N> made(to[QrViews::matrix], lane, s);
  T q[N];
  if (p.matrix[QrViews::q].data) made.make_q(q, lane, s);
  if (!self.writes) return;
  const int rows = s.columns;  // of R
#pragma unroll
  for (int i = 0; i < N; ++i) {
    if (p.matrix[QrViews::q].data && i < s.m && lane < s.columns) to[QrViews::q].set(i, lane, q[i]);
    if (p.matrix[QrViews::r].data && i < rows && lane < s.n)
      to[QrViews::r].set(i, lane, i <= lane ? made.column[i] : T{});
    if (p.matrix[QrViews::reflectors].data && i < s.m && lane < s.n)
      to[QrViews::reflectors].set(i, lane, made.column[i]);
  }
  if (p.matrix[QrViews::factors].data && lane < k) to[QrViews::factors].set(0, lane, made.tau);
}

}  // namespace cuprum::cuda::primitives
