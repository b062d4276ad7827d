// Eigenvalues and eigenvectors of a small Hermitian matrix.
#pragma once

#include "backend/cuda/primitives/linalg/small_jacobi.cuh"

namespace cuprum::cuda::primitives {

/// A Hermitian matrix plus a multiple of the identity is positive definite and well conditioned, if the
/// multiple is twice a bound on its eigenvalues. Then its columns, once orthogonal, are its eigenvectors
/// times its eigenvalues: nothing else has to be kept.
template <class T, int N>
__global__ void __launch_bounds__(kSmallThreads)
    eigh_small(const __grid_constant__ SmallStack<3> p, int n, bool upper, int* info) {
  using R = Real<T>;
  const Lane<N> self(p.batch.size);
  const int lane = self.lane;
  const auto m = p.at(self.number);
  SmallJacobi<T, N, false> jacobi(lane);
#pragma unroll
  for (int i = 0; i < N; ++i) {
    if (i >= n || lane >= n) continue;
    const T given = i >= lane ? m[0].template get<T>(i, lane) : conjugated(m[0].template get<T>(lane, i));
    jacobi.column[i] = i == lane ? number<T>(real_part(given)) : upper ? conjugated(given) : given;
  }
  jacobi.scale();
  const bool finite = !jacobi.failed;
  R squares = jacobi.norm();
  squares = jacobi.over_group(squares * squares, [](R a, R b) { return a + b; });
  const R shift = 2 * sqrt(squares);
#pragma unroll
  for (int i = 0; i < N; ++i) {
    if (i == lane && lane < n)
      jacobi.column[i] = add_product(jacobi.column[i], number<T>(shift), number<T>(1));
  }
  jacobi.rotate();
  const R size = jacobi.norm();
  const R value = lane < n ? ldexp(size - shift, jacobi.exponent) : R(INFINITY);
  const int rank = jacobi.rank(value, false), at = finite ? rank : lane;
  if (!self.writes) return;
  if (lane == 0)
    info[self.number] = finite && jacobi.failed;  // as in LAPACK, NaN are no failure: they give NaN
  if (lane >= n) return;
  m[1].template set<R>(0, at, finite ? value : not_a_number<R>());
  if (!p.matrix[2].data) return;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const T unit = number<T>(i == lane ? 1 : 0);  // of a matrix of zeros
    if (i < n)
      m[2].set(i, at, !finite ? not_a_number<T>() : size == 0 ? unit : scaled(jacobi.column[i], 1 / size));
  }
}

}  // namespace cuprum::cuda::primitives
