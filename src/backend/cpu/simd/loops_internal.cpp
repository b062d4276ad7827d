// where and copy. `cast` is in the table of operations but has no key: see loops_cast.cpp.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/selection.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

void add_internal_loops(LoopTable& table) {
  CUPRUM_ADD_LOOPS(copy)
  CUPRUM_ADD_LOOPS(where)
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
