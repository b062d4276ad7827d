// A boolean array that covers what it indexes: the elements where it is true are counted, selected or written in order.
#pragma once

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// `a[mask]` and `a[mask] = value` of a mask with the shape of `a`; `value` is one element or one per true element.
Array select(const Array& a, const Array& mask);
void masked_fill(const Array& a, const Array& mask, const Value& value);

/// The coordinates of the true elements of a bool array: (count, ndim), int64.
Array true_coordinates(const Array& mask);

/// Throws IndexError unless the mask fits the dimensions of `a` from `axis` on.
void check_mask(const Array& a, const Array& mask, int axis);

}  // namespace cuprum::ops
