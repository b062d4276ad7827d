// A kernel with its plans and what it is compiled to. The last ones are remembered: a program that computes the same thing
// again, on other arrays of the same shapes, pays for a comparison instead of a plan, a key and a search.
#pragma once

#include <array>

#include "backend/cuda/context.h"
#include "codegen/plan.h"
#include "jit/compiler.h"

namespace cuprum::cuda {

struct Prepared {
  std::array<Plan, 2> plan;  // for each pass
  std::array<CompiledKernel*, 2> compiled = {};
  // What is launched. The driver takes a CUkernel as well, but would look up the function of the device at each launch.
  std::array<CUfunction, 2> function = {};
  std::size_t count = 0;  // none: a kernel of several stages that has no plan as a whole

  bool ready() const {
    for (std::size_t i = 0; i < count; ++i) {
      if (compiled[i]->stage.load(std::memory_order_acquire) != Stage::ready) return false;
    }
    return true;
  }
};

/// Of a kernel that is not empty and does not reduce nothing. Asking for it starts the compiler. Valid until the next call for
/// this context.
Prepared& prepare(Context& context, const Kernel& kernel);

}  // namespace cuprum::cuda
