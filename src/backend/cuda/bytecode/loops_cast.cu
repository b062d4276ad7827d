// Conversions between dtypes.
#include "backend/cuda/bytecode/loop.cuh"

namespace cuprum::cuda::bytecode {

template <dtype from, int to>
constexpr LoopFn own_cast() {
  if constexpr (kLoopNumbers.of_cast[static_cast<int>(from)][to] != kNoLoop) {
    return &run_cast<from, static_cast<dtype>(to)>;
  } else {
    return nullptr;
  }
}

#define CUPRUM_CASTS(from)                                                                  \
  own_cast<dtype::from, 0>(), own_cast<dtype::from, 1>(), own_cast<dtype::from, 2>(),       \
      own_cast<dtype::from, 3>(), own_cast<dtype::from, 4>(), own_cast<dtype::from, 5>(),   \
      own_cast<dtype::from, 6>(), own_cast<dtype::from, 7>(), own_cast<dtype::from, 8>(),   \
      own_cast<dtype::from, 9>(), own_cast<dtype::from, 10>(), own_cast<dtype::from, 11>(), \
      own_cast<dtype::from, 12>(), own_cast<dtype::from, 13>(), own_cast<dtype::from, 14>()

__device__ LoopFn cast_loops[] = {
    CUPRUM_CASTS(bool_),   CUPRUM_CASTS(int8),      CUPRUM_CASTS(int16),      CUPRUM_CASTS(int32),
    CUPRUM_CASTS(int64),   CUPRUM_CASTS(uint8),     CUPRUM_CASTS(uint16),     CUPRUM_CASTS(uint32),
    CUPRUM_CASTS(uint64),  CUPRUM_CASTS(float16),   CUPRUM_CASTS(bfloat16),   CUPRUM_CASTS(float32),
    CUPRUM_CASTS(float64), CUPRUM_CASTS(complex64), CUPRUM_CASTS(complex128),
};

}  // namespace cuprum::cuda::bytecode
