// What the kernels of a scan are told.
#pragma once

#include "backend/cuda/primitives/common/layout.h"

namespace cuprum::cuda::primitives {

/// Dense rows of n elements.
struct ScanRows {
  std::int64_t rows, n;
  const char* in;
  char* out;
};

/// Columns side by side: matrices of n x width elements, folded downwards. Steps are bytes from row to row.
struct ScanColumns {
  std::int64_t n, width;
  const char* in;
  char* out;
  std::int64_t in_step, out_step;
  Layout<2> matrices;
  std::int64_t strips;  // of 32 columns, per matrix
};

}  // namespace cuprum::cuda::primitives
