// Launches of the interpreter.
#pragma once

#include "backend/cuda/bytecode/encode.h"
#include "backend/cuda/context.h"

namespace cuprum::cuda::bytecode {

/// The interpreter over all elements of the kernel: its stores.
void run_elementwise(Context& context, const Kernel& kernel, const Program& program);

}  // namespace cuprum::cuda::bytecode
