// Weights beside elements, and the weighted mean.
#pragma once

#include <optional>

#include "expr/array.h"

namespace cuprum::ops {

/// Weights in a shape that broadcasts with `a`, from those of every element or along the given axes.
Array spread_weights(const char* function, const Array& weights, const Array& a,
                     const std::optional<Dims>& axes);

struct Average {
  Array mean;
  Array weight;  // the sum of the weights
};
/// The mean over axes, of elements with weights if they are given. Throws ZeroDivisionError where these sum to zero.
Average average(const Array& a, const std::optional<Dims>& axes, const Array* weights = nullptr,
                bool keepdims = false);

}  // namespace cuprum::ops
