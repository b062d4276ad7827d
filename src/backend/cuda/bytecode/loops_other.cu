// Rounding, parts of floating numbers, complex parts, selection.
#include "backend/cuda/bytecode/loop_family.cuh"

namespace cuprum::cuda::bytecode {

#undef CUPRUM_FAMILY_rounding
#define CUPRUM_FAMILY_rounding(name) CUPRUM_LOOPS(name)
#undef CUPRUM_FAMILY_floating
#define CUPRUM_FAMILY_floating(name) CUPRUM_LOOPS(name)
#undef CUPRUM_FAMILY_complex
#define CUPRUM_FAMILY_complex(name) CUPRUM_LOOPS(name)
#undef CUPRUM_FAMILY_internal
#define CUPRUM_FAMILY_internal(name) CUPRUM_LOOPS(name)
__device__ LoopFn other_loops[] = {
#include "core/op_table.def"
};

}  // namespace cuprum::cuda::bytecode
