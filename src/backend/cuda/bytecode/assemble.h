// The first half of the encoder: which instructions a kernel becomes, over values that are assigned once.
//
// What returns its argument (loop_numbers.h) gives the value a second name and no instruction. Operations on small
// floats that compute in float32 become conversions around the float32 loop. What no wanted result needs is left out.
#pragma once

#include <vector>

#include "backend/cuda/bytecode/encode.h"

namespace cuprum::cuda::bytecode {

/// A leaf, a scalar or the result of a step.
struct Value {
  std::uint8_t planes = 1;
  bool uniform = false;  // the same for all threads: lives in a place of its own, outside the registers
  bool needed = false;
  std::uint16_t name = 0;  // of its register
  int last = -1;           // the last instruction that reads it
};

/// One loop over values.
struct Step {
  std::uint16_t loop;
  std::uint8_t nsrc;
  std::uint16_t dst;
  std::uint16_t src[kMaxInputs];
};

struct Assembly {
  std::vector<Value> values;  // first the leaves, then the scalars, then the results of the steps
  std::vector<std::uint16_t> register_values;  // the value of each register of the kernel
  std::vector<Step> steps;                     // those that are needed
  std::vector<Step> fold;                      // total = fold(total, reduced), for reductions in index order
  std::uint16_t reduced = 0;                   // value that is reduced
  std::uint16_t total = 0;
};

/// False where a reduction folds with an operation that the interpreter cannot fold with.
bool assemble(const Kernel& kernel, const Wanted& wanted, Assembly& to);

}  // namespace cuprum::cuda::bytecode
