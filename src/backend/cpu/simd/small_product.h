// Products of matrices so small that a call of BLAS takes longer than the work: float32 and float64, each element the sum of its
// products in the order of k.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "backend/cpu/simd/product.h"
#include "cuprum/dtype.h"

namespace cuprum {

inline constexpr int kSmallProduct = 16;  // rows, columns and products of an element at most

/// out = a @ b; no side of either is longer than kSmallProduct, and the elements of a row of b, and of out, are neighbours.
CUPRUM_DECLARE_FOR_LEVELS(void small_product(dtype type, int64_t m, int64_t n, int64_t k, MatrixRef a,
                                             MatrixRef b, MatrixRef out))

}  // namespace cuprum
