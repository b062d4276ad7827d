// conjugate, real, imag.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/complex.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

void add_complex_loops(LoopTable& table) {
#undef CUPRUM_FAMILY_complex
#define CUPRUM_FAMILY_complex(name) CUPRUM_ADD_LOOPS(name)
#include "core/op_table.def"
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
