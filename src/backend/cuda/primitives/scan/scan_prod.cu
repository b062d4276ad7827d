#include "backend/cuda/primitives/scan/scan.cuh"

namespace cuprum::cuda::primitives {
ScanKernels prod_kernels(dtype type) { return arithmetic_kernels<Prod>(type); }
}  // namespace cuprum::cuda::primitives
