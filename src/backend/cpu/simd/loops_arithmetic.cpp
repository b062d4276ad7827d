// Arithmetic of every dtype.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/complex_exponential.h"
#include "kernels/division.h"
#include "kernels/integer.h"
#include "kernels/minmax.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

void add_arithmetic_loops(LoopTable& table) {
#undef CUPRUM_FAMILY_arithmetic
#define CUPRUM_FAMILY_arithmetic(name) CUPRUM_ADD_LOOPS(name)
#include "core/op_table.def"
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
