// What the matrix products need beside cuBLAS.
#pragma once

#include "backend/cuda/blas.h"
#include "backend/cuda/primitives/common/layout.h"

namespace cuprum::cuda::primitives {

/// Products of integers and bools with any strides; sums wrap around, those of bools are `or`.
void integer_matmul(Context& context, const View& a, const View& b, const View& out, const Layout<3>& batch);

/// The addresses of the matrices of a batch: a, b, out one after the other, `batch.size` each.
void batch_addresses(Context& context, const View& a, const View& b, const View& out, const Layout<3>& batch,
                     void** addresses);

}  // namespace cuprum::cuda::primitives
