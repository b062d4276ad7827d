// Comparisons, giving bool.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/comparison.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

void add_comparison_loops(LoopTable& table) {
#undef CUPRUM_FAMILY_comparison
#define CUPRUM_FAMILY_comparison(name) CUPRUM_ADD_LOOPS(name)
#include "core/op_table.def"
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
