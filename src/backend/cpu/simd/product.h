// The blocked loop of matrix products, for dtypes that BLAS does not have (and for all where there is no
// BLAS).
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "cuprum/dtype.h"

namespace cuprum {

/// A strided matrix; strides in bytes.
struct MatrixRef {
  unsigned char* data;
  int64_t row, col;
};

inline constexpr int kProductRows = 64;            // rows of one block
inline constexpr int kProductScratch = 208 << 10;  // bytes of scratch memory, aligned to 64

/// Columns of one block, the unit of work for a thread.
CUPRUM_DECLARE_FOR_LEVELS(int product_columns(dtype type))

/// out = a @ b for m <= kProductRows and n <= product_columns(type), any k. Each element is the sum of its
/// products in the order of k: integers wrap around, bool is or-and, float16 and bfloat16 add up in float32
/// and round once.
CUPRUM_DECLARE_FOR_LEVELS(void product_block(dtype type, int64_t m, int64_t n, int64_t k, MatrixRef a,
                                             MatrixRef b, MatrixRef out, unsigned char* scratch))

/// The same without scratch memory and packing, for products of a few elements.
CUPRUM_DECLARE_FOR_LEVELS(void product_small(dtype type, int64_t m, int64_t n, int64_t k, MatrixRef a,
                                             MatrixRef b, MatrixRef out))

}  // namespace cuprum
