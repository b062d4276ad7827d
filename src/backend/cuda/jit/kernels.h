// The kernels of this process, by key.
#pragma once

#include "codegen/key.h"
#include "codegen/plan.h"
#include "jit/compiler.h"

namespace cuprum::cuda {

/// CUPRUM_TIER: which tier answers. `interpreted` and `compiled` are for tests: the first never compiles a kernel that the
/// interpreter knows, the second waits for the compiler.
enum class TierChoice : std::uint8_t { automatic, interpreted, compiled };
TierChoice tier_choice();

/// The kernel of a plan, made when it was never asked for: then its source is handed to the compiler.
CompiledKernel& find_kernel(const Kernel& kernel, const Plan& plan, int architecture);

/// The tier that would run this kernel now: 0, 1 or 2. Compiles nothing.
int tier_of(const Kernel& kernel, int architecture);

}  // namespace cuprum::cuda
