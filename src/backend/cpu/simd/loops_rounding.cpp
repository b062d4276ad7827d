// floor, ceil, trunc, rint.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/rounding.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

void add_rounding_loops(LoopTable& table) {
#undef CUPRUM_FAMILY_rounding
#define CUPRUM_FAMILY_rounding(name) CUPRUM_ADD_LOOPS(name)
#include "core/op_table.def"
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
