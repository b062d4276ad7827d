// Launches of the interpreter.
#pragma once

#include "backend/cuda/bytecode/encode.h"
#include "backend/cuda/context.h"

namespace cuprum::cuda::bytecode {

/// Static shared memory of the kernels of reductions, at most: kQuad states of 64 bytes of half a block's threads.
inline constexpr std::size_t kReduceShared = 33 * 1024;

/// The interpreter over all elements of the kernel: its stores.
void run_elementwise(Context& context, const Kernel& kernel, const Program& program);

/// Is there a kernel for this reduction?
bool can_reduce(const Reduction& reduction);

/// One reduction, and the stores if the program has them.
void run_reduction(Context& context, const Reduction& reduction, const ReduceShape& shape,
                   const Program& program);

}  // namespace cuprum::cuda::bytecode
