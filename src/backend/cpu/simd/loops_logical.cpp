// Logical operations, giving bool.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/logical.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

void add_logical_loops(LoopTable& table) {
#undef CUPRUM_FAMILY_logical
#define CUPRUM_FAMILY_logical(name) CUPRUM_ADD_LOOPS(name)
#include "core/op_table.def"
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
