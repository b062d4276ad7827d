// Reductions that need all elements of a slice side by side: the reduced axes are merged into the last one, and put back.
#pragma once

#include <optional>

#include "core/promotion.h"
#include "expr/array.h"

namespace cuprum::ops {

struct MergedAxes {
  Array array;  // with the reduced axes as the last one
  Dims axes;    // which they were, ascending
};
/// `axes` unset: all. A view where it can be one.
MergedAxes merge_axes(const char* function, const Array& a, const std::optional<Dims>& axes);

/// The reduced axes put back with length one where asked, and the result in `out`, if there is one; `leading` dimensions come
/// before those of the array.
struct Delivery {
  const Array* out = nullptr;
  bool keepdims = false;
  Casting casting = Casting::unsafe;
  int leading = 0;
};
Array deliver_reduced(const char* function, const Array& result, const Dims& axes, const Delivery& delivery);

/// The mean of nothing is NaN: NumPy warns where the shape tells it.
void warn_of_empty_mean(const Array& a, const std::optional<Dims>& axes);

}  // namespace cuprum::ops
