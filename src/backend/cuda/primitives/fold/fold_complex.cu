#include "backend/cuda/primitives/fold/fold.cuh"

namespace cuprum::cuda::primitives {
CUPRUM_FOLD(complex64)
CUPRUM_FOLD(complex128)
}  // namespace cuprum::cuda::primitives
