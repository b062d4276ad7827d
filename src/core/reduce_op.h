// The reductions that a backend knows. Light on purpose: files compiled once per instruction set include it.
#pragma once

#include <cstdint>

namespace cuprum {

enum class ReduceOp : std::uint8_t {
  sum,  // accumulates in the dtype of its operand (the engine has inserted the cast)
  prod,
  min,  // NaN wins, as np.min
  max,
  fmin,  // NaN loses, as np.fmin.reduce
  fmax,
  any,  // operand bool, result bool
  all,
  argmin,  // first occurrence; NaN wins; result int64
  argmax,
  nanargmin,  // first occurrence; NaN loses (the engine checks all-NaN slices)
  nanargmax,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  logical_xor,
  var,      // real or complex floating operand, real result: M2 / (n - ddof), one pass, sound merge
  mean,     // sum / n in the operand's dtype (float16 and bfloat16 accumulate in float32)
  generic,  // fold with `op`, in index order (reduce of a ufunc that has no entry above)
  user,  // fold with an operation of the program's (user_op.h), in whatever order suits, in the dtype of its operand
};

/// Is the result a position?
constexpr bool is_arg(ReduceOp op) { return op >= ReduceOp::argmin && op <= ReduceOp::nanargmax; }

}  // namespace cuprum
