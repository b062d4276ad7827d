#include "backend/cuda/primitives/scan/scan.cuh"

namespace cuprum::cuda::primitives {
ScanKernels max_kernels(dtype type) { return order_kernels<Max>(type); }
}  // namespace cuprum::cuda::primitives
