// Two operations in one loop: the value between them stays in a register. A block's values lie in the first-level cache, and a loop
// of one addition does little else than load and store them.
#pragma once

#include "backend/cpu/loops.h"

namespace cuprum {

/// Where the result x of the first operation goes in the second.
enum class PairForm { left, right, both };  // second(x, c), second(c, x), second(x, x)

/// dst[i] = second(first(a[i], b[i]), c[i]), each rounded as by a loop of its own: add, subtract and multiply of float32 and float64.
/// Null for others.
CUPRUM_DECLARE_FOR_LEVELS(LoopFn pair_loop(Op first, Op second, PairForm form, dtype key))

inline LoopFn pair_loop(Op first, Op second, PairForm form, dtype key) {
  return CUPRUM_CALL_LEVEL(pair_loop(first, second, form, key));
}

}  // namespace cuprum
