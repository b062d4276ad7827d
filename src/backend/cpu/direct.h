// One instruction over a few contiguous elements: the loop is called as it is.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

/// Runs `kernel` if it is that small and simple; says whether it did. Translating it into a program of blocks would cost
/// three times as much as running it (16 elements: 90 ns).
bool run_direct(const Kernel& kernel);

}  // namespace cuprum::cpu
