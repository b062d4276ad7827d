// Kernels that need no program: a few thousand elements copied or filled, and a few instructions over one line of a few elements,
// whose loops are called as they are.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

/// Runs `kernel` if it is that small and simple; says whether it did. Translating it into a program of blocks would cost
/// three times as much as running it (16 elements: 90 ns; `a[0, :] = a[1, :]` of 140: 250 ns).
bool run_direct(const Kernel& kernel);

}  // namespace cuprum::cpu
