// The kernels of scan.cuh, instantiated per operation in scan_*.cu.
#pragma once

#include "backend/cuda/primitives/layout.h"
#include "backend/cuda/primitives/views.h"

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

/// The two forms of one operation and dtype.
struct ScanKernels {
  void (*rows)(Context& context, const ScanRows& scan);
  void (*columns)(Context& context, const ScanColumns& scan, bool in_order);
};

ScanKernels sum_kernels(dtype type);
ScanKernels prod_kernels(dtype type);
ScanKernels min_kernels(dtype type);
ScanKernels max_kernels(dtype type);

}  // namespace cuprum::cuda::primitives
