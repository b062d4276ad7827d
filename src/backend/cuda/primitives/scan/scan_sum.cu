#include "backend/cuda/primitives/scan/scan.cuh"

namespace cuprum::cuda::primitives {
ScanKernels sum_kernels(dtype type) { return arithmetic_kernels<Sum>(type); }
}  // namespace cuprum::cuda::primitives
