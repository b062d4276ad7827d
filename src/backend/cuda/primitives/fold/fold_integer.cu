#include "backend/cuda/primitives/fold/fold.cuh"

namespace cuprum::cuda::primitives {
CUPRUM_FOLD(bool_)
CUPRUM_FOLD(int8)
CUPRUM_FOLD(int16)
CUPRUM_FOLD(int32)
CUPRUM_FOLD(int64)
CUPRUM_FOLD(uint8)
CUPRUM_FOLD(uint16)
CUPRUM_FOLD(uint32)
CUPRUM_FOLD(uint64)
}  // namespace cuprum::cuda::primitives
