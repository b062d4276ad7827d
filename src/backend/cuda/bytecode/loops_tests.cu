// Comparisons, truth values and bits.
#include "backend/cuda/bytecode/loop_family.cuh"

namespace cuprum::cuda::bytecode {

#undef CUPRUM_FAMILY_comparison
#define CUPRUM_FAMILY_comparison(name) CUPRUM_LOOPS(name)
#undef CUPRUM_FAMILY_logical
#define CUPRUM_FAMILY_logical(name) CUPRUM_LOOPS(name)
#undef CUPRUM_FAMILY_bitwise
#define CUPRUM_FAMILY_bitwise(name) CUPRUM_LOOPS(name)
__device__ LoopFn tests_loops[] = {
#include "core/op_table.def"
};

}  // namespace cuprum::cuda::bytecode
