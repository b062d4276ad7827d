// Exponential and trigonometric functions.
#include "backend/cuda/bytecode/loop_family.cuh"

namespace cuprum::cuda::bytecode {

#undef CUPRUM_FAMILY_exponential
#define CUPRUM_FAMILY_exponential(name) CUPRUM_LOOPS(name)
#undef CUPRUM_FAMILY_trigonometric
#define CUPRUM_FAMILY_trigonometric(name) CUPRUM_LOOPS(name)
__device__ LoopFn transcendental_loops[] = {
#include "core/op_table.def"
};

}  // namespace cuprum::cuda::bytecode
