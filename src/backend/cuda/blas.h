// cuBLAS, opened when the first product needs it.
#pragma once

#include <cstdint>

#include "backend/cuda/context.h"

namespace cuprum::cuda {

/// Has cuBLAS products of this dtype?
constexpr bool has_blas(dtype type) { return is_floating(type) || is_complex(type); }

/// A matrix in row-major order, or its transpose: `ld` elements from line to line.
struct BlasMatrix {
  std::byte* data;
  bool transposed;
  std::int64_t ld;
};

/// Row-major out (m x n) = a (m x k) @ b (k x n) for `count` products; strides are in elements from product to product,
/// 0 to use one matrix for all.
struct BlasProduct {
  dtype type;
  std::int64_t m, n, k;
  BlasMatrix a, b, out;  // out.transposed is false
  std::int64_t count = 1;
  std::int64_t a_stride = 0, b_stride = 0, out_stride = 0;
};
void blas_multiply(Context& context, const BlasProduct& product);

/// The same with the addresses of the matrices in device memory: a[i] @ b[i] = out[i].
struct BlasPointers {
  const void* const* a;
  const void* const* b;
  void* const* out;
};
void blas_multiply(Context& context, const BlasProduct& product, const BlasPointers& pointers);

}  // namespace cuprum::cuda
