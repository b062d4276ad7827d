// The kernels of scan.cuh, instantiated per operation in scan_*.cu.
#pragma once

#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/scan/scan_shape.h"

namespace cuprum::cuda::primitives {

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
