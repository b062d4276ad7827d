// The iteration space of a kernel, made as simple as its operands allow.
#pragma once

#include "runtime/program.h"

namespace cuprum {

/// Orders the dimensions by `order` (descending strides of the first output, or of the operand of the
/// reductions), drops those of size 1 and merges neighbours that every operand walks through in one stride.
/// Sets `kernel.merged` where only the operand of the reductions allows a merge.
void simplify_geometry(Kernel& kernel, const Dims& order);

}  // namespace cuprum
