// What the kernels of small.h share: where the matrices of a stack lie, and which lanes work on which.
#pragma once

#include "backend/cuda/primitives/common/layout.h"
#include "backend/cuda/primitives/linalg/number.cuh"

namespace cuprum::cuda::primitives {

inline constexpr int kSmallThreads = 128;

/// Where the matrices of N views lie. A null view is not touched.
template <int N>
struct SmallStack {
  MatrixAt matrix[N];
  Layout<N> batch;

  /// The matrices of one place of the stack.
  struct Matrices {
    MatrixAt of[N];
    __device__ const MatrixAt& operator[](int k) const { return of[k]; }
  };
  __device__ Matrices at(std::int64_t i) const {
    std::int64_t offsets[N];
    batch.offsets(i, offsets);
    Matrices m;
    for (int k = 0; k < N; ++k) m.of[k] = matrix[k].behind(offsets[k]);
    return m;
  }
};

/// Which matrix this lane works on, N lanes each. Lanes behind the last one repeat it and write nothing:
/// shuffles need whole warps.
template <int N>
struct Lane {
  int lane = threadIdx.x % N;
  std::int64_t number;
  bool writes;
  __device__ explicit Lane(std::int64_t count) {
    number = std::int64_t{blockIdx.x} * (kSmallThreads / N) + threadIdx.x / N;
    writes = number < count;
    if (!writes) number = count - 1;
  }
};

}  // namespace cuprum::cuda::primitives
