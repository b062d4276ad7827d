// What a file loops_<family>.cu is made of: the loops of the operations of one family, instantiated by a list of their
// addresses. The table of all loops (loop_table.cu) names them; the device linker brings both together.
//
// A file defines CUPRUM_FAMILY_<family>(name) as CUPRUM_LOOPS(name) and lists op_table.def in an array: the rows of other
// families vanish.
#pragma once

#include "backend/cuda/bytecode/loop.cuh"

namespace cuprum::cuda::bytecode {

/// The loop of (op, key) where it has one of its own.
template <Op op, int key>
constexpr LoopFn own_loop() {
  if constexpr (kLoopNumbers.of_op[static_cast<int>(op)][key] != kNoLoop) {
    return &run_loop<op, static_cast<dtype>(key)>;
  } else {
    return nullptr;
  }
}

}  // namespace cuprum::cuda::bytecode

#define CUPRUM_LOOPS(name)                                                                                  \
  own_loop<Op::name, 0>(), own_loop<Op::name, 1>(), own_loop<Op::name, 2>(), own_loop<Op::name, 3>(),       \
      own_loop<Op::name, 4>(), own_loop<Op::name, 5>(), own_loop<Op::name, 6>(), own_loop<Op::name, 7>(),   \
      own_loop<Op::name, 8>(), own_loop<Op::name, 9>(), own_loop<Op::name, 10>(), own_loop<Op::name, 11>(), \
      own_loop<Op::name, 12>(), own_loop<Op::name, 13>(), own_loop<Op::name, 14>(),

#include "core/op_families.def"
