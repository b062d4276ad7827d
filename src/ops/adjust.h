// clip and round: elementwise functions made of several operations.
#pragma once

#include <cstdint>

#include "expr/array.h"
#include "ops/elementwise.h"

namespace cuprum::ops {

/// Limited to [low, high]; either may be null.
Array clip(const Value& a, const Value* low, const Value* high, const UfuncOptions& options = {});

/// Rounded to `decimals` places, ties to even; a negative number of places rounds before the point.
Array round(const Array& a, std::int64_t decimals = 0, const Array* out = nullptr);

}  // namespace cuprum::ops
