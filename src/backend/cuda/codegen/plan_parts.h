// The steps of plan.cpp that plans of row programs take as well.
#pragma once

#include "codegen/plan.h"

namespace cuprum::cuda {

/// Lists the dimensions of a reduction whose shape is known.
void list_dimensions(const Kernel& kernel, Plan& plan);
/// Adds reduction i to those of the plan.
void list_reduction(const Kernel& kernel, std::size_t i, Plan& plan);
/// Finds the layouts and accesses of leaves and stores.
void place_operands(const Kernel& kernel, Plan& plan);
/// Do some offsets in bytes, or counts, not fit 31 bits?
bool is_wide(const Kernel& kernel, const Plan& plan);

}  // namespace cuprum::cuda
