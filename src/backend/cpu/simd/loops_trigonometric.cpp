// Circular and hyperbolic functions.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/complex_hyperbolic.h"
#include "kernels/complex_inverse.h"
#include "kernels/trigonometric.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

void add_trigonometric_loops(LoopTable& table) {
#undef CUPRUM_FAMILY_trigonometric
#define CUPRUM_FAMILY_trigonometric(name) CUPRUM_ADD_LOOPS(name)
#include "core/op_table.def"
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
