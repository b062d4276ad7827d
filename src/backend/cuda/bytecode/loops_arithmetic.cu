// Arithmetic of every dtype.
#include "backend/cuda/bytecode/loop_family.cuh"

namespace cuprum::cuda::bytecode {

#undef CUPRUM_FAMILY_arithmetic
#define CUPRUM_FAMILY_arithmetic(name) CUPRUM_LOOPS(name)
__device__ LoopFn arithmetic_loops[] = {
#include "core/op_table.def"
};

}  // namespace cuprum::cuda::bytecode
