// Exponentials, logarithms and roots.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/complex_exponential.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

void add_exponential_loops(LoopTable& table) {
#undef CUPRUM_FAMILY_exponential
#define CUPRUM_FAMILY_exponential(name) CUPRUM_ADD_LOOPS(name)
#include "core/op_table.def"
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
