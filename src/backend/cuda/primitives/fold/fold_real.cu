#include "backend/cuda/primitives/fold/fold.cuh"

namespace cuprum::cuda::primitives {
CUPRUM_FOLD(float16)
CUPRUM_FOLD(bfloat16)
CUPRUM_FOLD(float32)
CUPRUM_FOLD(float64)
}  // namespace cuprum::cuda::primitives
