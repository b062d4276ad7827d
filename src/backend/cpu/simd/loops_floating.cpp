// Operations on the representation of floating-point numbers.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/floating.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

void add_floating_loops(LoopTable& table) {
#undef CUPRUM_FAMILY_floating
#define CUPRUM_FAMILY_floating(name) CUPRUM_ADD_LOOPS(name)
#include "core/op_table.def"
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
