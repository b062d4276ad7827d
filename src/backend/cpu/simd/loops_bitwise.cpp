// Operations on bits.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/bitwise.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

void add_bitwise_loops(LoopTable& table) {
#undef CUPRUM_FAMILY_bitwise
#define CUPRUM_FAMILY_bitwise(name) CUPRUM_ADD_LOOPS(name)
#include "core/op_table.def"
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
