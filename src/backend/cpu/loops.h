// The elementwise loops: one per (operation, key dtype), made from the scalar meanings in src/kernels.
#pragma once

#include <cstdint>

#include "backend/cpu/dispatch.h"
#include "core/op.h"

namespace cuprum {

/// dst[i] = op(a[i], b[i], c[i]) for i in [0, n), all contiguous. Any n >= 0 and any alignment; dst may be
/// identical to an input, never partly overlap one. The value at i depends on the inputs at i alone: not on i,
/// n or the alignment (tails go through the same vector function). Unused inputs are ignored.
using LoopFn = void (*)(std::int64_t n, void* dst, const void* a, const void* b, const void* c);

struct LoopTable {
  LoopFn loop[kOpCount][kDTypeCount];     // [op][key]; nullptr where the operation has no such loop
  LoopFn cast[kDTypeCount][kDTypeCount];  // [from][to], with NumPy's astype(casting="unsafe") meaning
};

CUPRUM_DECLARE_FOR_LEVELS(const LoopTable& loop_table())

/// The loops for this machine.
inline const LoopTable& loops() {
  static const LoopTable& table = CUPRUM_CALL_LEVEL(loop_table());  // chosen once: 30 instructions
  return table;
}

}  // namespace cuprum
