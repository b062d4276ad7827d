// What functions of several families ask of an array, with NumPy's words behind the name of the call.
#pragma once

#include "expr/array.h"

namespace cuprum::ops {

/// Throws ValueError unless `x` has one dimension.
void check_vector(const char* function, const Array& x);
/// Throws TypeError unless every value of `x` is one of `type`.
void check_safe_cast(const char* function, const Array& x, dtype type);

}  // namespace cuprum::ops
