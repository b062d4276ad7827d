// What of a kernel its plan, its key and the layout of its argument are made from: everything but the values of scalars and
// the addresses, of which the lowest four bits count, and whether stores interleave. Kernels of one structure differ in one launch by numbers alone.
#pragma once

#include <cstdint>

#include "runtime/program.h"

namespace cuprum::cuda {

/// Some 30 ns for a chain of a few operations: a tenth of making a plan and a key. Epilogues are not looked at.
bool same_structure(const Kernel& a, const Kernel& b);

/// Equal for kernels of one structure.
std::uint64_t structure_hash(const Kernel& kernel);

}  // namespace cuprum::cuda
