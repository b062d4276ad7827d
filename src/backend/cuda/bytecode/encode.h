// Kernel (runtime/program.h) -> program of the interpreter.
#pragma once

#include <cstddef>
#include <vector>

#include "backend/cuda/bytecode/program.h"
#include "codegen/reduce_shape.h"
#include "runtime/program.h"

namespace cuprum::cuda::bytecode {

/// What a launch of the interpreter computes.
struct Wanted {
  bool stores = true;  // the elementwise results
  int reduction = -1;  // this reduction, cut as `shape` says
  ReduceShape shape = {.form = Form::elementwise};
};

struct Program {
  std::vector<std::byte> bytes;  // see program.h
  std::size_t shared_bytes = 0;  // that a block needs, the program included
  bool wide = false;             // Index is int64
};

/// The dtype that a reduction is computed in. Integers are reduced as 64-bit ones, whose low bits are those of the
/// narrow result; small floats as float32; truth values as bool.
dtype reduced_type(const Reduction& reduction);

/// Writes the program into `to`, whose memory is reused. False where it would need more than `max_shared` bytes or has a
/// reduction that the interpreter does not know.
bool encode(const Kernel& kernel, const Wanted& wanted, std::size_t max_shared, Program& to);

}  // namespace cuprum::cuda::bytecode
