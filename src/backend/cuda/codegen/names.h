// How dtypes, operations and reductions are called in generated source, and which headers define them.
#pragma once

#include <set>
#include <string>

#include "runtime/program.h"

namespace cuprum::cuda {

/// The type of a dtype: "float", "k::int64".
const char* type_name(dtype t);

/// Adds the headers of src/kernels that define what the code calls.
void add_headers(const Kernel& kernel, std::set<std::string>& headers);

/// The reducer of device/reducers.cuh, such as "Fold<Add, float>". `fold`: the name of the structure that has the operation
/// of a generic reduction.
std::string reducer_name(const Reduction& reduction, bool ordered, const std::string& fold);

}  // namespace cuprum::cuda
