// Kernels of several stages (runtime/stages.h): as many rows as the caches hold go through all stages before the next.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void run_stages(const Kernel& kernel);

}  // namespace cuprum::cpu
