// Counting.
#pragma once

#include <cstdint>

#include "expr/array.h"

namespace cuprum::ops {

/// How often each of 0, 1, 2, ... occurs in a vector of integers (int64), or the sum of its weights (float64); of at least
/// `minlength` of them.
Array bincount(const Array& x, const Array* weights = nullptr, std::int64_t minlength = 0);

}  // namespace cuprum::ops
