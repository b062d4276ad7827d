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

/// The tier of the compiled kernel that `kernel` would be run by now: 1, 2, or 0 where it is not ready (or, of several
/// stages, has no plan as a whole).
/// Compiles nothing, but looks into the on-disk cache where a run would.
int tier_of(const Kernel& kernel, int architecture);

}  // namespace cuprum::cuda
