// CUDA C++ for one kernel: the argument's structure and a Body (device/elementwise.cuh), in the skeleton of its plan.
#pragma once

#include <string>

#include "codegen/plan.h"

namespace cuprum::cuda {

inline constexpr char kKernelName[] = "cuprum_kernel";

/// The text depends on what is in the key alone (codegen/key.h).
std::string make_source(const Kernel& kernel, const Plan& plan);
std::string make_row_source(const Kernel& kernel, const Plan& plan);

}  // namespace cuprum::cuda
