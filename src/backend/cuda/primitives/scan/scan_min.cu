#include "backend/cuda/primitives/scan/scan.cuh"

namespace cuprum::cuda::primitives {
ScanKernels min_kernels(dtype type) { return order_kernels<Min>(type); }
}  // namespace cuprum::cuda::primitives
