// Kernels with reductions: the elementwise part is evaluated block by block, and each block is folded while it is in the
// cache. Several reductions and stores share one pass.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void run_reductions(const Kernel& kernel);

}  // namespace cuprum::cpu
