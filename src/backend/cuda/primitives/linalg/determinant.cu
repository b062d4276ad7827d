#include "backend/cuda/primitives/linalg/determinant.h"

#include "backend/cuda/primitives/linalg/scaled_product.cuh"

namespace cuprum::cuda::primitives {

namespace {

constexpr int kThreads = 128;

/// A block for each matrix: each thread multiplies every 128th element of the diagonal, then halves meet; in
/// one order always.
template <class T, class Int>
__global__ void multiply(const T* factors, std::int64_t n, const Int* pivots, const int* info, T* first,
                         Real<T>* second) {
  __shared__ alignas(16) char memory[kThreads * sizeof(ScaledProduct<T>)];
  auto* const parts = reinterpret_cast<ScaledProduct<T>*>(memory);
  const std::int64_t matrix = blockIdx.x;
  ScaledProduct<T> product;
  for (std::int64_t i = threadIdx.x; i < n; i += kThreads) {
    product.multiply(factors[(matrix * n + i) * n + i]);
    if (pivots[matrix * n + i] != i + 1) product.value = negated(product.value);
  }
  parts[threadIdx.x] = product;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x].multiply(parts[threadIdx.x + half]);
  }
  if (threadIdx.x != 0) return;
  if (info[matrix] != 0) parts[0].value = T{};
  put_determinant(parts[0], first + matrix, second ? second + matrix : nullptr);
}

}  // namespace

template <class Int>
void multiply_diagonals(Context& context, const View& factors, const Int* pivots, const int* info,
                        std::span<const View> out, bool log) {
  const std::int64_t n = factors.shape.back(), count = size_of(factors) / (n * n);
  with_number(factors.type, [&](auto x) {
    using T = decltype(x);
    multiply<<<block_count(count, 1), kThreads, 0, context.stream>>>(
        reinterpret_cast<const T*>(factors.data.address()), n, pivots, info,
        reinterpret_cast<T*>(out[0].data.address()),
        log ? reinterpret_cast<Real<T>*>(out[1].data.address()) : nullptr);
  });
  launched(context, "linalg.det");
}

template void multiply_diagonals(Context&, const View&, const int*, const int*, std::span<const View>, bool);
template void multiply_diagonals(Context&, const View&, const std::int64_t*, const int*,
                                 std::span<const View>, bool);

}  // namespace cuprum::cuda::primitives
